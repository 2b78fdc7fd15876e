"""Runs plugin code: on the main thread, in a thread of its own, or on the asyncio thread."""

from __future__ import annotations

import builtins
import sys
import threading
import time
from functools import partial
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Dict, List, Optional, TypeVar

from . import vitals
from .faults import Cancelled, TimeLimit
from .wire import Guard

if TYPE_CHECKING:
    import asyncio

# A copy, so that no plugin can remove builtins that this module needs.
__builtins__ = vars(builtins).copy()

# asyncio and ctypes are imported on first use, since they would make the start half as slow again.

T = TypeVar("T")
Done = Callable[[Any, Optional[BaseException]], None]

# The original method, in case a plugin replaces it.
_begin = threading.Thread.start


class Limit:
    """The time limit of code on the main thread. The host sends a signal when it is exceeded."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._end = 0.0

    def run(self, seconds: float, work: Callable[..., T], *args: Any, **keywords: Any) -> T:
        """Calls something, which may be interrupted until it returns or raises."""
        self._end = time.monotonic() + seconds
        try:
            return work(*args, **keywords)
        finally:
            self._end = 0.0

    def interrupt(self, *_: object) -> None:
        """The handler of the host's signal. The host repeats the signal if this one was ignored."""
        if self._end and not self._guard.depth and time.monotonic() >= self._end:
            self._end = 0.0
            raise TimeLimit("it took longer than its limit")


class AsyncThread:
    """An event loop in a thread of its own, started when it is first needed."""

    def __init__(self) -> None:
        self._loop: Optional[asyncio.AbstractEventLoop] = None

    def run(self, work: Awaitable[Any], done: Done) -> Callable[[], None]:
        """Awaits something. Returns a function that cancels it."""
        loop = self._started()
        task: Dict[str, "asyncio.Task[Any]"] = {}
        cancelled: List[bool] = []

        def begin() -> None:
            task["it"] = loop.create_task(_settle(work, done))
            task["it"].add_done_callback(partial(_tell_of_none, work, done))
            if cancelled:
                task["it"].cancel()

        def cancel() -> None:
            cancelled.append(True)
            loop.call_soon_threadsafe(lambda: task["it"].cancel() if "it" in task else None)
            vitals.look(vitals.runs(loop.call_soon_threadsafe))

        loop.call_soon_threadsafe(begin)
        return cancel

    def call(self, act: Callable[[], None]) -> None:
        """Runs a function on the loop's thread."""
        self._started().call_soon_threadsafe(act)

    def _started(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            import asyncio

            self._loop = asyncio.new_event_loop()
            run = partial(_run_always, self._loop)
            _begin(threading.Thread(target=run, name="braidwork-asyncio", daemon=True))
        return self._loop


def _run_always(loop: asyncio.AbstractEventLoop) -> None:
    try:
        while True:  # a hook may stop the loop
            loop.run_forever()
    except BaseException:  # a hook closed the loop
        vitals.give_up("the event loop was closed")


def is_cancel(error: Optional[BaseException]) -> bool:
    """Whether the error is a cancellation."""
    asyncio = sys.modules.get("asyncio")
    cancelled = (Cancelled, asyncio.CancelledError) if asyncio else Cancelled
    return isinstance(error, cancelled)


async def _settle(work: Awaitable[Any], done: Done) -> None:
    try:
        value = await work
    except BaseException as error:  # a plugin's sys.exit() must not end the loop
        _tell(done, None, error)
    else:
        _tell(done, value, None)


def _tell_of_none(work: Awaitable[Any], done: Done, task: "asyncio.Task[Any]") -> None:
    """Tells of work of which nothing ran: it was cancelled before its first step."""
    if not task.cancelled():
        return
    close = getattr(work, "close", None)
    if close is not None:
        close()
    _tell(done, None, sys.modules["asyncio"].CancelledError())


def _tell(done: Done, value: Any, error: Optional[BaseException]) -> None:
    try:
        done(value, error)
    except BaseException:  # otherwise the caller would wait for ever
        vitals.give_up("the result of a hook cannot be sent")


def begin_thread(work: Callable[[], Any]) -> None:
    """Runs something in a thread of its own. Nobody waits for it; its exception goes to the log."""
    try:
        _begin(threading.Thread(target=work, name="braidwork-abort", daemon=True))
    except RuntimeError as error:  # no thread can be started
        vitals.suspect(error)


def run_thread(work: Callable[[], Any], done: Done) -> Callable[[], None]:
    """Runs something in a thread of its own. Returns a function that interrupts it."""
    finished: List[bool] = []

    def body() -> None:
        value, error = None, None
        try:
            value = work()
        except BaseException as thrown:
            error = thrown
        finished.append(True)
        try:
            vitals.check()
            done(value, error)
        except Cancelled:  # it arrived just after the work ended
            done(value, error)
        except BaseException:  # otherwise the caller would wait for ever
            vitals.give_up("the result of a hook cannot be sent")

    thread = threading.Thread(target=body, name="braidwork-hook", daemon=True)
    _begin(thread)

    def cancel() -> None:
        if not finished and thread.ident is not None:
            import ctypes

            thread_id = ctypes.c_ulong(thread.ident)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(thread_id, ctypes.py_object(Cancelled))

    return cancel
