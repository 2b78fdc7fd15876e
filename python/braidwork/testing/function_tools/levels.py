"""The levels of log lines: those of the host, and those of Python's `logging`."""

from __future__ import annotations

from typing import Any

_LEVELS = {
    "debug": "debug",
    "info": "info",
    "warn": "warn",
    "warning": "warn",
    "error": "error",
    "critical": "error",
}


def host_level(level: Any) -> str:
    """The level of the host for a level by its name, or by its number in `logging`."""
    if isinstance(level, int) and not isinstance(level, bool):
        return level_of(level)
    known = _LEVELS.get(level.lower()) if isinstance(level, str) else None
    if known is None:
        names = ", ".join(f'"{name}"' for name in _LEVELS)
        raise ValueError(f"a log line has no level {level!r}; levels are {names}")
    return known


def level_of(number: int) -> str:
    """The level of the host for a number of a level in `logging`."""
    for least, level in ((40, "error"), (30, "warn"), (20, "info")):
        if number >= least:
            return level
    return "debug"
