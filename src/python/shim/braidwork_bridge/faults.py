"""Errors of plugins, and their descriptions for the host."""

from __future__ import annotations

import builtins
import math
import os
import traceback
from typing import Any, Dict, List, Optional, Set, Tuple

from . import vitals

# A copy, so that no plugin can remove builtins that this module needs.
__builtins__ = vars(builtins).copy()

_HERE = os.path.dirname(os.path.abspath(__file__))
# Frames of the host, and of imports, which say nothing of a plugin.
_HOST = (_HERE, "<frozen importlib")
_LARGEST = 2**53
_DEEPEST = 500


class TimeLimit(BaseException):
    """Raised in a hook that exceeds its time limit. `except Exception` does not catch it."""

    code = "TIMEOUT"
    retryable = True


class Cancelled(BaseException):
    """Raised in a thread whose request was cancelled."""


class PluginFault(Exception):
    """A fault of a plugin. The host reports it as a diagnostic."""

    code = "PLUGIN_INVALID"


class AnswerFault(Exception):
    """A value that is not JSON, and its place."""

    code = "PYTHON_ANSWER_INVALID"

    def __init__(self, reason: str, pointer: Optional[str]) -> None:
        where = "" if pointer is None else f" at {pointer or '/'}"
        super().__init__(f"the value is not JSON{where}: {reason}")
        self.reason = reason
        self.pointer = pointer

    def moved(self, before: str, after: str) -> "AnswerFault":
        """The fault with another beginning of its pointer."""
        return AnswerFault(self.reason, after + (self.pointer or "")[len(before) :])

    def below(self) -> "AnswerFault":
        """The fault with its pointer from the member of the value on that has it."""
        if self.pointer is None:
            return self
        _, slash, rest = self.pointer[1:].partition("/")
        return AnswerFault(self.reason, slash + rest)


def encode_fault(value: Any, error: Optional[BaseException]) -> AnswerFault:
    """The fault of a value that cannot be encoded, or contains a number that is too large."""
    found = _first_fault(value)
    if found is not None:
        return AnswerFault(found[1], _pointer(found[0]))
    return AnswerFault(str(error) if error is not None else "the place is unknown", None)


# A linked path: the key, and the path of its container. Pointers are built only for faults,
# since building one for each value would be slow.
_Way = Optional[Tuple[Any, Any]]


def _first_fault(value: Any) -> Optional[Tuple[_Way, str]]:
    """The first part of a value that is not JSON. Not recursive: nesting may be deep."""
    open_values: List[Tuple[_Way, int, Any]] = [(None, 0, value)]
    while open_values:
        way, depth, inner = open_values.pop()
        if depth > _DEEPEST:
            return _too_deep(value, way)
        if isinstance(inner, dict):
            wrong = [key for key in inner if not isinstance(key, (str, int, float)) and key]
            if wrong:
                return way, f"the key {wrong[0]!r} is a {type(wrong[0]).__name__}, not a str"
            children = [((key, way), depth + 1, inner[key]) for key in inner]
            open_values.extend(reversed(children))
        elif isinstance(inner, (list, tuple)):
            items = [((at, way), depth + 1, item) for at, item in enumerate(inner)]
            open_values.extend(reversed(items))
        else:
            reason = _reason(inner)
            if reason is not None:
                return way, reason
    return None


def _too_deep(value: Any, way: _Way) -> Tuple[_Way, str]:
    """The fault of a place that is too deep: a value on the way there may contain itself."""
    inner, seen, before = value, set(), None
    for key in _keys(way):
        if id(inner) in seen:
            return before, "it contains itself"
        seen.add(id(inner))
        inner, before = inner[key], (key, before)
    return way, f"it is nested more than {_DEEPEST} levels deep"


def _keys(way: _Way) -> List[Any]:
    keys: List[Any] = []
    while way is not None:
        key, way = way
        keys.append(key)
    return keys[::-1]


def _pointer(way: _Way) -> str:
    texts = (str(key).replace("~", "~0").replace("/", "~1") for key in _keys(way))
    return "".join("/" + text for text in texts)


def _reason(value: Any) -> Optional[str]:
    if value is None or isinstance(value, (bool, str)):
        return None
    if isinstance(value, int):
        if -_LARGEST <= value <= _LARGEST:
            return None
        return "an integer beyond 2^53 loses digits outside Python; give it as a str"
    if isinstance(value, float):
        return None if math.isfinite(value) else f"{value} is not a number in JSON"
    hint = "; give a list" if isinstance(value, (set, frozenset)) else ""
    return f"JSON has no values of the type {_full_name(type(value))}{hint}"


def _full_name(cls: Any) -> str:
    """The name of a class, with its module: `numpy.bool` is not Python's own `bool`."""
    is_own = cls.__module__ in ("builtins", "__main__")
    return str(cls.__name__ if is_own else f"{cls.__module__}.{cls.__name__}")


# The attributes of an error that the host reads, with their types.
_NUMBER = (int, float)
_TAKEN: Dict[str, Any] = {
    "code": str,
    "status": int,
    "retryable": bool,
    "retry_after": _NUMBER,
    "pointer": str,
}
_LONGEST = 20_000


def describe(error: BaseException) -> Dict[str, Any]:
    """Describes an error: type, message and traceback. Ends an interpreter that is broken."""
    vitals.suspect(error)
    described: Dict[str, Any] = {
        "type": _type_name(error),
        "message": _text(error)[:_LONGEST],
        "traceback": _own_traceback(error)[-_LONGEST:],
    }
    for name, expected in _TAKEN.items():
        # `sys.exit("bye")` has a code that is no code of an error.
        if name == "code" and isinstance(error, SystemExit):
            continue
        try:
            value = getattr(error, name, None)
            is_number = not isinstance(value, float) or math.isfinite(value)
            is_right = isinstance(value, expected) and is_number
            if is_right and (expected is bool or value is not True):
                described[name] = value
        except BaseException:  # a property raises
            continue
    return described


def _type_name(error: BaseException) -> str:
    try:
        return str(type(error).__name__)
    except BaseException:  # a metaclass raises
        return "Exception"


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException as inner:  # its __str__ raises, perhaps SystemExit
        return f"an error that cannot be shown ({_type_name(inner)})"


def _own_traceback(error: BaseException) -> str:
    try:
        whole = traceback.TracebackException.from_exception(error)
        at: Optional[traceback.TracebackException] = whole
        seen: Set[int] = set()
        while at is not None and id(at) not in seen:
            seen.add(id(at))
            frames = [frame for frame in at.stack if not frame.filename.startswith(_HOST)]
            at.stack = traceback.StackSummary.from_list(frames)
            at = at.__cause__ or at.__context__
        return "".join(whole.format())
    except BaseException as inner:
        return f"no traceback ({_type_name(inner)})"
