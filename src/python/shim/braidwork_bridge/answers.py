"""Converts arguments for hooks, and answers for the host."""

from __future__ import annotations

import builtins
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from .faults import AnswerFault
from .recording import Recorder
from .values import Mirror, read_only

# A copy, so that no plugin can remove builtins that this module needs.
__builtins__ = vars(builtins).copy()


def arguments_of(
    codes: str, given: Sequence[Any], mirror: Mirror, recorder: Optional[Recorder] = None
) -> List[Any]:
    """A hook's arguments by code: `v` sent value, `n` native, `s` state, `t` tags, `f` config."""
    rest = iter(given)
    return [_argument(code, rest, mirror, recorder) for code in codes]


def _argument(code: str, rest: Any, mirror: Mirror, recorder: Optional[Recorder]) -> Any:
    if code == "n":
        return mirror.native
    if code == "s":
        return mirror.state
    value = next(rest)
    if code == "t":
        return frozenset(value)
    if code == "f":
        return read_only(value) if recorder is None else recorder.view(value)
    if code == "u":
        return {**value, "tags": frozenset(value["tags"])}
    return value


_STATEFUL = frozenset("ns")
# Marks an answer of which only the changes of native and state are sent.
_PARTS = ',"m":1'


def answer_of(codes: str, answer: Any, mirror: Mirror) -> Tuple[Any, str]:
    """
    The part of an answer to send, and its marker. An answer without the required parts is sent
    whole, so that the host can describe the fault.
    """
    if codes == "i":
        return _list_of(answer), ""
    if not _STATEFUL.intersection(codes) or not _fits(codes, answer):
        return answer, "" if answer is not None else ',"none":1'
    parts = [answer] if len(codes) == 1 else list(answer[: len(codes)])
    named = dict(zip(codes, parts))
    changes: Dict[str, Any] = {"v": [part for code, part in zip(codes, parts) if code == "v"]}
    mirror.give(named.get("n", mirror.native), named.get("s", mirror.state), changes)
    return changes, _PARTS


def send_answer(send: Callable[..., None], codes: str, value: Any, more: Tuple[str, str]) -> None:
    """Sends the part of an answer to send. The place of a fault is the one in the answer."""
    marker, others = more
    try:
        send(value, marker + others)
    except AnswerFault as fault:
        is_parts = marker == _PARTS and fault.pointer
        raise (_answer_fault(codes, fault) if is_parts else fault) from None


def _answer_fault(codes: str, fault: AnswerFault) -> AnswerFault:
    """The fault of an answer in native or state, with its place in the answer of the hook."""
    kind, _, rest = (fault.pointer or "")[1:].partition("/")
    if kind == "v":
        number = rest.partition("/")[0]
        before = f"/v/{number}"
        at = [at for at, code in enumerate(codes) if code == "v"][int(number)]
    else:
        before, at = f"/{kind}", codes.index("n" if kind == "n" else "s")
    return fault.moved(before, "" if len(codes) == 1 else f"/{at}")


def _fits(codes: str, answer: Any) -> bool:
    if codes == "n":
        return answer is not None
    if codes == "s":
        return isinstance(answer, Mapping)
    is_long_enough = isinstance(answer, (list, tuple)) and len(answer) >= len(codes)
    if not is_long_enough:
        return False
    lists = [part for code, part in zip(codes, answer) if code == "v"]
    return isinstance(answer[len(codes) - 1], Mapping) and all(
        isinstance(part, (list, tuple)) for part in lists
    )


def _list_of(answer: Any) -> Any:
    if isinstance(answer, (set, frozenset)):
        return sorted(answer)
    is_value = answer is None or isinstance(answer, (str, bytes, int, float, list, tuple, dict))
    return answer if is_value else list(answer)
