"""Tools that are plain functions: their schemas by annotations and docstrings, and their calls."""

from __future__ import annotations

import contextlib
import enum
import inspect
import types
import typing
from typing import Any, AsyncIterator, Callable, Dict, Iterator, List, Mapping, Sequence, Tuple

from .docstrings import read_docstring
from .faults import PluginFault
from .refusals import ArgumentsFault, first_error
from .schemas import Definitions, hints_of
from .to_json import is_json, is_model, json_value

_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


class FunctionTool:
    """One function as a tool."""

    def __init__(self, function: Any) -> None:
        if not callable(function) or inspect.isclass(function):
            raise PluginFault(f'"functions" lists {function!r}, which is not a function')
        self._function = function
        self.name: str = getattr(function, "__name__", "")
        self._where = f'function "{self.name}"'
        self._hints = hints_of(_told(function), self._where)
        self._parameters = inspect.signature(function).parameters
        self.schema = self._schema()

    def _schema(self) -> Dict[str, Any]:
        description, said = read_docstring(self._function)
        if not description:
            raise PluginFault(
                f"{self._where} has no docstring; the model reads its first paragraph"
            )
        made = Definitions()
        names = [name for name in self._parameters if name != "context"]
        properties = {name: self._property(made, name, said.get(name)) for name in names}
        empty = inspect.Parameter.empty
        required = [name for name in names if self._parameters[name].default is empty]
        schema = made.whole(
            {
                "type": "object",
                "properties": properties,
                "required": required,
                "additionalProperties": False,
            }
        )
        tool = {"name": self.name, "description": description, "input_schema": schema}
        safety = getattr(self._function, "safety", None)
        return tool if safety is None else {**tool, "safety": safety}

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
        default = json_value(parameter.default)
        is_told = parameter.default is not inspect.Parameter.empty and is_json(default)
        return {**schema, "default": default} if is_told else schema

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
        arguments: Dict[str, Any] = {}
        for name, value in given.items():
            try:
                arguments[name] = made.of(self._hints[name], value)
            except Exception as error:
                path, reason = first_error(error)
                raise ArgumentsFault(self.name, [name, *path], reason) from error
        return arguments


class FunctionTools:
    """The functions of a tool plugin, in place of its hooks."""

    def __init__(self, functions: Any) -> None:
        if not isinstance(functions, Sequence) or isinstance(functions, str):
            raise PluginFault('its "functions" is not a list of functions')
        self._tools: Dict[str, FunctionTool] = {}
        for function in functions:
            tool = FunctionTool(function)
            if tool.name in self._tools:
                raise PluginFault(f'two of its functions are called "{tool.name}"')
            self._tools[tool.name] = tool

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


def _annotated(function: Any) -> Any:
    """The object with the annotations: the function, or `__call__` of a callable object."""
    is_plain = inspect.isfunction(function) or inspect.ismethod(function)
    return inspect.unwrap(function) if is_plain else type(function).__call__


class Values:
    """
    Converts JSON to the types that a function expects: dataclasses, enums and models. Several
    branches of a union may try the same JSON object. For each class, the object is converted once,
    and a failure is remembered.
    """

    def __init__(self) -> None:
        self._hints: Dict[Any, Dict[str, Any]] = {}
        self._made: Dict[Tuple[Any, int], Any] = {}

    def of(self, annotation: Any, value: Any) -> Any:
        """Converts a value to the type of an annotation."""
        if hasattr(annotation, "__metadata__"):
            return self.of(annotation.__origin__, value)
        origin, args = typing.get_origin(annotation), typing.get_args(annotation)
        if _is_choice(annotation):
            return self._chosen(args, value)
        if origin is None:
            return self._instance(annotation, value) if inspect.isclass(annotation) else value
        if isinstance(value, list) and args:
            is_tuple = origin is tuple and args[-1] is not Ellipsis
            kinds = args if is_tuple else [args[0]] * len(value)
            made = [self.of(kind, item) for kind, item in zip(kinds, value)]
            return tuple(made) if origin is tuple else made
        if isinstance(value, dict) and len(args) == 2:
            return {key: self.of(args[1], item) for key, item in value.items()}
        return value

    def _chosen(self, branches: Sequence[Any], value: Any) -> Any:
        """Converts a value by the first branch that changes it. If none does, returns the value."""
        for branch in branches:
            if value is None:
                break
            try:
                made = self.of(branch, value)
            except Exception:  # another branch's value
                continue
            if made is not value:
                return made
        return value

    def _instance(self, cls: Any, value: Any) -> Any:
        if issubclass(cls, enum.Enum):
            return cls(value)
        if is_model(cls):
            return cls.model_validate(value)
        if hasattr(cls, "__dataclass_fields__") and isinstance(value, dict):
            return self._dataclass(cls, value)
        return value

    def _dataclass(self, cls: Any, value: Dict[str, Any]) -> Any:
        key = (cls, id(value))
        if key not in self._made:
            try:
                self._made[key] = self._new(cls, value)
            except Exception as error:
                self._made[key] = _Failed(error)
        made = self._made[key]
        if isinstance(made, _Failed):
            raise made.error
        return made

    def _new(self, cls: Any, value: Dict[str, Any]) -> Any:
        if cls not in self._hints:
            self._hints[cls] = hints_of(cls, f'class "{cls.__name__}"')
        hints = self._hints[cls]
        return cls(**{name: self.of(hints[name], item) for name, item in value.items()})


class _Failed:
    """The failure to convert an object."""

    def __init__(self, error: Exception) -> None:
        self.error = error


def _is_choice(annotation: Any) -> bool:
    origin = typing.get_origin(annotation)
    return origin is typing.Union or type(annotation).__name__ == "UnionType"


async def _awaited(answer: Any) -> Any:
    return json_value(await answer)


def _each(values: Any) -> Iterator[Any]:
    with contextlib.closing(values):
        for value in values:
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
