"""Calls functions when modules are imported: to import them at once would make a start slower."""

from __future__ import annotations

import importlib.util
import sys
import types
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import Any, Callable, Optional, Sequence


def when_imported(name: str, act: Callable[[], None]) -> None:
    """Calls a function when a module has been imported: at once if it is already."""
    if name in sys.modules:
        act()
    else:
        sys.meta_path.insert(0, _Awaited(name, act))


class _Awaited(MetaPathFinder):
    """Waits for the import of a module."""

    def __init__(self, name: str, act: Callable[[], None]) -> None:
        self._name = name
        self._act = act

    def find_spec(
        self, name: str, path: Optional[Sequence[str]], target: Any = None
    ) -> Optional[ModuleSpec]:
        """Finds the module as without this finder, with a loader that calls the function."""
        if name != self._name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            # It is not installed, or not yet: a plugin may add the folder that has it.
            sys.meta_path.insert(0, self)
            return None
        spec.loader = _Calling(spec.loader, self._act)
        return spec


class _Calling(Loader):
    """Loads a module, and then calls a function."""

    def __init__(self, loader: Loader, act: Callable[[], None]) -> None:
        self._loader = loader
        self._act = act

    def create_module(self, spec: ModuleSpec) -> Optional[types.ModuleType]:
        """Creates the module as its own loader does."""
        return self._loader.create_module(spec)

    def exec_module(self, module: types.ModuleType) -> None:
        """Runs the module."""
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        self._act()
