"""How many cases a test goes through: all of them in the tier "cases", as in cases.ts."""

from __future__ import annotations

import os


def runs_of(all_runs: int, share: int = 5) -> int:
    """How many generated inputs a test tries: one in `share` of those of the tier "cases"."""
    return all_runs if os.environ.get("ALL_CASES") == "1" else -(-all_runs // share)
