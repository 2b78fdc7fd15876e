"""A plugin whose hooks are noted: what they get, what they answer, and what still runs."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import AsyncIterator, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Callable

from ..plugins import PluginUnderTest
from .worker import Worker

_END = object()
# Their plain functions may wait for an API, so the host gives them a thread.
_WAITING = frozenset({"call", "stream", "execute_tool", "refresh_models", "embed", "run_action"})


@dataclass(eq=False)
class HookCall:
    """One call of a hook."""

    hook: str
    args: tuple[Any, ...]
    phase: str
    local: dict[str, Any] = field(default_factory=dict)
    """What the plugin keeps for the request."""
    answer: Any = None
    error: BaseException | None = None


class WatchedPlugin(PluginUnderTest):
    """The plugin that a suite tests."""

    def __init__(self, plugin: Any) -> None:
        super().__init__(plugin)
        self.calls: list[HookCall] = []
        """All calls of hooks, in order."""
        self.working: set[Any] = set()
        """The hooks and generators that have not ended."""
        self.logged: list[str] = []
        """Errors that no request reports."""

    async def ask(self, hook: str, *arguments: Any, context: Any) -> Any:
        """The result of a hook, frozen. A stream is watched too."""
        phase, local = getattr(context, "phase", ""), getattr(context, "local", {})
        call = HookCall(hook, arguments, phase, local)
        self.calls.append(call)
        try:
            with self._work():
                answer = await super().ask(hook, *arguments, context=context)
        except BaseException as error:
            call.error = error
            raise
        if hasattr(answer, "__anext__"):
            return self._pulled(answer, call)
        if hasattr(answer, "__next__"):
            return self._pulled_in_thread(answer, call, getattr(context, "config", {}))
        call.answer = answer
        return answer

    async def _called(self, hook: str, run: Callable[[], Any]) -> Any:
        """The answer of a hook. One that waits for something outside has a thread, as in a host."""
        function = self._hook(hook)
        is_lazy = any(
            test(function)
            for test in (
                inspect.iscoroutinefunction,
                inspect.isgeneratorfunction,
                inspect.isasyncgenfunction,
            )
        )
        if hook not in _WAITING or is_lazy:
            return await super()._called(hook, run)
        worker = Worker()
        started = self._followed(worker.submit(run))
        worker.end()
        answer = await asyncio.wrap_future(started)
        return await answer if inspect.isawaitable(answer) else answer

    @contextlib.contextmanager
    def _work(self) -> Iterator[None]:
        work = object()
        self.working.add(work)
        try:
            yield
        finally:
            self.working.discard(work)

    async def _pulled(self, values: Any, call: HookCall) -> AsyncIterator[Any]:
        try:
            while True:
                # Lets other requests go on between two values, as a host does.
                await asyncio.sleep(0)
                try:
                    with self._work():
                        value = await values.__anext__()
                except StopAsyncIteration:
                    return
                except Exception as error:
                    call.error = error
                    raise
                yield value
        finally:
            close = getattr(values, "aclose", None)
            if close is not None:
                with self._work():
                    await close()

    async def _pulled_in_thread(
        self, values: Any, call: HookCall, config: Mapping[str, Any]
    ) -> AsyncIterator[Any]:
        """The values of a generator that is no async one. It may wait, so it has a thread."""
        worker = Worker()
        try:
            while True:
                pulled = self._followed(worker.submit(lambda: next(values, _END)))
                try:
                    with self.limits.of_value(call.hook, config):
                        value = await asyncio.wrap_future(pulled)
                except Exception as error:
                    call.error = error
                    raise
                if value is _END:
                    return
                yield value
        finally:
            close = getattr(values, "close", None)
            if close is not None:
                self._followed(worker.submit(close)).add_done_callback(self._note_error)
            worker.end()

    def _followed(self, work: Future[Any]) -> Future[Any]:
        self.working.add(work)
        work.add_done_callback(self.working.discard)
        return work

    def _note_error(self, work: Future[Any]) -> None:
        error = None if work.cancelled() else work.exception()
        if error is not None:
            self.logged.append(f'The stream of "{self.name}" does not close: {error}')
