"""The answers of the test provider."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..gather import Gather

Event = Mapping[str, Any]

OWN_METADATA = {"other": {"z": 1, "a": ["ü", "\u2028", None, 1e21], "signature": "q83v+/=="}}
"""Metadata of a provider, with characters and an order of keys that a careless copy loses."""

TEXT = "Hello! Tea is hot, they say.\n\nIs it not? 茶 😀 é"

_ENDING = {
    "type": "metadata",
    "metadata": {"finishReason": "stop", "usage": {"input": 12, "output": 9}},
}
_CALLS_ENDING = {
    "type": "metadata",
    "metadata": {"finishReason": "tool-calls", "usage": {"input": 7, "output": 5}},
}


def _part(kind: str, id_: str, *pieces: str, **facts: Any) -> list[Event]:
    """A text or reasoning part as events, a delta for each piece."""
    deltas = [{"type": f"{kind}-delta", "id": id_, "delta": piece} for piece in pieces]
    end = {"type": f"{kind}-end", "id": id_, **facts}
    return [{"type": f"{kind}-start", "id": id_}, *deltas, end]


def _call(id_: str, tea: str) -> list[Event]:
    arguments = {"tea_name": tea}
    return [
        {"type": "tool-call-start", "id": id_, "name": "braidwork_lookup"},
        {"type": "tool-call-delta", "id": id_, "delta": json.dumps(arguments)},
        {"type": "tool-call-end", "id": id_, "input": arguments},
    ]


SCENES: Mapping[str, Sequence[Event]] = {
    "plain": [
        *_part("reasoning", "r", "One mom", "ent."),
        *_part("text", "t", "Hel", "lo! Tea is h", "ot, they s", "ay.\n\nIs it", " not? 茶 😀 é"),
        {"type": "source", "url": "https://example.org/tea", "title": "Tea"},
        _ENDING,
    ],
    "calls": [
        *_part("text", "t", "I lo", "ok."),
        *_call("call-1", "Assam"),
        *_call("call-2", "Ceylon"),
        _CALLS_ENDING,
    ],
    "owned": [
        *_part("reasoning", "r", "One moment.", providerMetadata=OWN_METADATA),
        *_part("text", "t", "Tea is hot."),
        _ENDING,
    ],
    "empty": [_ENDING],
    "reasoning": [*_part("reasoning", "r", "Only ", "thoughts."), _ENDING],
    "two texts": [*_part("text", "a", "One."), *_part("text", "b", "Two."), _ENDING],
    "mixed": [
        *_part("text", "a", "First. "),
        *_call("call-1", "Assam"),
        *_part("text", "b", "Then."),
        _CALLS_ENDING,
    ],
    "file": [
        *_part("text", "t", "See."),
        {"type": "file", "mediaType": "image/png", "data": "iVBORw0KGgo="},
        _ENDING,
    ],
}
"""Answers by name. `text:<words>` is an answer of that text, `split:<n>` of `TEXT`, split there,
`pieces:<n>` of `TEXT` in pieces of that size, and a JSON list one of a text in these pieces."""


def scene_named(name: str) -> Sequence[Event]:
    """The events of an answer."""
    if name.startswith("["):
        return [*_part("text", "t", *json.loads(name)), _ENDING]
    kind, _, detail = name.partition(":")
    if kind == "text":
        return [*_part("text", "t", *_pieces(detail, 5)), _ENDING]
    if kind == "split":
        return [*_part("text", "t", *_cut(TEXT, int(detail))), _ENDING]
    if kind == "pieces":
        return [*_part("text", "t", *_pieces(TEXT, int(detail))), _ENDING]
    return SCENES.get(name, SCENES["plain"])


def gathered(events: Iterable[Event]) -> list[dict[str, Any]]:
    """The messages that events add up to so far."""
    answer = Gather()
    for event in events:
        answer.add(event)
    return answer.messages()


def length_of(text: str) -> int:
    """The number of places where a text may be split: other languages count in UTF-16."""
    return len(_units(text)) // 2


def _units(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


def _slice(text: str, start: int, end: int | None = None) -> str:
    units = _units(text)[start * 2 : None if end is None else end * 2]
    return units.decode("utf-16-le", "surrogatepass")


def _cut(text: str, at: int) -> list[str]:
    return [piece for piece in (_slice(text, 0, at), _slice(text, at)) if piece]


def _pieces(text: str, size: int) -> list[str]:
    return [_slice(text, at, at + size) for at in range(0, length_of(text), size)]
