"""Checks that a cancelled request ends, together with all that the plugin waits for."""

from __future__ import annotations

from ..exchange import Question
from ..harness import PATIENCE, Harness
from ..check import Check, done, fault, said_of, unjudged

_ABOUT = "testing.md#cancelling"
_ADVICE = (
    'End each operation that waits from "context.signal.on_abort", or await it in an "async def".'
)
# Seconds after which a request is cancelled that waits.
_A_WHILE = 0.15


def _endless(harness: Harness) -> Question:
    """A question whose answer does not end by itself, where the suite can make one."""
    if harness.api:
        return Question(mood={"stall_at": 0.4})
    return Question(answer="waiting") if harness.is_scripted else Question()


def _cancel(harness: Harness, mode: str, after: float) -> None:
    """Makes a request and cancels it after some time. Raises Fault if it does not end in time."""
    if not harness.cancel(mode, _endless(harness), after):
        late = f"{PATIENCE} seconds after it was cancelled, the request has not ended."
        fault(f"{late} {_ADVICE}")


def becomes_quiet(harness: Harness, what: str) -> None:
    """Waits for the end of all work of the plugin. Raises Fault if there is no end."""
    if not harness.is_quiet_in_time():
        name = harness.plugin.name
        fault(f'{PATIENCE} seconds after {what}, a hook of "{name}" is still waiting. {_ADVICE}')


def _cancels(mode: str, after: float, name: str) -> Check:
    def run(harness: Harness) -> None:
        done(harness.ask(mode))
        _cancel(harness, mode, after)
        becomes_quiet(harness, "the request was cancelled")

    return Check(name, _ABOUT, run)


def _leaves(harness: Harness) -> None:
    done(harness.ask("stream"))
    if not harness.provider.has("stream"):
        unjudged("the provider has no stream")
    mood = {"stall_at": 0.9} if harness.api else {}
    try:
        harness.leave(Question(mood=mood))
    except Exception as error:
        unjudged(f"the stream cannot be left: {error}")
    becomes_quiet(harness, "the reader left")


def _goes_on(harness: Harness) -> None:
    done(harness.ask("stream"))
    # Another check reports a request that does not end in time.
    harness.cancel("stream", _endless(harness), 0)
    asked = harness.again("stream")
    if asked.ended.status != "done":
        fault(f"The next request {said_of(asked)}")


CANCELLING = [
    _cancels("stream", 0, "ends a stream that is cancelled at once"),
    _cancels("stream", _A_WHILE, "ends a stream that is cancelled while it waits"),
    _cancels("send", _A_WHILE, "ends a whole answer that is cancelled"),
    Check("closes its stream when the reader leaves", _ABOUT, _leaves),
    Check("answers again after a cancelled request", _ABOUT, _goes_on),
]
