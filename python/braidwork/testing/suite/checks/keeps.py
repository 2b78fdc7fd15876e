"""Checks that an extension or feature hands on what it does not know."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Callable

from ..exchange import Question
from ..harness import Harness
from ..histories import LOOKUP
from ..scenes import SCENES, gathered
from .answers import state_in
from .arguments import titled
from ..check import Check, done, fault, needs_script, parts_in, same, texts_in

Take = Callable[[Mapping[str, Any]], Any]


def _keeps(name: str, answer: str, take: Take, advice: str) -> Check:
    """Compares what arrives of the parts of an answer with what the provider sent."""

    def run(harness: Harness) -> None:
        needs_script(harness)
        messages = done(harness.ask("send", Question(answer=answer))).ended.messages
        sent, arrived = (
            [taken for taken in map(take, parts_in(some)) if taken is not None]
            for some in (gathered(SCENES[answer]), messages)
        )
        same(arrived[: len(sent)], sent, advice)

    return Check(f"keeps {name}", "hooks.md#fromnative", run)


def _call_id(part: Mapping[str, Any]) -> Any:
    return part["callId"] if part["type"] == "tool-call" else None


def _call_input(part: Mapping[str, Any]) -> Any:
    return (part["name"], part["input"]) if part["type"] == "tool-call" else None


def _owned(part: Mapping[str, Any]) -> Any:
    metadata = part.get("providerMetadata")
    return metadata and json.dumps(metadata, ensure_ascii=False)


def _of_type(kind: str) -> Take:
    return lambda part: part if part["type"] == kind else None


def _keeps_metadata(key: str, what: str) -> Check:
    def run(harness: Harness) -> None:
        needs_script(harness)
        asked = done(harness.ask("send", Question(answer="calls")))
        sent = gathered(SCENES["calls"])[-1]["metadata"][key]
        told = asked.usage if key == "usage" else asked.metadata.get(key)
        same(told, sent, f'The {what} is lost or changed: copy "metadata" of messages.')

    return Check(f"keeps the {what} of an answer", "testing.md#usage", run)


def _keeps_state(hook: str, at: int) -> Check:
    """A hook hands on the members of the state that it was given."""

    def run(harness: Harness) -> None:
        for call in harness.ask("stream").calls:
            state = state_in(hook, call.answer) if call.hook == hook else None
            given = call.args[at] if len(call.args) > at else None
            if state is None or not isinstance(given, Mapping):
                continue
            lost = [key for key in given if key not in state]
            if lost:
                advice = "Answer with {**state, …}."
                fault(f'"{hook}" loses {", ".join(lost)} of the state. {advice}')

    title = titled(hook)
    return Check(f"keeps the state of others in {title}", f"hooks.md#{title.lower()}", run)


def _keeps_tools(harness: Harness) -> None:
    needs_script(harness)
    asked = done(harness.ask("stream", Question(tools=[LOOKUP])))
    for call in asked.calls:
        state = state_in(call.hook, call.answer)
        # The check of "init" or of another hook reports that it lost all of the state.
        if state is not None and "offered" not in state:
            return
    if LOOKUP["name"] not in texts_in([sent.state for sent in asked.sent]):
        fault(f'The tool "{LOOKUP["name"]}" was offered, and the provider did not get it.')


KEEPS_OF_FEATURES = [
    _keeps("the ids of tool calls", "calls", _call_id, "Ids of tool calls are lost or changed."),
    _keeps("the arguments of tool calls", "calls", _call_input, "Tool calls are lost or changed."),
    _keeps(
        "the metadata of a provider byte for byte",
        "owned",
        _owned,
        '"providerMetadata" of a part is lost or changed: copy parts with {**part}.',
    ),
    _keeps("the sources of an answer", "plain", _of_type("source"), "Sources are lost or changed."),
    _keeps("the files of an answer", "file", _of_type("file"), "Files are lost or changed."),
    _keeps_metadata("usage", "usage"),
    _keeps_metadata("finishReason", "finish reason"),
    Check("keeps the tools of a request", "hooks.md#init", _keeps_tools),
    _keeps_state("init", 1),
    _keeps_state("initialize_request", 1),
    _keeps_state("finalize", 2),
]
KEEPS_OF_EXTENSIONS = [*KEEPS_OF_FEATURES, _keeps_state("process_chunk", 4)]
