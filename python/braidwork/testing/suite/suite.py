"""The checks of one plugin, for any test runner."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Callable

from .checks import CHECKS
from .check import Check, Fault, NotJudged
from .harness import Harness
from .options import Options
from .pages import place_of

_LOADS = "loads without a diagnostic"


@dataclass(frozen=True)
class SuiteCheck:
    """A check of a suite."""

    name: str
    run: Callable[[], str | None]
    """Returns why the check cannot be made, or None if it passes. Raises AssertionError, whose
    message says what is wrong."""


class Suite:
    """The checks share a chain: run them in order, and `close` in the end."""

    def __init__(self, kind: str, plugin: Any, options: Options) -> None:
        self._kind, self._plugin, self._options = kind, plugin, options
        self._harness: Harness | None = None
        self._is_opened = False
        self.checks: Sequence[SuiteCheck] = [
            SuiteCheck(_LOADS, self._load),
            *(self._check(check) for check in CHECKS[kind]),
        ]

    def close(self) -> None:
        """Closes the plugin, if the last check did not."""
        if self._harness is not None:
            self._harness.close()

    def _load(self) -> None:
        self._is_opened = True
        if self._harness is not None:
            return
        try:
            harness = Harness(self._plugin, self._options)
        except Exception as error:
            raise Fault(f"The plugin does not load: {error}") from error
        kind, name = harness.plugin.kind, harness.plugin.name
        if kind != self._kind:
            harness.close()
            raise Fault(f'"{name}" is of kind "{kind}", not "{self._kind}"; use its suite.')
        self._harness = harness

    def _opened(self) -> Harness | None:
        """The harness, which opens with the first check that runs."""
        if not self._is_opened:
            # The first check reports the error.
            with contextlib.suppress(Exception):
                self._load()
        return self._harness

    def _check(self, check: Check) -> SuiteCheck:
        def run() -> str | None:
            harness = self._opened()
            if harness is None:
                return f'the plugin does not pass "{_LOADS}"'
            try:
                if not check.is_for_all and _is_off(harness):
                    return "the plugin is off"
                check.run(harness)
            except NotJudged as reason:
                return str(reason)
            except Fault as error:
                raise Fault(f"{error}\nSee {place_of(check.about)}") from None
            return None

        return SuiteCheck(check.name, run)


def _is_off(harness: Harness) -> bool:
    try:
        return harness.selection.off is not None
    except Exception:
        # The check of the selection reports it.
        return True
