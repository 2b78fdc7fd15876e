"""What JSON Schemas refuse. All of it raises ImportError without the package `jsonschema`."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any


def compile_fault(schema: Any) -> str | None:
    """Why a schema does not compile."""
    validators = importlib.import_module("jsonschema")
    try:
        validators.Draft202012Validator.check_schema(schema)
    except validators.SchemaError as error:
        return str(error.message)
    return None


def refusal(
    schema: Mapping[str, Any], value: Any, whole: Mapping[str, Any] | None = None
) -> str | None:
    """Why a schema refuses a value. `whole` is the schema that this one is a part of, with the
    definitions that its references name. A schema that does not compile refuses nothing."""
    root = schema if whole is None else whole
    if compile_fault(root) is not None:
        return None
    validator = importlib.import_module("jsonschema").Draft202012Validator(root)
    found = next(iter(validator.descend(value, schema)), None)
    if found is None:
        return None
    place = "".join(f"/{one}" for one in found.absolute_path)
    return f"{found.message} (at {place})" if place else str(found.message)
