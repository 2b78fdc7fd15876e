"""Tells the host of the records that plugins make with `logging`."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import traceback
import types
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Optional

from .imported import when_imported
from .levels import level_of
from .wire import Wire

if TYPE_CHECKING:
    import logging


# The name of a plugin that is being loaded. No plugin has an empty one.
_LOADING = ""
_MOST_HELD = 1000


class Records:
    """Handles all records, from the import of `logging` on."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._plugins: Dict[str, str] = {}
        # Records of the plugin that is being loaded, until its name is known.
        self._held: List[Dict[str, Any]] = []
        when_imported("logging", self._handle)
        threading.excepthook = self._thread_failed

    @contextlib.contextmanager
    def loading(self, entry: str) -> Iterator[Callable[[str], None]]:
        """Holds the records that a file makes while it is loaded. Call the function with the name
        of the plugin, to which records of the file, and of the other files in its folder, are then
        attributed. The records are sent at the end, also if the load fails.
        """
        names = [_LOADING]
        folder = os.path.dirname(entry)
        self._plugins[entry] = _LOADING
        first = self._plugins.setdefault(folder, _LOADING)
        try:
            yield lambda name: names.append(name)
        finally:
            name = names[-1]
            for path in (entry, *([folder] if first == _LOADING else [])):
                self._plugins[path] = name
                if name == _LOADING:
                    del self._plugins[path]
            self._send_held(name or None)

    def _handle(self) -> None:
        import logging

        tell = self._tell

        class ToHost(logging.Handler):
            """Sends each record to the host, as one entry of its log."""

            def emit(self, record: logging.LogRecord) -> None:
                try:
                    tell(record, self.format(record))
                except Exception:
                    self.handleError(record)

        root = logging.getLogger()
        root.addHandler(ToHost())
        root.setLevel(logging.INFO)

    def _tell(self, record: "logging.LogRecord", message: str) -> None:
        error = record.exc_info[1] if record.exc_info else None
        level = level_of(record.levelno)
        told = {"l": level, "d": message, "n": record.name, **self._thrown(error)}
        self._send(told, self._plugin())

    def _thread_failed(self, failed: Any) -> None:
        """Tells of an exception that ended a thread of a plugin, as `sys.stderr` otherwise does."""
        error = failed.exc_value
        if error is None or isinstance(error, SystemExit):
            return
        name = failed.thread.name if failed.thread else "a thread"
        lines = traceback.format_exception(type(error), error, error.__traceback__)
        message = f"Exception in {name}:\n{''.join(lines)}".rstrip()
        thrown = self._thrown(error)
        plugin = self._plugin_of(thrown["w"].rpartition(":")[0]) if "w" in thrown else None
        self._send({"l": "error", "d": message, "n": "threading", **thrown}, plugin)

    def _thrown(self, error: Optional[BaseException]) -> Dict[str, str]:
        """The class of an exception, and its place in the code of a plugin, else in any code."""
        if error is None:
            return {}
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if self._plugin_of(frame.filename) is not None]
        place = {"w": f"{at.filename}:{at.lineno}" for at in (own or frames)[-1:]}
        return {"x": type(error).__name__, **place}

    def _send(self, told: Dict[str, Any], plugin: Optional[str]) -> None:
        if plugin == _LOADING and len(self._held) < _MOST_HELD:
            self._held.append(told)
        else:
            self._wire.push("record", **told, p=plugin or None)

    def _send_held(self, plugin: Optional[str]) -> None:
        held, self._held = self._held, []
        for told in held:
            self._wire.push("record", **told, p=plugin)

    def _plugin(self) -> Optional[str]:
        """The plugin whose code runs, also where a library makes the record."""
        frame: Optional[types.FrameType] = sys._getframe()
        while frame is not None:
            plugin = self._plugin_of(frame.f_code.co_filename)
            if plugin is not None:
                return plugin
            frame = frame.f_back
        return None

    def _plugin_of(self, file: str) -> Optional[str]:
        at = file
        while at not in self._plugins:
            above = os.path.dirname(at)
            if above == at or os.path.basename(at) == "site-packages":
                return None
            at = above
        return self._plugins[at]
