"""Counts the words and the characters of a text for the model."""

from __future__ import annotations

from typing import Annotated, TypedDict


class Counts(TypedDict):
    """The result."""

    words: int
    characters: int


def __function__(text: Annotated[str, {"maxLength": 100_000}]) -> Counts:
    """Counts the words and the characters of a text.

    Args:
        text: The text to count.
    """
    return {"words": len(text.split()), "characters": len(text)}


__function__.safety = {"is_read_only": True, "is_concurrency_safe": True, "is_destructive": False}


class Plugin:
    """The tool `{{name}}`. Each of its functions is a tool of the model."""

    kind = "tool"
    name = "{{name}}"
    required_tags = ["tools"]
    functions = [__function__]


plugin = Plugin()
