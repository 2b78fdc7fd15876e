"""What may cross to the host."""

from __future__ import annotations

import json
from typing import Any

from ..json_values import json_fault


def encode(value: Any) -> str:
    """A value as JSON; a ValueError says why it is none."""
    fault = json_fault(value)
    if fault is not None:
        raise ValueError(fault)
    return json.dumps(value)
