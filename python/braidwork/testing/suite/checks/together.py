"""Checks that requests at once do not mix."""

from __future__ import annotations

from collections.abc import Sequence

from ..exchange import Question
from ..harness import Harness
from ..check import Check, done, fault, said_of, same, texts_in

_ABOUT = "testing.md#requests-at-once"
MANY = 20


def _words_of(at: int) -> str:
    """The words of one request. No word is in two of them."""
    return f"word-{at}-of-{at * 7919 + 13}"


def _questions(harness: Harness) -> list[Question]:
    return [
        Question(
            messages=_words_of(at),
            answer=f"text:Answer {_words_of(at)} ends." if harness.is_scripted else None,
        )
        for at in range(MANY)
    ]


def _together(mode: str) -> Check:
    def run(harness: Harness) -> None:
        questions = _questions(harness)
        alone = [done(harness.ask(mode, question)).ended.messages for question in questions]
        ended = harness.together(mode, questions)
        for asked in ended:
            if asked.ended.status != "done":
                fault(f"A request among others {said_of(asked)}")
        same(
            [asked.ended.messages for asked in ended],
            alone,
            "Requests at once end otherwise than alone. Keep values of a request in the state, "
            'or in "context.local".',
        )

    what = "whole answers" if mode == "send" else "streams"
    return Check(f"keeps {MANY} {what} at once apart", _ABOUT, run)


def _own_words(harness: Harness) -> None:
    ended = harness.together("stream", _questions(harness))
    calls = [call for call in ended[0].calls if call.hook in ("call", "stream")]
    natives = [call.args[:2] for call in calls]
    sent = [texts_in(one) for one in (ended[0].bodies if harness.api else natives)]
    if len(sent) != MANY:
        return
    for at in range(MANY):
        count = _count(sent, _words_of(at))
        if count != 1:
            fault(f'"{_words_of(at)}" is in {count} requests, not in one.')


def _count(sent: Sequence[str], words: str) -> int:
    return sum(words in text for text in sent)


def _afterwards(harness: Harness) -> None:
    messages = done(harness.ask("stream")).ended.messages
    for question in _questions(harness):
        harness.ask("stream", question)
    last = harness.again("stream").ended.messages
    same(last, messages, "The answer depends on the requests before it.")


TOGETHER = [
    _together("send"),
    _together("stream"),
    Check(f"answers as before after {MANY} other requests", _ABOUT, _afterwards),
]
TOGETHER_OF_PROVIDERS = [*TOGETHER, Check("sends each request its own words", _ABOUT, _own_words)]
