"""Checks with the histories of chats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Callable

from ..exchange import Question
from ..harness import Harness
from ..histories import CHARACTERS, HISTORIES, LAST_WORDS, LOOKUP, PICTURE, said
from ..check import (
    Check,
    done,
    fault,
    needs,
    needs_script,
    parts_in,
    said_of,
    shown,
    texts_in,
    unjudged,
)
from .model_requests import left_with

_ABOUT = "testing.md#histories"
# Texts of metadata that are shorter may be in a request for other reasons.
_SHORTEST = 16

Messages = Sequence[Mapping[str, Any]]

_NAMES = {
    "image": "an image",
    "calls": "tool calls and results",
    "failed call": "a failed call",
    "reasoning": "reasoning of another provider",
    "system": "a system message",
    "turns": "many turns",
    "characters": "all kinds of characters",
}


def _question(name: str) -> Question:
    tools = [LOOKUP] if name in ("calls", "failed call") else []
    return Question(messages=HISTORIES[name], tools=tools)


def _needs_of(harness: Harness, name: str) -> None:
    """Raises NotJudged if the API of a provider does not have what is in a history."""
    if name == "image":
        needs(harness, "images")
    if name in ("calls", "failed call"):
        needs(harness, "tools")


_LACKS_IMAGES = ' If the API takes no images, pass lacks=["images"].'


def _takes(name: str) -> Check:
    def run(harness: Harness) -> None:
        _needs_of(harness, name)
        for mode in ("send", "stream"):
            done(harness.ask(mode))
            asked = harness.ask(mode, _question(name))
            if asked.ended.status != "done":
                fault(f"The request {said_of(asked)}{_LACKS_IMAGES if name == 'image' else ''}")

    return Check(f"takes a history with {_NAMES[name]}", _ABOUT, run)


def _arrived(harness: Harness, name: str) -> Messages:
    """The messages that reached the provider of the suite."""
    sent = done(harness.ask("stream", _question(name))).sent
    native = sent[0].native if sent else None
    if isinstance(native, list) and all(_is_message(one) for one in native):
        return native
    unjudged("the native request is in the format of a provider")


def _is_message(value: Any) -> bool:
    return isinstance(value, Mapping) and "role" in value and isinstance(value.get("parts"), list)


def _keeps(what: str, name: str, is_kept: Callable[[Messages], bool]) -> Check:
    def run(harness: Harness) -> None:
        needs_script(harness)
        messages = _arrived(harness, name)
        if not is_kept(messages):
            fault(f"The provider did not get {what}: {shown(messages)}")

    return Check(f"keeps {what} in a history", _ABOUT, run)


def _has(**members: Any) -> Callable[[Messages], bool]:
    """Whether a part has these members."""

    def is_kept(messages: Messages) -> bool:
        return any(members.items() <= dict(part).items() for part in _hashable(messages))

    return is_kept


def _hashable(messages: Messages) -> list[dict[str, Any]]:
    """The parts, with members that can be compared as a set."""
    return [
        {key: value for key, value in part.items() if isinstance(value, (str, bool))}
        for part in parts_in(messages)
    ]


def is_paired(messages: Messages) -> bool:
    """Whether each call has its result, and each result its call."""
    called = [part["callId"] for part in parts_in(messages) if part["type"] == "tool-call"]
    results = [part["callId"] for part in parts_in(messages) if part["type"] == "tool-result"]
    return sorted(called) == sorted(results)


def _has_foreign(messages: Messages) -> bool:
    return any(
        part.get("providerMetadata") == {"foreign": {"id": "f"}} for part in parts_in(messages)
    )


def _says(words: str) -> Callable[[Messages], bool]:
    return lambda messages: words in texts_in(messages)


def _sends(what: str, name: str, *words: str) -> Check:
    def run(harness: Harness) -> None:
        _needs_of(harness, name)
        left = left_with(harness, done(harness.ask("stream", _question(name))))
        lost = next((word for word in words if word not in left), None)
        if lost is not None:
            fault(f"The request lacks {lost!r}.")

    return Check(f"sends {what}", "hooks.md#tonative", run)


def _own_answer(harness: Harness) -> None:
    messages = done(harness.ask("stream")).ended.messages
    if not is_paired(messages):
        unjudged("the answer has calls, which need results first")
    own = [part.get("providerMetadata", {}).get(harness.plugin.name) for part in parts_in(messages)]
    texts = [text for text in texts_in(own).split("\n") if len(text) >= _SHORTEST]
    history = [said("user", "Hello"), *messages, said("user", LAST_WORDS)]
    asked = harness.ask("stream", Question(messages=history))
    if asked.ended.status != "done":
        fault(f"Its own answer fails as history: {said_of(asked)}")
    left = left_with(harness, asked)
    lost = next((text for text in texts if text not in left), None)
    if lost is not None:
        fault(f'The provider does not send "{lost}" back, which it gave.')


_TAKES = [_takes(name) for name in _NAMES]
HISTORIES_OF_PROVIDERS = [
    *_TAKES,
    _sends("the last words", "turns", LAST_WORDS),
    _sends("all turns of a chat", "turns", "Message 0 of", "Message 7 of", "Message 18 of"),
    _sends("the system message", "system", "braided-style"),
    _sends("images", "image", PICTURE),
    _sends("the words beside an image", "image", LAST_WORDS),
    _sends("the arguments of earlier tool calls", "calls", "Assam", "Ceylon"),
    _sends("the results of tools", "calls", "malty-result", "citrus-result"),
    _sends("the failures of tools", "failed call", "no such tea"),
    _sends("all kinds of characters unharmed", "characters", CHARACTERS),
    Check("sends its own metadata back as it was", _ABOUT, _own_answer),
]
HISTORIES_OF_OTHERS = [
    *_TAKES,
    _keeps("images", "image", _has(type="file", data=PICTURE)),
    _keeps("tool calls", "calls", _has(type="tool-call", callId="history-1")),
    _keeps("calls together with their results", "calls", is_paired),
    _keeps("failures of calls", "failed call", _has(type="tool-result", isError=True)),
    _keeps("metadata of other providers", "reasoning", _has_foreign),
    _keeps("the system message", "system", _says("braided-style")),
    _keeps("the last words", "turns", _says(LAST_WORDS)),
    _keeps("all turns", "turns", _says("Message 7 of this chat.")),
]
