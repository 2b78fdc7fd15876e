"""Checks of the answers to requests: whole answers and streams say the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...json_values import json_fault
from ..exchange import Question
from ..harness import Harness
from ..scenes import gathered
from ..check import (
    Check,
    done,
    fault,
    is_change,
    needs_script,
    parts_in,
    said_of,
    same,
    text_in,
)

_ABOUT = "hooks.md#fromnative"
_STATE_AT = {"initialize_request": 1, "call": 3, "process_chunk": 3, "finalize": 2}


def state_in(hook: str, answer: Any) -> Mapping[str, Any] | None:
    """The state in the answer of a hook."""
    at = _STATE_AT.get(hook)
    is_list = at is not None and isinstance(answer, (list, tuple)) and len(answer) > at
    state = answer if hook == "init" else answer[at] if is_list else None
    return state if isinstance(state, Mapping) else None


def _takes_part(mode: str) -> Check:
    def run(harness: Harness) -> None:
        asked = harness.ask(mode)
        # The check of the hook's arguments reports a change.
        changes = any(is_change(call.error) for call in asked.calls)
        if asked.ended.status != "done" and not changes:
            fault(f"The request {said_of(asked)}")

    what = "a whole answer" if mode == "send" else "a stream"
    about = "hooks.md#call" if mode == "send" else "hooks.md#stream"
    return Check(f"takes part in {what}", about, run)


def _alike(harness: Harness) -> None:
    sent, streamed = done(harness.ask("send")), done(harness.ask("stream"))
    same(
        streamed.ended.messages,
        sent.ended.messages,
        "A stream ends in other messages than a whole answer. Change finals in the same way as "
        "events.",
    )


def _again(harness: Harness) -> None:
    first, second = done(harness.ask("stream")), done(harness.again("stream"))
    same(
        second.ended.messages,
        first.ended.messages,
        "The second answer differs. Keep nothing of a request for the next one.",
    )


def _is_answer(harness: Harness) -> None:
    messages = done(harness.ask("stream")).ended.messages
    if not messages:
        fault("The answer has no message.")
    other = next((one for one in messages if one["role"] not in ("assistant", "tool")), None)
    if other is not None:
        fault(f'The answer has a message with the role "{other["role"]}".')


def _is_json(harness: Harness) -> None:
    found = json_fault(done(harness.ask("stream")).ended.messages)
    if found is not None:
        fault(f"The messages cannot be stored, {found}")


def _json_state(harness: Harness) -> None:
    for call in harness.ask("stream").calls:
        found = json_fault(state_in(call.hook, call.answer))
        if found is not None:
            fault(f'The state of "{call.hook}" is no JSON, {found}. Use "context.local".')


def _streams(name: str, scene: str, *kinds: str) -> Check:
    """Compares one side of what was streamed with the messages."""

    def run(harness: Harness) -> None:
        asked = done(harness.ask("stream", _scene(harness, scene)))
        streamed, whole = (
            [part for part in parts_in(messages) if part["type"] in kinds]
            for messages in (gathered(asked.ended.events), asked.ended.messages)
        )
        same(
            streamed,
            whole,
            'The stream differs from the messages. "from_native" receives events and messages: '
            "change both.",
        )

    return Check(f"streams {name}", _ABOUT, run)


def _scene(harness: Harness, answer: str) -> Question:
    return Question(answer=answer) if harness.is_scripted else Question()


def _streams_text(kind: str) -> Check:
    """Compares the text of all parts as one, since a part may be streamed in two."""

    def run(harness: Harness) -> None:
        asked = done(harness.ask("stream"))
        same(
            text_in(gathered(asked.ended.events), kind),
            text_in(asked.ended.messages, kind),
            f"The streamed {kind} differs from the {kind} in the messages. Apply a change to both: "
            '"from_native" receives events and messages.',
        )

    return Check(f"streams the {kind} of its messages", _ABOUT, run)


def _order(harness: Harness) -> None:
    asked = done(harness.ask("stream", _scene(harness, "mixed")))
    streamed, whole = (
        [part["type"] for part in parts_in(messages)]
        for messages in (gathered(asked.ended.events), asked.ended.messages)
    )
    # Parts that are missing are the fault of another check.
    if sorted(streamed) == sorted(whole):
        message = "The parts of the stream have another order than those of the messages."
        same(streamed, whole, message)


def _metadata(harness: Harness) -> None:
    told = [
        (asked.usage, asked.metadata.get("finishReason"))
        for asked in (done(harness.ask("stream")), done(harness.ask("send")))
    ]
    same(told[0], told[1], "A stream tells other usage or another finish reason.")


_TAKEN = {
    "calls": "tool calls",
    "owned": "metadata of its provider",
    "empty": "nothing in it",
    "reasoning": "only reasoning",
    "two texts": "two texts",
    "mixed": "a call between two texts",
    "file": "a file",
}


def _takes() -> Iterator[Check]:
    """Answers that an extension or feature meets sooner or later."""
    for answer, what in _TAKEN.items():

        def run(harness: Harness, question: Question = Question(answer=answer)) -> None:
            needs_script(harness)
            plain = [done(harness.ask(mode)).ended.messages for mode in ("send", "stream")]
            ends = [harness.ask(mode, question) for mode in ("send", "stream")]
            for end in ends:
                if end.ended.status != "done":
                    fault(f"The request {said_of(end)}")
            # Another check reports a difference that every answer has.
            if plain[0] == plain[1]:
                whole, streamed = (end.ended.messages for end in ends)
                same(streamed, whole, "A stream ends in other messages.")

        yield Check(f"takes an answer with {what}", _ABOUT, run)


ANSWERS_OF_PROVIDERS = [
    _takes_part("send"),
    _takes_part("stream"),
    Check("ends a whole answer and a stream in the same messages", _ABOUT, _alike),
    Check("answers the same request twice with the same messages", _ABOUT, _again),
    Check("ends in messages of the assistant", _ABOUT, _is_answer),
    Check("ends in messages that are JSON", _ABOUT, _is_json),
    Check("keeps a state that is JSON", "hooks.md#init", _json_state),
    _streams_text("text"),
    _streams_text("reasoning"),
    _streams("the tool calls of its messages, with their ids", "calls", "tool-call"),
    _streams("the files and sources of its messages", "file", "file", "source", "data"),
    Check("streams parts in the order of its messages", _ABOUT, _order),
    Check(
        "tells usage and finish reason of a stream as of a whole answer",
        "testing.md#usage",
        _metadata,
    ),
]
ANSWERS_OF_OTHERS = [*ANSWERS_OF_PROVIDERS, *_takes()]
ANSWERS_OF_TOOLS = ANSWERS_OF_PROVIDERS[:4]
