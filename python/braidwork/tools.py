"""The schemas that a tool offers, the calls that it receives, and the results that it returns."""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypedDict, Union

from .messages import Part


class ToolSafety(TypedDict, total=False):
    """A tool's declaration of its safety. Whatever it does not declare counts as unsafe."""

    is_read_only: bool
    is_concurrency_safe: bool
    is_destructive: bool
    is_idempotent: bool
    asks_user: bool
    interrupt_behavior: Literal["cancel", "block"]
    capabilities: Sequence[
        Literal["read", "write", "network", "browser", "filesystem", "shell", "artifact", "custom"]
    ]


class _SchemaFacts(TypedDict, total=False):
    output_schema: Mapping[str, Any]
    safety: ToolSafety


class ToolSchema(_SchemaFacts):
    """A tool as it is offered to the model. `input_schema` is a JSON Schema of an object."""

    name: str
    description: str
    input_schema: Mapping[str, Any]


class ModelTool(ToolSchema, total=False):
    """A tool in `config["tools"]` of `init`, converted to the provider's `tool_schema_format`."""

    strict: bool


class ToolCall(TypedDict):
    """A call for a tool, with validated arguments. `name` is the tool's own name."""

    callId: str
    name: str
    input: Any


class _OutputFacts(TypedDict, total=False):
    isError: bool
    native: Mapping[str, Any]


class ToolOutput(_OutputFacts):
    """A result with additional fields. `native` is read by one provider only."""

    output: Any


Json = Union[None, bool, int, float, str, Sequence[Any], Mapping[str, Any]]
ToolResult = Union[str, Sequence[Part], ToolOutput, Json, AsyncIterable[Any], Iterator[Any]]
"""JSON, or a generator of progress values whose last value is the result."""


class ToolPolicyDecision(TypedDict):
    """Whether a call may run. `source` is a JSON pointer into the config, or `default`."""

    decision: Literal["allow", "ask", "deny"]
    source: str
    reason: str


class _CallInfoFacts(TypedDict, total=False):
    plugin: str


class ToolCallInfo(_CallInfoFacts):
    """A call as features see it. `name` is the name that the model uses.

    `input` holds the arguments as they would run now. `plugin` is absent for a tool of the caller.
    """

    callId: str
    name: str
    input: Any
    safety: ToolSafety
    policy: ToolPolicyDecision


class ToolCallEdit(TypedDict):
    """Other arguments for a call. The reason is recorded with the call."""

    input: Mapping[str, Any]
    reason: str


class ToolOutcome(TypedDict):
    """The result of a call that has run."""

    output: Any
    isError: bool


class ToolResultEdit(TypedDict):
    """Another result for the model. The reason is recorded with the call."""

    output: Any
    reason: str


class GateBlock(TypedDict):
    """The call may not run. The value is the reason."""

    block: str


class GateSuspend(TypedDict):
    """The call waits for a person. The value is the reason."""

    suspend: str


class GateResult(TypedDict):
    """The call has this result, and does not run."""

    result: Any
    reason: str


ToolGateVerdict = Union[GateBlock, GateSuspend, GateResult]
