"""Checks that each hook leaves its arguments as they are. They are frozen recursively."""

from __future__ import annotations

import contextlib

from ....hooks import HOOKS
from ..exchange import Question
from ..harness import Harness
from ..histories import HISTORIES, LOOKUP
from ..run_calls import run_calls
from ..check import Check, fault, is_change, needs_hook
from .settings import ask_for_elements

# Other checks run these, no check runs them, or they get nothing that could be changed.
_NOT_RUN = {
    "refresh_models",
    "run_action",
    "close",
    "embed",
    "tool_gate",
    "edit_tool_call",
    "edit_tool_result",
}
# Only a run of an agent calls these.
_OF_RUN = {
    "on_activate",
    "run_start",
    "step_start",
    "before_inference",
    "after_inference",
    "before_tool_execute",
    "after_tool_execute",
    "step_end",
    "run_end",
    "handle_action",
    "handle_effect",
    "on_deactivate",
}


def titled(hook: str) -> str:
    """The name of a hook in the docs, such as `editMessages`."""
    first, *others = hook.split("_")
    return first + "".join(word.capitalize() for word in others)


def leaves_arguments(kind: str) -> list[Check]:
    """A check for each hook of a kind."""
    return [
        _leaves(name)
        for name, hook in HOOKS.items()
        if kind in hook.kinds and name not in _NOT_RUN | _OF_RUN
    ]


def _leaves(hook: str) -> Check:
    def run(harness: Harness) -> None:
        needs_hook(harness, hook)
        _use_all(harness)
        for call in harness.plugin.calls:
            if call.hook == hook and is_change(call.error):
                fault(f'"{hook}" changes an argument; return a new value. {call.error}')

    title = titled(hook)
    name = f"leaves the arguments of {title} as they are"
    return Check(name, f"hooks.md#{title.lower()}", run)


def _use_all(harness: Harness) -> None:
    """Runs the hooks of requests, forms and tools. Other checks report what fails."""
    with contextlib.suppress(Exception):
        ask_for_elements(harness)
    harness.ask("send")
    harness.ask("stream")
    harness.ask("stream", Question(messages=HISTORIES["calls"], tools=[LOOKUP]))
    with contextlib.suppress(Exception):
        run_calls(harness)
