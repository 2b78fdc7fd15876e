"""Counts the words and the characters of a text for the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TypedDict

if TYPE_CHECKING:
    from braidwork import ActionContext


@dataclass
class Settings:
    """The settings, from which the host makes a form."""

    spaces: Annotated[bool, "Whether white space counts as characters"] = True


class Counts(TypedDict):
    """The result."""

    words: int
    characters: int


def __function__(
    text: Annotated[str, {"maxLength": 100_000}], *, context: ActionContext
) -> Counts:
    """Counts the words and the characters of a text.

    Args:
        text: The text to count.
    """
    words = text.split()
    counted = text if context.settings.spaces else "".join(words)
    return {"words": len(words), "characters": len(counted)}


class Plugin:
    """The tool `{{name}}`. Each of its functions is a tool of the model."""

    kind = "tool"
    name = "{{name}}"
    required_tags = ["tools"]
    config_schema = Settings
    functions = {
        __function__: {
            "is_read_only": True,
            "is_concurrency_safe": True,
            "is_destructive": False,
        },
    }


plugin = Plugin()
