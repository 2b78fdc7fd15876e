"""Asks the model to answer in a language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

if TYPE_CHECKING:
    from braidwork import Context, Messages, State


@dataclass
class Settings:
    """The settings, from which the host makes a form."""

    language: Annotated[str, "The language of the answers", {"minLength": 1}] = "English"


class Plugin:
    """The feature `{{name}}`."""

    kind = "feature"
    name = "{{name}}"
    # Off until a config enables it, since it changes requests.
    default_enabled = False
    required_tags = ["{{tags}}"]
    config_schema = Settings

    def edit_messages(self, messages: Messages, state: State, context: Context) -> Messages:
        text = f"Answer in {context.settings.language}."
        return [{"role": "system", "parts": [{"type": "text", "text": text}]}, *messages]


plugin = Plugin()
