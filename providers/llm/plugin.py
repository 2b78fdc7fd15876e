"""The models of installed plugins of llm, Simon Willison's command and library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .answer import Answer, message_of
from .conversation import response_to
from .errors import ProviderError, fault_of
from .installed import Installed, installed_model, installed_models
from .native import messages_of
from .running import chunks_of
from .settings import CONFIG_SCHEMA, options_of, options_schema, settings_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from braidwork import Config, Context, Message, State

_ANSWER, _INSTALLED, _TOOLS = "answer", "installed", "tools"


class LLM:
    """The provider."""

    kind = "provider"
    name = "llm"
    config_schema = CONFIG_SCHEMA
    tool_schema_format = "json-schema"

    def get_models(self, config: Config) -> list[str]:
        named = settings_of(config).get("models")
        return list(named) if named else list(_models_or_none())

    def get_tags(self, config: Config, models: Sequence[str]) -> list[str]:
        tags = ["llm", "text", "streaming"]
        model = _model_or_none(config.get("model") or (models[0] if models else ""))
        if model is None:
            return tags
        types = model.attachment_types
        return [
            *tags,
            *(["tools", "parallel-tools"] if model.supports_tools else []),
            *(["structured-output"] if model.supports_schema else []),
            *(["vision"] if any(one.startswith("image/") for one in types) else []),
            *(["files"] if "application/pdf" in types else []),
        ]

    def get_ui_elements(
        self, config: Config, given: Any, context: Context
    ) -> list[dict[str, Any]]:
        models = given["models"]
        model = _model_or_none(config.get("model") or (models[0] if models else ""))
        if model is None:
            return []
        title = f"Options of {model.model_id}"
        schema = options_schema(model)
        return [{"id": "options", "kind": "setting", "title": title, "schema": schema}]

    def init(self, config: Config, context: Context) -> State:
        name = config.get("model")
        if not name:
            raise ProviderError("MODEL_UNKNOWN", 'No model is named. Set "model".')
        installed = installed_model(name)
        context.local[_INSTALLED] = installed
        context.local[_TOOLS] = config.get("tools", [])
        return {"model": installed.preferred.model_id}

    def to_native(
        self, messages: Sequence[Message], state: State, context: Context
    ) -> dict[str, Any]:
        installed: Installed = context.local[_INSTALLED]
        model = installed.preferred
        system = [message for message in messages if message["role"] == "system"]
        texts = [part["text"] for one in system for part in one["parts"] if part["type"] == "text"]
        native: dict[str, Any] = {
            "model": model.model_id,
            "messages": messages_of(
                [message for message in messages if message["role"] != "system"],
                installed.server,
            ),
            "options": options_of(model, context),
            "tools": _tools_of(context),
        }
        if texts:
            native["system"] = "\n\n".join(texts)
        schema = _schema_of(context, can=bool(model.supports_schema))
        return native if schema is None else {**native, "schema": schema}

    async def stream(
        self, native: dict[str, Any], state: State, context: Context
    ) -> AsyncIterator[dict[str, Any]]:
        installed: Installed = context.local[_INSTALLED]
        model = installed.preferred
        key = settings_of(context.config).get("keys", {}).get(model.needs_key)
        chunks = None
        try:
            chunks = chunks_of(response_to(native, model, key))
            async for chunk in chunks:
                yield chunk
        except Exception as error:
            raise fault_of(error, model.needs_key) from error
        finally:
            if chunks is not None:
                await chunks.aclose()

    def process_chunk(
        self, chunk: dict[str, Any], native: dict[str, Any], state: State, context: Context
    ) -> tuple[list[Any], list[Any], dict[str, Any], State]:
        return _gathered(context).take(chunk), [], native, state

    def finalize(
        self, native: dict[str, Any], state: State, context: Context
    ) -> tuple[list[Any], dict[str, Any], State]:
        return [_gathered(context).native()], native, state

    def from_native(self, natives: Sequence[dict[str, Any]], state: State) -> list[Any]:
        return [message_of(native) for native in natives]


def _models_or_none() -> dict[str, Installed]:
    """The models; none if llm is not installed, which a request tells."""
    try:
        return installed_models()
    except ProviderError:
        return {}


def _model_or_none(name: str) -> Any:
    try:
        return installed_model(name).preferred
    except ProviderError:
        return None


def _tools_of(context: Context) -> list[dict[str, Any]]:
    """The tools of the request. llm lets the model choose; it may only be shown none."""
    choice = context.config.get("tool_choice", "auto")
    if choice == "none":
        return []
    if choice != "auto":
        context.warn('llm cannot demand a call: "tool_choice" is left out.')
    return [
        {key: tool[key] for key in ("name", "description", "input_schema") if key in tool}
        for tool in context.local[_TOOLS]
    ]


def _schema_of(context: Context, *, can: bool) -> dict[str, Any] | None:
    asked = context.config.get("response_format") or {"type": "text"}
    if asked["type"] == "text":
        return None
    if can and asked["type"] == "json-schema":
        return dict(asked["schema"])
    context.warn(f'The model cannot be held to the response_format "{asked["type"]}".')
    return None


def _gathered(context: Context) -> Answer:
    installed: Installed = context.local[_INSTALLED]
    answer: Answer = context.local.setdefault(_ANSWER, Answer(installed.server))
    return answer


plugin = LLM()
