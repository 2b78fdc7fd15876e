"""Extends pythonia's protocol by one action, which carries all messages of host and plugins."""

from __future__ import annotations

import builtins
import collections
import os
import sys
from functools import partial
from typing import Any, Callable, DefaultDict, Deque, Dict, List, Mapping, Optional

from . import exchanges, process, vitals
from .answers import answer_of, arguments_of, send_answer
from .calls import Calls
from .contexts import Session
from .faults import describe
from .importing import clashes
from .loading import Hook, Plugin, load_plugin
from .recording import Recorder
from .records import Records
from .running import Limit
from .stages import Segment, Stage, StageFault
from .streams import is_stream
from .wire import CHANNEL, Guard, Reader, Wire, decode, encode

# A copy, so that no plugin can remove builtins that this module needs.
__builtins__ = vars(builtins).copy()

Message = Mapping[str, Any]

# Actions that are allowed while a hook on the main thread waits for the host. None runs a plugin.
_AT_ONCE = frozenset({"ret", "abort", "cancel", "late", "room", "shut"})


class Bridge:
    """The plugins of this interpreter, and the handlers for the host's messages."""

    def __init__(self, sock: Any) -> None:
        guard = Guard()
        self._reader = Reader(sock, guard)
        self.limit = Limit(guard)
        self._wire = Wire(sock, guard)
        self._wire.read_until = self._read_until
        self._records = Records(self._wire)
        self._calls = Calls(self._wire, self.limit)
        self._tables: Any = {}
        self._plugins: List[Plugin] = []
        self._sessions: DefaultDict[int, Session] = collections.defaultdict(Session)
        self._deferred: Deque[Message] = collections.deque()
        self._actions = {**_actions_of(self), **_actions_of(self._calls)}

    def readline(self) -> str:
        """The next line for pythonia's loop. Lines for the bridge are handled first."""
        while True:
            line = self._reader.line()
            message = decode(line) if line else {"action": ""}
            if message["action"] != CHANNEL:
                return line
            self.on_message(message)
            while self._deferred:
                self.on_message(self._deferred.popleft())

    def on_message(self, message: Message) -> None:
        """Handles a message of the host. An error becomes the answer."""
        request: int = message["r"]
        if "b" in message:  # the host wants to know when its time begins
            self._calls.tell(request)
        try:
            self._actions[message["key"]](request, message["val"])
        except BaseException as error:  # includes a plugin's sys.exit()
            self._fail(request, error)

    def _fail(self, request: int, error: BaseException) -> None:
        described = error.describe() if isinstance(error, StageFault) else describe(error)
        self._wire.fail(request, described)

    def _read_until(self, is_done: Callable[[], bool]) -> None:
        while not is_done():
            self._reader.wait()
            line = self._reader.line()
            if not line:
                os._exit(0)
            message = decode(line)
            if message["key"] in _AT_ONCE:
                self.on_message(message)
            else:
                self._deferred.append(message)

    # Requests of the host.

    def on_hello(self, request: int, value: Message) -> None:
        """Receives the tables of hooks and values, and answers with the Python version."""
        self._tables = value
        exchanges.observe(self._wire, is_wanted=value["x"])
        version = "%d.%d.%d" % sys.version_info[:3]
        self._wire.answer(request, {"executable": sys.executable, "version": version})

    def on_unreadable(self, request: int, fault: str) -> None:
        """Answers a message that could not be read."""
        self._wire.fail(request, describe(ValueError(fault)))

    def on_load(self, request: int, value: Message) -> None:
        """Loads a plugin by the path of its file."""
        entry: str = value["entry"]
        taken = None if value["alone"] else clashes(os.path.dirname(entry))
        if taken is not None:
            self._wire.answer(request, {"clash": taken})
            return
        number = len(self._plugins) + 1
        with self._records.loading(entry) as named:
            plugin = self.limit.run(
                value["t"], load_plugin, entry, value["paths"], number, self._tables
            )
            named(plugin.name)
        vitals.check()
        self._plugins.append(plugin)
        self._wire.answer(request, plugin.describe(self._tables))

    def on_hook(self, request: int, value: Message) -> None:
        """Runs one hook of one plugin."""
        plugin = self._plugins[value["p"] - 1]
        name: str = value["h"]
        hook = plugin.hooks[name]
        session = self._session(value)
        context = session.context_of(self._wire, value.get("k"), plugin)
        mirror = session.mirror_of(value.get("o", 0))
        mirror.take(value)
        recorder = Recorder() if value.get("w") else None
        args = arguments_of(hook.args, value["a"], mirror, recorder)
        recorders = [one for one in (recorder, getattr(context, "recorder", None)) if one]
        keywords = {"context": context} if hook.takes_context else {}

        def done(answer: Any, error: Optional[BaseException]) -> None:
            self._answer(request, hook, (name, answer, error, recorders), mirror)

        how = (plugin.mode_of(name, args), value["t"])
        self._calls.run(request, how, partial(hook.run, *args, **keywords), done)

    def _answer(self, request: int, hook: Hook, came: Any, mirror: Any) -> None:
        name, answer, error, recorders = came
        vitals.check()
        try:
            if error is not None:
                self._wire.fail(request, describe(error))
            elif name in ("stream", "executeTool") and is_stream(answer, name):
                self._calls.open_stream(request, answer)
            else:
                value, more = answer_of(hook.gives, answer, mirror)
                read = [pointer for one in recorders for pointer in one.pointers]
                watched = f',"w":{encode(read)}' if recorders else ""
                send_answer(partial(self._wire.answer, request), hook.gives, value, (more, watched))
        except Exception as fault:
            self._wire.fail(request, describe(fault))

    def on_chunks(self, request: int, value: Message) -> None:
        """Runs chunks through adjacent plugins of a chain."""
        session = self._session(value)
        told = value.get("q")
        if told is not None:
            session.segments[value["i"]] = self._segment(session, told)
        segment = session.segments[value["i"]]
        session.mirror_of(0).take(value)
        if segment.is_async:
            work = segment.process(value["b"])
            self._calls.wait(request, work, partial(self._answered, request, segment))
            return
        done = self.limit.run(value["t"], segment.run, value["b"])
        segment.send(self._wire.answer_chunks, request, done)

    def _answered(self, request: int, segment: Segment, done: Any, error: Any) -> None:
        try:
            if error is not None:
                raise error
            segment.send(self._wire.answer, request, done)
        except BaseException as fault:
            self._fail(request, fault)

    def _segment(self, session: Session, told: List[Any]) -> Segment:
        stages = []
        for number, name, given in told:
            plugin = self._plugins[number - 1]
            context = session.context_of(self._wire, given, plugin)
            stages.append(Stage(plugin.hooks[name], name, context))
        return Segment(stages, session.mirror_of(0))

    # Messages without an answer.

    def on_close(self, _request: int, value: Message) -> None:
        """Ends a request. Its data is deleted when its last hook has ended."""
        self._sessions.pop(value["s"], None)

    def on_abort(self, _request: int, value: Message) -> None:
        """Aborts a context's signal."""
        session = self._sessions.get(value["s"])
        context = session.contexts.get(value["k"]) if session else None
        if context is not None:
            context.signal.abort(value["reason"])

    def on_ret(self, _request: int, value: Message) -> None:
        """Receives the host's answer to a question."""
        self._wire.settle(value["i"], value.get("val"), value.get("err"))

    def _session(self, value: Message) -> Session:
        number = value.get("s")
        return Session() if number is None else self._sessions[number]


def _actions_of(handler: Any) -> Dict[str, Callable[..., None]]:
    names = [name for name in dir(handler) if name.startswith("on_")]
    return {name[len("on_") :]: getattr(handler, name) for name in names}


def start(file: str) -> None:
    """Handles the bridge's messages in pythonia's loop, which continues to handle its own."""
    bridge = Bridge(process.socket_of_host())
    process.prepare(bridge.limit.interrupt)
    main: Any = sys.modules["__main__"]
    main.apiin = bridge
    # `multiprocessing` runs this file in its processes. pythonia's would wait there for a host.
    main.__file__ = file
