"""Evaluates an expression by its syntax tree. Syntax that is not listed here is refused."""

from __future__ import annotations

import ast
import operator
import time
import warnings
from typing import Any, Callable

from .functions import FUNCTIONS
from .values import Refused, checked, multiply, power

LONGEST_EXPRESSION = 1_000
_DEEPEST = 50
_SECONDS = 1.0
_FILE = "<python-eval>"
# The parser's warnings about a model's expression do not belong in a log.
warnings.filterwarnings("ignore", module=_FILE)

_Operation = Callable[[Any, Any], Any]


def _numeric(run: _Operation, sign: str) -> _Operation:
    """An operation that accepts only numbers: on texts it would format, and on lists repeat."""

    def apply(left: Any, right: Any) -> Any:
        if isinstance(left, (int, float)) and isinstance(right, (int, float)):
            return run(left, right)
        raise Refused(f'"{sign}" takes numbers')

    return apply


def _add(left: Any, right: Any) -> Any:
    if isinstance(left, (list, tuple)) or isinstance(right, (list, tuple)):
        raise Refused('"+" takes numbers or texts')
    return left + right


_BINARY: dict[type, _Operation] = {
    ast.Add: _add,
    ast.Sub: _numeric(operator.sub, "-"),
    ast.Mult: multiply,
    ast.Div: _numeric(operator.truediv, "/"),
    ast.FloorDiv: _numeric(operator.floordiv, "//"),
    ast.Mod: _numeric(operator.mod, "%"),
    ast.Pow: _numeric(power, "**"),
}
_UNARY: dict[type, Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Not: operator.not_,
}
_COMPARE: dict[type, _Operation] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda left, right: left in right,
    ast.NotIn: lambda left, right: left not in right,
}


def evaluate(expression: str, seconds: float = _SECONDS) -> Any:
    """The value of an expression. Raises Refused with the reason as a clause."""
    if not expression.strip():
        raise Refused("it is empty")
    if len(expression) > LONGEST_EXPRESSION:
        raise Refused(f"it is longer than {LONGEST_EXPRESSION:,} characters")
    try:
        tree = ast.parse(expression.strip(), _FILE, mode="eval").body
    except SyntaxError as error:
        raise Refused(f"it is not valid Python ({error.msg}, column {error.offset})") from None
    except (ValueError, MemoryError, RecursionError):
        raise Refused("it is not valid Python") from None
    _check_depth(tree)
    try:
        return _Evaluation(time.monotonic() + seconds).value(tree)
    except ZeroDivisionError:
        raise Refused("it divides by zero") from None
    except OverflowError:
        raise Refused("a number in it is too large") from None
    except (TypeError, ValueError) as error:
        raise Refused(f"{error}") from None


def _check_depth(tree: ast.AST) -> None:
    level = [tree]
    for _ in range(_DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return
    raise Refused(f"it is nested deeper than {_DEEPEST} levels")


class _Evaluation:
    """One evaluation with a deadline."""

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline

    def value(self, node: ast.expr) -> Any:
        """The value of a node. Each value is checked, so that none can grow too large."""
        if time.monotonic() > self._deadline:
            raise Refused("it takes too long")
        evaluate_node = getattr(self, f"_{type(node).__name__.lower()}", None)
        if evaluate_node is None:
            raise Refused(f"{_described(node)} cannot be used in it")
        return checked(evaluate_node(node))

    def _constant(self, node: ast.Constant) -> Any:
        return node.value

    def _list(self, node: ast.List) -> Any:
        return [self.value(item) for item in node.elts]

    def _tuple(self, node: ast.Tuple) -> Any:
        return tuple(self.value(item) for item in node.elts)

    def _unaryop(self, node: ast.UnaryOp) -> Any:
        return self._found(_UNARY, node.op)(self.value(node.operand))

    def _binop(self, node: ast.BinOp) -> Any:
        return self._found(_BINARY, node.op)(self.value(node.left), self.value(node.right))

    def _boolop(self, node: ast.BoolOp) -> Any:
        stops_at = isinstance(node.op, ast.Or)
        result = None
        for item in node.values:
            result = self.value(item)
            if bool(result) == stops_at:
                break
        return result

    def _compare(self, node: ast.Compare) -> bool:
        left = self.value(node.left)
        for sign, item in zip(node.ops, node.comparators):
            right = self.value(item)
            if not self._found(_COMPARE, sign)(left, right):
                return False
            left = right
        return True

    def _ifexp(self, node: ast.IfExp) -> Any:
        return self.value(node.body if self.value(node.test) else node.orelse)

    def _call(self, node: ast.Call) -> Any:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in FUNCTIONS:
            known = ", ".join(FUNCTIONS)
            raise Refused(f"{_described(node.func)} cannot be called in it; functions are {known}")
        if node.keywords or any(isinstance(item, ast.Starred) for item in node.args):
            raise Refused(f'"{name}" takes plain arguments')
        return FUNCTIONS[name](*[self.value(item) for item in node.args])

    def _found(self, table: dict[type, Any], sign: ast.AST) -> Any:
        if type(sign) not in table:
            raise Refused(f"the operator {type(sign).__name__} cannot be used in it")
        return table[type(sign)]


def _described(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return f'the name "{node.id}"'
    if isinstance(node, ast.Attribute):
        return f'the attribute ".{node.attr}"'
    return f"the syntax {type(node).__name__}"
