"""A correct extension in Python: it makes texts loud."""

kind = "extension"
name = "loud-py"


def get_tags(config, models):
    return ["loud"]


def init(config, state):
    return {**state, "loud": True}


def edit_messages(messages, state):
    return list(messages)


def finalize(finals, native, state):
    return [finals, native, state]


def from_native(natives, core):
    return [_loud_event(item) if "type" in item else _loud_message(item) for item in core]


def close():
    pass


def _loud_event(event):
    if event["type"] != "text-delta":
        return event
    return {**event, "delta": _loud(event["delta"])}


def _loud_message(message):
    return {**message, "parts": [_loud_part(part) for part in message["parts"]]}


def _loud_part(part):
    return {**part, "text": _loud(part["text"])} if part["type"] == "text" else part


def _loud(text):
    return text.translate({code: code - 32 for code in range(ord("a"), ord("z") + 1)})
