"""One request of a suite, and its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..chain import Chain
from ..contexts import Shared
from ..gather import Gather
from ..pieces import Pieces
from ..plugins import PluginUnderTest
from .scene_provider import Sent
from .watched_plugin import HookCall


class Failure(NamedTuple):
    """The error of a request, with the code that a host would give it."""

    code: str
    message: str


class Ended(NamedTuple):
    """How a request ended."""

    status: str
    """`done`, `failed` or `aborted`."""
    messages: Sequence[Mapping[str, Any]] = ()
    error: Failure | None = None
    events: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True)
class Asked:
    """The result of a request, and what the plugin did for it."""

    ended: Ended
    calls: Sequence[HookCall] = ()
    sent: Sequence[Sent] = ()
    """What the test provider was sent."""
    bodies: Sequence[str] = ()
    """What the API on loopback was sent."""

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The metadata of the last message."""
        messages = self.ended.messages
        return messages[-1].get("metadata", {}) if messages else {}

    @property
    def usage(self) -> Mapping[str, Any]:
        """The tokens of all messages."""
        total: dict[str, Any] = {}
        for message in self.ended.messages:
            for key, count in message.get("metadata", {}).get("usage", {}).items():
                total[key] = total.get(key, 0) + count if _is_number(count) else count
        return total


@dataclass(frozen=True)
class Question:
    """A request of a check."""

    answer: str | None = None
    """The answer of the test provider, by name; the default is `plain`."""
    messages: str | Sequence[Mapping[str, Any]] | None = None
    tools: Sequence[Mapping[str, Any]] = ()
    mood: Mapping[str, Any] = field(default_factory=dict)
    """What the API on loopback does otherwise."""
    begins_conversation: bool = False
    """Whether the storage is empty. Otherwise, all requests of a suite are of one conversation."""


class Exchange:
    """A request that runs through a chain. It may be cancelled."""

    def __init__(self, chain: Chain, shared: Shared, provider: PluginUnderTest) -> None:
        self.shared = shared
        self._chain = chain
        self._provider = provider
        self._events: list[Any] = []

    async def run(self, mode: str, messages: Any) -> Ended:
        """Runs the request to its end. What plugins raise is part of the result."""
        try:
            finals = await self._answer(mode, messages)
        except Exception as error:
            status = "aborted" if self.shared.signal.aborted else "failed"
            return Ended(status, error=failure_of(error), events=self._events)
        return Ended("done", finals, events=self._events if mode == "stream" else ())

    async def native(self, messages: Any) -> Any:
        """The native request, which is not sent."""
        await self._chain.prepare(messages)
        return self._chain.turn[0]

    async def read(self, messages: Any) -> None:
        """Reads the first events, and leaves."""
        await self._chain.prepare(messages)
        reader = self._chain.stream()
        try:
            async for _ in reader:
                break
        finally:
            self.shared.signal.abort()
            await reader.aclose()

    async def _answer(self, mode: str, messages: Any) -> list[Any]:
        finals = await self._finals(mode, messages)
        for final in finals:
            if not _is_message(final):
                raise AssertionError(f"the answer has {final!r}, which is no message")
        return finals

    async def _finals(self, mode: str, messages: Any) -> list[Any]:
        await self._chain.prepare(messages)
        whole = "call" if mode == "send" else "stream"
        if not self._provider.has(whole):
            whole = "stream" if mode == "send" else "call"
        if whole == "stream":
            await self._read()
            return await self._chain.finish()
        await self._chain.call()
        finals = await self._chain.finish()
        if mode == "stream":
            pieces = Pieces()
            self._events = [event for final in finals for event in pieces.events_of(final)]
            self._events += pieces.close()
        return finals

    async def _read(self) -> None:
        gathered = Gather()
        async for events in self._chain.stream():
            for event in events:
                gathered.add(event)
                self._events.append(event)
        gathered.check_closed()


def failure_of(error: BaseException) -> Failure:
    """The code and the message of an error that a plugin raised."""
    message = f"{type(error).__name__}: {error}"
    if isinstance(error, AssertionError):
        return Failure("HOOK_ANSWER_INVALID", str(error))
    code = getattr(error, "code", None)
    return Failure(code if isinstance(code, str) else "HOOK_FAILED", message)


def _is_message(value: Any) -> bool:
    if not isinstance(value, Mapping) or not isinstance(value.get("role"), str):
        return False
    parts = value.get("parts")
    return isinstance(parts, (list, tuple)) and all(
        isinstance(part, Mapping) and isinstance(part.get("type"), str) for part in parts
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
