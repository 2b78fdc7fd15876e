"""Converts values of Python to JSON: dataclasses, enums and pydantic models."""

from __future__ import annotations

import dataclasses
import enum
import inspect
from typing import Any

from .wire import encode


def is_model(value: Any) -> bool:
    """Whether a class has a method that returns its schema, as pydantic models have."""
    return inspect.isclass(value) and callable(getattr(value, "model_json_schema", None))


def json_value(value: Any) -> Any:
    """Converts the dataclasses, enums and models in a value. All other values stay as they are."""
    try:
        return _converted(value)
    except RecursionError:  # it contains itself, which JSON cannot express
        return value


def _converted(value: Any) -> Any:
    if is_model(type(value)):
        return value.model_dump(mode="json")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return {field.name: _converted(getattr(value, field.name)) for field in fields}
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, (list, tuple)):
        return [_converted(item) for item in value]
    if isinstance(value, dict):
        return {key: _converted(item) for key, item in value.items()}
    return value


def is_json(value: Any) -> bool:
    """Whether a value can be sent to the host."""
    try:
        encode(value)
    except Exception:
        return False
    return True
