"""Checks that an answer stays the same wherever it is split."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from ..exchange import Asked, Question
from ..harness import Harness
from ..scenes import TEXT, gathered, length_of
from ..check import (
    Check,
    done,
    fault,
    needs_api,
    needs_script,
    said_of,
    same,
    shown,
    text_in,
    unjudged,
)

_ABOUT = "testing.md#split-text"
_CUTS = [f"split:{at}" for at in range(length_of(TEXT))]
_PIECES = ["pieces:1", "pieces:2", "pieces:3", "pieces:7"]

_HOLD_BACK = "Hold back what may go on in the next piece, until the part ends."
_NO_ANSWERS = 'pass "answers", texts with the words that the extension looks for'


def _split(harness: Harness, answer: str) -> Asked:
    asked = harness.ask("stream", Question(answer=answer))
    if asked.ended.status != "done":
        fault(f"A stream fails when it is split otherwise: {said_of(asked)}")
    return asked


def _streamed(asked: Asked) -> str:
    return text_in(gathered(asked.ended.events))


def _in_cuts(name: str, answers: Sequence[str], *, is_streamed: bool) -> Check:
    def run(harness: Harness) -> None:
        needs_script(harness)
        whole = done(harness.ask("stream", Question(answer=_CUTS[0])))
        for answer in answers:
            asked = _split(harness, answer)
            message = f'Split as "{answer}", the text ends otherwise. {_HOLD_BACK}'
            if is_streamed:
                same(_streamed(asked), _streamed(whole), message)
            else:
                same(asked.ended.messages, whole.ended.messages, message)

    return Check(name, _ABOUT, run)


def _splits_of(text: str) -> Iterator[list[str]]:
    """The ways to split a text: once between each two characters, and into small pieces."""
    for at in range(1, len(text)):
        yield [text[:at], text[at:]]
    for size in (1, 2, 3, 7):
        yield [text[at : at + size] for at in range(0, len(text), size)]


def _in_own_cuts(name: str, *, is_streamed: bool) -> Check:
    """The answers of the options, whole and split. What they are whole, they are in pieces."""

    def run(harness: Harness) -> None:
        needs_script(harness)
        answers = harness.options.answers
        texts = [answers] if isinstance(answers, str) else answers
        if not texts:
            unjudged(_NO_ANSWERS)
        for text in texts:
            whole = done(harness.ask("send", Question(answer=json.dumps([text])))).ended.messages
            for pieces in _splits_of(text):
                asked = _split(harness, json.dumps(pieces))
                ends = f"Split into {shown(pieces)}, the answer ends otherwise than whole."
                if is_streamed:
                    same(_streamed(asked), text_in(whole), f"{ends} {_HOLD_BACK}")
                else:
                    same(asked.ended.messages, whole, f"{ends} {_HOLD_BACK}")

    return Check(name, _ABOUT, run)


def _in_bytes(mode: str, size: int) -> Check:
    """The bytes of the API's answer, in pieces of another size each time."""

    def run(harness: Harness) -> None:
        needs_api(harness)
        messages = done(harness.ask(mode)).ended.messages
        asked = harness.ask(mode, Question(mood={"pieces": size}))
        if asked.ended.status != "done":
            fault(f"The request {said_of(asked)}")
        same(asked.ended.messages, messages, "The answer differs in other pieces of bytes.")

    what = "a whole answer" if mode == "send" else "a stream"
    how = "byte by byte" if size == 1 else f"{size} bytes at a time"
    return Check(f"reads {what} that arrives {how}", _ABOUT, run)


SPLITS_OF_PROVIDERS = [
    _in_bytes("send", 1),
    _in_bytes("stream", 1),
    _in_bytes("stream", 7),
    _in_bytes("stream", 100),
]
SPLITS_OF_OTHERS = [
    _in_cuts("gives the same messages wherever text is split", _CUTS, is_streamed=False),
    _in_cuts("streams the same text wherever it is split", _CUTS, is_streamed=True),
    _in_cuts("gives the same messages for text in small pieces", _PIECES, is_streamed=False),
    _in_cuts("streams the same text in small pieces", _PIECES, is_streamed=True),
]
SPLITS_OF_EXTENSIONS = [
    *SPLITS_OF_OTHERS,
    _in_own_cuts("gives the same messages wherever its own answers are split", is_streamed=False),
    _in_own_cuts("streams the same text wherever its own answers are split", is_streamed=True),
]
