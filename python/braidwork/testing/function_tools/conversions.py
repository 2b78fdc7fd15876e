"""Converts JSON to the types that the annotations of a plugin name."""

from __future__ import annotations

import collections.abc
import enum
import inspect
import typing
from typing import Any, Dict, Sequence, Tuple

from .pydantic_types import adapter_of
from .refusals import Refusal, own_error
from .schemas import hints_of
from .to_json import is_model
from .typed_dicts import declared_defaults, is_typed_dict, required_fields, unwrapped

_MAPS = (collections.abc.Mapping, collections.abc.MutableMapping)
_LISTS = (collections.abc.Sequence, collections.abc.MutableSequence, collections.abc.Iterable)


class Values:
    """
    Converts JSON to the types that a function expects: dataclasses, typed dicts, enums and models.
    Several branches of a union may try the same JSON object. For each class, the object is
    converted once, and a failure is remembered.
    """

    def __init__(self) -> None:
        self._hints: Dict[Any, Dict[str, Any]] = {}
        self._made: Dict[Tuple[Any, int], Any] = {}

    def of(self, annotation: Any, value: Any) -> Any:
        """Converts a value to the type of an annotation."""
        annotation = unwrapped(annotation)
        if hasattr(annotation, "__metadata__"):
            adapter = adapter_of(annotation)
            inner = annotation.__origin__
            return adapter.validate_python(value) if adapter else self.of(inner, value)
        origin, args = typing.get_origin(annotation), typing.get_args(annotation)
        if _is_choice(annotation):
            return self._chosen(args, value)
        if origin is None:
            return self._instance(annotation, value) if inspect.isclass(annotation) else value
        if isinstance(value, list) and args:
            is_tuple = origin is tuple and args[-1] is not Ellipsis
            kinds = args if is_tuple else [args[0]] * len(value)
            numbered = enumerate(zip(kinds, value))
            made = [self._at(index, kind, item) for index, (kind, item) in numbered]
            return tuple(made) if origin is tuple else made
        if isinstance(value, dict) and len(args) == 2:
            return {key: self._at(key, args[1], item) for key, item in value.items()}
        return value

    def _at(self, key: Any, annotation: Any, value: Any) -> Any:
        """Converts a value below another one. Raises Refusal."""
        try:
            return self.of(annotation, value)
        except Exception as error:
            raise Refusal(key, error) from own_error(error)

    def _chosen(self, branches: Sequence[Any], value: Any) -> Any:
        """
        Converts a value by the first branch that changes it. If none does, returns the value. An
        object or a list with something that a class refuses is no value of the other branches,
        unless one of them takes any object or list.
        """
        if type(value) is int and int in branches:
            return value
        refusal = None
        taking = []
        for branch in branches:
            if value is None:
                break
            try:
                made = self.of(branch, value)
            except Exception as error:  # another branch's value
                refusal = refusal or error
                continue
            if made is not value:
                return made
            taking.append(branch)
        is_container = isinstance(value, (dict, list))
        if refusal and is_container and not any(_takes_any(branch, value) for branch in taking):
            raise refusal
        return value

    def _instance(self, cls: Any, value: Any) -> Any:
        if cls is float:  # JSON has one kind of numbers, so 2.0 arrives as 2
            return float(value) if type(value) is int else value
        if issubclass(cls, enum.Enum):
            return cls(value)
        if is_model(cls):
            return cls.model_validate(value)
        is_made = hasattr(cls, "__dataclass_fields__") or is_typed_dict(cls)
        return self._made_once(cls, value) if is_made and isinstance(value, dict) else value

    def _made_once(self, cls: Any, value: Dict[str, Any]) -> Any:
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
        given = _whole(cls, hints, value) if is_typed_dict(cls) else value
        return cls(**{name: self._at(name, hints[name], item) for name, item in given.items()})


def _whole(cls: Any, hints: Dict[str, Any], value: Dict[str, Any]) -> Dict[str, Any]:
    """The fields of a typed dict, with their defaults. Raises ValueError for another object."""
    whole = {**declared_defaults(hints), **value}
    missing = [name for name in required_fields(cls, hints) if name not in whole]
    unknown = [name for name in value if name not in hints]
    if missing or unknown:
        what = f'lacks "{missing[0]}"' if missing else f'has no field "{unknown[0]}"'
        raise ValueError(f"{cls.__name__} {what}")
    return whole


class _Failed:
    """The failure to convert an object."""

    def __init__(self, error: Exception) -> None:
        self.error = error


def _is_choice(annotation: Any) -> bool:
    origin = typing.get_origin(annotation)
    return origin is typing.Union or type(annotation).__name__ == "UnionType"


def _takes_any(branch: Any, value: Any) -> bool:
    """Whether a branch takes any object, or any list if the value is one."""
    if hasattr(branch, "__metadata__"):
        return _takes_any(branch.__origin__, value)
    if _is_choice(branch):
        return any(_takes_any(inner, value) for inner in typing.get_args(branch))
    kind = typing.get_origin(branch) or branch
    if not inspect.isclass(kind) or is_typed_dict(kind):
        return kind is Any
    if kind in (object, Any):
        return True
    if isinstance(value, dict):
        return issubclass(kind, dict) or kind in _MAPS
    return issubclass(kind, list) or kind in _LISTS
