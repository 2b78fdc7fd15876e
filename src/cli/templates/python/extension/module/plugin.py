"""Straightens the quotes in answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

if TYPE_CHECKING:
    from braidwork import Context, Core

_DOUBLE = str.maketrans({"“": '"', "”": '"'})
_ALL = {**_DOUBLE, **str.maketrans({"‘": "'", "’": "'"})}


@dataclass
class Settings:
    """The settings, from which the host makes a form."""

    apostrophes: Annotated[bool, "Whether apostrophes and single quotes are straightened too"] = True


class Plugin:
    """The extension `{{name}}`."""

    kind = "extension"
    name = "{{name}}"
    # Off until a config enables it, since it changes answers.
    default_enabled = False
    required_tags = ["{{tags}}"]
    config_schema = Settings

    def from_native(self, natives: Sequence[Any], core: Core, context: Context) -> Core:
        """Gets the events of a stream as they come, and the messages of each finished answer."""
        straight = _ALL if context.settings.apostrophes else _DOUBLE
        return [_changed(item, straight) for item in core]


def _changed(item: Any, straight: Mapping[int, str]) -> Any:
    # Single characters are replaced, so the result is the same wherever a stream cuts the text.
    if "parts" in item:
        return {**item, "parts": [_changed(part, straight) for part in item["parts"]]}
    if item["type"] == "text-delta":
        return {**item, "delta": item["delta"].translate(straight)}
    if item["type"] == "text":
        return {**item, "text": item["text"].translate(straight)}
    return item


plugin = Plugin()
