"""Contexts of a request, without a host."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Generator
from typing import Any, get_args

from ..config import Config, ModelInfo
from ..context import Caller, ContextKind, ContextReport, ContextStatus, Level, Phase
from ..messages import PartialEvent
from .function_tools import given_settings
from .function_tools.levels import host_level


class Flag:
    """A signal that the test sets."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[], Any]] = []

    @property
    def aborted(self) -> bool:
        return self._event.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        return self._event.wait(timeout)

    def on_abort(self, callback: Callable[[], Any]) -> Callable[[], None]:
        with self._lock:
            if not self._event.is_set():
                self._callbacks.append(callback)
                return functools.partial(self._withdraw, callback)
        _begin(callback)
        return _nothing

    def abort(self) -> None:
        with self._lock:
            self._event.set()
        while self._callbacks:
            _begin(self._callbacks.pop(0))

    def _withdraw(self, callback: Callable[[], Any]) -> None:
        with self._lock, contextlib.suppress(ValueError):
            self._callbacks.remove(callback)


def _begin(callback: Callable[[], Any]) -> None:
    threading.Thread(target=callback, daemon=True).start()


def _nothing() -> None:
    """Withdraws nothing."""


class Ready:
    """An answer that is available at once."""

    def __init__(self, value: Any = None) -> None:
        self._value = value

    def __await__(self) -> Generator[Any, None, Any]:
        yield from ()
        return self._value

    def result(self, timeout: float | None = None) -> Any:
        return self._value


class MemoryStorage:
    """A storage in memory, which lasts as long as the test keeps it."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    def get(self, key: str) -> Ready:
        return Ready(self.values.get(key))

    def set(self, key: str, value: Any) -> Ready:
        self.values[key] = value
        return Ready()

    def list(self, prefix: str = "") -> Ready:
        return Ready(sorted(key for key in self.values if key.startswith(prefix)))

    def delete(self, key: str) -> Ready:
        self.values.pop(key, None)
        return Ready()


class RequestContext:
    """The context of one plugin in one request. The chain sets its phase."""

    def __init__(self, plugin: Any, shared: Shared, storage: MemoryStorage) -> None:
        self.phase: Phase = "prepare"
        self.local: dict[str, Any] = {}
        self.storage = storage
        self.signal = shared.signal
        self.config = shared.config
        self.tags = shared.tags
        self.model_info = shared.model_info
        self.request_id = shared.request_id
        self.conversation_id: str | None = "conversation-1"
        self.run_id: str | None = None
        self.caller: Caller | None = None
        self._plugin: str = plugin.name
        self._settings = functools.partial(given_settings, plugin.name, plugin, shared.config)
        self._shared = shared

    @functools.cached_property
    def settings(self) -> Any:
        return self._settings()

    def log(self, message: str, level: Level = "info") -> None:
        self._shared.logged.append((host_level(level), message))

    def warn(self, message: str) -> None:
        self._shared.warnings.append(f"{self._plugin}: {message}")

    def emit(self, event: PartialEvent) -> None:
        self._shared.emitted.append(event)

    def report(self, report: ContextReport) -> None:
        _check_report(self._plugin, report)
        self._shared.reported.append({"status": "included", **report, "plugin": self._plugin})

    def note_upstream_id(self, id: str) -> None:
        self._shared.upstream_id = id


def _check_report(plugin: str, report: ContextReport) -> None:
    """Raises ValueError where the host would refuse the report."""
    known = {"kind": get_args(ContextKind), "status": get_args(ContextStatus)}
    for key, values in known.items():
        if report.get(key, "included") not in values:
            raise ValueError(
                f'"{key}" of a report of "{plugin}" must be one of {", ".join(values)}'
            )
    texts = {"ref": report.get("ref") or None, "reason": report.get("reason", "")}
    for key, text in texts.items():
        if not isinstance(text, str):
            raise ValueError(f'"{key}" of a report of "{plugin}" must be a text')


class Shared:
    """The data that the contexts of one request share."""

    def __init__(self, config: Config, tags: frozenset[str], model_info: ModelInfo) -> None:
        self.config = config
        self.tags = tags
        self.model_info = model_info
        self.request_id = "request-1"
        self.signal = Flag()
        self.warnings: list[str] = []
        self.logged: list[tuple[str, str]] = []
        self.emitted: list[PartialEvent] = []
        self.reported: list[dict[str, Any]] = []
        self.upstream_id: str | None = None
