"""Straightens the quotes in answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from braidwork import Core

_STRAIGHT = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'"})


class Plugin:
    """The extension `{{name}}`."""

    kind = "extension"
    name = "{{name}}"
    # Off until a config enables it, since it changes answers.
    default_enabled = False
    required_tags = ["{{tags}}"]

    def from_native(self, natives: Sequence[Any], core: Core) -> Core:
        """Gets the events of a stream as they come, and the messages of each finished answer."""
        return [_changed(item) for item in core]


def _changed(item: Any) -> Any:
    # Single characters are replaced, so the result is the same wherever a stream cuts the text.
    if "parts" in item:
        return {**item, "parts": [_changed(part) for part in item["parts"]]}
    if item["type"] == "text-delta":
        return {**item, "delta": item["delta"].translate(_STRAIGHT)}
    if item["type"] == "text":
        return {**item, "text": item["text"].translate(_STRAIGHT)}
    return item


plugin = Plugin()
