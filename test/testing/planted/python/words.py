"""A correct provider in Python, which answers without an API."""

kind = "provider"
name = "words-py"
_USAGE = {"input": 5, "output": 4}
_END = {"finishReason": "stop", "usage": _USAGE}


def get_models(config):
    return ["words-1"]


def get_tags(config, models):
    return ["text", "streaming", "tools"]


def init(config):
    return {"tools": config.get("tools", [])}


def to_native(messages, state):
    return {"messages": messages, "tools": state["tools"]}


def call(native, state):
    message = {
        "role": "assistant",
        "parts": [{"type": "text", "text": _answer(native)}],
        "metadata": _END,
    }
    return [[], [message], native, state]


def stream(native, state):
    yield {"type": "text-start", "id": "t"}
    for word in _answer(native).split(" "):
        yield {"type": "text-delta", "id": "t", "delta": word + " "}
    yield {"type": "text-end", "id": "t"}
    yield {"type": "metadata", "metadata": _END}


def from_native(natives, state):
    return [_trimmed(message) for message in natives]


def _trimmed(message):
    parts = [{**part, "text": part["text"].strip() + " "} for part in message["parts"]]
    return {**message, "parts": parts}


def _answer(native):
    return f"You said {len(native['messages'])} messages."
