"""What the model can say at all: grammars that its every token is held to."""

from __future__ import annotations

import json
from typing import Any

Schema = dict[str, Any]

# Without them a small model writes spaces without end.
_COMPACT = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}
# A schema with one of these says elsewhere which keys there may be.
_OPEN = ("$ref", "allOf", "anyOf", "oneOf", "patternProperties", "if", "not", "$dynamicRef")
_DEEPEST = 100
# Of a text in a call that has no limit of its own: a small model finds no end.
_LONGEST_TEXT = 200


def grammar_for(
    tools: list[dict[str, Any]], answer: Schema | None, must_call: bool
) -> str:
    """A call of one of the tools, or the answer: JSON of a schema, or text that is no object."""
    rules = {}
    for number, tool in enumerate(tools):
        begin = json.dumps(f'{{"name": {json.dumps(tool["name"])}, "arguments": ')
        rules[f"call_{number}"] = f'{begin} input_{number} "}}"'
        rules[f"input_{number}"] = _json(closed(tool["arguments"], _LONGEST_TEXT))
    if not must_call:
        rules["answer"] = r"/[^{\s](.|\n)*/" if answer is None else _json(closed(answer))
    start = " | ".join(name for name in rules if not name.startswith("input_"))
    lines = [f"{name}: {rule}" for name, rule in rules.items()]
    return "\n".join(["%llguidance {}", f"start: {start}", *lines, ""])


def closed(schema: Any, longest_text: int | None = None, depth: int = 0) -> Any:
    """The schema without keys that it does not name: what fits it fits the schema as well."""
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return schema
    inner = dict(schema)
    if isinstance(schema.get("properties"), dict):
        inner["properties"] = {
            key: closed(value, longest_text, depth + 1)
            for key, value in schema["properties"].items()
        }
        if not any(key in schema for key in _OPEN):
            inner.setdefault("additionalProperties", False)
    if "items" in schema:
        inner["items"] = closed(schema["items"], longest_text, depth + 1)
    is_free = schema.get("type") == "string" and "enum" not in schema and "const" not in schema
    if longest_text is not None and is_free and "pattern" not in schema:
        inner.setdefault("maxLength", max(longest_text, schema.get("minLength", 0)))
    return inner


def _json(schema: Schema) -> str:
    return f"%json {json.dumps({'x-guidance': _COMPACT, **schema})}"
