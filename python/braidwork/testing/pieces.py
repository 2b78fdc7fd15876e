"""Makes events out of texts and messages that a provider yields, as the host does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_CONTENT = ("type", "text", "callId", "name", "input")


class Pieces:
    """The pieces of one answer."""

    def __init__(self) -> None:
        self._open: dict[str, str] | None = None
        self._count = 0

    def events_of(self, chunk: Any) -> list[Any]:
        """The events of a chunk; one that is no piece stays as it is."""
        if isinstance(chunk, str):
            return self._stream({"type": "text", "text": chunk})
        if not isinstance(chunk, Mapping) or "parts" not in chunk:
            return [chunk]
        if chunk.get("role") != "assistant":
            raise AssertionError(f'a message that is yielded has the role "assistant": {chunk!r}')
        events = [event for part in chunk["parts"] for event in self._append(part)]
        if "metadata" in chunk:
            events.append({"type": "metadata", "metadata": chunk["metadata"]})
        return events

    def close(self, facts: Mapping[str, Any] | None = None) -> list[Any]:
        """Ends the part that is open."""
        part, self._open = self._open, None
        if part is None:
            return []
        end: dict[str, Any] = {"type": f"{part['type']}-end", "id": part["id"], **(facts or {})}
        if part["type"] == "tool-call":
            end["input"] = _input_of(part["text"])
        return [end]

    def _append(self, part: Mapping[str, Any]) -> list[Any]:
        kind = part["type"]
        if kind in ("text", "reasoning"):
            return self._stream(part)
        if kind != "tool-call":
            return [*self.close(), dict(part)]
        if isinstance(part["input"], str):
            return self._call(part, part["input"])
        closing = self.close()
        id_ = part["callId"]
        text = json.dumps(part["input"], separators=(",", ":"), ensure_ascii=False)
        return [
            *closing,
            {"type": "tool-call-start", "id": id_, "name": part["name"]},
            {"type": "tool-call-delta", "id": id_, "delta": text},
            {"type": "tool-call-end", "id": id_, "input": part["input"], **_facts_of(part)},
        ]

    def _stream(self, part: Mapping[str, Any]) -> list[Any]:
        kind, text, facts = part["type"], part["text"], _facts_of(part)
        if text == "" and not facts:
            return []
        before: list[Any] = []
        if self._open is None or self._open["type"] != kind:
            self._count += 1
            before = self._begin(kind, f"piece-{self._count}")
        delta = self._delta(text) if text else []
        return [*before, *delta, *(self.close(facts) if facts else [])]

    def _call(self, part: Mapping[str, Any], text: str) -> list[Any]:
        before: list[Any] = []
        opened = self._open
        if opened is None or (opened["type"], opened["id"]) != ("tool-call", part["callId"]):
            before = self._begin("tool-call", part["callId"], name=part["name"])
        facts = _facts_of(part)
        return [*before, *self._delta(text), *(self.close(facts) if facts else [])]

    def _begin(self, kind: str, id_: str, **facts: Any) -> list[Any]:
        closing = self.close()
        self._open = {"type": kind, "id": id_, "text": ""}
        return [*closing, {"type": f"{kind}-start", "id": id_, **facts}]

    def _delta(self, text: str) -> list[Any]:
        part = self._open
        if part is None:
            return []
        if part["type"] == "tool-call":
            part["text"] += text
        return [{"type": f"{part['type']}-delta", "id": part["id"], "delta": text}]


def _facts_of(part: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in part.items() if name not in _CONTENT}


def _input_of(text: str) -> Any:
    """The arguments of a call: an object, or else the text."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, dict) else text
