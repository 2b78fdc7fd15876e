"""Encodes values for the host."""

from __future__ import annotations

import json
from typing import Any

from ..json_values import json_fault


def encode(value: Any) -> str:
    """Encodes a value as JSON. Raises ValueError with the reason if JSON cannot express it."""
    fault = json_fault(value)
    if fault is not None:
        raise ValueError(fault)
    return json.dumps(value)
