"""The limits of hooks, so that a test of a plugin that hangs ends and names the hook."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

SECONDS: Mapping[str, float] = {
    "hook": 30,
    "process_chunk": 5,
    "execute_tool": 120,
    "call": 600,
    "stream_idle": 60,
}
"""The limits of a host, by default."""
_OWN = {"process_chunk": "process_chunk", "execute_tool": "execute_tool", "call": "call"}
_OF_STREAM = {"stream": "stream_idle", "execute_tool": "execute_tool"}
# Seconds that a hook gets which has hung before, so that a suite ends soon.
_AGAIN = 1.0
# Seconds between two looks whether a hook blocks the thread, and those that its await gets first.
_LOOK, _GRACE = 0.25, 0.5


class HookTimeout(Exception):
    """A hook did not end within its limit."""

    code = "TIMEOUT"


@dataclass(frozen=True)
class Limit:
    """The limit of one call of a hook."""

    name: str
    seconds: float
    what: str
    until: float = 0

    def error(self) -> HookTimeout:
        """The error that names the hook."""
        limit = f"{self.seconds:g} seconds (limits.{self.name})"
        return HookTimeout(f"{self.what} did not end within {limit}")


class Limits:
    """The limits of the hooks of one plugin."""

    def __init__(self, plugin: str) -> None:
        self._plugin = plugin
        self._hung: set[str] = set()

    @contextlib.contextmanager
    def of_hook(self, hook: str, config: Mapping[str, Any]) -> Iterator[None]:
        """Ends a hook that runs in the block. Raises HookTimeout."""
        with self._limited(hook, _OWN.get(hook, "hook"), config):
            yield

    @contextlib.contextmanager
    def of_value(self, hook: str, config: Mapping[str, Any]) -> Iterator[None]:
        """Ends the wait for the next value of a hook's iterator. Raises HookTimeout."""
        with self._limited(hook, _OF_STREAM.get(hook, "hook"), config):
            yield

    @contextlib.contextmanager
    def _limited(self, hook: str, name: str, config: Mapping[str, Any]) -> Iterator[None]:
        seconds = {**SECONDS, **(config.get("limits") or {})}[name]
        if hook in self._hung:
            seconds = min(seconds, _AGAIN)
        try:
            with within(Limit(name, seconds, f'"{hook}" of "{self._plugin}"')):
                yield
        except HookTimeout:
            self._hung.add(hook)
            raise


@contextlib.contextmanager
def within(limit: Limit) -> Iterator[None]:
    """Cancels the present task after some time, and interrupts it if it blocks the main thread.
    Raises HookTimeout for both."""
    task = _present_task()
    if task is None:
        # Who waits for this thread has the limit.
        yield
        return
    is_late = False

    def end() -> None:
        nonlocal is_late
        is_late = True
        task.cancel()

    timer = task.get_loop().call_later(limit.seconds, end)
    try:
        with _WATCH.over(limit):
            yield
    except asyncio.CancelledError:
        if not is_late:
            raise
        # Python 3.11 and later count the requests to cancel a task.
        getattr(task, "uncancel", int)()
        raise limit.error() from None
    finally:
        timer.cancel()


def _present_task() -> asyncio.Task[Any] | None:
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None


_RUNNING: contextvars.ContextVar[Limit | None] = contextvars.ContextVar("running", default=None)


class _Watch:
    """Interrupts a hook that blocks the main thread, also in `time.sleep` or a read. It leaves the
    signal to others that use it, such as pytest-timeout."""

    def __init__(self) -> None:
        self._count = 0

    @contextlib.contextmanager
    def over(self, limit: Limit) -> Iterator[None]:
        """Watches the hook that runs in the block."""
        if not self._can_begin():
            yield
            return
        now = time.monotonic()
        until = now + limit.seconds + _GRACE
        token = _RUNNING.set(Limit(limit.name, limit.seconds, limit.what, until))
        self._count += 1
        if self._count == 1:
            signal.signal(signal.SIGALRM, _look)
            signal.setitimer(signal.ITIMER_REAL, _LOOK, _LOOK)
        try:
            yield
        finally:
            self._count -= 1
            if self._count == 0:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
            _RUNNING.reset(token)

    def _can_begin(self) -> bool:
        is_main = threading.current_thread() is threading.main_thread()
        if not is_main or not hasattr(signal, "setitimer"):
            return False
        return self._count > 0 or signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


_WATCH = _Watch()


def _look(*_: Any) -> None:
    # A signal is handled in the context of the code that it interrupts.
    running = _RUNNING.get()
    if running is not None and time.monotonic() > running.until:
        raise running.error()


class LimitedValues:
    """An iterator of a hook, each of whose values has a limit."""

    def __init__(self, values: Any, limits: Limits, hook: str, config: Mapping[str, Any]) -> None:
        self._values, self._limits, self._given = values, limits, (hook, config)

    def __iter__(self) -> LimitedValues:
        return self

    def __next__(self) -> Any:
        with self._limits.of_value(*self._given):
            return next(self._values)

    def close(self) -> None:
        """Closes the iterator, if it can be closed."""
        close = getattr(self._values, "close", None)
        if close is not None:
            close()


class LimitedAsyncValues:
    """An async iterator of a hook, each of whose values has a limit."""

    def __init__(self, values: Any, limits: Limits, hook: str, config: Mapping[str, Any]) -> None:
        self._values, self._limits, self._given = values, limits, (hook, config)

    def __aiter__(self) -> LimitedAsyncValues:
        return self

    async def __anext__(self) -> Any:
        with self._limits.of_value(*self._given):
            return await self._values.__anext__()

    async def aclose(self) -> None:
        """Closes the iterator, if it can be closed."""
        close = getattr(self._values, "aclose", None)
        if close is not None:
            await close()
