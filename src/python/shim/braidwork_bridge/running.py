"""Runs plugin code on the main thread, or in a thread of its own."""

from __future__ import annotations

import builtins
import threading
import time
from typing import Any, Callable, List, Optional, Type, TypeVar

from . import vitals
from .faults import Cancelled, TimeLimit
from .wire import Guard

# A copy, so that no plugin can remove builtins that this module needs.
__builtins__ = vars(builtins).copy()

# ctypes is imported on first use, since it would slow down the start.

T = TypeVar("T")
Done = Callable[[Any, Optional[BaseException]], None]

# The original method, in case a plugin replaces it.
start_thread = threading.Thread.start


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


def nothing() -> None:
    """Does nothing."""


def begin_thread(work: Callable[[], Any]) -> None:
    """Runs something in a thread of its own. Nobody waits for it; its exception goes to the log."""
    try:
        start_thread(threading.Thread(target=work, name="braidwork-abort", daemon=True))
    except RuntimeError as error:  # no thread can be started
        vitals.suspect(error)


def run_thread(
    work: Callable[[], Any], done: Done, begun: Callable[[], object] = nothing
) -> Callable[..., None]:
    """Runs something in a thread, after `begun`. Returns a function that interrupts it."""
    finished: List[bool] = []

    def body() -> None:
        value, error = None, None
        try:
            begun()
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
    start_thread(thread)

    def cancel(_patience: float = 0.0) -> None:
        if not finished:
            interrupt_thread(thread, Cancelled)

    return cancel


def interrupt_thread(thread: threading.Thread, error: Type[BaseException]) -> None:
    """Raises an error in a thread, as soon as that runs code of Python again."""
    if thread.ident is None:
        return
    import ctypes

    thread_id = ctypes.c_ulong(thread.ident)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(thread_id, ctypes.py_object(error))
