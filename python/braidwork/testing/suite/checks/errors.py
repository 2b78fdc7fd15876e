"""Checks of how a provider tells the errors of its API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..exchange import Asked, Question
from ..harness import Harness
from ..check import Check, done, fault, needs_api, said_of

_ABOUT = "testing.md#errors"
# Statuses of an API, and the codes by which a provider may tell them.
_STATUSES = [
    (401, "a refused key", ["PROVIDER_UNAUTHORIZED"]),
    (429, "too many requests", ["RATE_LIMITED", "QUOTA_EXCEEDED"]),
    (400, "a refused request", ["INVALID_REQUEST", "CONTEXT_OVERFLOW"]),
    (500, "a failing server", ["PROVIDER_FAILED", "OVERLOADED"]),
    (503, "an overloaded server", ["OVERLOADED", "PROVIDER_FAILED"]),
]
# Codes of errors that say nothing of the cause.
_UNTYPED = ("HOOK_FAILED", "HOOK_ANSWER_INVALID", "EVENTS_INVALID")


def _status(status: int, what: str, codes: Sequence[str]) -> Check:
    def run(harness: Harness) -> None:
        needs_api(harness)
        done(harness.ask("stream"))
        for mode in ("send", "stream"):
            _refused(harness.ask(mode, Question(mood={"status": status})), status, codes)

    return Check(f"tells of {what} with {codes[0]}", _ABOUT, run)


def _refused(asked: Asked, status: int, codes: Sequence[str]) -> None:
    if asked.ended.status == "done":
        fault(f"The answer to HTTP status {status} is taken for a good one.")
    if asked.ended.error is None or asked.ended.error.code not in codes:
        advice = f'Raise an error with "code": {" or ".join(codes)}.'
        fault(f"The request for HTTP status {status} {said_of(asked)} {advice}")


def _typed(name: str, mode: str, mood: Mapping[str, Any]) -> Check:
    def run(harness: Harness) -> None:
        needs_api(harness)
        done(harness.ask(mode))
        asked = harness.ask(mode, Question(mood=mood))
        if asked.ended.status == "done":
            fault("A broken answer is taken for a whole one.")
        if asked.ended.error is not None and asked.ended.error.code in _UNTYPED:
            fault(f"The request {said_of(asked)} Raise an error with a code of its own.")

    return Check(name, _ABOUT, run)


def _recovers(harness: Harness) -> None:
    needs_api(harness)
    done(harness.ask("stream"))
    harness.again("stream", Question(mood={"status": 500}))
    asked = harness.again("stream")
    if asked.ended.status != "done":
        fault(f"The next request {said_of(asked)}")


ERRORS = [
    *(_status(*one) for one in _STATUSES),
    _typed("tells of a stream that breaks off", "stream", {"cut_at": 0.5}),
    _typed("tells of a stream that ends too early", "stream", {"end_at": 0.5}),
    _typed("tells of a connection that fails", "stream", {"cut_at": 0}),
    _typed("tells of a whole answer that breaks off", "send", {"cut_at": 0.5}),
    _typed("tells of a whole answer that is no JSON", "send", {"body": "<html>Bad gateway</html>"}),
    _typed("tells of a stream without anything in it", "stream", {"body": ""}),
    Check("answers again after an error of the API", _ABOUT, _recovers),
]
