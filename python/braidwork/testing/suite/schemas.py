"""JSON Schemas of plugins, and the checks that need the package `jsonschema`."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from ..function_tools.schemas import is_schema_class, schema_of_class
from ..schema_faults import compile_fault, refusal
from .check import unjudged

_MISSING = "install jsonschema, which checks schemas"


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
    try:
        return compile_fault(schema)
    except ImportError:
        unjudged(_MISSING)


def value_fault(
    schema: Mapping[str, Any], value: Any, whole: Mapping[str, Any] | None = None
) -> str | None:
    """Why a schema refuses a value. Another check reports a schema that does not compile.

    `whole` is the schema that this one is a part of. Raises NotJudged without `jsonschema`.
    """
    try:
        return refusal(schema, value, whole)
    except ImportError:
        unjudged(_MISSING)
