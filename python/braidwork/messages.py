"""Core messages and the events of a request, as plugins and the host exchange them.

All of them are JSON: plain dicts and lists. Their keys are in camelCase, as in every language of
a plugin. They are never changed in place; a hook returns new ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, Union

Role = Literal["system", "user", "assistant", "tool"]
FinishReason = Literal["stop", "length", "tool-calls", "content-filter", "error", "other"]

ProviderMetadata = Mapping[str, Any]
"""Provider metadata, by provider. A provider reads only its own, and gets it back unchanged."""


class _Facts(TypedDict, total=False):
    providerMetadata: ProviderMetadata


class TextPart(_Facts):
    """Text."""

    type: Literal["text"]
    text: str


class ReasoningPart(_Facts):
    """Reasoning of the model before its answer."""

    type: Literal["reasoning"]
    text: str


class _FilePlace(_Facts, total=False):
    data: str
    url: str
    name: str


class FilePart(_FilePlace):
    """A file, inline (`data`, base64) or by URL (`url`)."""

    type: Literal["file"]
    mediaType: str


class _ByProvider(_Facts, total=False):
    providerExecuted: bool


class ToolCallPart(_ByProvider):
    """A tool call. `input` is a string if the model's arguments were not JSON."""

    type: Literal["tool-call"]
    callId: str
    name: str
    input: Any


ResultReference = TypedDict("ResultReference", {"hash": str, "mediaType": str, "size": int})
"""Stored bytes of a tool's result, of which the model got only a preview."""


class _MayFail(_ByProvider, total=False):
    isError: bool
    error: Mapping[str, Any]
    references: list[ResultReference]


class ToolResultPart(_MayFail):
    """The result of a tool call, in a message with the role `tool`."""

    type: Literal["tool-result"]
    callId: str
    name: str
    output: Any


class _SourcePlace(_Facts, total=False):
    url: str
    title: str


class SourcePart(_SourcePlace):
    """A source of the answer. It may have additional keys."""

    type: Literal["source"]


class DataPart(_Facts):
    """Data of a plugin, for applications that know its `name`."""

    type: Literal["data"]
    name: str
    data: Any


Part = Union[TextPart, ReasoningPart, FilePart, ToolCallPart, ToolResultPart, SourcePart, DataPart]


class Usage(TypedDict, total=False):
    """Tokens of an answer. `input` includes cached tokens, `output` includes reasoning.

    Unknown counts are absent, never 0. `raw` is the API's own report.
    """

    input: int
    output: int
    reasoning: int
    cacheRead: int
    cacheWrite: int
    raw: Any


class Retry(TypedDict):
    """Asks a run for one more step, with `message` as a user message."""

    message: str
    code: str


class MessageMetadata(TypedDict, total=False):
    """The metadata keys of a message that the host reads. Plugins may add others."""

    finishReason: FinishReason
    usage: Usage
    retry: Retry


class _MessageFacts(TypedDict, total=False):
    id: str
    metadata: MessageMetadata


class Message(_MessageFacts):
    """A core message: the host's own format, independent of providers."""

    role: Role
    parts: Sequence[Part]


class TextStart(_Facts):
    """A text part begins; `id` is unique in a request."""

    type: Literal["text-start"]
    id: str


class TextDelta(TypedDict):
    """More of a text part."""

    type: Literal["text-delta"]
    id: str
    delta: str


class TextEnd(_Facts):
    """A text part ends."""

    type: Literal["text-end"]
    id: str


class ReasoningStart(_Facts):
    """A reasoning part begins."""

    type: Literal["reasoning-start"]
    id: str


class ReasoningDelta(TypedDict):
    """More of a reasoning part."""

    type: Literal["reasoning-delta"]
    id: str
    delta: str


class ReasoningEnd(_Facts):
    """A reasoning part ends."""

    type: Literal["reasoning-end"]
    id: str


class ToolCallStart(_ByProvider):
    """A tool call begins. `id` is the id of the call."""

    type: Literal["tool-call-start"]
    id: str
    name: str


class ToolCallDelta(TypedDict):
    """More of a call's arguments, as text."""

    type: Literal["tool-call-delta"]
    id: str
    delta: str


class ToolCallEnd(_ByProvider):
    """A tool call ends. `input` is the original text if the arguments are not JSON."""

    type: Literal["tool-call-end"]
    id: str
    input: Any


class _DataFacts(_Facts, total=False):
    id: str
    transient: bool


class DataEvent(_DataFacts):
    """A data part. One that is `transient` becomes part of no message."""

    type: Literal["data"]
    name: str
    data: Any


class MetadataEvent(TypedDict):
    """Metadata of the message. It is merged into the existing metadata."""

    type: Literal["metadata"]
    metadata: MessageMetadata


PartialEvent = Union[
    TextStart,
    TextDelta,
    TextEnd,
    ReasoningStart,
    ReasoningDelta,
    ReasoningEnd,
    ToolCallStart,
    ToolCallDelta,
    ToolCallEnd,
    ToolResultPart,
    FilePart,
    SourcePart,
    DataEvent,
    MetadataEvent,
]
"""The result of a provider's `process_chunk`. The host adds the first and the last event."""
