"""Converts the output of the model to events and messages."""

from __future__ import annotations

import json
from typing import Any

from .errors import ProviderError

Event = dict[str, Any]

_TEXT_ID = "text-0"
_CALL_ID = "call_1"
_JSON_BEGINS = '{["-0123456789tfn'


class Answer:
    """One answer while it is received."""

    def __init__(self, native: dict[str, Any]) -> None:
        self._tool_names: list[str] = native.get("tool_names", [])
        self._is_json = "grammar" in native
        self._may_be_cut = bool(native["stop"])
        self._texts: list[str] = []
        self._finish = "other"
        self._usage: dict[str, Any] = {}
        self._call: dict[str, Any] | None = None
        self._is_open = False

    def take(self, chunk: dict[str, Any]) -> list[Event]:
        """The events for a chunk. Text that may become a tool call is held back."""
        if "text" in chunk:
            return self._take_text(chunk["text"])
        self._finish = chunk["finish_reason"] or "other"
        self._usage = chunk["usage"]
        events = self._end()
        self._check_json()
        return [*events, {"type": "metadata", "metadata": _metadata_of(self._finish, self._usage)}]

    def _take_text(self, text: str) -> list[Event]:
        if self._is_json and not self._texts and text[0] not in _JSON_BEGINS:
            raise _not_held()
        self._texts.append(text)
        # Only a call is possible now, and its start event needs the name.
        return [] if self._tool_names else self._say(text)

    def _say(self, text: str) -> list[Event]:
        opening = [] if self._is_open else [{"type": "text-start", "id": _TEXT_ID}]
        self._is_open = True
        return [*opening, {"type": "text-delta", "id": _TEXT_ID, "delta": text}]

    def _end(self) -> list[Event]:
        text = "".join(self._texts)
        self._call = _call_in(text, self._tool_names) if self._tool_names else None
        if self._call is not None:
            arguments = json.dumps(self._call["arguments"], ensure_ascii=False)
            self._finish = "tool-calls"
            return [
                {"type": "tool-call-start", "id": _CALL_ID, "name": self._call["name"]},
                {"type": "tool-call-delta", "id": _CALL_ID, "delta": arguments},
                {"type": "tool-call-end", "id": _CALL_ID, "input": self._call["arguments"]},
            ]
        held = self._say(text) if self._tool_names and text else []
        return [*held, {"type": "text-end", "id": _TEXT_ID}] if self._is_open else held

    def _check_json(self) -> None:
        """Detects that the grammar could not express a schema: the model is then not restricted."""
        if not self._is_json or self._finish != "stop" or self._may_be_cut:
            return
        if self._tool_names:
            # A call would have ended with "tool-calls".
            raise _not_held()
        try:
            json.loads("".join(self._texts))
        except (ValueError, RecursionError):
            raise _not_held() from None

    def native(self) -> dict[str, Any]:
        """The answer as a native message."""
        content = {"tool_call": self._call} if self._call else {"text": "".join(self._texts)}
        return {
            "role": "assistant",
            **content,
            "finish_reason": self._finish,
            "usage": self._usage,
        }


def _not_held() -> ProviderError:
    return ProviderError(
        "INVALID_REQUEST",
        "The answer could not be held to the schema of response_format or of a tool: "
        "llama.cpp does not know all of it. Take a simpler one.",
    )


def message_of(native: dict[str, Any]) -> dict[str, Any]:
    """Converts a native message to the core message."""
    metadata = _metadata_of(native["finish_reason"], native["usage"])
    return {"role": "assistant", "parts": _parts_of(native), "metadata": metadata}


def _metadata_of(finish_reason: str, usage: dict[str, Any]) -> dict[str, Any]:
    return {"finishReason": finish_reason, "usage": _usage_of(usage)}


def _parts_of(native: dict[str, Any]) -> list[dict[str, Any]]:
    call = native.get("tool_call")
    if call:
        name, arguments = call["name"], call["arguments"]
        return [{"type": "tool-call", "callId": _CALL_ID, "name": name, "input": arguments}]
    return [{"type": "text", "text": native["text"]}] if native["text"] else []


def _usage_of(raw: dict[str, Any]) -> dict[str, Any]:
    if not raw:
        return {}
    cached = raw.get("prompt_tokens_details", {}).get("cached_tokens")
    usage = {"input": raw["prompt_tokens"], "output": raw["completion_tokens"], "raw": raw}
    return usage if cached is None else {**usage, "cacheRead": cached}


def _call_in(text: str, tool_names: list[str]) -> dict[str, Any] | None:
    """The tool call in a text; None if there is none or it was cut off."""
    try:
        call = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(call, dict) or set(call) != {"name", "arguments"}:
        return None
    return call if call["name"] in tool_names else None
