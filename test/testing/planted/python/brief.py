"""A correct feature in Python: it asks for brief answers."""

kind = "feature"
name = "brief-py"
state_keys = {"answers": {"merge": "sum", "initial": 0}}
_NOTE = {"role": "system", "parts": [{"type": "text", "text": "Be brief."}]}


def init(config, state):
    return {**state, "brief": True}


def edit_messages(messages, state):
    return [_NOTE, *messages]


def tool_gate(call):
    return None
