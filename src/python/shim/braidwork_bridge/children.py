"""Lets processes that plugins start by `multiprocessing` import the modules of these plugins."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import sys
from typing import Any, Optional

from .sources import Source, trust_sources

# What the names of the packages of plugins begin with.
NAME = "braidwork_plugin_"
_INIT = "__init__.py"


class Plugins:
    """Finds the packages of plugins, whose places are the last entries of `sys.path`."""

    @staticmethod
    def find_spec(name: str, *_: Any) -> Optional[importlib.machinery.ModuleSpec]:
        """The package of a plugin, if it is one."""
        for place in sys.path:
            folder, last = os.path.split(place)
            if last == name:
                return _spec(name, folder)
        return None


def _spec(name: str, folder: str) -> Optional[importlib.machinery.ModuleSpec]:
    is_init = os.path.basename(folder) == _INIT
    paths = [os.path.dirname(folder) if is_init else folder]
    _trust(paths[0])
    if is_init:
        return importlib.util.spec_from_file_location(
            name, folder, loader=Source(name, folder), submodule_search_locations=paths
        )
    spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
    spec.submodule_search_locations = paths
    return spec


def _trust(folder: str) -> None:
    trust_sources(folder)
    sys.path_importer_cache.pop(folder, None)


def place_of(name: str, entry: str) -> str:
    """The place of a plugin's package: a path that does not exist. Each process gets such paths."""
    folder, file = os.path.split(entry)
    return os.path.join(entry if file == _INIT else folder, name)


def find_plugins() -> None:
    """Called in each process, before anything is imported for its work."""
    sys.meta_path.append(Plugins)
    for place in sys.path:
        folder, name = os.path.split(place)
        if name.startswith(NAME):
            _trust(os.path.dirname(folder) if os.path.basename(folder) == _INIT else folder)
