"""Makes core events of the chunks of an answer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

_REASONS = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool-calls",
    "content_filter": "content-filter",
}
_TEXT = "text"


def events_of(chunks: Iterable[Any]) -> Iterator[Any]:
    """The events of an answer. Each part has a start, deltas and an end."""
    has_text = False
    metadata: dict[str, Any] = {}
    calls: dict[int, dict[str, str]] = {}
    for chunk in chunks:
        for choice in chunk.get("choices", []):
            delta = choice.get("delta", {})
            if delta.get("content"):
                if not has_text:
                    yield {"type": "text-start", "id": _TEXT}
                has_text = True
                yield {"type": "text-delta", "id": _TEXT, "delta": delta["content"]}
            pieces: list[Any] = delta.get("tool_calls") or []
            for piece in pieces:
                yield from _call_events(piece, calls)
            if choice.get("finish_reason"):
                metadata["finishReason"] = _REASONS.get(choice["finish_reason"], "other")
        usage = chunk.get("usage")
        if usage:
            counts = {"input": usage["prompt_tokens"], "output": usage["completion_tokens"]}
            metadata["usage"] = counts
    if has_text:
        yield {"type": "text-end", "id": _TEXT}
    for call in calls.values():
        yield {"type": "tool-call-end", "id": call["id"], "input": _input(call["text"])}
    yield {"type": "metadata", "metadata": metadata}


def _call_events(piece: Any, calls: dict[int, dict[str, str]]) -> Iterator[Any]:
    index, called = piece["index"], piece.get("function", {})
    if index not in calls:
        calls[index] = {"id": piece.get("id") or f"call-{index}", "text": ""}
        yield {"type": "tool-call-start", "id": calls[index]["id"], "name": called["name"]}
    text = called.get("arguments")
    if text:
        calls[index]["text"] += text
        yield {"type": "tool-call-delta", "id": calls[index]["id"], "delta": text}


def _input(text: str) -> Any:
    """The arguments of a call; the text itself if the model wrote no JSON."""
    try:
        return json.loads(text or "{}")
    except ValueError:
        return text
