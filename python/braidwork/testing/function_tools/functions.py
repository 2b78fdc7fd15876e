"""Tools that are plain functions: their schemas by annotations and docstrings, and their calls."""

from __future__ import annotations

import contextlib
import functools
import inspect
import math
import types
from typing import (
    Annotated,
    Any,
    AsyncIterator,
    Callable,
    Dict,
    Iterator,
    List,
    Mapping,
    Sequence,
)

from .conversions import Values
from .docstrings import read_docstring
from .faults import PluginFault
from .pydantic_types import field_of
from .refusals import ArgumentsFault, first_error, own_error
from .schemas import Definitions, hints_of
from .to_json import is_json, json_value

_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


class FunctionTool:
    """One function as a tool."""

    def __init__(self, function: Any, safety: Any = None) -> None:
        if not callable(function) or inspect.isclass(function):
            raise PluginFault(f'"functions" lists {function!r}, which is not a function')
        self._function = function
        self._safety = getattr(function, "safety", None) if safety is None else safety
        own = getattr(function, "__name__", None)
        self.name: str = own or getattr(_whole(function), "__name__", "")
        if not self.name:
            raise PluginFault(
                f'"functions" lists an object of the class "{type(function).__name__}", which has '
                'no "__name__" for the tool; give it one, or list a function'
            )
        self._where = f'function "{self.name}"'
        self._hints = hints_of(_told(_whole(function)), self._where)
        bound = function.keywords if isinstance(function, functools.partial) else {}
        every = inspect.signature(function).parameters
        self._parameters = {name: every[name] for name in every if name not in bound}
        self._fields = self._own_fields()
        self.schema = self._schema()

    @property
    def is_async(self) -> bool:
        """Whether a call of it is awaited, and needs no thread."""
        run = _whole(self._function)
        is_plain = inspect.isfunction(run) or inspect.ismethod(run)
        return inspect.iscoroutinefunction(run if is_plain else type(run).__call__)

    def _own_fields(self) -> Dict[str, Any]:
        """The defaults that are fields of pydantic. Such a parameter is what `Annotated` says."""
        fields = {}
        for name, parameter in self._parameters.items():
            field = field_of(parameter.default)
            if field is not None and name in self._hints:
                fields[name] = field
                self._hints[name] = Annotated[self._hints[name], field]
        return fields

    def _schema(self) -> Dict[str, Any]:
        description, said = read_docstring(_whole(self._function))
        if not description:
            raise PluginFault(
                f"{self._where} has no docstring; the model reads its first paragraph"
            )
        made = Definitions()
        names = [name for name in self._parameters if name != "context"]
        properties = {name: self._property(made, name, said.get(name)) for name in names}
        required = [name for name in names if self._is_required(name)]
        schema = made.whole(
            {
                "type": "object",
                "properties": properties,
                "required": required,
                "additionalProperties": False,
            }
        )
        tool = {"name": self.name, "description": description, "input_schema": schema}
        return tool if self._safety is None else {**tool, "safety": self._safety}

    def _is_required(self, name: str) -> bool:
        if name in self._fields:
            return bool(self._fields[name].is_required())
        return self._parameters[name].default is inspect.Parameter.empty

    def _property(self, made: Definitions, name: str, said: Any) -> Dict[str, Any]:
        where = f'parameter "{name}" of {self._where}'
        parameter = self._parameters[name]
        if parameter.kind not in _BY_NAME:
            raise PluginFault(f"{where} cannot be passed by its name, as the host passes it")
        if name not in self._hints:
            raise PluginFault(f"{where} has no annotation; the model has to know its type")
        schema = made.of(self._hints[name], where)
        if said and "description" not in schema:
            schema = {**schema, "description": said}
        if self._is_required(name) or name in self._fields:
            return schema
        default = json_value(parameter.default)
        if is_json(default):
            return {**schema, "default": default}
        if isinstance(default, float) and not math.isfinite(default):
            return schema
        raise PluginFault(
            f"JSON cannot express the default of {where}: {parameter.default!r}; give None or JSON"
        )

    def call(self, given: Mapping[str, Any], context: Any) -> Any:
        """Runs the function, and returns its result as JSON.

        The result of an async function is awaitable. A generator gives a generator of JSON.
        Raises ArgumentsFault if a class of an argument refuses it.
        """
        arguments = self._arguments(given)
        if "context" in self._parameters:
            arguments["context"] = context
        answer = self._function(**arguments)
        if inspect.isawaitable(answer):
            return _awaited(answer)
        if hasattr(answer, "__aiter__"):
            return _each_later(answer)
        return _each(answer) if inspect.isgenerator(answer) else json_value(answer)


    def _arguments(self, given: Mapping[str, Any]) -> Dict[str, Any]:
        made = Values()
        arguments: Dict[str, Any] = {
            name: field.get_default(call_default_factory=True)
            for name, field in self._fields.items()
            if name not in given
        }
        for name, value in given.items():
            try:
                arguments[name] = made.of(self._hints[name], value)
            except Exception as error:
                path, reason = first_error(error)
                raise ArgumentsFault(self.name, [name, *path], reason) from own_error(error)
        return arguments


class FunctionTools:
    """The functions of a tool plugin, in place of its hooks."""

    def __init__(self, functions: Any) -> None:
        is_list = isinstance(functions, Sequence) and not isinstance(functions, str)
        if not is_list and not isinstance(functions, Mapping):
            raise PluginFault(
                'its "functions" is not a list of functions, or a dict with the safety of each'
            )
        self._tools: Dict[str, FunctionTool] = {}
        for function in functions:
            tool = FunctionTool(function, None if is_list else functions[function])
            if tool.name in self._tools:
                raise PluginFault(f'two of its functions are called "{tool.name}"')
            self._tools[tool.name] = tool

    def async_names(self) -> Iterator[str]:
        """The names of those whose calls are awaited."""
        return (name for name, tool in self._tools.items() if tool.is_async)

    def get_tool_schemas(self, _state: Any) -> List[Dict[str, Any]]:
        """Acts as the hook `get_tool_schemas`."""
        return [tool.schema for tool in self._tools.values()]

    def execute_tool(self, call: Mapping[str, Any], _state: Any, context: Any) -> Any:
        """Acts as the hook `execute_tool`."""
        return self._tools[call["name"]].call(call["input"], context)


def _told(function: Any) -> Any:
    """
    The annotations that tell the model of arguments. Those of `context` and of the result are left
    out, since a module may import their types for type checkers alone.
    """
    annotated = _annotated(function)
    every = getattr(annotated, "__annotations__", {})
    told = {name: hint for name, hint in every.items() if name not in ("context", "return")}
    found = getattr(annotated, "__globals__", {})
    return types.SimpleNamespace(__annotations__=told, __globals__=found)


def _whole(function: Any) -> Any:
    """The function of a `functools.partial`."""
    while isinstance(function, functools.partial):
        function = function.func
    return function


def _annotated(function: Any) -> Any:
    """The object with the annotations: the function, or `__call__` of a callable object."""
    is_plain = inspect.isfunction(function) or inspect.ismethod(function)
    return inspect.unwrap(function) if is_plain else type(function).__call__


async def _awaited(answer: Any) -> Any:
    return json_value(await answer)


def _each(values: Any) -> Iterator[Any]:
    with contextlib.closing(values):
        while True:
            try:
                value = next(values)
            except StopIteration as end:
                if end.value is not None:  # what a generator returns is its result
                    yield json_value(end.value)
                return
            yield json_value(value)


async def _each_later(values: Any) -> AsyncIterator[Any]:
    try:
        async for value in values:
            yield json_value(value)
    finally:
        close: Callable[[], Any] = getattr(values, "aclose", None) or _nothing
        closed = close()
        if inspect.isawaitable(closed):
            await closed


def _nothing() -> None:
    return None
