"""The `context` argument of hooks, and the data that the hooks of a request share."""

from __future__ import annotations

import threading
from contextlib import suppress
from functools import partial
from typing import Any, Callable, Dict, FrozenSet, List, Mapping, Optional

from .levels import host_level
from .loading import Plugin
from .recording import Recorder
from .running import begin_thread
from .values import Mirror, ReadOnlyDict
from .wire import Reply, Wire


class Signal:
    """The cancellation signal of a request."""

    __slots__ = ("_callbacks", "_event", "_lock", "reason")

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: List[Callable[[], Any]] = []
        self.reason = ""

    @property
    def aborted(self) -> bool:
        """Whether the request was cancelled."""
        return self._event.is_set()

    def wait(self, timeout: Optional[float] = None) -> bool:
        """Waits for the cancellation, at most `timeout` seconds. Not for async code."""
        return self._event.wait(timeout)

    def on_abort(self, callback: Callable[[], Any]) -> Callable[[], None]:
        """Calls a function in a thread of its own once the request is cancelled, at once if it is.

        Returns a function that withdraws it.
        """
        with self._lock:
            if not self._event.is_set():
                self._callbacks.append(callback)
                return partial(self._withdraw, callback)
        begin_thread(callback)
        return _nothing

    def abort(self, reason: str) -> None:
        """Cancels the request; for the host only."""
        self.reason = reason
        with self._lock:
            self._event.set()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            begin_thread(callback)

    def _withdraw(self, callback: Callable[[], Any]) -> None:
        with self._lock, suppress(ValueError):
            self._callbacks.remove(callback)


def _nothing() -> None:
    """Withdraws nothing."""


class Storage:
    """A plugin's own storage of JSON values, by conversation."""

    __slots__ = ("_context", "_wire")

    def __init__(self, wire: Wire, context: int) -> None:
        self._wire = wire
        self._context = context

    def get(self, key: str) -> Reply:
        """The value of a key, or None."""
        return self._ask("get", key)

    def set(self, key: str, value: Any) -> Reply:
        """Stores a value."""
        return self._ask("set", key, value)

    def list(self, prefix: str = "") -> Reply:
        """The keys with a prefix."""
        return self._ask("list", prefix)

    def delete(self, key: str) -> Reply:
        """Deletes a value."""
        return self._ask("delete", key)

    def _ask(self, method: str, *args: Any) -> Reply:
        return self._wire.ask(k=self._context, m=method, a=args)


class Local(dict[Any, Any]):
    """A dict that tells when something is put into it for the first time."""

    __slots__ = ("_tell",)

    def __init__(self, tell: Callable[[], None]) -> None:
        super().__init__()
        self._tell = tell

    def __setitem__(self, key: str, value: Any) -> None:
        self._told()
        super().__setitem__(key, value)

    def setdefault(self, key: str, default: Any = None) -> Any:
        self._told()
        return super().setdefault(key, default)

    def update(self, *args: Any, **values: Any) -> None:
        self._told()
        super().update(*args, **values)

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    def __reduce_ex__(self, _protocol: Any) -> Any:
        return dict, (dict(self),)

    def _told(self) -> None:
        tell, self._tell = self._tell, _nothing
        tell()


class Own:
    """What the contexts of one plugin share in a request."""

    __slots__ = ("local", "_plugin", "_settings")

    def __init__(self, plugin: Plugin, kept: Callable[[], None]) -> None:
        self.local: Dict[str, Any] = Local(kept)
        self._plugin = plugin
        self._settings: List[Any] = []

    def settings(self, config: Mapping[str, Any]) -> Any:
        """The settings of the plugin, made when they are first read."""
        if not self._settings:
            # Imported only when needed: the import takes time.
            from .settings import given_settings

            name, value = self._plugin.name, self._plugin.value
            self._settings.append(given_settings(name, value, config))
        return self._settings[0]


class Context:
    """The last argument of a request's hooks."""

    def __init__(self, wire: Wire, given: Mapping[str, Any], own: Own) -> None:
        self._wire = wire
        self._id: int = given["id"]
        self.signal = Signal()
        self.phase: str = given["phase"]
        # The host records which config values the plugin reads, to renew forms that depend on them.
        self.recorder = Recorder() if given.get("watched") else None
        config = given["config"]
        self.config: Dict[str, Any] = (
            ReadOnlyDict(config) if self.recorder is None else self.recorder.view(config)
        )
        self.tags: FrozenSet[str] = frozenset(given["tags"])
        self.model_info: Dict[str, Any] = ReadOnlyDict(given["modelInfo"])
        self.request_id: Optional[str] = given.get("requestId")
        self.conversation_id: Optional[str] = given.get("conversationId")
        self.run_id: Optional[str] = given.get("runId")
        caller = given.get("caller")
        self.caller: Optional[Dict[str, Any]] = None if caller is None else ReadOnlyDict(caller)
        self.local = own.local
        self._own = own
        self.storage = Storage(wire, self._id)
        if given.get("aborted"):
            self.signal.abort("cancelled")

    @property
    def settings(self) -> Any:
        """The plugin's own settings: an object of its class, or a dict with the defaults."""
        return self._own.settings(self.config)

    def log(self, message: str, level: str = "info") -> None:
        """Writes a line to the host's log, at a level of the host or of `logging`."""
        self._wire.push("log", k=self._id, d=str(message), l=host_level(level))

    def warn(self, message: str) -> None:
        """Adds a sentence to the warnings of the result."""
        self._wire.push("warn", k=self._id, d=str(message))

    def emit(self, event: Mapping[str, Any]) -> None:
        """Sends an event at once to the caller that reads the stream, past all other hooks."""
        self._wire.push("emit", k=self._id, d=event)

    def report(self, report: Mapping[str, Any]) -> None:
        """Tells what the plugin puts into the request or leaves out, as `{kind, ref, …}`."""
        self._wire.push("report", k=self._id, d=report)

    def note_upstream_id(self, id: str) -> None:
        """Notes the id that the model API gave the request, for results, errors and logs."""
        self._wire.push("upstream", k=self._id, d=str(id))


class Session:
    """The data that the plugins of one interpreter keep for one request."""

    def __init__(self) -> None:
        self.contexts: Dict[int, Context] = {}
        # Adjacent plugins that process chunks, by the number that the host gave them.
        self.segments: Dict[int, Any] = {}
        self._own: Dict[int, Own] = {}
        self._mirrors: Dict[int, Mirror] = {}

    def context_of(self, wire: Wire, given: Any, plugin: Plugin) -> Optional[Context]:
        """The context of a call. The host sends it once in full, and later only its number."""
        if given is None or isinstance(given, int):
            return None if given is None else self.contexts[given]
        number = given["local"]
        own = self._own.get(number)
        if own is None:
            # The host then knows that another interpreter could not go on.
            own = self._own[number] = Own(plugin, partial(wire.push, "kept", k=given["id"]))
        context = self.contexts[given["id"]] = Context(wire, given, own)
        return context

    def mirror_of(self, owner: int) -> Mirror:
        """The native and state of a plugin. Each tool has its own; all others share one."""
        mirror = self._mirrors.get(owner)
        if mirror is None:
            mirror = self._mirrors[owner] = Mirror()
        return mirror
