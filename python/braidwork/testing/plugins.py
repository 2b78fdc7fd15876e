"""Loads and checks a plugin as the host does, and calls its hooks."""

from __future__ import annotations

import functools
import importlib
import inspect
import itertools
import sys
import types
from pathlib import Path
from typing import Any, Callable

from ..hooks import HOOKS, KINDS, PROVIDER, TOOL, VALUES
from .frozen import frozen
from .function_tools import FunctionTools, PluginFault
from .function_tools.members import member_of, others_of
from .hook_answers import answer_fault, received
from .json_values import json_fault
from .limits import LimitedAsyncValues, LimitedValues, Limits
from .misspelled import MissingNames, meant_by

_LOADED = itertools.count(1)
_FUNCTIONS = "functions"
_LISTS = ("providers", "required_tags", "forbidden_tags", "actions", "effects", _FUNCTIONS)
_TOOL_SCHEMA_FORMATS = ("json-schema", "openai-strict", "anthropic", "google")
_OTHER_NAMES = {hook.also: name for name, hook in HOOKS.items() if hook.also}


def load_plugin(path: str | Path) -> Any:
    """The plugin of a file, or of `plugin.py` in a folder. Relative imports work in it."""
    file = Path(path).resolve()
    if file.is_dir():
        file = file / "plugin.py"
    if not file.is_file():
        raise FileNotFoundError(f'there is no file "{file}"')
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
        self.limits = Limits(made.name)

    def has(self, hook: str) -> bool:
        """Whether it has the hook, under one of its names."""
        return self._hook(hook) is not None

    async def ask(self, hook: str, *arguments: Any, context: Any) -> Any:
        """The result of a hook, frozen. Raises AssertionError if it cannot be sent to the host."""
        function = self._hook(hook)
        assert function is not None
        config = getattr(context, "config", {})
        with self.limits.of_hook(hook, config):
            answer = await self._called(
                hook, functools.partial(call, function, *arguments, context=context)
            )
        if hook in ("stream", "execute_tool") and is_iterator(answer):
            is_async = hasattr(answer, "__anext__")
            limited = LimitedAsyncValues if is_async else LimitedValues
            return limited(answer, self.limits, hook, config)
        told = self.crossed(hook, received(hook, answer))
        fault = answer_fault(self.kind, hook, told)
        if fault is not None:
            raise AssertionError(f'"{hook}" of "{self.name}" {fault}')
        return told

    def crossed(self, hook: str, value: Any) -> Any:
        """A value in the form in which the host receives it."""
        fault = json_fault(value)
        if fault is not None:
            returned = f'"{hook}" of "{self.name}" returned a value that cannot be sent to the host'
            raise AssertionError(f"{returned}, {fault}")
        return frozen(value)

    async def _called(self, hook: str, run: Callable[[], Any]) -> Any:
        """The answer of a hook, once it is there."""
        answer = run()
        return await answer if inspect.isawaitable(answer) else answer

    def _hook(self, name: str) -> Callable[..., Any] | None:
        found = member_of(self.plugin, name)
        also = HOOKS[name].also
        if found is None and also is not None:
            found = member_of(self.plugin, also)
        return getattr(self.functions, name, None) if found is None else found


def call(function: Callable[..., Any], *arguments: Any, context: Any) -> Any:
    """Calls a hook; passes `context` by keyword if the function has such a parameter."""
    has_context = context is not None and "context" in inspect.signature(function).parameters
    return function(*arguments, context=context) if has_context else function(*arguments)


def is_iterator(value: Any) -> bool:
    """Whether a value is a sync or async iterator, such as a generator."""
    return hasattr(value, "__anext__") or hasattr(value, "__next__")


def plugin_faults(plugin: Any) -> list[str]:
    """The reasons why an object is not a valid plugin, as sentences."""
    name, kind = getattr(plugin, "name", None), getattr(plugin, "kind", None)
    if not isinstance(name, str) or not name:
        return ['a plugin has a "name", a string']
    if kind not in KINDS:
        return [f'"{name}" has the kind {kind!r}; kinds are {", ".join(KINDS)}']
    faults = _member_faults(plugin)
    calls = ("call", "stream", "call_api", "stream_api")
    if kind == "provider" and all(member_of(plugin, name) is None for name in calls):
        faults.append("has neither call nor stream")
    return [f'{kind} "{name}" {fault}' for fault in faults]


def _functions_of(plugin: Any) -> FunctionTools | None:
    """The functions that a tool lists instead of implementing hooks."""
    functions = getattr(plugin, _FUNCTIONS, None) if plugin.kind == TOOL else None
    if functions is None:
        return None
    both = [name for name in ("get_tool_schemas", "execute_tool") if member_of(plugin, name)]
    if both:
        raise PluginFault(
            f'"{plugin.name}" has both "{_FUNCTIONS}" and "{both[0]}"; leave one of them out'
        )
    return FunctionTools(functions)


def _member_faults(plugin: Any) -> list[str]:
    known = {*HOOKS, *_OTHER_NAMES, *VALUES, _FUNCTIONS, "kind", "name"}
    faults = [
        f'has a "{member}" that is not a function'
        for member in [*HOOKS, *_OTHER_NAMES]
        if not _is_function_or_none(member_of(plugin, member))
    ]
    faults += _format_faults(plugin)
    listed = getattr(plugin, _FUNCTIONS, None) or () if plugin.kind == TOOL else ()
    missing = _missing_names(plugin)
    for member, sort in others_of(plugin, known, listed).items():
        meant = meant_by(member, sort, missing)
        if meant is not None:
            term = "hook" if sort == "function" else "value"
            faults.append(f'has no {term} "{member}"; did you mean "{meant}"?')
    return faults


def _format_faults(plugin: Any) -> list[str]:
    """A format of tool schemas that there is not. What a function answers, the host checks."""
    said = member_of(plugin, "tool_schema_format") if plugin.kind == PROVIDER else None
    if said is None or callable(said) or said in _TOOL_SCHEMA_FORMATS:
        return []
    known = ", ".join(_TOOL_SCHEMA_FORMATS)
    return [f'has a "tool_schema_format" that is {said!r}, and none of {known}']


def _missing_names(plugin: Any) -> MissingNames:
    """The names of its kind that the plugin does not have."""

    def is_missing(kinds: tuple[str, ...], *names: str) -> bool:
        return plugin.kind in kinds and all(member_of(plugin, name) is None for name in names)

    hooks = [
        name
        for hook, (kinds, also, _) in HOOKS.items()
        for name in ([hook] if also is None else [hook, also])
        if is_missing(kinds, hook, also or hook)
    ]
    values = [name for name, kinds in VALUES.items() if is_missing(kinds, name)]
    if is_missing((TOOL,), _FUNCTIONS, "get_tool_schemas"):
        values.append(_FUNCTIONS)
    return MissingNames(hooks, values, [name for name in values if name in _LISTS])


def _is_function_or_none(value: Any) -> bool:
    return value is None or callable(value)
