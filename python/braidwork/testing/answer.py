"""The answer of a provider, as the host reads it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .gather import Gather
from .pieces import Pieces
from .plugins import PluginUnderTest


class Answer:
    """Makes events of an answer's pieces, and gathers the final message if the provider gives none."""

    def __init__(self, provider: PluginUnderTest) -> None:
        self._pieces = Pieces()
        self._yields_events = not provider.has("process_chunk")
        self._gathers = not provider.has("finalize") and (
            self._yields_events or not provider.has("from_native")
        )
        self._final = Gather() if self._gathers and self._yields_events else None
        self._early: list[Any] = []

    def of_chunk(self, chunk: Any) -> list[Any]:
        """The chunks to process for one that was streamed."""
        return self._pieces.events_of(chunk) if self._yields_events else [chunk]

    def of_step(self, partials: Sequence[Any], finals: Sequence[Any]) -> list[Any]:
        """The partials of the provider's step, as events."""
        if self._yields_events:
            self._gather(partials)
            return list(partials)
        events: list[Any] = []
        for partial in partials:
            made = self._pieces.events_of(partial)
            if made != [partial]:
                self._begin()
            elif self._final is None and "id" in partial:
                # A provider that gives its parts as events gives the finals too.
                self._gathers = False
            self._gather(made)
            events += made
        if finals:
            self._gathers, self._final = False, None
        return events

    def close(self) -> list[Any]:
        """Ends the part that is open. No step of the provider sees these events."""
        self._gathers, self._yields_events = self._final is not None, True
        return self._pieces.close()

    def messages(self) -> list[Any]:
        """The gathered final message, if there is one."""
        return list(self._final.messages()) if self._final is not None else []

    def _begin(self) -> None:
        """Gathers from the first piece on, and what came before it."""
        if self._gathers and self._final is None:
            self._final = Gather()
            self._gather(self._early)

    def _gather(self, events: Sequence[Any]) -> None:
        for event in events:
            if self._final is not None:
                self._final.add(event)
            elif self._gathers:
                self._early.append(event)
