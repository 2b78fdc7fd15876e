"""Tells the host of the records that plugins make with `logging`."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
import types
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Optional, Sequence

from .wire import Wire

if TYPE_CHECKING:
    import logging


# The name of a plugin that is being loaded. No plugin has an empty one.
_LOADING = ""
_MOST_HELD = 1000


class Records(MetaPathFinder):
    """Handles all records, from the import of `logging` on, which would make a start slower."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._plugins: Dict[str, str] = {}
        # Records of the plugin that is being loaded, until its name is known.
        self._held: List[Dict[str, Any]] = []
        if "logging" in sys.modules:
            self._handle()
        else:
            sys.meta_path.insert(0, self)

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

    def find_spec(
        self, name: str, path: Optional[Sequence[str]], target: Any = None
    ) -> Optional[ModuleSpec]:
        """Waits for the import of `logging`, and adds the handler after it."""
        if name != "logging":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            spec.loader = _Handled(spec.loader, self._handle)
        return spec

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
        plugin = self._plugin()
        told = {"l": _level_of(record.levelno), "d": message, "n": record.name}
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


class _Handled(Loader):
    """Loads a module, and then calls a function."""

    def __init__(self, loader: Loader, done: Callable[[], None]) -> None:
        self._loader = loader
        self._done = done

    def create_module(self, spec: ModuleSpec) -> Optional[types.ModuleType]:
        """Creates the module as its own loader does."""
        return self._loader.create_module(spec)

    def exec_module(self, module: types.ModuleType) -> None:
        """Runs the module."""
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        self._done()


def _level_of(number: int) -> str:
    """The level of the host for a level of Python."""
    for least, level in ((40, "error"), (30, "warn"), (20, "info")):
        if number >= least:
            return level
    return "debug"
