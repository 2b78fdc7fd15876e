"""A correct extension in Python: it makes texts loud."""

import asyncio

kind = "extension"
name = "loud-py"
config_schema = {
    "type": "object",
    "properties": {
        "volume": {"type": "integer", "title": "Volume", "minimum": 1, "default": 3},
        "api_key": {"type": "string", "title": "Key", "writeOnly": True},
    },
    "additionalProperties": False,
}


def get_models(config, models):
    return models


def get_tags(config, models):
    return ["loud"]


def is_enabled(config, tags, models, context):
    return None


def init(config, state, context):
    return {**state, "loud": True}


async def edit_messages(messages, state, context):
    await asyncio.sleep(0)
    return list(messages)


def to_native(messages, native):
    return native


def initialize_request(native, state):
    return [native, {**state, "ready": True}]


def process_chunk(chunk, partials, finals, native, state, context):
    return [partials, finals, native, state]


def finalize(finals, native, state, context):
    return [finals, native, state]


def from_native(natives, core):
    return [_loud_event(item) if "type" in item else _loud_message(item) for item in core]


def get_ui_elements(config, given):
    return [{"id": "shout", "kind": "session-action", "title": "Shout"}]


def run_action(action, given):
    return {}


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
