"""A provider with a prepared reply, for tests of plugins that are not providers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .gather import messages_of


class StandIn:
    """Its native request is the list of messages. Its chunks are events."""

    kind = "provider"
    name = "stand-in"

    def __init__(self, reply: Sequence[Any]) -> None:
        wrong = next((item for item in reply if not isinstance(item, (str, Mapping))), None)
        if wrong is not None:
            raise AssertionError(f'"reply" has {wrong!r}; give texts, and events as dicts')
        self._events = list(_events(reply))

    def call(self, native: Any, state: Any) -> tuple[list[Any], list[Any], Any, Any]:
        return [], messages_of(self._events), native, state

    def stream(self, native: Any, state: Any) -> Iterator[Any]:
        yield from self._events


def _events(reply: Sequence[Any]) -> Iterator[Any]:
    """The events of a reply. Consecutive texts form one text part."""
    is_open, count = False, 0
    for item in reply:
        if isinstance(item, str) != is_open:
            is_open = not is_open
            count += is_open
            yield {"type": "text-start" if is_open else "text-end", "id": f"text-{count}"}
        yield {"type": "text-delta", "id": f"text-{count}", "delta": item} if is_open else item
    if is_open:
        yield {"type": "text-end", "id": f"text-{count}"}
