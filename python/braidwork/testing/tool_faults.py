"""Checks the tool schemas of a request, as the host does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def tools_fault(schemas: Sequence[Any]) -> str | None:
    """Why a host refuses the tools of a request, as a sentence; None if it takes them."""
    names = set()
    for schema in schemas:
        fault = _schema_fault(schema)
        if fault is not None:
            return f"a tool schema {fault}"
        if schema["name"] in names:
            return f'two tools have the name "{schema["name"]}"'
        names.add(schema["name"])
    return None


def _schema_fault(schema: Any) -> str | None:
    if not isinstance(schema, Mapping):
        return 'is not a dict with "name", "description" and "input_schema"'
    name = schema.get("name")
    if not isinstance(name, str) or not name:
        return 'has no "name"'
    for key in ("description", "unavailable"):
        if key in schema and not isinstance(schema[key], str):
            return f'"{name}" has {_article(key)} "{key}" that is not a string'
    if not isinstance(schema.get("input_schema"), Mapping):
        return f'"{name}" has no "input_schema", the JSON Schema of its arguments'
    return None


def _article(word: str) -> str:
    return "an" if word == "unavailable" else "a"
