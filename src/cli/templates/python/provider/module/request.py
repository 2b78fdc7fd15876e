"""Writes the body of a request, which is the native format of this provider."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any


def request_of(messages: Sequence[Any], model: str, tools: Sequence[Any]) -> dict[str, Any]:
    """The body of a request for a streamed answer."""
    chat = [one for message in messages for one in _chat(message)]
    request = {"model": model, "stream": True, "messages": chat}
    return {**request, "tools": [_function(tool) for tool in tools]} if tools else request


def _chat(message: Any) -> Iterator[dict[str, Any]]:
    role, parts = message["role"], message["parts"]
    if role == "tool":
        # The results of tools are messages of their own in this API.
        for part in parts:
            content = _written(part["output"])
            yield {"role": role, "content": content, "tool_call_id": part["callId"]}
        return
    text = "".join(part["text"] for part in parts if part["type"] == "text")
    calls = [_call(part) for part in parts if part["type"] == "tool-call"]
    chat = {"role": role, "content": text}
    yield {**chat, "tool_calls": calls} if calls else chat


def _call(part: Any) -> dict[str, Any]:
    called = {"name": part["name"], "arguments": _written(part["input"])}
    return {"id": part["callId"], "type": "function", "function": called}


def _function(tool: Any) -> dict[str, Any]:
    described = {"name": tool["name"], "description": tool["description"]}
    return {"type": "function", "function": {**described, "parameters": tool["input_schema"]}}


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
