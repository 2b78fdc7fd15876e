"""Checks the answers of hooks as the host does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Callable

from ..hooks import HOOKS, TOOL
from .request_headers import header_fault

_LISTS = (list, tuple)
_SETS = (set, frozenset)
# Only these are no lists of ids; any other iterable is one.
_VALUES = (str, bytes, int, float, *_LISTS, Mapping)
_STATEFUL = ("init", "initialize_request")


def received(hook: str, answer: Any) -> Any:
    """An answer in the form in which it goes to the host: ids may be a set or a generator."""
    if HOOKS[hook].answer != "ids" or answer is None:
        return answer
    if isinstance(answer, _SETS):
        return sorted(answer)
    is_other = isinstance(answer, Iterable) and not isinstance(answer, _VALUES)
    return list(answer) if is_other else answer


def answer_fault(kind: str, hook: str, answer: Any) -> str | None:
    """Why the host refuses the answer of a hook, as a part of a sentence; None if it takes it."""
    shape = HOOKS[hook].answer
    expected, is_right = _SHAPES.get(shape, ("", _is_any))
    if not is_right(answer):
        return f"answered {_described(answer)}, but the answer must be {expected}"
    # The state of a tool is its own, and no provider reads it.
    if hook not in _STATEFUL or kind == TOOL:
        return None
    fault = header_fault(answer if hook == "init" else answer[1])
    return None if fault is None else f"returned a state whose {fault}"


def _is_any(_answer: Any) -> bool:
    return True


def _are_ids(answer: Any) -> bool:
    return isinstance(answer, _LISTS) and all(isinstance(one, str) and one for one in answer)


def _is_dict(answer: Any) -> bool:
    return isinstance(answer, Mapping)


def _is_list(answer: Any) -> bool:
    return isinstance(answer, _LISTS)


def _is_native(answer: Any) -> bool:
    return answer is not None


def _is_turn(lists: int) -> Callable[[Any], bool]:
    """Whether an answer has some lists, the native request and the state. More may follow."""

    def test(answer: Any) -> bool:
        return (
            isinstance(answer, _LISTS)
            and len(answer) >= lists + 2
            and all(isinstance(one, _LISTS) for one in answer[:lists])
            and isinstance(answer[lists + 1], Mapping)
        )

    return test


def _are_chunks(answer: Any) -> bool:
    members = ("__aiter__", "__next__")
    return isinstance(answer, _LISTS) or any(hasattr(answer, member) for member in members)


_SHAPES: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "ids": ("a list of strings that are not empty", _are_ids),
    "object": ("a dict", _is_dict),
    "list": ("a list", _is_list),
    "native": ("a native request", _is_native),
    "native-state": ("[native, state]", _is_turn(0)),
    "step": ("[partials, finals, native, state]", _is_turn(2)),
    "finals": ("[finals, native, state]", _is_turn(1)),
    "chunks": ("a generator of chunks", _are_chunks),
}


def _described(answer: Any) -> str:
    if isinstance(answer, _LISTS):
        return f"a list of {len(answer)}"
    return "None" if answer is None else f"a {type(answer).__name__}"
