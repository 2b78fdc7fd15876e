"""Evaluates small Python expressions for the model, without access to Python itself."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .evaluate import LONGEST_EXPRESSION, evaluate
from .functions import FUNCTIONS
from .values import Refused, to_json, type_of

if TYPE_CHECKING:
    from braidwork import State, ToolCall, ToolResult, ToolSchema

_LONGEST_RESULT = 20_000
_LONGEST_SHOWN = 60

_PYTHON_EVAL: ToolSchema = {
    "name": "python_eval",
    "description": (
        "Evaluates a small Python expression: numbers, texts, lists, arithmetic, comparisons, "
        f"and, or, not, if-else, and the functions {', '.join(FUNCTIONS)}. No variables, "
        "attributes, imports or statements."
    ),
    "input_schema": {
        "type": "object",
        "properties": {
            "expression": {
                "type": "string",
                "minLength": 1,
                "maxLength": LONGEST_EXPRESSION,
                "description": 'For example "sum([19.99, 5]) * 1.19 > 25" or "round(2 / 3, 2)"',
            },
        },
        "required": ["expression"],
        "additionalProperties": False,
    },
    "output_schema": {
        "type": "object",
        "properties": {
            "expression": {"type": "string"},
            "result": {"description": "JSON; whole numbers beyond 2^53 are digits in a text"},
            "type": {"enum": ["null", "boolean", "integer", "number", "string", "array"]},
        },
        "required": ["expression", "result", "type"],
        "additionalProperties": False,
    },
    "safety": {"is_read_only": True, "is_concurrency_safe": True, "is_destructive": False},
}


class PythonEval:
    """The tool `python_eval`."""

    kind = "tool"
    name = "python-eval"
    # Off by default, since it evaluates text of the model.
    default_enabled = False
    required_tags = ["tools"]
    config_schema = {"type": "object", "properties": {}, "additionalProperties": False}

    def get_tool_schemas(self, state: State) -> Sequence[ToolSchema]:
        return [_PYTHON_EVAL]

    def execute_tool(self, call: ToolCall, state: State) -> ToolResult:
        given = call["input"]
        expression = given.get("expression") if isinstance(given, dict) else None
        if not isinstance(expression, str):
            return {"output": 'python_eval needs {"expression": "…"}, a text.', "isError": True}
        try:
            return {"output": {"expression": expression, **_result(expression)}}
        except Refused as refused:
            shown = _shortened(expression)
            return {"output": f'"{shown}" cannot be evaluated: {refused}.', "isError": True}


def _result(expression: str) -> dict[str, Any]:
    value = evaluate(expression)
    result = to_json(value)
    if len(json.dumps(result)) > _LONGEST_RESULT:
        raise Refused(f"its value is longer than {_LONGEST_RESULT:,} characters of JSON")
    return {"result": result, "type": type_of(value)}


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"


plugin = PythonEval()
