"""A plugin as the host takes it: found in a file, looked at, and its hooks called."""

from __future__ import annotations

import difflib
import importlib
import inspect
import itertools
import sys
import types
from pathlib import Path
from typing import Any, Callable

from ..hooks import HOOKS, KINDS, TOOL, VALUES
from .frozen import frozen
from .function_tools import FunctionTools, PluginFault
from .json_values import json_fault

_LOADED = itertools.count(1)
_OTHER_NAMES = {hook.also: name for name, hook in HOOKS.items() if hook.also}


def load_plugin(path: str | Path) -> Any:
    """The plugin of a file, or of `plugin.py` in a folder; `from .other import …` works in it."""
    file = Path(path).resolve()
    if file.is_dir():
        file = file / "plugin.py"
    package = types.ModuleType(f"braidwork_plugin_{next(_LOADED)}")
    package.__path__ = [str(file.parent)]
    sys.modules[package.__name__] = package
    importlib.invalidate_caches()
    module = importlib.import_module(f"{package.__name__}.{file.stem}")
    return getattr(module, "plugin", module)


class PluginUnderTest:
    """A plugin whose hooks are called as the host calls them, and whose answers are checked."""

    def __init__(self, plugin: Any) -> None:
        made: Any = plugin() if inspect.isclass(plugin) else plugin
        faults = plugin_faults(made)
        if faults:
            raise AssertionError("; ".join(faults))
        self.plugin = made
        self.kind: str = made.kind
        self.name: str = made.name
        self.functions = _functions_of(made)

    def has(self, hook: str) -> bool:
        """Whether it has a hook under one of its names."""
        return self._hook(hook) is not None

    async def ask(self, hook: str, *arguments: Any, context: Any) -> Any:
        """The answer of a hook, frozen. Raises AssertionError where it could not cross."""
        function = self._hook(hook)
        assert function is not None
        answer = call(function, *arguments, context=context)
        if inspect.isawaitable(answer):
            answer = await answer
        if hook in ("stream", "execute_tool") and is_iterator(answer):
            return answer
        return self.crossed(hook, answer)

    def crossed(self, hook: str, value: Any) -> Any:
        """A value as the host gets it."""
        fault = json_fault(value)
        if fault is not None:
            raise AssertionError(f'"{hook}" of "{self.name}" gave what cannot cross, {fault}')
        return frozen(value)

    def _hook(self, name: str) -> Callable[..., Any] | None:
        found = getattr(self.plugin, name, None)
        also = HOOKS[name].also
        if found is None and also is not None:
            found = getattr(self.plugin, also, None)
        return getattr(self.functions, name, None) if found is None else found


def call(function: Callable[..., Any], *arguments: Any, context: Any) -> Any:
    """Calls a hook; `context` goes by keyword to functions that have such a parameter."""
    has_context = "context" in inspect.signature(function).parameters
    return function(*arguments, context=context) if has_context else function(*arguments)


def is_iterator(value: Any) -> bool:
    """Whether a value is a generator, or another iterator of either sort."""
    return hasattr(value, "__anext__") or hasattr(value, "__next__")


def plugin_faults(plugin: Any) -> list[str]:
    """What keeps an object from being a plugin, as sentences."""
    name, kind = getattr(plugin, "name", None), getattr(plugin, "kind", None)
    if not isinstance(name, str) or not name:
        return ['a plugin has a "name", a string']
    if kind not in KINDS:
        return [f'"{name}" has the kind {kind!r}; kinds are {", ".join(KINDS)}']
    members = [member for member in dir(plugin) if not member.startswith("_")]
    faults = [fault for fault in (_fault(plugin, member) for member in members) if fault]
    if kind == "provider" and not {"call", "stream", "call_api", "stream_api"} & set(members):
        faults.append("has neither call nor stream")
    return [f'{kind} "{name}" {fault}' for fault in faults]


def _functions_of(plugin: Any) -> FunctionTools | None:
    """The functions that a tool lists in place of its hooks."""
    functions = getattr(plugin, "functions", None) if plugin.kind == TOOL else None
    if functions is None:
        return None
    both = [name for name in ("get_tool_schemas", "execute_tool") if hasattr(plugin, name)]
    if both:
        raise PluginFault(
            f'"{plugin.name}" has both "functions" and "{both[0]}"; leave one of them out'
        )
    return FunctionTools(functions)


def _fault(plugin: Any, member: str) -> str | None:
    value = getattr(plugin, member)
    known = _OTHER_NAMES.get(member, member)
    if known in HOOKS:
        return None if callable(value) else f'has a "{member}" that is no function'
    if known in VALUES or not callable(value) or inspect.isclass(value):
        return None
    near = difflib.get_close_matches(member, [*HOOKS, *_OTHER_NAMES], 1, 0.8)
    return f'has no hook "{member}"; did you mean "{near[0]}"?' if near else None
