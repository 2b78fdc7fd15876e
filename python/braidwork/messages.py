"""Core messages and the events of a request, as they cross between plugins and the host.

All of them are JSON: plain dicts and lists, their keys in camelCase as in every language of a
plugin. They are never changed in place; a hook answers with new ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, Union

Role = Literal["system", "user", "assistant", "tool"]
FinishReason = Literal["stop", "length", "tool-calls", "content-filter", "error", "other"]

ProviderMetadata = Mapping[str, Any]
"""A provider's own facts, by provider; each reads only its own, and gets it back as it was."""


class _Facts(TypedDict, total=False):
    providerMetadata: ProviderMetadata


class TextPart(_Facts):
    """What is said."""

    type: Literal["text"]
    text: str


class ReasoningPart(_Facts):
    """What the model thinks before it answers."""

    type: Literal["reasoning"]
    text: str


class _FilePlace(_Facts, total=False):
    data: str
    url: str
    name: str


class FilePart(_FilePlace):
    """A file by value (`data`, base64) or by address (`url`)."""

    type: Literal["file"]
    mediaType: str


class _ByProvider(_Facts, total=False):
    providerExecuted: bool


class ToolCallPart(_ByProvider):
    """A call of a tool; `input` is a string where the model's arguments were not JSON."""

    type: Literal["tool-call"]
    callId: str
    name: str
    input: Any


class _MayFail(_ByProvider, total=False):
    isError: bool


class ToolResultPart(_MayFail):
    """What came of a call, in a message of the role `tool`."""

    type: Literal["tool-result"]
    callId: str
    name: str
    output: Any


class _SourcePlace(_Facts, total=False):
    url: str
    title: str


class SourcePart(_SourcePlace):
    """Something that the answer stands on; it may have keys of its own."""

    type: Literal["source"]


class DataPart(_Facts):
    """A plugin's own data, for those who know its name."""

    type: Literal["data"]
    name: str
    data: Any


Part = Union[TextPart, ReasoningPart, FilePart, ToolCallPart, ToolResultPart, SourcePart, DataPart]


class Usage(TypedDict, total=False):
    """Tokens of an answer; `input` includes the cached, `output` the reasoning.

    What is not known is absent, never 0; `raw` is the API's own count.
    """

    input: int
    output: int
    reasoning: int
    cacheRead: int
    cacheWrite: int
    raw: Any


class Retry(TypedDict):
    """Asks a run for one more step, after `message` as a user message."""

    message: str
    code: str


class MessageMetadata(TypedDict, total=False):
    """What the host reads of a message's metadata; plugins may add keys of their own."""

    finishReason: FinishReason
    usage: Usage
    retry: Retry


class _MessageFacts(TypedDict, total=False):
    id: str
    metadata: MessageMetadata


class Message(_MessageFacts):
    """A core message: the host's own, neutral between providers."""

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
    """A text part is whole."""

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
    """A reasoning part is whole."""

    type: Literal["reasoning-end"]
    id: str


class ToolCallStart(_ByProvider):
    """A call begins; its `id` is the call's."""

    type: Literal["tool-call-start"]
    id: str
    name: str


class ToolCallDelta(TypedDict):
    """More of a call's arguments, as text."""

    type: Literal["tool-call-delta"]
    id: str
    delta: str


class ToolCallEnd(_ByProvider):
    """A call is whole; `input` is the text as it came where it is not JSON."""

    type: Literal["tool-call-end"]
    id: str
    input: Any


class _DataFacts(_Facts, total=False):
    id: str
    transient: bool


class DataEvent(_DataFacts):
    """A data part; what is `transient` is in no message."""

    type: Literal["data"]
    name: str
    data: Any


class MetadataEvent(TypedDict):
    """Metadata of the message, merged into what there is."""

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
"""What a provider's `process_chunk` makes; the host adds the start and the ending."""
