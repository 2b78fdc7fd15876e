"""The config of a request, and the facts that the host knows of its model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, Union

from .tools import ModelTool, ToolSchema

ReasoningEffort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]


class NamedTool(TypedDict):
    """A tool choice that names one tool."""

    tool: str


ToolChoice = Union[Literal["auto", "none", "required"], NamedTool]


class _FormatNames(TypedDict, total=False):
    name: str
    description: str


class JsonSchemaFormat(_FormatNames):
    """An answer that must match a JSON Schema."""

    type: Literal["json-schema"]
    schema: Mapping[str, Any]


class PlainFormat(TypedDict):
    """An answer as plain text, or as any JSON."""

    type: Literal["text", "json"]


ResponseFormat = Union[PlainFormat, JsonSchemaFormat]


class Limits(TypedDict, total=False):
    """Limits of hooks, answers and runs. Times are in seconds."""

    hook: float
    process_chunk: float
    execute_tool: float
    connect: float
    call: float
    stream_idle: float
    answer: float
    answer_bytes: int
    answer_events: int
    answer_parts: int
    answer_calls: int
    stream_bytes: int
    retry_after: float
    tool_result_bytes: int
    max_rounds: int
    approval: float


class Config(TypedDict, total=False):
    """The keys of a config that the host knows; `config.get("…")` reads any other.

    `settings` contains the settings of plugins, by plugin name. Within a request `tools` contains
    the enabled tools, in the form that the provider accepts.
    """

    provider: str
    model: str
    plugins: Sequence[str]
    enabled_plugins: Sequence[str]
    disabled_plugins: Sequence[str]
    force_enabled_plugins: Sequence[str]
    temperature: float
    top_p: float
    max_output_tokens: int
    stop: str | Sequence[str]
    seed: int
    presence_penalty: float
    frequency_penalty: float
    logit_bias: Mapping[str, float]
    user: str
    metadata: Mapping[str, str]
    tool_choice: ToolChoice
    parallel_tool_calls: bool
    reasoning_effort: ReasoningEffort | int
    response_format: ResponseFormat
    settings: Mapping[str, Mapping[str, Any]]
    tool_names: Mapping[str, str]
    limits: Limits
    tools: Sequence[ModelTool]


class ModelRates(TypedDict, total=False):
    """Prices in US dollars for a million tokens."""

    input: float
    output: float
    cacheRead: float
    cacheWrite: float


class _Over(TypedDict):
    over: int


class PriceTier(ModelRates, _Over):
    """Rates that apply to the whole request if its input is longer than `over` tokens."""


class ModelPrice(ModelRates, total=False):
    """The standard rates, and the tiers for long requests, lowest first."""

    tiers: Sequence[PriceTier]


class ModelInfo(TypedDict, total=False):
    """The known facts of a model, windows in tokens. Unknown facts are absent, never 0."""

    contextWindow: int
    maxOutputTokens: int
    input: Sequence[str]
    output: Sequence[str]
    price: ModelPrice


class EnabledPluginIds(TypedDict):
    """The names of the plugins that were still enabled at the start of a round."""

    extensions: Sequence[str]
    features: Sequence[str]
    tools: Sequence[str]


class EnablementContext(TypedDict):
    """The argument of `is_enabled` after tags and models."""

    enabled_plugin_ids: EnabledPluginIds
    disabled_plugins: Sequence[str]
    force_enabled_plugins: Sequence[str]


class EmbedOptions(TypedDict, total=False):
    """The options of `embed`. Without `dimensions`, the vectors have the model's own length."""

    dimensions: int


class _Tokens(TypedDict, total=False):
    tokens: int


class Embeddings(_Tokens):
    """A vector for each input of `embed`; `tokens` counts those of all inputs, if they are known."""

    vectors: Sequence[Sequence[float]]


class UiInput(TypedDict):
    """The input from which a settings form is made."""

    tags: frozenset[str]
    models: Sequence[str]
    available_tools: Sequence[ToolSchema]
    tools: Sequence[ToolSchema]
