"""The tools of installed plugins of llm, Simon Willison's command and library."""

from __future__ import annotations

import asyncio
import inspect
import json
from typing import TYPE_CHECKING, Any

from .boxes import Boxes, LLMMissing, llm_module

if TYPE_CHECKING:
    from collections.abc import Sequence

    from braidwork import ActionContext, State, ToolCall, ToolResult, ToolSchema


class LLMTools:
    """The tool plugin."""

    kind = "tool"
    name = "llm-tools"
    # Off by default: tools of llm may do anything that Python can do.
    default_enabled = False
    required_tags = ["tools"]
    config_schema = {
        "type": "object",
        "title": "Tools of llm",
        "properties": {
            "tools": {
                "type": "array",
                "title": "Tools to offer instead of all that are installed",
                "x-i18n": {
                    "de": {
                        "title": "Angebotene Werkzeuge, anstelle aller installierten",
                    }
                },
                "items": {"type": "string"},
                "uniqueItems": True,
            },
            "toolboxes": {
                "type": "object",
                "title": "Toolboxes to offer, with their options",
                "x-i18n": {
                    "de": {
                        "title": "Angebotene Werkzeugkästen, mit ihren Optionen",
                    }
                },
                "additionalProperties": {"type": "object"},
                "writeOnly": True,
            },
        },
        "additionalProperties": False,
    }

    def __init__(self) -> None:
        self._boxes = Boxes()

    async def get_tool_schemas(
        self, state: State, context: ActionContext
    ) -> Sequence[ToolSchema]:
        try:
            tools = await self._tools(context)
        except LLMMissing as missing:
            # The conversation can go on without these tools.
            context.warn(str(missing))
            return []
        return [_schema_of(name, tool) for name, tool in tools.items()]

    async def execute_tool(
        self, call: ToolCall, state: State, context: ActionContext
    ) -> ToolResult:
        given = call["input"]
        tools = await self._tools(context)
        tool = tools.get(call["name"])
        if tool is None or not isinstance(given, dict):
            return {"output": f"{call['name']} needs its arguments as an object.", "isError": True}
        try:
            return _result_of(await _run(tool, call))
        except Exception as error:
            return {"output": f"Error: {error}", "isError": True}

    def close(self) -> None:
        self._boxes.clear()

    async def _tools(self, context: ActionContext) -> dict[str, Any]:
        settings = context.config.get("settings", {}).get("llm-tools", {})
        run = context.run_id or context.request_id
        key = (run, json.dumps(settings, sort_keys=True, default=dict))
        return await self._boxes.tools_of(key, settings)


def _schema_of(name: str, tool: Any) -> ToolSchema:
    description = (tool.description or name).strip()
    schema = {"type": "object", **tool.input_schema}
    return {"name": name, "description": description, "input_schema": schema}


async def _run(tool: Any, call: ToolCall) -> Any:
    """Runs a tool. What is not async has a thread of its own, so that a cancel waits for nobody."""
    arguments = dict(call["input"])
    if "llm_tool_call" in inspect.signature(tool.implementation).parameters:
        arguments["llm_tool_call"] = llm_module().ToolCall(
            name=call["name"], arguments=call["input"], tool_call_id=call["callId"]
        )
    if inspect.iscoroutinefunction(tool.implementation):
        return await tool.implementation(**arguments)
    return await asyncio.to_thread(tool.implementation, **arguments)


def _result_of(value: Any) -> ToolResult:
    if not isinstance(value, llm_module().ToolOutput):
        return {"output": _json_of(value)}
    files = [
        {"type": "file", "mediaType": one.resolve_type(), "data": one.base64_content()}
        for one in value.attachments
        if one.content or one.path
    ]
    output = _json_of(value.output)
    if not files:
        return {"output": output}
    text = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
    return {"output": [{"type": "text", "text": text}, *files]}


def _json_of(value: Any) -> Any:
    """The value as JSON; what JSON cannot say becomes a text, as in llm."""
    return json.loads(json.dumps(value, default=repr))


plugin = LLMTools()
