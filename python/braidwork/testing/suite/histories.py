"""Histories that a chat may have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

PICTURE = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0g"
    "AAAABJRU5ErkJggg=="
)
"""A small picture: one red pixel."""

LOOKUP: Mapping[str, Any] = {
    "name": "braidwork_lookup",
    "description": "Looks up a braided tea.",
    "input_schema": {
        "type": "object",
        "properties": {"tea_name": {"type": "string", "description": "The tea to look up."}},
        "required": ["tea_name"],
        "additionalProperties": False,
    },
}
"""A tool whose words are found nowhere else."""

LAST_WORDS = "Is the braided tea hot?"
CHARACTERS = '茶 😀 e\u0301 \u2028 "quoted" \\ <b> \u0007 tea'


def said(role: str, text: str) -> dict[str, Any]:
    """A message of one text."""
    return {"role": role, "parts": [{"type": "text", "text": text}]}


def _call(id_: str, tea: str) -> dict[str, Any]:
    name = LOOKUP["name"]
    return {"type": "tool-call", "callId": id_, "name": name, "input": {"tea_name": tea}}


def _result(id_: str, output: Any, **facts: Any) -> dict[str, Any]:
    name = LOOKUP["name"]
    return {"type": "tool-result", "callId": id_, "name": name, "output": output, **facts}


_END = said("user", LAST_WORDS)
_IMAGE = {"type": "file", "mediaType": "image/png", "data": PICTURE}
_THOUGHT = {"type": "reasoning", "text": "A thought.", "providerMetadata": {"foreign": {"id": "f"}}}

HISTORIES: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "image": [{"role": "user", "parts": [{"type": "text", "text": LAST_WORDS}, _IMAGE]}],
    "calls": [
        said("user", "Compare two teas."),
        {"role": "assistant", "parts": [_call("history-1", "Assam"), _call("history-2", "Ceylon")]},
        {
            "role": "tool",
            "parts": [
                _result("history-1", "malty-result"),
                _result("history-2", {"taste": "citrus-result"}),
            ],
        },
        said("assistant", "Both are good."),
        _END,
    ],
    "failed call": [
        said("user", "Look it up."),
        {"role": "assistant", "parts": [_call("history-3", "Unknown")]},
        {"role": "tool", "parts": [_result("history-3", "no such tea", isError=True)]},
        _END,
    ],
    "reasoning": [
        said("user", "Think."),
        {"role": "assistant", "parts": [_THOUGHT, {"type": "text", "text": "Thought."}]},
        _END,
    ],
    "system": [said("system", "Answer in braided-style."), _END],
    "turns": [
        *(
            said("assistant" if at % 2 else "user", f"Message {at} of this chat.")
            for at in range(20)
        ),
        _END,
    ],
    "characters": [said("user", CHARACTERS)],
}
"""Histories by name."""
