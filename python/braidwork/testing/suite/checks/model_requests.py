"""Checks of what a provider sends to the model API, and of what it tells of the answer."""

from __future__ import annotations

from typing import get_args

from ....messages import FinishReason
from ..exchange import Asked, Question
from ..harness import Harness
from ..histories import LOOKUP
from ..check import Check, done, fault, needs, needs_api, texts_in, unjudged

_TOOLS = "testing.md#tools-in-requests"
_USAGE = "testing.md#usage"


def left_with(harness: Harness, asked: Asked) -> str:
    """The texts that left the provider: the bodies of its requests, or what its `call` and `stream`
    were given, and what it keeps for the request."""
    if harness.api:
        return texts_in(list(asked.bodies))
    sent = [call for call in asked.calls if call.hook in ("call", "stream")]
    return texts_in([[*call.args[:2], list(call.local.values())] for call in sent])


def _sends_tool(what: str, mode: str, words: str) -> Check:
    def run(harness: Harness) -> None:
        needs(harness, "tools")
        asked = done(harness.ask(mode, Question(tools=[LOOKUP])))
        if words not in left_with(harness, asked):
            fault(
                f'A request with the tool "{LOOKUP["name"]}" lacks "{words}". Take "tools" of the '
                'config in "init" into the request; if the API has no tools, pass lacks=["tools"].'
            )

    way = "for a whole answer" if mode == "send" else "with a stream"
    return Check(f"sends {what} {way}", _TOOLS, run)


def _no_tools(harness: Harness) -> None:
    done(harness.ask("stream", Question(tools=[LOOKUP])))
    if LOOKUP["name"] in left_with(harness, done(harness.again("stream"))):
        fault("The tool of an earlier request is sent again.")


def _sends_model(harness: Harness) -> None:
    needs_api(harness)
    asked = done(harness.ask("stream"))
    model = harness.config_of_requests.get("model")
    if model is None:
        unjudged("the config has no model")
    if model not in texts_in(list(asked.bodies)):
        fault(f'The request lacks the model "{model}".')


def _tell(metadata: str, lacking: str) -> str:
    """How a provider tells facts of its answer."""
    return (
        f'Yield {{"type": "metadata", "metadata": {metadata}}} at the end of the answer, or put it '
        f'into the "metadata" of the message; if the API tells none, pass lacks=["{lacking}"].'
    )


def _ends_with_reason(mode: str) -> Check:
    def run(harness: Harness) -> None:
        needs(harness, "finishReason")
        reason = done(harness.ask(mode)).metadata.get("finishReason")
        known = get_args(FinishReason)
        if reason not in known:
            fault(
                f'"finishReason" in the metadata of the last message is {reason!r}, not one of '
                f"{', '.join(known)}. " + _tell('{"finishReason": "stop"}', "finishReason")
            )

    what = "a whole answer" if mode == "send" else "a stream"
    return Check(f"says why {what} ended", _USAGE, run)


def _tells_usage(mode: str) -> Check:
    def run(harness: Harness) -> None:
        needs(harness, "usage")
        usage = done(harness.ask(mode)).usage
        counts = [usage.get("input"), usage.get("output")]
        if not all(type(count) is int and count >= 0 for count in counts):
            fault(
                f"The usage is {dict(usage)}. "
                + _tell('{"usage": {"input": 5, "output": 4}}', "usage")
            )

    what = "a whole answer" if mode == "send" else "a stream"
    return Check(f"tells the tokens of {what}", _USAGE, run)


REQUESTS_OF_PROVIDERS = [
    _sends_tool("the names of tools", "send", LOOKUP["name"]),
    _sends_tool("the names of tools", "stream", LOOKUP["name"]),
    _sends_tool("the descriptions of tools", "stream", LOOKUP["description"]),
    _sends_tool("the schemas of tools", "stream", "The tea to look up."),
    Check("sends no tools where none are offered", _TOOLS, _no_tools),
    Check("sends the model of the config", "hooks.md#init", _sends_model),
    _ends_with_reason("send"),
    _ends_with_reason("stream"),
    _tells_usage("send"),
    _tells_usage("stream"),
]
