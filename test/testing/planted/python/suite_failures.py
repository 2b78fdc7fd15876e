"""Prints which checks of the Python suite each plugin fails, and which cannot be made.

Standard input is a JSON list of {"kind", "path", "options"}; standard output is a JSON list of
{"failed": [name, …], "skipped": {name: reason, …}, "seconds": of processor time}.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
from typing import Any

from braidwork.testing.suite import Options, Suite


def failures_of(kind: str, path: str, options: dict[str, Any] | None = None) -> dict[str, Any]:
    """Runs a suite to its end."""
    begun = time.process_time()
    given = dict(options or {})
    if given.get("api"):
        given["api"] = _api_of(**given["api"])
    suite = Suite(kind, path, Options(**given))
    failed: list[str] = []
    skipped: dict[str, str] = {}
    for check in suite.checks:
        try:
            reason = check.run()
        except AssertionError:
            failed.append(check.name)
            continue
        if reason is not None:
            skipped[check.name] = reason
    with contextlib.suppress(Exception):
        suite.close()
    return {"failed": failed, "skipped": skipped, "seconds": time.process_time() - begun}


def _api_of(plugin: str, **recorded: Any) -> dict[str, Any]:
    """A recorded exchange. JSON has no functions, so the name of the plugin stands for `config`."""
    return {"config": lambda url: {"settings": {plugin: {"base_url": url}}}, **recorded}


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    print(json.dumps([failures_of(**one) for one in asked]))
