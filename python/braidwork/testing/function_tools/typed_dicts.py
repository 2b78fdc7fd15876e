"""Reads what a `TypedDict` says of its fields."""

from __future__ import annotations

import inspect
import typing
from typing import Any, Dict, List, Mapping, Tuple

_WRAPPERS = {"Required", "NotRequired", "ReadOnly", "Final", "ClassVar"}
_MOST_STEPS = 20


def is_typed_dict(value: Any) -> bool:
    """Whether a class is a `TypedDict`."""
    return inspect.isclass(value) and issubclass(value, dict) and hasattr(value, "__total__")


def required_fields(cls: Any, hints: Mapping[str, Any]) -> List[str]:
    """The fields that must be there. Python itself does not see `Required` and `NotRequired` where
    annotations are texts, as under `from __future__ import annotations`."""
    known = cls.__required_keys__
    return [name for name, hint in hints.items() if _is_required(hint, name in known)]


def _is_required(hint: Any, otherwise: bool) -> bool:
    name, inner = _wrapper_of(hint)
    if name in ("Required", "NotRequired"):
        return name == "Required"
    if name is not None:
        return _is_required(inner, otherwise)
    if hasattr(hint, "__metadata__"):
        return _is_required(hint.__origin__, otherwise)
    return otherwise


def _wrapper_of(hint: Any) -> Tuple[Any, Any]:
    """The name of the word around an annotation, such as `NotRequired`, and the annotation."""
    name = getattr(typing.get_origin(hint), "_name", None)
    return (name, typing.get_args(hint)[0]) if name in _WRAPPERS else (None, hint)


def unwrapped(hint: Any) -> Any:
    """The type that an annotation stands for: without words around it, and without a name of its
    own. One with metadata stays as it is."""
    for _ in range(_MOST_STEPS):
        name, inner = _wrapper_of(hint)
        alias = getattr(hint, "__supertype__", None)  # of a NewType
        if type(hint).__name__ == "TypeAliasType":
            alias = getattr(hint, "__value__", None)
        if name is None and alias is None:
            break
        hint = inner if name is not None else alias
    return hint


def declared_defaults(hints: Mapping[str, Any]) -> Dict[str, Any]:
    """The defaults in the metadata of fields, `Annotated[int, {"default": 1}]`."""
    found: Dict[str, Any] = {}
    for name, hint in hints.items():
        for said in getattr(unwrapped(hint), "__metadata__", ()):
            if isinstance(said, Mapping) and "default" in said:
                found[name] = said["default"]
    return found
