"""Types of the hooks of a feature in the runs of agents, and a protocol for each hook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypedDict

from .context import ActionContext
from .hook_types import Answer, Hook1, Hook3
from .messages import Message, ToolResultPart, Usage
from .tools import ToolCallInfo


class _Snapshot(TypedDict):
    phase: str
    step: int
    state: Mapping[str, Any]
    sections: Mapping[str, Any]
    usage: Usage


class RunSnapshot(_Snapshot, total=False):
    """What the hooks of a phase see of a run."""

    agent: str
    answer: Sequence[Message]
    calls: Sequence[Mapping[str, Any]]
    results: Sequence[ToolResultPart]
    termination: Mapping[str, Any]


class GatedCall(ToolCallInfo):
    """A call that a gate judges, and the run as the gate's feature sees it."""

    run: RunSnapshot


class _HookRequest(TypedDict):
    key: str


class HookRequest(_HookRequest, total=False):
    """The key of an action or an effect, with its input."""

    input: Any


class _RunEnd(TypedDict):
    detail: str


class RunEnd(_RunEnd, total=False):
    """Ends the run. `blocked` says that it must not go on."""

    blocked: bool


class PhaseAnswer(TypedDict, total=False):
    """What a hook of a phase wants. Without an answer, it wants nothing."""

    state: Mapping[str, Any]
    actions: Sequence[HookRequest]
    effects: Sequence[HookRequest]
    end: RunEnd


class _StateKey(TypedDict):
    initial: Any


class StateKey(_StateKey, total=False):
    """A state key of a run. `merge` is `exclusive`, `sum`, `append` or `assign`."""

    merge: str
    shared: bool


PhaseHook = Hook1[RunSnapshot, Answer["PhaseAnswer | None"], ActionContext]
LegHook = Hook1[RunSnapshot, Answer[None], ActionContext]


class OnActivate(Protocol):
    """Runs once at the start of each leg of a run."""

    @property
    def on_activate(self) -> LegHook: ...


class RunStart(Protocol):
    """Runs when a run starts."""

    @property
    def run_start(self) -> PhaseHook: ...


class StepStart(Protocol):
    """Runs at the start of each step."""

    @property
    def step_start(self) -> PhaseHook: ...


class BeforeInference(Protocol):
    """Runs before each request to the model."""

    @property
    def before_inference(self) -> PhaseHook: ...


class AfterInference(Protocol):
    """Runs after each complete answer of the model."""

    @property
    def after_inference(self) -> PhaseHook: ...


class BeforeToolExecute(Protocol):
    """Runs before the calls of a step run."""

    @property
    def before_tool_execute(self) -> PhaseHook: ...


class AfterToolExecute(Protocol):
    """Runs when all calls of a step have results."""

    @property
    def after_tool_execute(self) -> PhaseHook: ...


class StepEnd(Protocol):
    """Runs at the end of each step."""

    @property
    def step_end(self) -> PhaseHook: ...


class RunEnd(Protocol):
    """Runs before the ending of a run, unless it was cancelled."""

    @property
    def run_end(self) -> PhaseHook: ...


class OnDeactivate(Protocol):
    """Runs at the end of each leg of a run, in reverse order of the features."""

    @property
    def on_deactivate(self) -> LegHook: ...


class HandleAction(Protocol):
    """Runs a scheduled action whose key is in `actions` of the feature."""

    @property
    def handle_action(
        self,
    ) -> Hook3[str, Any, RunSnapshot, Answer[PhaseAnswer | None], ActionContext]: ...


class HandleEffect(Protocol):
    """Runs an effect whose key is in `effects` of the feature."""

    @property
    def handle_effect(self) -> Hook3[str, Any, RunSnapshot, Answer[None], ActionContext]: ...
