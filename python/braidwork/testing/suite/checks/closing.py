"""The last checks of a suite."""

from __future__ import annotations

from ..harness import Harness
from ..check import Check, fault


def _logs_nothing(harness: Harness) -> None:
    if harness.logged:
        fault(f"An error was logged: {harness.logged[0]}")


def _closes(harness: Harness) -> None:
    try:
        harness.close()
    except Exception as error:
        fault(f"The plugin does not close: {type(error).__name__}: {error}")


CLOSING = [
    Check("logs no error", "hooks.md#the-context", _logs_nothing),
    Check("closes without an error", "hooks.md#close", _closes),
]
