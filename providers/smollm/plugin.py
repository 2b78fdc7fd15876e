"""A small language model on this machine: SmolLM2 with llama.cpp, without key and network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .answer import Answer, message_of
from .engine import Engine
from .errors import ProviderError
from .native import demands_call, native_of
from .settings import CONFIG_SCHEMA, Settings, settings_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from braidwork import Config, Context, Message, ModelInfo, State

MODEL = "smollm2-135m-instruct"
_ANSWER = "answer"
_TOOLS = "tools"
# The fields of a native request that are not sent to the model's server.
_OWN = ("tool_names",)


class SmolLM:
    """The provider. Its engines live as long as the provider."""

    kind = "provider"
    name = "smollm"
    config_schema = CONFIG_SCHEMA

    def __init__(self) -> None:
        self._engines: dict[Settings, Engine] = {}

    def get_models(self, config: Config) -> list[str]:
        return [MODEL]

    def get_model_info(self, model: str, config: Config) -> ModelInfo:
        if model != MODEL:
            return {}
        window = settings_of(config).context_window
        return {
            "contextWindow": window,
            "maxOutputTokens": window,
            "input": ["text"],
            "output": ["text"],
            "price": {"input": 0, "output": 0},
        }

    def get_tags(self, config: Config, models: Sequence[str]) -> list[str]:
        tags = ["smollm", "text", "streaming", "structured-output", "history-repair"]
        # The model cannot tell when a tool is useful, so it has tools only if a call is required.
        return [*tags, "tools"] if demands_call(config) else tags

    def init(self, config: Config, context: Context) -> State:
        model = config.get("model", MODEL)
        if model != MODEL:
            raise ProviderError(
                "MODEL_UNKNOWN", f'This provider has no model "{model}"; use "{MODEL}".'
            )
        settings_of(config)
        # Only this hook gets the tools.
        context.local[_TOOLS] = config.get("tools", [])
        return {}

    def to_native(
        self, messages: Sequence[Message], state: State, context: Context
    ) -> dict[str, Any]:
        return native_of(messages, context.local[_TOOLS], context)

    async def stream(
        self, native: dict[str, Any], state: State, context: Context
    ) -> AsyncIterator[list[dict[str, Any]]]:
        settings = settings_of(context.config)
        engine = self._engines.setdefault(settings, Engine(settings))
        body = {key: value for key, value in native.items() if key not in _OWN}
        finish_reason: str | None = None
        # With progress reports the server sends events during the prompt, so it can be stopped.
        asked = {**body, "stream": True, "return_progress": True}
        usage_too = {"stream_options": {"include_usage": True}}
        async for said in engine.answer({**asked, **usage_too}):
            chunks: list[dict[str, Any]] = []
            for chunk in said:
                for choice in chunk.get("choices", []):
                    text = choice["delta"].get("content")
                    if text:
                        chunks.append({"text": text})
                    finish_reason = choice["finish_reason"] or finish_reason
                if "usage" in chunk:
                    chunks.append({"finish_reason": finish_reason, "usage": chunk["usage"]})
            if chunks:
                yield chunks

    def process_chunk(
        self, chunk: dict[str, Any], native: dict[str, Any], state: State, context: Context
    ) -> tuple[list[Any], list[Any], dict[str, Any], State]:
        return _gathered(native, context).take(chunk), [], native, state

    def finalize(
        self, native: dict[str, Any], state: State, context: Context
    ) -> tuple[list[Any], dict[str, Any], State]:
        return [_gathered(native, context).native()], native, state

    def from_native(self, natives: Sequence[dict[str, Any]], state: State) -> list[Any]:
        return [message_of(native) for native in natives]

    def close(self) -> None:
        for engine in self._engines.values():
            engine.close()
        self._engines.clear()


def _gathered(native: dict[str, Any], context: Context) -> Answer:
    answer: Answer = context.local.setdefault(_ANSWER, Answer(native))
    return answer


plugin = SmolLM()
