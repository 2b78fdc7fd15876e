"""Loads modules of plugins from source only: bytecode beside them may be from other code."""

from __future__ import annotations

import importlib.machinery
import os
import sys
from typing import Any, Set

# Installed packages belong to the installer, including their bytecode. Trust does not cover them.
_INSTALLED = frozenset({"site-packages", "dist-packages", "node_modules"})
_folders: Set[str] = set()


class Source(importlib.machinery.SourceFileLoader):
    """Compiles a module's source each time. It neither reads nor writes bytecode."""

    def get_code(self, fullname: str) -> Any:
        """The code of the current source."""
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def trust_sources(folder: str) -> None:
    """From now on modules in a folder and its subfolders are loaded from source only."""
    if _is_installed(os.path.realpath(folder)):
        return
    if not _folders:
        sys.path_hooks.insert(0, _finder)
    _folders.add(folder)


def _finder(path: str) -> Any:
    folder = next((one for one in _folders if _is_in(path, one)), None)
    if folder is None or _is_installed(path[len(folder) :]):
        raise ImportError("another finder loads this folder")
    extensions = importlib.machinery.ExtensionFileLoader, importlib.machinery.EXTENSION_SUFFIXES
    sources = Source, importlib.machinery.SOURCE_SUFFIXES
    return importlib.machinery.FileFinder(path, extensions, sources)


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + os.sep)


def _is_installed(path: str) -> bool:
    return not _INSTALLED.isdisjoint(path.split(os.sep))
