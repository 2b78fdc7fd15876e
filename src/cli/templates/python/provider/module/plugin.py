"""A provider of models over the Chat Completions API."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Optional

from .api import Api
from .events import events_of
from .request import request_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from braidwork import Config, Context, Message, State


@dataclass
class Settings:
    """The settings, from which the host makes a form."""

    api_key: Annotated[Optional[str], "API key"] = field(
        default=None, metadata={"secret": True, "env": "{{variable}}_API_KEY"}
    )
    base_url: Annotated[str, "Base URL", {"x-destination": True}] = "http://127.0.0.1:8080/v1"
    models: Annotated[list[str], "Models", {"minItems": 1}] = field(
        default_factory=lambda: ["default"]
    )


class Plugin:
    """The provider `{{name}}`."""

    kind = "provider"
    name = "{{name}}"
    config_schema = Settings

    def get_models(self, config: Config) -> Sequence[str]:
        return self._settings(config).models

    def get_tags(self, config: Config, models: Sequence[str]) -> Sequence[str]:
        return [self.name, "text", "streaming", "tools"]

    def init(self, config: Config, context: Context) -> State:
        model = config.get("model") or self._settings(config).models[0]
        return {"model": model, "tools": list(config.get("tools", []))}

    def to_native(self, messages: Sequence[Message], state: State, context: Context) -> Any:
        return request_of(messages, state["model"], state["tools"])

    def stream(self, native: Any, state: State, context: Context) -> Iterator[Any]:
        """Yields core events, so no hook has to convert the chunks.

        Without `call`, the host makes a whole answer of the stream too.
        """
        settings: Settings = context.settings
        # The headers that other plugins add.
        added = state.get("requestHeaders", {})
        api = Api(settings.base_url, settings.api_key, context.signal)
        yield from events_of(api.chunks_of(native, added))

    def _settings(self, config: Config) -> Settings:
        return Settings(**config.get("settings", {}).get(self.name, {}))


plugin = Plugin()
