"""Checks of the calls of a tool that the options list."""

from __future__ import annotations

from ...json_values import json_fault
from ..exchange import Question
from ..harness import Harness
from ..histories import said
from ..run_calls import RanCall, calls_of, open_tools, run_calls
from ..schemas import value_fault
from .cancelling import becomes_quiet
from ..check import Check, Fault, fault, is_change, said_of, same, unjudged
from .together import MANY
from .tools import opened

_ABOUT = "hooks.md#executetool"
_CANCELLING = "testing.md#cancelling"


def _needs_calls(harness: Harness) -> None:
    """Raises NotJudged if the options have no calls."""
    if not harness.options.calls:
        unjudged('pass "calls", to run the tools')


def _fits(harness: Harness) -> None:
    _needs_calls(harness)
    tools = opened(harness)
    for one in harness.options.calls:
        tool = tools.schema_of(one["name"])
        if tool is None:
            fault(f'"{harness.plugin.name}" offers no tool "{one["name"]}" for its config.')
        wrong = value_fault(tool["input_schema"], one["input"])
        if wrong is not None:
            fault(f'The schema of "{one["name"]}" refuses a call: {wrong}')


def _ran_of(harness: Harness) -> list[RanCall]:
    """The calls of the options and their results, if the tools leave their arguments."""
    _needs_calls(harness)
    tools = opened(harness)
    if any(tools.schema_of(one["name"]) is None for one in harness.options.calls):
        unjudged("a tool of the calls is not offered")
    ran = run_calls(harness)
    calls = [call for call in harness.plugin.calls if call.hook == "execute_tool"]
    if any(is_change(call.error) for call in calls):
        unjudged("the tool changes its arguments")
    return ran


def _good_of(harness: Harness) -> list[RanCall]:
    """Results that are no failures, for checks of their content."""
    return [one for one in _ran_of(harness) if not one.is_error]


def _answers(harness: Harness) -> None:
    for one in _ran_of(harness):
        if one.is_error:
            fault(f'The call of "{one.call["name"]}" fails: {one.result.get("output")}')


def _answers_json(harness: Harness) -> None:
    for one in _ran_of(harness):
        text = one.result.get("output")
        found = json_fault(text)
        is_refused = one.is_error and "cannot be sent to the host" in str(text)
        if found is not None or is_refused:
            fault(f"A result is no JSON: {found or text}")


def _answers_schema(harness: Harness) -> None:
    tools = opened(harness)
    for one in _good_of(harness):
        schema = (tools.schema_of(one.call["name"]) or {}).get("output_schema")
        wrong = value_fault(schema, one.result.get("output")) if schema else None
        if wrong is not None:
            fault(f'The result of "{one.call["name"]}" is another: {wrong}')


def _answers_something(harness: Harness) -> None:
    for one in _good_of(harness):
        if one.result.get("output", "") == "":
            name = one.call["name"]
            fault(f'The result of "{name}" is empty. Say in words that it is done.')


def _repeatable(harness: Harness) -> list[RanCall]:
    """Calls whose tools say that they may run twice, and at the same time as others."""
    tools = opened(harness)
    return [
        one
        for one in _good_of(harness)
        if (tools.schema_of(one.call["name"]) or {}).get("safety", {}).get("is_idempotent") is True
    ]


def _together(harness: Harness) -> None:
    alone = _repeatable(harness)
    if not alone:
        unjudged('no tool of the calls is marked "is_idempotent"')
    tools = open_tools(harness)
    expected = [alone[at % len(alone)] for at in range(MANY)]
    ran = harness.run_together([tools.execute(one.call) for one in expected])
    same(
        [one.outcome for one in ran],
        [one.outcome for one in expected],
        "Calls at once end otherwise than alone. Keep no values of a call outside of it.",
    )


def _again(harness: Harness) -> None:
    first, second = _repeatable(harness), _repeatable(harness)
    same(
        [one.outcome for one in second],
        [one.outcome for one in first],
        "The same call has another result the second time.",
    )


def _cancels(harness: Harness) -> None:
    _ran_of(harness)
    for call in calls_of(harness):
        tools = open_tools(harness)
        harness.cancel_work(tools.execute(call), tools.context.signal.abort)
        becomes_quiet(harness, f'the call of "{call["name"]}" was cancelled')


def _after_cancel(harness: Harness) -> None:
    before = _good_of(harness)
    for call in calls_of(harness):
        tools = open_tools(harness)
        harness.cancel_work(tools.execute(call), tools.context.signal.abort)
    # Another check reports a call that does not end.
    harness.is_quiet_in_time()
    if len(_good_of(harness)) < len(before):
        fault("A call fails after another one was cancelled.")


def _as_history(harness: Harness) -> None:
    ran = _good_of(harness)
    if not ran:
        return
    messages = [
        said("user", "Use the tools."),
        {"role": "assistant", "parts": [one.call for one in ran]},
        {"role": "tool", "parts": [one.result for one in ran]},
    ]
    asked = harness.again("stream", Question(messages=messages))
    if asked.ended.status != "done":
        raise Fault(f"The next request {said_of(asked)}")


TOOL_CALLS = [
    Check("has schemas that the calls of the test fit", "testing.md#options", _fits),
    Check("answers its tool calls", _ABOUT, _answers),
    Check("answers with results that a message can contain", _ABOUT, _answers_json),
    Check("answers as its output schemas say", _ABOUT, _answers_schema),
    Check("answers its tool calls with something", _ABOUT, _answers_something),
    Check(f"keeps {MANY} calls at once apart", "testing.md#requests-at-once", _together),
    Check("answers a call that only reads the same each time", _ABOUT, _again),
    Check("ends a tool call that is cancelled", _CANCELLING, _cancels),
    Check("answers calls after a cancelled one", _CANCELLING, _after_cancel),
    Check("has results that the next request can carry", _ABOUT, _as_history),
]
