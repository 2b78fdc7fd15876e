"""Checks of what a feature has for the runs of agents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Callable

from ...frozen import frozen
from ..harness import Harness
from ..schemas import schema_fault
from ..selection import value_of
from .arguments import titled
from ..check import Check, NotJudged, fault, is_change, needs_hook

_SAFETY = {"is_read_only": True, "is_concurrency_safe": True}
_RUN = {
    "phase": "run_start",
    "step": 1,
    "state": {},
    "sections": {},
    "usage": {"input": 1, "output": 1},
}
_CALL = {
    "callId": "call-1",
    "name": "braidwork_lookup",
    "input": {"tea_name": "Assam"},
    "safety": _SAFETY,
    "policy": {"decision": "allow", "rule": "default"},
}
_RESULT = {"output": "malty", "isError": False}
_MERGES: Mapping[str, Callable[[Any], bool]] = {
    "exclusive": lambda initial: True,
    "sum": lambda initial: isinstance(initial, (int, float)) and not isinstance(initial, bool),
    "append": lambda initial: isinstance(initial, (list, tuple)),
    "assign": lambda initial: isinstance(initial, Mapping),
}


def _sections(harness: Harness) -> None:
    for name, schema in value_of(harness.plugin.plugin, "sections", {}).items():
        if not isinstance(schema, Mapping):
            fault(f'The section "{name}" has no schema.')
        wrong = schema_fault(schema)
        if wrong is not None:
            fault(f'The schema of the section "{name}" does not compile: {wrong}')


def _state_keys(harness: Harness) -> None:
    for name, key in value_of(harness.plugin.plugin, "state_keys", {}).items():
        facts = key if isinstance(key, Mapping) else {}
        merge = facts.get("merge", "exclusive")
        if merge not in _MERGES:
            fault(f'"{name}" has the unknown merge rule {merge!r}.')
        if "initial" not in facts or not _MERGES[merge](facts["initial"]):
            fault(f'"{name}" starts as {facts.get("initial")!r}, which "{merge}" cannot merge.')


def _handles(values: str, hook: str) -> Check:
    def run(harness: Harness) -> None:
        keys = value_of(harness.plugin.plugin, values, ())
        if keys and not harness.has(hook):
            fault(f'"{values}" lists {", ".join(keys)}, but the plugin has no "{hook}".')

    about = f"hooks.md#{titled(hook).lower()}"
    return Check(f"can handle the {values} that it has", about, run)


def _answer_of(harness: Harness, hook: str) -> Any:
    """What a hook for runs answers when it is asked about a harmless call."""
    needs_hook(harness, hook)
    given: list[Any] = [{**_CALL, "run": _RUN} if hook == "tool_gate" else _CALL]
    if hook == "edit_tool_result":
        given.append(_RESULT)
    context = harness.context("tools")
    return harness.run(harness.plugin.ask(hook, *map(frozen, given), context=context))


def _judges(
    hook: str, name: str, is_right: Callable[[Mapping[str, Any]], bool], rule: str
) -> Check:
    def run(harness: Harness) -> None:
        try:
            answer = _answer_of(harness, hook)
        except NotJudged:
            raise
        except Exception as error:
            # The check of the hook's arguments reports a change.
            if not is_change(error):
                fault(f'"{hook}" fails: {error}')
            return
        if isinstance(answer, Mapping) and not is_right(answer):
            fault(f'"{hook}" answers with {dict(answer)}. {rule}')

    return Check(name, f"hooks.md#{titled(hook).lower()}", run)


def _leaves(hook: str) -> Check:
    def run(harness: Harness) -> None:
        try:
            _answer_of(harness, hook)
        except NotJudged:
            raise
        except Exception as error:
            if is_change(error):
                fault(f'"{hook}" changes an argument: {error}')

    title = titled(hook)
    name = f"leaves the arguments of {title} as they are"
    return Check(name, f"hooks.md#{title.lower()}", run)


RUN_HOOKS_OF_FEATURES = [
    Check("claims sections whose schemas compile", "agents.md#features-in-a-run", _sections),
    Check("has state keys that can be merged", "hooks.md#values", _state_keys),
    _handles("actions", "handle_action"),
    _handles("effects", "handle_effect"),
    _judges(
        "tool_gate",
        "judges calls with a verdict that exists",
        lambda answer: any(verdict in answer for verdict in ("block", "suspend", "result")),
        'A verdict has "block", "suspend" or "result".',
    ),
    _judges(
        "edit_tool_call",
        "edits calls with arguments and a reason",
        lambda answer: "input" in answer and "reason" in answer,
        'An edit has "input" and "reason".',
    ),
    _judges(
        "edit_tool_result",
        "edits results with an output and a reason",
        lambda answer: "output" in answer and "reason" in answer,
        'An edit has "output" and "reason".',
    ),
    *(_leaves(hook) for hook in ("tool_gate", "edit_tool_call", "edit_tool_result")),
]
