"""A correct provider in Python of a small API of words, with every hook of a request."""

import asyncio
import json
from urllib.parse import urlsplit

kind = "provider"
name = "words-api-py"
config_schema = {
    "type": "object",
    "properties": {"base_url": {"type": "string", "title": "Address"}},
}
_CODES = {
    400: "INVALID_REQUEST",
    401: "PROVIDER_UNAUTHORIZED",
    429: "RATE_LIMITED",
    503: "OVERLOADED",
}


class ApiError(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def get_models(config):
    return ["words-1", "words-2"]


def get_model_info(model, config):
    return {"contextWindow": 1000, "maxOutputTokens": 100, "price": {"input": 1, "output": 2}}


def get_tags(config, models):
    return ["text", "streaming", "tools"]


def init(config):
    return {"model": config.get("model", "words-1"), "tools": config.get("tools", [])}


def to_native(messages, state):
    return {"model": state["model"], "messages": messages, "tools": state["tools"]}


def initialize_request(native, state):
    return [native, state]


async def call(native, state, context):
    body = b"".join([piece async for piece in _post(native, False, context)])
    try:
        return [[], [json.loads(body)], native, state]
    except ValueError:
        raise ApiError("PROVIDER_FAILED", "The answer is no JSON.") from None


async def stream(native, state, context):
    rest, has_ended = b"", False
    async for piece in _post(native, True, context):
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            chunk = json.loads(line)
            has_ended = has_ended or "end" in chunk
            yield chunk
    if not has_ended:
        raise ApiError("STREAM_INTERRUPTED", "The stream ended too early.")


def process_chunk(chunk, native, state, context):
    known = context.local.get("gathered", {})
    gathered = {**known, **chunk, "text": known.get("text", "") + chunk.get("text", "")}
    context.local["gathered"] = gathered
    return [_events_of(chunk), [gathered] if "end" in chunk else [], native, state]


def finalize(native, state):
    return [[], native, state]


def from_native(natives, state):
    return [_message_of(words) for words in natives]


def embed(inputs, options):
    return {"vectors": [[float(len(text)), 1.0] for text in inputs]}


def _message_of(words):
    thought, sealed = words["thought"], {name: {"seal": words["seal"]}}
    reasoning = {"type": "reasoning", "text": thought, "providerMetadata": sealed}
    metadata = {"finishReason": "stop", "usage": words["usage"]}
    parts = [reasoning, {"type": "text", "text": words["text"]}]
    return {"role": "assistant", "parts": parts, "metadata": metadata}


def _events_of(chunk):
    events = []
    if "thought" in chunk:
        sealed = {name: {"seal": chunk["seal"]}}
        events += [
            {"type": "reasoning-start", "id": "r"},
            {"type": "reasoning-delta", "id": "r", "delta": chunk["thought"]},
            {"type": "reasoning-end", "id": "r", "providerMetadata": sealed},
            {"type": "text-start", "id": "t"},
        ]
    if "text" in chunk:
        events.append({"type": "text-delta", "id": "t", "delta": chunk["text"]})
    if "end" in chunk:
        metadata = {"finishReason": "stop", "usage": chunk["usage"]}
        events += [{"type": "text-end", "id": "t"}, {"type": "metadata", "metadata": metadata}]
    return events


async def _post(native, is_stream, context):
    """The pieces of the answer's body."""
    settings = context.config.get("settings", {}).get(name, {})
    address = urlsplit(settings["base_url"])
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    try:
        body = json.dumps({**native, "stream": is_stream}).encode()
        head = f"POST / HTTP/1.1\r\nhost: words\r\ncontent-length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        head = await reader.readuntil(b"\r\n\r\n")
        status = int(head.split()[1])
        if status != 200:
            raise ApiError(_CODES.get(status, "PROVIDER_FAILED"), f"The status is {status}.")
        while size := int(await reader.readuntil(b"\r\n"), 16):
            yield (await reader.readexactly(size + 2))[:-2]
    except (OSError, EOFError) as error:
        raise ApiError("STREAM_INTERRUPTED", "The answer broke off.") from error
    finally:
        writer.close()
