"""Converts what a model of llm says to events and messages."""

from __future__ import annotations

import json
from typing import Any

Event = dict[str, Any]

_REASONS = {
    "length": "length",
    "max_tokens": "length",
    "MAX_TOKENS": "length",
    "max_output_tokens": "length",
    "content_filter": "content-filter",
    "refusal": "content-filter",
    "SAFETY": "content-filter",
}


class Answer:
    """One answer while it is received."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._contents: list[dict[str, Any]] = []
        self._place: Any = None
        self._end: dict[str, Any] = {}

    def take(self, chunk: dict[str, Any]) -> list[Event]:
        """The events for a chunk."""
        if chunk["type"] != "end":
            return self._take_text(chunk)
        self._end = chunk
        events = self._close()
        for part in _tool_parts(chunk, self._server):
            self._contents.append(part)
            events += _events_of(part)
        return [*events, {"type": "metadata", "metadata": metadata_of(self.native())}]

    def native(self) -> dict[str, Any]:
        """The answer as a native message."""
        contents = [
            {**content, "text": "".join(content["text"])} if "text" in content else content
            for content in self._contents
        ]
        facts = {key: self._end.get(key) for key in ("usage", "model", "reason")}
        return {"role": "assistant", "contents": contents, **facts}

    def _take_text(self, chunk: dict[str, Any]) -> list[Event]:
        text, metadata = chunk["text"], chunk.get("metadata")
        place = (chunk["part"], chunk["type"])
        events: list[Event] = []
        if place != self._place:
            if not text and not metadata:
                return []
            events = [*self._close(), *self._open(chunk["type"])]
            self._place = place
        content = self._contents[-1]
        if metadata:
            _add_metadata(content, metadata, self._server)
        if text:
            content["text"].append(text)
            events.append({"type": f"{chunk['type']}-delta", "id": self._id(), "delta": text})
        return events

    def _id(self) -> str:
        return str(len(self._contents) - 1)

    def _open(self, kind: str) -> list[Event]:
        content: dict[str, Any] = {"type": kind, "text": []}
        if kind == "reasoning":
            # Only with its server is reasoning told from that of others.
            content["providerMetadata"] = {"llm": {"server": self._server}}
        self._contents.append(content)
        return [{"type": f"{kind}-start", "id": self._id()}]

    def _close(self) -> list[Event]:
        if self._place is None:
            return []
        self._place = None
        content = self._contents[-1]
        return [{"type": f"{content['type']}-end", "id": self._id(), **_facts_in(content)}]


def message_of(native: dict[str, Any]) -> dict[str, Any]:
    """Converts a native message to the core message."""
    return {"role": "assistant", "parts": native["contents"], "metadata": metadata_of(native)}


def metadata_of(native: dict[str, Any]) -> dict[str, Any]:
    """How the answer ended, what it took and which model gave it."""
    has_calls = any(
        content["type"] == "tool-call" and not content.get("providerExecuted")
        for content in native["contents"]
    )
    usual = "tool-calls" if has_calls else "stop"
    metadata = {
        "finishReason": _REASONS.get(native["reason"] or "", usual),
        "usage": _usage_of(native["usage"] or {}),
    }
    return {**metadata, "model": native["model"]} if native["model"] else metadata


def _usage_of(usage: dict[str, Any]) -> dict[str, Any]:
    counts = {key: usage.get(key) for key in ("input", "output")}
    known = {key: count for key, count in counts.items() if isinstance(count, int)}
    details = usage.get("details")
    return {**known, "raw": details} if details else known


def _tool_parts(end: dict[str, Any], server: str) -> list[dict[str, Any]]:
    """The calls, and the results of those that the model API ran itself."""
    own = {"llm": {"server": server}}
    parts = []
    metadata = {}
    for part in end["parts"]:
        if part["type"] == "tool_call":
            metadata[part.get("tool_call_id")] = part.get("provider_metadata")
        if not part.get("server_executed"):
            continue
        facts = _facts(server, part.get("provider_metadata")) or {"providerMetadata": own}
        call = {"callId": part.get("tool_call_id") or part["name"], "name": part["name"]}
        if part["type"] == "tool_call":
            made = {"type": "tool-call", **call, "input": part["arguments"]}
        else:
            made = {"type": "tool-result", **call, "output": part["output"]}
        parts.append({**made, "providerExecuted": True, **facts})
    for call in end["calls"]:
        named = {"callId": call["id"], "name": call["name"], "input": call["arguments"]}
        parts.append({"type": "tool-call", **named, **_facts(server, metadata.get(call["id"]))})
    return parts


def _events_of(part: dict[str, Any]) -> list[Event]:
    if part["type"] != "tool-call":
        return [part]
    call_id = part["callId"]
    delta = json.dumps(part["input"], ensure_ascii=False)
    rest = {key: part[key] for key in ("providerExecuted", "providerMetadata") if key in part}
    start = {"providerExecuted": True} if part.get("providerExecuted") else {}
    return [
        {"type": "tool-call-start", "id": call_id, "name": part["name"], **start},
        {"type": "tool-call-delta", "id": call_id, "delta": delta},
        {"type": "tool-call-end", "id": call_id, "input": part["input"], **rest},
    ]


def _facts(server: str, metadata: dict[str, Any] | None) -> dict[str, Any]:
    if not metadata:
        return {}
    return {"providerMetadata": {"llm": {"server": server, "metadata": metadata}}}


def _facts_in(content: dict[str, Any]) -> dict[str, Any]:
    return {key: content[key] for key in ("providerMetadata",) if key in content}


def _add_metadata(content: dict[str, Any], metadata: dict[str, Any], server: str) -> None:
    """Metadata of later pieces replaces that of earlier ones, key by key, as in llm."""
    before = content.get("providerMetadata", {}).get("llm", {}).get("metadata", {})
    content.update(_facts(server, {**before, **metadata}))
