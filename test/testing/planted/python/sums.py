"""A correct tool in Python: it adds numbers."""

kind = "tool"
name = "sums-py"
_NUMBER = {"type": "number", "description": "A number."}
_ADD = {
    "name": "add",
    "description": "Adds two numbers.",
    "input_schema": {
        "type": "object",
        "properties": {"a": _NUMBER, "b": _NUMBER},
        "required": ["a", "b"],
        "additionalProperties": False,
    },
    "output_schema": {"type": "number"},
    "safety": {"is_read_only": True, "is_concurrency_safe": True, "is_idempotent": True},
}


def get_tool_schemas(state):
    return [_ADD]


def execute_tool(call, state):
    return call["input"]["a"] + call["input"]["b"]
