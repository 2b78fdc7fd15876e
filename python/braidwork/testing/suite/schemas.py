"""JSON Schemas of plugins, and the checks that need the package `jsonschema`."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping
from typing import Any

from ..function_tools.schemas import is_schema_class, schema_of_class
from .check import unjudged


def settings_schema(plugin: Any) -> Any:
    """The schema of a plugin's settings; None if it has none."""
    schema = getattr(plugin, "config_schema", None)
    if callable(schema) and not inspect.isclass(schema):
        schema = schema()
    if is_schema_class(schema) or hasattr(schema, "model_json_schema"):
        return schema_of_class(schema)
    return schema


def schema_fault(schema: Any) -> str | None:
    """Why a schema does not compile. Raises NotJudged without `jsonschema`."""
    validators = _validators()
    try:
        validators.Draft202012Validator.check_schema(schema)
    except validators.SchemaError as error:
        return str(error.message)
    return None


def value_fault(schema: Mapping[str, Any], value: Any) -> str | None:
    """Why a schema refuses a value. Raises NotJudged without `jsonschema`."""
    validators = _validators()
    if schema_fault(schema) is not None:
        # Another check reports it.
        return None
    found = next(iter(validators.Draft202012Validator(schema).iter_errors(value)), None)
    return None if found is None else str(found.message)


def _validators() -> Any:
    try:
        return importlib.import_module("jsonschema")
    except ImportError:
        unjudged("install jsonschema, which checks schemas")
