"""What a tool offers to the model, what it is called with, and what it gives back."""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypedDict, Union

from .messages import Part


class ToolSafety(TypedDict, total=False):
    """What a tool says of its own safety; what it does not say counts as unsafe."""

    is_read_only: bool
    is_concurrency_safe: bool
    is_destructive: bool
    interrupt_behavior: Literal["cancel", "block"]


class _SchemaFacts(TypedDict, total=False):
    output_schema: Mapping[str, Any]
    safety: ToolSafety


class ToolSchema(_SchemaFacts):
    """A tool as the model is offered it; `input_schema` is JSON Schema of an object."""

    name: str
    description: str
    input_schema: Mapping[str, Any]


class ModelTool(ToolSchema, total=False):
    """A tool as `config["tools"]` has it in `init`: in the words of the provider's `tool_schema_format`."""

    strict: bool


class ToolCall(TypedDict):
    """A call that reached a tool, its arguments validated; `name` is the tool's own."""

    callId: str
    name: str
    input: Any


class _OutputFacts(TypedDict, total=False):
    isError: bool
    native: Mapping[str, Any]


class ToolOutput(_OutputFacts):
    """A result with its marks; `native` is what one provider alone opens."""

    output: Any


Json = Union[None, bool, int, float, str, Sequence[Any], Mapping[str, Any]]
ToolResult = Union[str, Sequence[Part], ToolOutput, Json, AsyncIterable[Any], Iterator[Any]]
"""JSON, or a generator of progress whose last value is the result."""
