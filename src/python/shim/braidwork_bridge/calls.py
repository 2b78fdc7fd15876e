"""Runs the hooks that the host calls, each where its kind of function belongs."""

from __future__ import annotations

import builtins
import inspect
from functools import partial
from typing import Any, Awaitable, Callable, Dict, Optional

from .event_loop import LATE_SECONDS, AsyncThread
from .running import Done, Limit, run_thread
from .streams import Stream
from .wire import Wire

# A copy, so that no plugin can remove builtins that this module needs.
__builtins__ = vars(builtins).copy()


class Calls:
    """The hooks that run now outside of the main thread, and the streams that they opened."""

    def __init__(self, wire: Wire, limit: Limit) -> None:
        self._wire = wire
        self._limit = limit
        self._loop = AsyncThread()
        self._streams: Dict[int, Stream] = {}
        self._cancels: Dict[int, Callable[..., None]] = {}

    def run(self, request: int, how: Any, work: Callable[[], Any], done: Done) -> None:
        """Runs a hook. `how` is its mode and, for the main thread, its limit in seconds."""
        mode, seconds = how

        def ended(answer: Any, error: Optional[BaseException]) -> None:
            if error is None and inspect.isawaitable(answer):
                self.tell(request, is_begun=False)
                self.wait(request, answer, ended)
                return
            self._cancels.pop(request, None)
            done(answer, error)

        if mode == "inline":
            ended(self._limit.run(seconds, work), None)
        elif mode == "thread":
            begun = partial(self.tell, request)
            self._cancels[request] = run_thread(work, ended, begun)
        else:
            self.wait(request, _later(work), ended)

    def wait(self, request: int, work: Awaitable[Any], done: Done) -> None:
        """Awaits something on the event loop."""

        def ended(answer: Any, error: Optional[BaseException]) -> None:
            self._cancels.pop(request, None)
            done(answer, error)

        self._cancels[request] = self._loop.run(work, ended, partial(self.tell, request))

    def tell(self, request: int, is_begun: bool = True) -> None:
        """Tells the host that a hook runs, or that it waits for the event loop."""
        self._wire.push("turn", r=request, b=is_begun)

    def open_stream(self, request: int, values: Any) -> None:
        """Sends the values of a generator to the host."""
        stream = Stream(self._wire, request, lambda: self._streams.pop(request, None))
        self._streams[request] = stream
        self._wire.answer(request, None, ',"g":1')
        stream.start(values, self._loop)

    def on_cancel(self, _request: int, number: int) -> None:
        """Cancels a hook, since nobody waits for it any more."""
        if number in self._cancels:
            self._cancels[number]()

    def on_late(self, request: int, value: Any) -> None:
        """Ends a hook that exceeds its limit, or what keeps a hook from its beginning."""
        if value["w"]:
            self._loop.watch()
        elif value["g"] in self._cancels:
            self._cancels[value["g"]](LATE_SECONDS)
        self._wire.answer(request, None)

    def on_room(self, _request: int, value: Any) -> None:
        """Allows a stream to send more values."""
        stream = self._streams.get(value["g"])
        if stream is not None:
            stream.grant(value["n"])

    def on_shut(self, _request: int, value: Any) -> None:
        """Closes a stream that nobody reads any more. If it does not close, it is interrupted."""
        stream = self._streams.get(value["g"])
        if stream is None:
            return
        if value["hard"]:
            stream.interrupt()
        else:
            stream.close()


async def _later(work: Callable[[], Awaitable[Any]]) -> Any:
    return await work()
