"""Checks of the tools that a plugin offers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Callable

from ...json_values import json_fault
from ..exchange import Question
from ..harness import Harness
from ..histories import LOOKUP
from ..run_calls import OpenTools, open_tools
from ..schemas import schema_fault, value_fault
from ..check import Check, done, fault, same, texts_in, unjudged

Tool = Mapping[str, Any]

_ABOUT = "hooks.md#gettoolschemas"
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SAYING = ("description", "title", "enum", "const", "anyOf", "oneOf", "items", "examples", "$ref")


def opened(harness: Harness) -> OpenTools:
    """The tools of the plugin. Another check reports hooks that fail."""
    try:
        return open_tools(harness)
    except Exception as error:
        unjudged(f"the tools cannot be offered: {error}")


def _written(harness: Harness) -> Sequence[Tool]:
    return [tool for tool in opened(harness).schemas if isinstance(tool, Mapping)]


def _offers(harness: Harness) -> None:
    try:
        tools = open_tools(harness).schemas
    except Exception as error:
        fault(f"The tools cannot be offered: {error}")
    if not tools:
        fault(f'"{harness.plugin.name}" offers no tool. Return schemas from "get_tool_schemas".')
    for tool in tools:
        schema = tool.get("input_schema") if isinstance(tool, Mapping) else None
        if not isinstance(schema, Mapping) or schema.get("type") != "object":
            fault(f'A tool has no "input_schema" of the type "object": {tool!r}')


def _each_tool(name: str, judge: Callable[[Tool], str | None]) -> Check:
    def run(harness: Harness) -> None:
        for tool in _written(harness):
            wrong = judge(tool)
            if wrong is not None:
                fault(f'The tool "{tool.get("name")}" {wrong}')

    return Check(name, _ABOUT, run)


def _usable_name(tool: Tool) -> str | None:
    if _NAME.fullmatch(str(tool.get("name"))):
        return None
    return 'needs a name of at most 64 letters, digits, "_" and "-".'


def _description(tool: Tool) -> str | None:
    description = tool.get("description")
    if isinstance(description, str) and description.strip():
        return None
    return "has no description, and the model knows nothing else of it."


def _properties_of(tool: Tool) -> Mapping[str, Any]:
    schema = tool.get("input_schema")
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    return properties if isinstance(properties, Mapping) else {}


def _argument(tool: Tool) -> str | None:
    for name, field in _properties_of(tool).items():
        if isinstance(field, Mapping) and not any(word in field for word in _SAYING):
            return f'has the argument "{name}" without "description", "enum" or "const".'
    return None


def _required(tool: Tool) -> str | None:
    schema = tool.get("input_schema")
    required = schema.get("required", ()) if isinstance(schema, Mapping) else ()
    unknown = next((name for name in required if name not in _properties_of(tool)), None)
    return None if unknown is None else f'requires "{unknown}", which it does not have.'


def _safety(tool: Tool) -> str | None:
    safety = tool.get("safety") or {}
    if safety.get("is_read_only") is True and safety.get("is_destructive") is True:
        return 'is both "is_read_only" and "is_destructive".'
    return None


def _unique(harness: Harness) -> None:
    names = [tool.get("name") for tool in _written(harness)]
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        fault(f'Two tools are named "{twice}".')


def _compiles(tool: Tool) -> str | None:
    for key in ("input_schema", "output_schema"):
        wrong = schema_fault(tool[key]) if isinstance(tool.get(key), Mapping) else None
        if wrong is not None:
            return f'has an "{key}" that does not compile: {wrong}'
    return None


def _defaults(tool: Tool) -> str | None:
    for name, field in _properties_of(tool).items():
        has_default = isinstance(field, Mapping) and "default" in field
        wrong = value_fault(field, field["default"], tool["input_schema"]) if has_default else None
        if wrong is not None:
            return f'has a default of "{name}" that its schema refuses: {wrong}'
    return None


def _steady(harness: Harness) -> None:
    same(_written(harness), _written(harness), "The second time, the tools differ.")


def _reaches(harness: Harness) -> None:
    tools = _written(harness)
    sent = done(harness.ask("stream", Question(tools=[LOOKUP]))).sent
    left = texts_in([one.state for one in sent])
    lost = next((tool["name"] for tool in tools if str(tool.get("name")) not in left), None)
    if sent and lost is not None:
        fault(f'The provider did not get "{lost}".')


def _json_state(harness: Harness) -> None:
    opened(harness)
    for call in harness.plugin.calls:
        found = json_fault(call.answer) if call.hook == "init" else None
        if found is not None:
            fault(f'"init" answers with a state that is no JSON, {found}.')


def _opens_twice(harness: Harness) -> None:
    opened(harness)
    both = [OpenTools(harness), OpenTools(harness)]
    harness.run_together([one.open() for one in both])
    names = [[tool.get("name") for tool in one.schemas] for one in both]
    same(names[1], names[0], "Two configs that are open at once offer other tools.")


TOOLS = [
    Check("offers tools with usable schemas", _ABOUT, _offers),
    _each_tool("names its tools as model APIs allow", _usable_name),
    Check("names each of its tools once", _ABOUT, _unique),
    _each_tool("says what each of its tools does", _description),
    _each_tool("says what each argument is for", _argument),
    _each_tool("requires only arguments that it has", _required),
    _each_tool("says of its tools only what can be", _safety),
    _each_tool("has tool schemas that compile", _compiles),
    _each_tool("has defaults of arguments that their schemas accept", _defaults),
    Check("offers the same tools each time it is asked", _ABOUT, _steady),
    Check("reaches the provider with its tools", "hooks.md#init", _reaches),
    Check("has a state that is JSON", "hooks.md#init", _json_state),
    Check("can be opened twice at once", "hooks.md#init", _opens_twice),
]
