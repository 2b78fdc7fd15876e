"""A thread that pulls the values of a generator, as the host's interpreter does."""

from __future__ import annotations

import queue
import threading
from concurrent.futures import Future
from typing import Any, Callable


class Worker:
    """Runs functions one after the other in a thread of its own."""

    def __init__(self) -> None:
        self._given: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = (
            queue.SimpleQueue()
        )
        # A generator that never returns must not keep the interpreter alive.
        threading.Thread(target=self._run, daemon=True).start()

    def submit(self, function: Callable[[], Any]) -> Future[Any]:
        """Queues a function. Returns the future of its result."""
        future: Future[Any] = Future()
        self._given.put((future, function))
        return future

    def end(self) -> None:
        """Ends the thread after the functions that are queued."""
        self._given.put(None)

    def _run(self) -> None:
        while True:
            given = self._given.get()
            if given is None:
                return
            future, function = given
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(function())
            except BaseException as error:
                future.set_exception(error)
