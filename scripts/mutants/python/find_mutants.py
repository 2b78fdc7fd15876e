"""Finds the places of Python files that a mutant may change. Reads paths as JSON, writes JSON."""

from __future__ import annotations

import ast
import json
import sys
from typing import Any, Dict, Iterator, List, Tuple

OPERATORS: Dict[type, str] = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "/",
    ast.Div: "*",
    ast.FloorDiv: "*",
    ast.Mod: "*",
    ast.And: "or",
    ast.Or: "and",
}

Found = Tuple[ast.expr, str, str]


class Finder(ast.NodeVisitor):
    """Gathers the node, the mutator's name and the replacement of each mutant of a module."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.found: List[Found] = []

    def text(self, node: ast.AST) -> str:
        return ast.get_source_segment(self.source, node) or ""

    def add(self, node: ast.expr, mutator: str, replacement: str) -> None:
        self.found.append((node, mutator, replacement))

    def visit_body(self, node: Any) -> None:
        # A docstring, or another text that nothing reads.
        is_text = lambda each: isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
        node.body = [each for each in node.body if not is_text(each)]
        self.generic_visit(node)

    visit_Module = visit_ClassDef = visit_body

    def visit_FunctionDef(self, node: Any) -> None:
        node.returns = None
        self.visit_body(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_arg(self, node: ast.arg) -> None:
        """An annotation is no code."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self.add(node, "StringLiteral", '""')

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.add(node, "BooleanLiteral", str(not node.value))
        elif isinstance(node.value, str):
            self.add(node, "StringLiteral", '""' if node.value else '"mutant"')
        elif isinstance(node.value, int):
            self.add(node, "NumberLiteral", str(node.value + 1))

    def visit_Compare(self, node: ast.Compare) -> None:
        self.conditions(node)
        if len(node.ops) == 1:
            left, right = self.text(node.left), self.text(node.comparators[0])
            operator = OPERATORS[type(node.ops[0])]
            self.add(node, "EqualityOperator", f"({left}) {operator} ({right})")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self.conditions(node)
        operator = f" {OPERATORS[type(node.op)]} "
        joined = operator.join(f"({self.text(each)})" for each in node.values)
        self.add(node, "LogicalOperator", joined)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self.add(node, "BooleanLiteral", self.text(node.operand))
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        operator = OPERATORS.get(type(node.op))
        if operator is not None:
            left, right = self.text(node.left), self.text(node.right)
            self.add(node, "ArithmeticOperator", f"({left}) {operator} ({right})")
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value and not isinstance(node.value, ast.Constant):
            self.add(node.value, "Return", "None")
        self.generic_visit(node)

    def visit_condition(self, node: Any) -> None:
        if not isinstance(node.test, (ast.Compare, ast.BoolOp)):
            self.conditions(node.test)
        self.generic_visit(node)

    visit_If = visit_While = visit_IfExp = visit_condition

    def visit_match_case(self, node: Any) -> None:
        """A pattern is no expression."""
        for each in [node.guard, *node.body]:
            if each:
                self.visit(each)

    def conditions(self, node: ast.expr) -> None:
        self.add(node, "ConditionalExpression", "True")
        self.add(node, "ConditionalExpression", "False")


def describe(path: str) -> Dict[str, Any]:
    with open(path, encoding="utf-8", newline="") as file:
        source = file.read()
    module = ast.parse(source)
    starts = [0]
    for line in source.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    offsets = Offsets(source, starts)
    prelude = offsets.units(starts[last_line_of_head(module)])
    finder = Finder(source)
    finder.visit(module)
    return {"prelude": prelude, "mutants": list(mutants_of(finder.found, offsets))}


def last_line_of_head(module: ast.Module) -> int:
    """The line after which code may stand: docstring and imports from the future come first."""
    last = 0
    for number, each in enumerate(module.body):
        is_docstring = number == 0 and isinstance(each, ast.Expr)
        if not is_docstring and getattr(each, "module", None) != "__future__":
            break
        last = each.end_lineno or last
    return last


class Offsets:
    """Offsets as JavaScript counts them, from positions as Python counts them."""

    def __init__(self, source: str, starts: List[int]) -> None:
        self.source = source
        self.starts = starts

    def units(self, offset: int) -> int:
        return len(self.source[:offset].encode("utf-16-le")) // 2

    def at(self, line: int, column: int) -> int:
        start = self.starts[line - 1]
        before = self.source[start : self.starts[line]].encode()[:column].decode()
        return self.units(start + len(before))


def mutants_of(found: List[Found], offsets: Offsets) -> Iterator[Dict[str, Any]]:
    for node, mutator, replacement in found:
        yield {
            "line": node.lineno,
            "mutator": mutator,
            "start": offsets.at(node.lineno, node.col_offset),
            "end": offsets.at(node.end_lineno or 0, node.end_col_offset or 0),
            "replacement": replacement,
        }


json.dump({path: describe(path) for path in json.load(sys.stdin)}, sys.stdout)
