"""A request to some plugins, in send and in stream."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .chain import Chain
from .contexts import MemoryStorage, Shared
from .frozen import frozen
from .gather import Gather, messages_of
from .plugins import PluginUnderTest
from .stand_in import StandIn


@dataclass(frozen=True)
class Answer:
    """The result of a request."""

    events: list[Any]
    """The events that the caller receives; empty in send."""
    finals: list[Any]
    """The final messages; empty if the request was cancelled."""
    native: Any
    state: Any
    warnings: list[str]
    emitted: list[Any]
    upstream_id: str | None
    """The id of the request that the provider noted."""
    reported: list[dict[str, Any]]
    """What the plugins put into the request, and what they left out, with their names."""

    @property
    def text(self) -> str:
        """The text of the finals."""
        parts = [part for message in self.finals for part in message["parts"]]
        return "".join(part["text"] for part in parts if part["type"] == "text")


@dataclass(frozen=True)
class Request:
    """The input of a request, apart from the plugins."""

    messages: str | Sequence[Mapping[str, Any]] = "Hello"
    config: Mapping[str, Any] = field(default_factory=dict)
    reply: Sequence[Any] = ("Hello.",)
    """The reply of the stand-in provider: a text is a delta, a dict is an event."""
    tags: Iterable[str] = ()
    model_info: Mapping[str, Any] = field(default_factory=dict)
    storage: MemoryStorage | None = None
    cancel_after: int | None = None
    """The reader stops after this many lists of events."""


def stream(plugins: Any, request: Request | None = None) -> Answer:
    """Streams the answer to a request. `plugins` is one plugin, or several in their order."""
    return asyncio.run(_answer(plugins, request or Request(), "stream"))


def send(plugins: Any, request: Request | None = None) -> Answer:
    """Sends a request, and returns the whole answer."""
    return asyncio.run(_answer(plugins, request or Request(), "call"))


def check(plugins: Any, request: Request | None = None) -> Answer:
    """Streams the answer, and compares its finals with those of send and with its events."""
    streamed, sent = stream(plugins, request), send(plugins, request)
    if streamed.finals != sent.finals:
        raise AssertionError(f"send returned {sent.finals}, but stream returned {streamed.finals}")
    gathered = messages_of(streamed.events)
    said = [final for final in streamed.finals if final["parts"] or final.get("metadata")]
    if gathered != said:
        raise AssertionError(f"the events add up to {gathered}, but the finals are {said}")
    return streamed


async def _answer(given: Any, request: Request, mode: str) -> Answer:
    listed = list(given) if isinstance(given, (list, tuple)) else [given]
    plugins = [PluginUnderTest(plugin) for plugin in listed]
    if not any(plugin.kind == "provider" for plugin in plugins):
        plugins = [PluginUnderTest(StandIn(request.reply)), *plugins]
    shared = Shared(
        frozen(dict(request.config)), frozenset(request.tags), frozen(dict(request.model_info))
    )
    chain = Chain(plugins, shared, request.storage or MemoryStorage())
    await chain.prepare(_messages(request.messages))
    provider = next(plugin for plugin in plugins if plugin.kind == "provider")
    events: list[Any] = []
    if mode == "call" and provider.has("call"):
        await chain.call()
    elif mode == "stream" and not provider.has("stream"):
        raise AssertionError(f'"{provider.name}" has no "stream" hook; test it with send')
    elif not await _read(chain, request.cancel_after, shared, events):
        return Answer(events, [], *chain.turn, *_told(shared))
    finals = await chain.finish()
    shown = events if mode == "stream" else []
    return Answer(shown, finals, *chain.turn, *_told(shared))


def _told(shared: Shared) -> tuple[list[str], list[Any], str | None, list[dict[str, Any]]]:
    return shared.warnings, shared.emitted, shared.upstream_id, shared.reported


async def _read(chain: Chain, cancel_after: int | None, shared: Shared, events: list[Any]) -> bool:
    """Reads a stream. Returns whether it reached its end."""
    gathered = Gather()
    reader = chain.stream()
    count = 0
    async for some in reader:
        for event in some:
            gathered.add(event)
        events.extend(some)
        count += 1
        if count == cancel_after:
            shared.signal.abort()
            await reader.aclose()
            return False
    gathered.check_closed()
    return True


def _messages(given: str | Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    if isinstance(given, str):
        return [{"role": "user", "parts": [{"type": "text", "text": given}]}]
    return given
