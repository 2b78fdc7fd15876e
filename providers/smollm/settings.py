"""The settings of smollm."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import ProviderError

if TYPE_CHECKING:
    from braidwork import Config

LONGEST_WINDOW = 8_192

_SHORTEST_WINDOW = 256
_MOST_THREADS = 64

CONFIG_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "context_window": {
            "type": "integer",
            "minimum": _SHORTEST_WINDOW,
            "maximum": LONGEST_WINDOW,
            "default": LONGEST_WINDOW,
            "title": "Context window",
            "description": "Maximum tokens of messages plus answer; memory use grows with it",
            "x-i18n": {
                "de": {
                    "title": "Kontextfenster",
                    "description": "Tokens von Nachrichten und Antwort; mehr braucht mehr Speicher",
                }
            },
        },
        "threads": {
            "type": "integer",
            "minimum": 1,
            "maximum": _MOST_THREADS,
            "title": "Threads",
            "description": "Number of threads; by default the number of processors minus one",
            "x-i18n": {
                "de": {
                    "title": "Threads",
                    "description": "Ohne Angabe die Zahl der Prozessoren weniger einen",
                }
            },
        },
    },
    "additionalProperties": False,
}


class Settings(NamedTuple):
    """The settings for loading the model. Requests with the same settings share it."""

    context_window: int
    threads: int


def settings_of(config: Config) -> Settings:
    """The validated settings of a config. Raises SETTINGS_INVALID."""
    given = config.get("settings", {}).get("smollm", {})
    return Settings(
        _whole(given, "context_window", LONGEST_WINDOW, (_SHORTEST_WINDOW, LONGEST_WINDOW)),
        # Too many threads wait for each other, which makes all of them slow.
        _whole(given, "threads", max(1, (os.cpu_count() or 2) - 1), (1, _MOST_THREADS)),
    )


def _whole(given: Any, name: str, usual: int, limits: tuple[int, int]) -> int:
    value = given.get(name, usual)
    least, most = limits
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    pointer = f"/settings/smollm/{name}"
    raise ProviderError(
        "SETTINGS_INVALID",
        f'Setting "{pointer}" must be a whole number from {least} to {most}.',
        pointer,
    )
