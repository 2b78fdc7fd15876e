"""The members of a plugin that are its own."""

from __future__ import annotations

import inspect
import os
import sys
import types
from typing import Any, Container, Dict


def member_of(plugin: Any, name: str) -> Any:
    """A member, or None; what a module imported from elsewhere is no member of it."""
    value = getattr(plugin, name, None)
    return None if inspect.ismodule(plugin) and _is_imported(plugin, value) else value


def others_of(plugin: Any, known: Container[str], listed: Container[Any]) -> Dict[str, str]:
    """
    The sort of each public member that is not `known`: function, list or value. Classes and the
    functions that a tool lists are left out, and of a module all but its functions.
    """
    members = {
        name: member_of(plugin, name)
        for name in dir(plugin)
        if not name.startswith("_") and name not in known
    }
    is_module = inspect.ismodule(plugin)
    return {
        name: _sort(value)
        for name, value in members.items()
        if not inspect.isclass(value)
        and not (is_module and not inspect.isfunction(value))
        and not (callable(value) and value in listed)
    }


def _sort(value: Any) -> str:
    if callable(value):
        return "function"
    return "list" if isinstance(value, (list, tuple, set, frozenset)) else "value"


def _is_imported(module: types.ModuleType, value: Any) -> bool:
    """
    Whether a value is a function of another module, outside of the module's package and folder. A
    function that a decorator of another module made is none of that module's.
    """
    name = getattr(value, "__module__", None) if inspect.isroutine(value) else None
    package = module.__package__ or module.__name__
    if name is None or name == module.__name__ or name.startswith(f"{package}."):
        return False
    home = sys.modules.get(name)
    is_there = getattr(home, value.__name__, None) is value
    is_beside = "__file__" in vars(module) and _folder(home) == _folder(module)
    return is_there and not is_beside


def _folder(module: Any) -> str:
    return os.path.dirname(getattr(module, "__file__", None) or "")
