"""Checks which values may be sent from Python to the host."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

LARGEST_INTEGER = 2**53
"""Larger integers lose digits in other languages: send a string instead."""

DEEPEST = 500


def json_fault(value: Any) -> str | None:
    """Why a value cannot be sent, and where, as a sentence; None if it can."""
    open_values: list[tuple[str, Any, int]] = [("", value, 0)]
    while open_values:
        pointer, current, depth = open_values.pop()
        reason = "it is nested too deeply" if depth > DEEPEST else _reason(current)
        if reason is not None:
            return f'at "{pointer}": {reason}'
        open_values += [(pointer + below, item, depth + 1) for below, item in _children(current)]
    return None


def _reason(value: Any) -> str | None:
    if value is None or isinstance(value, (bool, str, list, tuple)):
        return None
    if isinstance(value, int):
        return None if abs(value) <= LARGEST_INTEGER else f"{value} is beyond 2^53; send a string"
    if isinstance(value, float):
        return None if math.isfinite(value) else f"{value} is not JSON"
    if isinstance(value, dict):
        wrong = next((key for key in value if not isinstance(key, str)), None)
        return None if wrong is None else f"the key {wrong!r} is not a string"
    cls = type(value)
    is_own = cls.__module__ in ("builtins", "__main__")
    return f"a {cls.__name__ if is_own else f'{cls.__module__}.{cls.__name__}'} is not JSON"


def _children(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield "/" + key.replace("~", "~0").replace("/", "~1"), item
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield f"/{index}", item
