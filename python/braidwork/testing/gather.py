"""Checks the events of an answer as the host does, and builds the message from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

_SEGMENTS = ("text", "reasoning", "tool-call")
_WHOLE = ("tool-result", "file", "source", "data", "metadata")
_FACTS = ("providerMetadata", "providerExecuted")


class Gather:
    """Collects the events of one answer."""

    def __init__(self) -> None:
        self._parts: list[dict[str, Any]] = []
        self._data: dict[str, dict[str, Any]] = {}
        self._open: dict[tuple[str, str], dict[str, Any]] = {}
        self._used: set[tuple[str, str]] = set()
        self._metadata: dict[str, Any] = {}

    def add(self, event: Mapping[str, Any]) -> None:
        """Adds an event. Raises AssertionError if it breaks the rules of events."""
        kind = event.get("type")
        if not isinstance(kind, str):
            raise AssertionError(f'an event is a dict with a "type", not {event!r}')
        segment, _, step = kind.rpartition("-")
        if segment in _SEGMENTS and step in ("start", "delta", "end"):
            self._add_to_segment(segment, step, event)
        elif kind == "metadata":
            self._metadata.update(event["metadata"])
        elif kind == "data":
            self._add_data(event)
        elif kind in _WHOLE:
            self._parts.append(dict(event))
        else:
            raise AssertionError(f'a plugin must not send events of type "{kind}"')

    def messages(self) -> list[dict[str, Any]]:
        """The message so far, in a list; an empty list if there is no content."""
        parts = [_whole(part) for part in self._parts if not _is_empty(part)]
        if not parts and not self._metadata:
            return []
        message: dict[str, Any] = {"role": "assistant", "parts": parts}
        return [{**message, "metadata": self._metadata}] if self._metadata else [message]

    def check_closed(self) -> None:
        """Raises AssertionError if a part is still open."""
        for kind, id_ in self._open:
            raise AssertionError(f'the part "{id_}" is still open: a "{kind}-end" is missing')

    def _add_to_segment(self, kind: str, step: str, event: Mapping[str, Any]) -> None:
        key = (kind, str(event.get("id")))
        if step == "start":
            if key in self._used:
                raise AssertionError(f'the id "{key[1]}" of a {kind} was used before')
            self._used.add(key)
            self._start(key, event)
            return
        part = self._open.get(key)
        if part is None:
            raise AssertionError(f'"{event["type"]}": no {kind} with the id "{key[1]}" is open')
        if step == "delta":
            part["input" if kind == "tool-call" else "text"] += event["delta"]
            return
        part.update({fact: event[fact] for fact in _FACTS if fact in event})
        if kind == "tool-call":
            part["input"] = event["input"]
        del self._open[key]

    def _start(self, key: tuple[str, str], event: Mapping[str, Any]) -> None:
        kind, id_ = key
        if kind == "tool-call":
            part = {"type": kind, "callId": id_, "name": event["name"], "input": ""}
        else:
            part = {"type": kind, "text": ""}
        part.update({fact: event[fact] for fact in _FACTS if fact in event})
        self._open[key] = part
        self._parts.append(part)

    def _add_data(self, event: Mapping[str, Any]) -> None:
        if event.get("transient"):
            return
        part = {key: value for key, value in event.items() if key not in ("id", "transient")}
        earlier = self._data.get(event.get("id", ""))
        if earlier is not None:
            earlier.update(part)
            return
        self._parts.append(part)
        if "id" in event:
            self._data[event["id"]] = part


def messages_of(events: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The messages that complete events add up to."""
    gathered = Gather()
    for event in events:
        gathered.add(event)
    gathered.check_closed()
    return gathered.messages()


def _is_empty(part: Mapping[str, Any]) -> bool:
    return part["type"] == "text" and part["text"] == "" and "providerMetadata" not in part


def _whole(part: Mapping[str, Any]) -> dict[str, Any]:
    """A part with its text completed: two deltas may contain the halves of a surrogate pair."""
    if not isinstance(part.get("text"), str):
        return dict(part)
    units = part["text"].encode("utf-16-le", "surrogatepass")
    return {**part, "text": units.decode("utf-16-le", "surrogatepass")}
