"""Loads a plugin from the path of its file, and prepares its hooks for calls."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, Optional

from .faults import PluginFault
from .importing import import_plugin
from .members import member_of, others_of
from .wire import encode

if TYPE_CHECKING:
    from .functions import FunctionTools

# Hooks that may wait for I/O. Those without `async` run in threads, so that they block no others.
_WAITING = frozenset({"call", "stream", "executeTool", "refreshModels", "embed", "runAction"})
_KINDS = ("provider", "extension", "feature", "tool")


class Hook:
    """A hook of a plugin, and how to call it."""

    __slots__ = ("run", "name", "args", "gives", "takes_context", "mode")

    def __init__(self, run: Callable[..., Any], name: str, table: Mapping[str, Any], kind: str):
        self.run = run
        self.name = name
        self.args: str = table["args"].get(kind, "")
        self.gives: str = table["gives"].get(kind, "")
        parameters = _parameters(run)
        self.takes_context = "context" in parameters and "c" not in self.args
        self.mode = self._mode(table["name"])

    def _mode(self, hook: str) -> str:
        if inspect.iscoroutinefunction(_function(self.run)):
            return "async"
        is_lazy = inspect.isgeneratorfunction(_function(self.run)) or inspect.isasyncgenfunction(
            _function(self.run)
        )
        return "thread" if hook in _WAITING and not is_lazy else "inline"

    def check(self, hook: str) -> None:
        """Checks that it can be called with the hook's arguments."""
        context = {"context": None} if self.takes_context else {}
        try:
            signature = inspect.signature(self.run)
        except (TypeError, ValueError):
            return
        try:
            signature.bind(*self.args, **context)
        except TypeError as error:
            raise PluginFault(
                f'its hook "{self.name}" cannot be called with the {len(self.args)} arguments of '
                f'"{hook}": {error}; docs/hooks.md in the package braidwork lists them'
            ) from None


class Plugin:
    """A plugin of this interpreter."""

    def __init__(self, number: int, value: Any, tables: Any) -> None:
        self.number = number
        self.value = value
        self.kind: str = _text(value, "kind")
        self.name: str = _text(value, "name")
        if self.kind not in _KINDS:
            raise PluginFault(
                f"its kind is {self.kind!r}; kinds are {', '.join(_KINDS)}"
            )
        self._functions = self._own_functions()
        self._async_functions = frozenset(self._functions.async_names() if self._functions else ())
        self._refuses_settings = False
        # A value that is a function with arguments is called like a hook.
        self._valued = frozenset(tables["values"])
        self.hooks: Dict[str, Hook] = {}
        for hook, table in tables["hooks"].items():
            found = self._hook(hook, table)
            if found is not None:
                self.hooks[hook] = found
        self.values = {name: self._value(name, own) for name, own in tables["values"].items()}
        if self._refuses_settings:
            table = {**tables["hooks"]["checkSettings"], "name": "checkSettings"}
            self.hooks["checkSettings"] = Hook(self._check_settings, "", table, self.kind)

    def _own_functions(self) -> Optional[FunctionTools]:
        """The functions that a tool lists instead of implementing hooks."""
        functions = getattr(self.value, "functions", None) if self.kind == "tool" else None
        if functions is None:
            return None
        for name in ("get_tool_schemas", "execute_tool"):
            if member_of(self.value, name) is not None:
                raise PluginFault(f'it has both "functions" and "{name}"; remove one of them')
        # Imported only when needed: few plugins list functions, and the import takes time.
        from .functions import FunctionTools

        return FunctionTools(functions)

    def mode_of(self, hook: str, args: List[Any]) -> str:
        """Where a call of a hook runs. An async function of a tool needs no thread."""
        is_async = hook == "executeTool" and args[0].get("name") in self._async_functions
        return "async" if is_async else self.hooks[hook].mode

    def _hook(self, hook: str, table: Mapping[str, Any]) -> Optional[Hook]:
        for name in table["names"]:
            run = member_of(self.value, name) or getattr(self._functions, name, None)
            if run is None or (hook in self._valued and not _parameters(run)):
                continue
            if not callable(run):
                raise PluginFault(
                    f'its hook "{name}" is not a function; make it one or remove it'
                )
            found = Hook(run, name, {**table, "name": hook}, self.kind)
            if self.kind in table["args"]:
                found.check(hook)
            return found
        return None

    def _value(self, name: str, own: str) -> Any:
        value = None if name in self.hooks else member_of(self.value, own)
        if callable(value) and not inspect.isclass(value):
            value = value()
        if inspect.isclass(value):
            value = self._schema_of(value) if name == "configSchema" else value()
        if isinstance(value, (set, frozenset)):
            value = sorted(value)
        encode(value)
        return value

    def _schema_of(self, value: Any) -> Any:
        from .schemas import schema_of_class
        from .settings import may_refuse

        try:
            schema = schema_of_class(value)
        except PluginFault as fault:
            raise PluginFault(f'its "config_schema" cannot be read: {fault}') from fault
        self._refuses_settings = may_refuse(value)
        return schema

    def _check_settings(self, settings: Any) -> Any:
        from .settings import refusal_of

        return refusal_of(self.name, self.value, settings)

    def describe(self, tables: Any) -> Dict[str, Any]:
        """The description of the plugin for the host."""
        return {
            "plugin": self.number,
            "kind": self.kind,
            "name": self.name,
            "values": {name: value for name, value in self.values.items() if value is not None},
            "hooks": {
                hook: {"context": found.takes_context, "mode": found.mode}
                for hook, found in self.hooks.items()
            },
            "others": self._others(tables),
        }

    def _others(self, tables: Any) -> Dict[str, str]:
        """Public members that the host does not know, and whether each is a function or a list."""
        known = {"kind", "name", "functions", *tables["values"].values()}
        for table in tables["hooks"].values():
            known.update(table["names"])
        listed = list(getattr(self.value, "functions", ())) if self._functions else []
        return others_of(self.value, known, listed)


def _function(run: Any) -> Any:
    """The function behind a callable object."""
    run = inspect.unwrap(run)
    is_plain = inspect.isroutine(run) or inspect.isclass(run)
    return run if is_plain else getattr(run, "__call__", run)


def _parameters(run: Any) -> Mapping[str, Any]:
    try:
        return inspect.signature(run).parameters
    except (TypeError, ValueError):
        return {}


def _text(value: Any, member: str) -> str:
    found = getattr(value, member, None)
    found = found() if callable(found) else found
    if isinstance(found, str):
        return found
    raise PluginFault(f'it has no "{member}"; a plugin has a "kind" and a "name"')


def load_plugin(entry: str, paths: List[str], number: int, tables: Any) -> Plugin:
    """Loads the plugin of a file: the module's member `plugin`, or the module itself."""
    module = import_plugin(entry, paths, number)
    found = getattr(module, "plugin", None)
    if found is None and hasattr(module, "kind") and hasattr(module, "name"):
        found = module
    if found is None:
        raise PluginFault(
            'it has no "kind" and "name", which make a module a plugin, '
            'and no "plugin", an object or a class that has them'
        )
    return Plugin(number, found() if inspect.isclass(found) else found, tables)
