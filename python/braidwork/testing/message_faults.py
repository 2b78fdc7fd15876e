"""Checks the messages that hooks return, as the host does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from ..messages import Role

_ROLES = get_args(Role)
_LISTS = (list, tuple)
_CALL = (("callId", True), ("name", True))
# The fields that a part must have, and whether they are texts.
_FIELDS: Mapping[str, Sequence[tuple[str, bool]]] = {
    "text": (("text", True),),
    "reasoning": (("text", True),),
    "file": (("mediaType", True),),
    "tool-call": (*_CALL, ("input", False)),
    "tool-result": (*_CALL, ("output", False)),
    "source": (),
    "data": (("name", True), ("data", False)),
}


def is_message(value: Any) -> bool:
    """Whether a value has the outer shape of a message: a known role, and parts that are dicts."""
    if not isinstance(value, Mapping) or value.get("role") not in _ROLES:
        return False
    parts = value.get("parts")
    return isinstance(parts, _LISTS) and all(isinstance(part, Mapping) for part in parts)


def messages_fault(messages: Sequence[Any]) -> str | None:
    """Why a host refuses messages that a hook returned, and where; None if it takes them."""
    for at, message in enumerate(messages):
        fault = _message_fault(message)
        if fault is not None:
            return f"[{at}]{fault}"
    return None


def _message_fault(message: Any) -> str | None:
    if not isinstance(message, Mapping):
        return ': a message is a dict with "role" and "parts"'
    if message.get("role") not in _ROLES:
        return f'.role: unknown role {message.get("role")!r}; roles are {", ".join(_ROLES)}'
    parts = message.get("parts")
    if not isinstance(parts, _LISTS):
        return '.parts: "parts" must be a list of parts; a message has no "content"'
    for at, part in enumerate(parts):
        fault = _part_fault(part)
        if fault is not None:
            return f".parts[{at}]{fault}"
    return None


def _part_fault(part: Any) -> str | None:
    if not isinstance(part, Mapping):
        return ': a part is a dict with a "type"'
    kind = part.get("type")
    if not isinstance(kind, str) or kind not in _FIELDS:
        return f".type: unknown part {kind!r}; parts are {', '.join(_FIELDS)}"
    for name, is_text in _FIELDS[kind]:
        is_there = isinstance(part.get(name), str) if is_text else name in part
        if not is_there:
            return f'.{name}: "{name}" of a "{kind}" part is missing, or is no text'
    if kind == "file" and not any(isinstance(part.get(name), str) for name in ("data", "url")):
        return ': a file part needs "data" (base64) or "url"'
    return None
