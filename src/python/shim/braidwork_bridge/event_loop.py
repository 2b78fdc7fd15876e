"""Runs async plugin code on an event loop in a thread of its own, and frees a blocked loop."""

from __future__ import annotations

import builtins
import faulthandler
import sys
import threading
import weakref
from functools import partial
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Dict, List, Optional

from . import vitals
from .faults import Cancelled, TimeLimit
from .running import Done, begin_thread, interrupt_thread, nothing, start_thread

if TYPE_CHECKING:
    import asyncio

    Task = asyncio.Task[Any]

# A copy, so that no plugin can remove builtins that this module needs.
__builtins__ = vars(builtins).copy()

# asyncio is imported on first use, since it would make the start half as slow again.

# For how long a cancelled hook may block the loop before the interpreter ends.
PATIENCE_SECONDS = 10.0
# The same for a hook that has exceeded its limit, as on the main thread.
LATE_SECONDS = 0.3
# The same for what a hook has left on the loop, such as a callback.
_LEFT_SECONDS = 2.0
_LOOK_SECONDS = 0.05


class AsyncThread:
    """An event loop in a thread of its own, started when it is first needed."""

    def __init__(self) -> None:
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._asyncio: Any = None
        self._thread = threading.Thread(name="braidwork-asyncio", daemon=True)
        # The hooks that run, and for how many seconds a cancelled one may block the loop.
        self._hooks: Dict[Task, Optional[float]] = {}
        # Which hook's task made a task.
        self._origins: "weakref.WeakKeyDictionary[Task, Task]" = weakref.WeakKeyDictionary()
        self._lock = threading.Lock()
        self._is_watched = False
        self._looks_again = False

    def run(
        self, work: Awaitable[Any], done: Done, begun: Callable[[], object] = nothing
    ) -> Callable[..., None]:
        """Awaits something, after `begun`. Returns a function that cancels it."""
        loop = self._started()
        task: Dict[str, Task] = {}
        cancelled: List[bool] = []

        def begin() -> None:
            try:
                task["it"] = self._begin(_settle(work, done, begun))
                task["it"].add_done_callback(partial(_tell_of_none, work, done))
            except BaseException as error:  # otherwise the caller would wait for ever
                vitals.give_up("no task can be started", error)
            if cancelled:
                task["it"].cancel()

        def cancel(patience: float = PATIENCE_SECONDS) -> None:
            cancelled.append(True)
            loop.call_soon_threadsafe(lambda: task["it"].cancel() if "it" in task else None)
            if "it" in task:
                self._limit(task["it"], patience)
            self.watch()

        loop.call_soon_threadsafe(begin)
        return cancel

    def _begin(self, work: Any) -> Task:
        hook: Task = self._started().create_task(work)
        self._hooks[hook] = None
        self._origins[hook] = hook
        hook.add_done_callback(lambda ended: self._hooks.pop(ended, None))
        return hook

    def call(self, act: Callable[[], None]) -> None:
        """Runs a function on the loop's thread."""
        self._started().call_soon_threadsafe(act)

    def watch(self) -> None:
        """Looks whether the loop is blocked, and interrupts a cancelled hook that blocks it."""
        with self._lock:
            self._looks_again = True
            if self._is_watched:
                return
            self._is_watched = True
        begin_thread(self._look)

    def _limit(self, hook: Task, patience: float) -> None:
        if hook in self._hooks:
            self._hooks[hook] = min(patience, self._hooks[hook] or patience)
        if hook.done():  # meanwhile
            self._hooks.pop(hook, None)

    def _look(self) -> None:
        try:
            while self._is_asked():
                self._wait_for_loop()
        except BaseException as error:
            vitals.give_up("the event loop cannot be asked how it is", error)

    def _wait_for_loop(self) -> None:
        came = threading.Lock()
        came.acquire()
        self.call(came.release)
        before: Any = self
        looks = 0
        while not came.acquire(True, _LOOK_SECONDS):
            # The loop may be busy with many tasks. Only one that stays blocks it.
            task = self._asyncio.current_task(self._loop)
            looks = looks + 1 if task is before else 0
            before = task
            if looks:
                self._free(task, looks * _LOOK_SECONDS)

    def _is_asked(self) -> bool:
        with self._lock:
            self._is_watched = self._looks_again
            self._looks_again = False
            return self._is_watched

    def _free(self, task: Optional[Task], seconds: float) -> None:
        """Frees the loop from a task that has blocked it, unless its hook is within its limit."""
        hook = self._origins.get(task) if task else None
        is_left = hook not in self._hooks
        patience = _LEFT_SECONDS if is_left else self._hooks.get(hook)
        if patience is None:
            return
        if seconds > patience:
            faulthandler.dump_traceback()
            vitals.give_up("a cancelled hook still blocks the event loop")
        if not is_left:
            interrupt_thread(self._thread, TimeLimit)

    def _make_task(self, loop: Any, work: Any, **options: Any) -> Task:
        made: Task = self._asyncio.Task(work, loop=loop, **options)
        parent = self._asyncio.current_task(loop)
        if parent in self._origins:
            self._origins[made] = self._origins[parent]
        return made

    def _started(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            import asyncio

            self._asyncio = asyncio
            self._loop = asyncio.new_event_loop()
            self._loop.set_task_factory(self._make_task)
            self._thread.run = partial(_run_always, self._loop)
            start_thread(self._thread)
        return self._loop


def _run_always(loop: asyncio.AbstractEventLoop) -> None:
    try:
        while True:  # a hook may stop the loop
            loop.run_forever()
    except BaseException:  # a hook closed the loop, or ended just before it was interrupted
        vitals.give_up("the event loop was closed")


def is_cancel(error: Optional[BaseException]) -> bool:
    """Whether the error is a cancellation."""
    asyncio = sys.modules.get("asyncio")
    cancelled = (Cancelled, asyncio.CancelledError) if asyncio else Cancelled
    return isinstance(error, cancelled)


async def _settle(work: Awaitable[Any], done: Done, begun: Callable[[], object]) -> None:
    try:
        begun()
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
