"""A correct tool in Python: it adds numbers."""

import asyncio

kind = "tool"
name = "sums-py"
_NUMBER = {"type": "number", "description": "A number."}
_MORE = {**_NUMBER, "default": 1}
_HELD = {}
_ADD = {
    "name": "add",
    "description": "Adds two numbers.",
    "input_schema": {
        "type": "object",
        "properties": {"a": _NUMBER, "b": _NUMBER, "c": _MORE},
        "required": ["a", "b"],
        "additionalProperties": False,
    },
    "output_schema": {"type": "number"},
    "safety": {"is_read_only": True, "is_concurrency_safe": True, "is_idempotent": True},
}


def init(config):
    return {"plus": 0}


def get_tool_schemas(state):
    return [_ADD]


async def execute_tool(call, state, context):
    await asyncio.sleep(0)
    return call["input"]["a"] + call["input"]["b"]
