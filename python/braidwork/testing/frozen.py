"""JSON values that cannot be changed: a plugin that changes an argument fails at once."""

from __future__ import annotations

import copy
from typing import Any, NoReturn


def _refuse(*_: object, **__: object) -> NoReturn:
    raise TypeError("native, state and messages must not be changed in place; return new ones")


class FrozenDict(dict[str, Any]):
    """A dict that cannot be changed. A copy is a plain dict."""

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[str, Any]:
        return {key: copy.deepcopy(value, memo) for key, value in self.items()}


class FrozenList(list[Any]):
    """A list that cannot be changed. A copy is a plain list."""

    def __deepcopy__(self, memo: dict[int, Any]) -> list[Any]:
        return [copy.deepcopy(value, memo) for value in self]


_CHANGES = {
    FrozenDict: "__setitem__ __delitem__ __ior__ clear pop popitem setdefault update",
    FrozenList: (
        "__setitem__ __delitem__ __iadd__ __imul__"
        " append clear extend insert pop remove reverse sort"
    ),
}
for _type, _names in _CHANGES.items():
    for _name in _names.split():
        setattr(_type, _name, _refuse)


def frozen(value: Any) -> Any:
    """A frozen copy of a JSON value. Tuples become lists, as in JSON."""
    if isinstance(value, dict):
        return FrozenDict((key, frozen(item)) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return FrozenList(frozen(item) for item in value)
    return value
