"""A call of a tool, without a model."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from .contexts import MemoryStorage, RequestContext, Shared
from .frozen import frozen
from .plugins import PluginUnderTest, is_iterator


def call_tool(
    plugin: Any, name: str, arguments: Any, config: Mapping[str, Any] | None = None
) -> Any:
    """The result of a call of one of a tool's tools; of a generator its last value."""
    return asyncio.run(_run_tool(PluginUnderTest(plugin), name, arguments, dict(config or {})))


async def _run_tool(
    tool: PluginUnderTest, name: str, arguments: Any, config: Mapping[str, Any]
) -> Any:
    shared = Shared(frozen(config), frozenset(), frozen({}))
    context = RequestContext(tool.name, shared, MemoryStorage())
    given = frozen(config)
    state = await tool.ask("init", given, context=context) if tool.has("init") else frozen({})
    schemas = await tool.ask("get_tool_schemas", state, context=context)
    if name not in [schema["name"] for schema in schemas]:
        raise AssertionError(f'"{tool.name}" offers no tool "{name}"')
    call = frozen({"callId": "call-1", "name": name, "input": arguments})
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
