"""Imports the module of a plugin from the path of its file."""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import os
import sys
import types
from typing import List, Optional

from .children import NAME, place_of
from .faults import PluginFault
from .sources import Source, trust_sources


def import_plugin(entry: str, paths: List[str], number: int) -> types.ModuleType:
    """Imports the module of a file, in a package of its own so that relative imports work."""
    for path in paths:
        if path not in sys.path:
            sys.path.insert(_place(), path)
    folder, file = os.path.split(entry)
    package = types.ModuleType(f"{NAME}{number}")
    package.__path__ = [folder]
    package.__spec__ = importlib.machinery.ModuleSpec(package.__name__, None, is_package=True)
    package.__spec__.submodule_search_locations = package.__path__
    sys.modules[package.__name__] = package
    sys.path.append(place_of(package.__name__, entry))
    # Files may be newer than the cached folder contents. `importlib.invalidate_caches` is not used:
    # from 3.12 on it loads `importlib.metadata`, which takes as long as a start.
    for path in {folder, *paths}:
        trust_sources(path)
        sys.path_importer_cache.pop(path, None)
    stem = file[: -len(".py")]
    if stem == "__init__":
        return _import_folder(package, entry)
    if not stem.isidentifier():
        raise PluginFault(f'"{file}" is not a valid module name; use letters, digits and "_"')
    return importlib.import_module(f"{package.__name__}.{stem}")


def _import_folder(package: types.ModuleType, entry: str) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(
        package.__name__,
        entry,
        loader=Source(package.__name__, entry),
        submodule_search_locations=list(package.__path__),
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[package.__name__] = module
    spec.loader.exec_module(module)
    return module


def _place() -> int:
    """The import position: after the standard library, before installed packages."""
    for at, path in enumerate(sys.path):
        if path.endswith(("site-packages", "dist-packages")):
            return at
    return len(sys.path)


def clashes(folder: str) -> Optional[str]:
    """A module of the folder whose name another plugin's module already has."""
    for name in _modules_in(folder):
        taken = sys.modules.get(name)
        file = getattr(taken, "__file__", None)
        if file is not None and not os.path.abspath(file).startswith(folder + os.sep):
            if name not in getattr(sys, "stdlib_module_names", ()):
                return name
    return None


def _modules_in(folder: str) -> List[str]:
    names = [name[:-3] if name.endswith(".py") else name for name in sorted(os.listdir(folder))]
    return [name for name in names if name.isidentifier()]
