"""Types of the hooks of a feature in the runs of agents, and a protocol for each hook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypedDict, Union

from .context import ActionContext
from .hook_types import Answer, Hook1, Hook3
from .messages import Message, ToolResultPart, Usage
from .tools import ToolCallInfo


class _Facts(TypedDict):
    phase: str
    step: int
    state: Mapping[str, Any]
    sections: Mapping[str, Any]
    usage: Usage


class _Snapshot(_Facts, total=False):
    agent: str


class RunSnapshot(_Snapshot, total=False):
    """What the hooks of a phase see of a run. The other snapshots have the keys of one phase."""

    answer: Sequence[Message]
    calls: Sequence[Mapping[str, Any]]
    results: Sequence[ToolResultPart]
    termination: Mapping[str, Any]


class AnswerSnapshot(_Snapshot):
    """What `after_inference` and `before_tool_execute` see of a run."""

    answer: Sequence[Message]
    calls: Sequence[Mapping[str, Any]]


class ResultsSnapshot(AnswerSnapshot):
    """What `after_tool_execute` sees of a run."""

    results: Sequence[ToolResultPart]


class EndSnapshot(_Snapshot):
    """What `run_end` sees of a run."""

    termination: Mapping[str, Any]


class GatedCall(ToolCallInfo):
    """A call that a gate judges, and the run as the gate's feature sees it."""

    run: RunSnapshot


class _HookRequest(TypedDict):
    key: str


class HookRequest(_HookRequest, total=False):
    """The key of an action or an effect, with its input."""

    input: Any


class _RunEnding(TypedDict):
    detail: str


class RunEnding(_RunEnding, total=False):
    """Ends the run. `blocked` says that it must not go on."""

    blocked: bool


class PhaseAnswer(TypedDict, total=False):
    """What a hook of a phase wants. Without an answer, it wants nothing."""

    state: Mapping[str, Any]
    actions: Sequence[HookRequest]
    effects: Sequence[HookRequest]
    end: RunEnding


class _StateKey(TypedDict):
    initial: Any


class StateKey(_StateKey, total=False):
    """A state key of a run. `merge` is `exclusive`, `sum`, `append` or `assign`."""

    merge: str
    shared: bool


_Wanted = Answer["PhaseAnswer | None"]
PhaseHook = Hook1[RunSnapshot, _Wanted, ActionContext]
AnswerHook = Union[PhaseHook, Hook1[AnswerSnapshot, _Wanted, ActionContext]]
ResultsHook = Union[AnswerHook, Hook1[ResultsSnapshot, _Wanted, ActionContext]]
EndHook = Union[PhaseHook, Hook1[EndSnapshot, _Wanted, ActionContext]]
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
    def after_inference(self) -> AnswerHook: ...


class BeforeToolExecute(Protocol):
    """Runs before the calls of a step run."""

    @property
    def before_tool_execute(self) -> AnswerHook: ...


class AfterToolExecute(Protocol):
    """Runs when all calls of a step have results."""

    @property
    def after_tool_execute(self) -> ResultsHook: ...


class StepEnd(Protocol):
    """Runs at the end of each step."""

    @property
    def step_end(self) -> PhaseHook: ...


class RunEnd(Protocol):
    """Runs before the ending of a run, unless it was cancelled."""

    @property
    def run_end(self) -> EndHook: ...


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
