"""A correct feature in Python: it asks for brief answers."""

kind = "feature"
name = "brief-py"
sections = {"brief": {"type": "object", "properties": {"words": {"type": "integer"}}}}
actions = ["shorten"]
effects = ["tell"]
state_keys = {"answers": {"merge": "sum", "initial": 0}}
_NOTE = {"role": "system", "parts": [{"type": "text", "text": "Be brief."}]}


def init(config, state):
    return {**state, "brief": True}


def edit_messages(messages, state):
    return [_NOTE, *messages]


def initialize_request(native, state):
    return [native, state]


def finalize(finals, native, state, context):
    return [finals, native, state]


def from_native(natives, core):
    return core


def tool_gate(call):
    return None


def edit_tool_call(call):
    return {"input": {**call["input"]}, "reason": "copied"}


def edit_tool_result(call, result):
    return {"output": result["output"], "reason": "kept"}


def step_end(run):
    return {"state": {"answers": 1}}


def handle_action(key, payload, run):
    return None


def handle_effect(key, payload, run):
    return None
