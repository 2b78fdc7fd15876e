"""The tested plugin and its requests. Those that several checks need are made once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, Callable, TypeVar

from ..contexts import RequestContext
from ..plugins import PluginUnderTest, load_plugin
from .chains import Chains, configured
from .exchange import Asked, Exchange, Question
from .model_api import ModelApi
from .options import Options
from .selection import Selection, select
from .watched_plugin import WatchedPlugin

T = TypeVar("T")

PATIENCE = 2
"""Seconds within which a cancelled request must end, and its work must stop."""
# Seconds that a model may take until its first event.
_FIRST_WORD = 20
_AT_ONCE = 0.001


class Harness:
    """The tested plugin with all that it needs. `close` ends everything."""

    def __init__(self, plugin: Any, options: Options) -> None:
        given = load_plugin(plugin) if isinstance(plugin, (str, Path)) else plugin
        self.plugin = WatchedPlugin(given)
        self.options = options
        self.chains = Chains(self.plugin, options)
        self.api = ModelApi(options.api) if options.api else None
        self._known: dict[str, Asked] = {}
        self._selection: Selection | None = None
        # Work that did not end in time, which a check has reported.
        self._stuck: set[Any] = set()
        self._loop = asyncio.new_event_loop()
        self._is_closed = False

    @property
    def is_scripted(self) -> bool:
        """Whether the provider of the suite answers."""
        return self.chains.is_scripted

    @property
    def provider(self) -> PluginUnderTest:
        """The provider that answers."""
        return self.chains.provider

    @property
    def config(self) -> Mapping[str, Any]:
        """The config with which the plugin is on."""
        given = self.options.config
        own = self.api.config if self.api else {}
        settings = {**given.get("settings", {}), **own.get("settings", {})}
        told = {"provider": self.provider.name, **given, **own}
        return {**told, "settings": settings} if settings else told

    @property
    def config_of_requests(self) -> Mapping[str, Any]:
        """The config with its model."""
        return configured(self.config, self.selection)

    @property
    def logged(self) -> Sequence[str]:
        """Errors that the plugin logged, or that no request reports."""
        told = [text for level, text in self.chains.logged if level == "error"]
        return [*self.plugin.logged, *told]

    @property
    def selection(self) -> Selection:
        """What the plugins say of the config. Raises what a hook raises."""
        if self._selection is None:
            self._selection = self.select(self.config)
        return self._selection

    def select(self, config: Mapping[str, Any]) -> Selection:
        """Asks the plugins about a config."""
        return self.run(select(self.chains.plugins, self.plugin, config))

    def has(self, hook: str) -> bool:
        """Whether the plugin has a hook."""
        return self.plugin.has(hook)

    def context(self, phase: str) -> RequestContext:
        """A context outside of requests."""
        return self.chains.context(self.config, self.selection, phase)

    def ask(self, mode: str, question: Question = Question()) -> Asked:
        """Makes a request, or returns its result if it was made before."""
        key = repr((mode, question))
        if key not in self._known:
            self._known[key] = self.again(mode, question)
        return self._known[key]

    def again(self, mode: str, question: Question = Question()) -> Asked:
        """Makes a request."""
        (asked,) = self.together(mode, [question])
        return asked

    def together(self, mode: str, questions: Sequence[Question]) -> list[Asked]:
        """Makes requests at once. Each result has the calls of all. Raises what a hook raises while
        the plugins are selected."""
        works = [self._exchange(one).run(mode, self._messages_of(one)) for one in questions]
        calls, sent = len(self.plugin.calls), len(self.chains.scene.sent)
        bodies = len(self.api.bodies) if self.api else 0
        all_ended = self.run_together(works)
        noted = (
            self.plugin.calls[calls:],
            self.chains.scene.sent[sent:],
            self.api.bodies[bodies:] if self.api else [],
        )
        return [Asked(ended, *noted) for ended in all_ended]

    def native(self) -> Any:
        """The native request for the messages of the options in a new conversation. It is not sent."""
        question = Question(begins_conversation=True)
        return self.run(self._exchange(question).native(self._messages_of(question)))

    def leave(self, question: Question) -> None:
        """Reads the first events of a stream, and leaves. Raises what the request raises."""
        reading = self._exchange(question).read(self._messages_of(question))
        self.run(asyncio.wait_for(reading, _FIRST_WORD))

    def cancel(self, mode: str, question: Question, after: float) -> bool:
        """Makes a request and cancels it after some seconds. Returns whether it ends in time."""
        exchange = self._exchange(question)
        work = exchange.run(mode, self._messages_of(question))
        return self.cancel_work(work, exchange.shared.signal.abort, after)

    def cancel_work(
        self, work: Coroutine[Any, Any, Any], abort: Callable[[], None], after: float = 0
    ) -> bool:
        """Begins something and cancels it after some seconds. Returns whether it ends in time."""

        async def begin_and_cancel() -> bool:
            task = asyncio.ensure_future(work)
            await asyncio.wait({task}, timeout=after or _AT_ONCE)
            until = time.monotonic() + PATIENCE
            abort()
            task.cancel()
            await asyncio.wait({task}, timeout=PATIENCE)
            return task.done() and time.monotonic() <= until

        return self.run(begin_and_cancel())

    def is_quiet_in_time(self) -> bool:
        """Waits until no hook runs and the API has no open request. Work that was reported before
        does not count again."""

        async def wait() -> bool:
            until = time.monotonic() + PATIENCE
            while time.monotonic() < until:
                await asyncio.sleep(0.002)
                if not self.plugin.working - self._stuck and not (self.api and self.api.open):
                    return True
            self._stuck |= self.plugin.working
            return False

        return self.run(wait())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs something to its end. Hooks run in this thread, as in an interpreter of a host."""
        return self._loop.run_until_complete(work)

    def run_together(self, works: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
        """Runs several things at once. Returns their results in order."""

        async def all_of_them() -> list[T]:
            return list(await asyncio.gather(*works))

        return self.run(all_of_them())

    def close(self) -> None:
        """Closes the plugin and the API, once. Raises what `close` of the plugin raises."""
        if self._is_closed:
            return
        self._is_closed = True
        try:
            if self.has("close"):
                self.run(asyncio.wait_for(self.plugin.ask("close", context=None), PATIENCE))
        finally:
            if self.api:
                self.api.close()
            for task in asyncio.all_tasks(self._loop):
                task.cancel()
            self.run(self._loop.shutdown_asyncgens())
            self._loop.close()

    def _exchange(self, question: Question) -> Exchange:
        if self.api:
            self.api.mood = question.mood
        return self.chains.exchange(question, self.config, self.selection)

    def _messages_of(self, question: Question) -> Any:
        given = self.options.messages if question.messages is None else question.messages
        if not isinstance(given, str):
            return given
        return [{"role": "user", "parts": [{"type": "text", "text": given}]}]
