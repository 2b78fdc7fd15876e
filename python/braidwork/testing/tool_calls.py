"""A call of a tool, without a model."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Mapping
from typing import Any

from .contexts import MemoryStorage, RequestContext, Shared
from .frozen import frozen
from .plugins import PluginUnderTest, is_iterator
from .schema_faults import refusal


def call_tool(
    plugin: Any, name: str, arguments: Any, config: Mapping[str, Any] | None = None
) -> Any:
    """The result of a call of one of a plugin's tools, which may be plain functions. If the tool is
    a generator, the result is its last value."""
    return asyncio.run(_run_tool(PluginUnderTest(plugin), name, arguments, dict(config or {})))


async def _run_tool(
    tool: PluginUnderTest, name: str, arguments: Any, config: Mapping[str, Any]
) -> Any:
    shared = Shared(frozen(config), frozenset(), frozen({}))
    context = RequestContext(tool.plugin, shared, MemoryStorage())
    given = frozen(config)
    state = await tool.ask("init", given, context=context) if tool.has("init") else frozen({})
    offered = await tool.ask("get_tool_schemas", state, context=context)
    schema = next((schema for schema in offered if schema["name"] == name), None)
    if schema is None:
        raise AssertionError(f'"{tool.name}" offers no tool "{name}"')
    call: Any = {"callId": "call-1", "name": name, "input": copy.deepcopy(arguments)}
    if tool.functions is None:
        call = frozen(call)
    else:
        _check_names(name, schema["input_schema"], arguments)
        _check_values(name, schema["input_schema"], arguments)
    result = await tool.ask("execute_tool", call, state, context=context)
    if not is_iterator(result):
        return result
    last = None
    if hasattr(result, "__anext__"):
        async for last in result:
            pass
    else:
        for last in result:
            pass
    return tool.crossed("execute_tool", last)


def _check_names(function: str, schema: Mapping[str, Any], arguments: Any) -> None:
    """Checks that a function gets only arguments that it has, and all that it requires."""
    if not isinstance(arguments, Mapping):
        raise AssertionError(f'the input of "{function}" is not an object: {arguments!r}')
    unknown = [name for name in arguments if name not in schema["properties"]]
    missing = [name for name in schema["required"] if name not in arguments]
    if unknown or missing:
        wrong = f'has no parameter "{unknown[0]}"' if unknown else f'needs "{missing[0]}"'
        raise AssertionError(f'"{function}" {wrong}')


def _check_values(function: str, schema: Mapping[str, Any], arguments: Any) -> None:
    """Checks the arguments as the host does, if `jsonschema` is installed."""
    try:
        wrong = refusal(schema, arguments)
    except ImportError:
        return
    if wrong is not None:
        raise AssertionError(f'the schema of "{function}" refuses the input: {wrong}')
