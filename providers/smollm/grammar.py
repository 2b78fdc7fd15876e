"""Grammars that restrict the tokens of the model."""

from __future__ import annotations

import json
from typing import Any

from .errors import ProviderError

Schema = dict[str, Any]

# Without these a small model writes endless white space.
_COMPACT = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}
# A schema with one of these keywords defines allowed keys in another place.
_OPEN = ("$ref", "allOf", "anyOf", "oneOf", "patternProperties", "if", "not", "$dynamicRef")
_DEEPEST = 256
# llama.cpp expands every list item, and answers no request meanwhile.
_MOST_ITEMS = 10_000
_LARGEST = 100_000
# The maximum length of a text in a call: a small model does not find its end.
_LONGEST_TEXT = 200


def grammar_for(tools: list[dict[str, Any]], answer: Schema | None) -> str | None:
    """A grammar for a call of one of the tools, or for JSON; None if text is unrestricted."""
    if not tools:
        return None if answer is None else _grammar(["answer"], {"answer": _json(answer)})
    rules = {}
    for number, tool in enumerate(tools):
        begin = json.dumps(f'{{"name": {json.dumps(tool["name"])}, "arguments": ')
        rules[f"call_{number}"] = f'{begin} input_{number} "}}"'
        rules[f"input_{number}"] = _json(tool["arguments"], _LONGEST_TEXT)
    return _grammar([f"call_{number}" for number in range(len(tools))], rules)


def _grammar(starts: list[str], rules: dict[str, str]) -> str:
    lines = [f"{name}: {rule}" for name, rule in rules.items()]
    grammar = "\n".join(["%llguidance {}", f"start: {' | '.join(starts)}", *lines, ""])
    if len(grammar) > _LARGEST:
        raise _too_much(f"is more than {_LARGEST:,} characters long")
    return grammar


def closed(schema: Any, longest_text: int | None = None) -> Any:
    """The schema without unnamed keys. A value that matches it also matches the original."""
    if not isinstance(schema, dict):
        return schema
    inner = dict(schema)
    if longest_text is not None:
        # llama.cpp cannot compare items, and would not restrict the call at all. The host checks the arguments.
        inner.pop("uniqueItems", None)
    if isinstance(schema.get("properties"), dict):
        inner["properties"] = {
            key: closed(value, longest_text)
            for key, value in schema["properties"].items()
        }
        if not any(key in schema for key in _OPEN):
            inner.setdefault("additionalProperties", False)
    if "items" in schema:
        inner["items"] = closed(schema["items"], longest_text)
    is_free = schema.get("type") == "string" and "enum" not in schema and "const" not in schema
    if longest_text is not None and is_free and "pattern" not in schema:
        least = _length(schema, "minLength", 0)
        most = min(_length(schema, "maxLength", longest_text), max(longest_text, least))
        # Otherwise the model prefers an empty text.
        inner.update(minLength=min(max(least, 1), most), maxLength=most)
    return inner


def _length(schema: Schema, key: str, usual: int) -> int:
    given = schema.get(key)
    return int(given) if isinstance(given, (int, float)) else usual


def _json(schema: Schema, longest_text: int | None = None) -> str:
    _assert_bounded(schema)
    return f"%json {json.dumps({**closed(schema, longest_text), 'x-guidance': _COMPACT})}"


def _assert_bounded(schema: Schema) -> None:
    rest: list[tuple[Any, int]] = [(schema, 0)]
    while rest:
        node, depth = rest.pop()
        if depth > _DEEPEST:
            raise _too_much(f"is more than {_DEEPEST} levels deep")
        if isinstance(node, list):
            rest.extend((item, depth + 1) for item in node)
        if not isinstance(node, dict):
            continue
        for key in ("minItems", "maxItems"):
            if isinstance(node.get(key), (int, float)) and node[key] > _MOST_ITEMS:
                raise _too_much(f'has "{key}": {node[key]}, and {_MOST_ITEMS} is the most')
        rest.extend((value, depth + 1) for value in node.values())


def _too_much(what: str) -> ProviderError:
    return ProviderError(
        "INVALID_REQUEST",
        f"The schema of response_format or of a tool {what} for SmolLM2. Take a simpler one.",
    )
