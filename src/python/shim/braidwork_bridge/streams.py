"""Sends the values of generators to the host, but not more than the host has room for."""

from __future__ import annotations

import builtins
import inspect
import threading
from typing import Any, Callable, Optional

from .faults import describe
from .event_loop import AsyncThread, is_cancel
from .running import run_thread
from .wire import Wire

# A copy, so that no plugin can remove builtins that this module needs.
__builtins__ = vars(builtins).copy()

# The number of values that may be sent before the reader requests them.
WINDOW = 64


def is_stream(value: Any, hook: str) -> bool:
    """Whether an answer is a stream of values."""
    if inspect.isgenerator(value) or hasattr(value, "__aiter__") or hasattr(value, "__next__"):
        return True
    return hook == "stream" and isinstance(value, (list, tuple))


class Stream:
    """A generator whose values are sent to the host."""

    def __init__(self, wire: Wire, number: int, ended: Callable[[], object]) -> None:
        self._wire = wire
        self._number = number
        self._ended = ended
        self._room = WINDOW
        self._is_closing = False
        self._changed = threading.Condition()
        self._wake: Callable[[], None] = lambda: None
        self._interrupt: Callable[..., None] = lambda: None

    def start(self, values: Any, loop: AsyncThread) -> None:
        """Starts to send values."""
        if hasattr(values, "__aiter__"):
            self._interrupt = loop.run(self._send_async(values, loop), self._end)
        else:
            self._interrupt = run_thread(lambda: self._send(iter(values)), self._end)

    def grant(self, room: int) -> None:
        """Allows more values, since the host has consumed some."""
        with self._changed:
            self._room += room
            self._changed.notify()
        self._wake()

    def close(self) -> None:
        """Closes the generator at its next value, since the host wants no more."""
        with self._changed:
            self._is_closing = True
            self._changed.notify()
        self._wake()

    def interrupt(self) -> None:
        """Interrupts a generator that did not close."""
        self._interrupt()

    def _send(self, values: Any) -> None:
        try:
            while self._has_room():
                try:
                    value = next(values)
                except StopIteration:
                    return
                if self._is_closing:
                    return
                self._push(value)
        finally:
            close = getattr(values, "close", None)
            if close is not None:
                close()

    def _has_room(self) -> bool:
        with self._changed:
            while self._room <= 0 and not self._is_closing:
                self._changed.wait()
            return not self._is_closing

    async def _send_async(self, values: Any, loop: AsyncThread) -> None:
        import asyncio

        wake = asyncio.Event()
        task = asyncio.current_task()

        def on_loop() -> None:
            wake.set()
            # A generator that waits for its API is cancelled there.
            if self._is_closing and task is not None:
                task.cancel()

        self._wake = lambda: loop.call(on_loop)
        iterator = values.__aiter__()
        try:
            while not self._is_closing:
                if self._room <= 0:
                    wake.clear()
                    if self._room <= 0:
                        await wake.wait()
                    continue
                try:
                    value = await iterator.__anext__()
                except StopAsyncIteration:
                    return
                self._push(value)
        finally:
            self._wake = lambda: None
            close = getattr(iterator, "aclose", None)
            if close is not None:
                await close()

    def _push(self, value: Any) -> None:
        self._wire.push("item", g=self._number, v=value)
        with self._changed:
            self._room -= 1

    def _end(self, _value: Any, error: Optional[BaseException]) -> None:
        self._ended()
        if error is None or (self._is_closing and is_cancel(error)):
            self._wire.push("end", g=self._number)
        else:
            self._wire.push("end", g=self._number, err=describe(error))
