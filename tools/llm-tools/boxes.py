"""The tools that plugins of llm have registered in this interpreter."""

from __future__ import annotations

import sys
from typing import Any

# A toolbox keeps what it needs between calls for so many runs.
_MOST_RUNS = 64


class ToolsError(Exception):
    """An error with a code of the host."""

    def __init__(self, code: str, message: str, pointer: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.retryable = False
        if pointer is not None:
            self.pointer = pointer


class LLMMissing(Exception):
    """The interpreter has no package llm."""


def llm_module() -> Any:
    """The package llm. Raises LLMMissing."""
    try:
        import llm
    except ImportError as error:
        raise LLMMissing(
            f'The tool "llm-tools" offers nothing: "{sys.executable}" cannot import the Python '
            f'package "llm" ({error}). Install it there: "{sys.executable}" -m pip install llm'
        ) from error
    return llm


class Boxes:
    """The tools of each run. The toolboxes of a run keep their state until it is over."""

    def __init__(self) -> None:
        self._runs: dict[Any, dict[str, Any]] = {}

    async def tools_of(self, run: Any, settings: dict[str, Any]) -> dict[str, Any]:
        """The tools by their names. Raises SETTINGS_INVALID for a toolbox that cannot be made."""
        known = self._runs.pop(run, None)
        tools = await _tools(settings) if known is None else known
        self._runs[run] = tools
        if len(self._runs) > _MOST_RUNS:
            del self._runs[next(iter(self._runs))]
        return tools

    def clear(self) -> None:
        self._runs.clear()


async def _tools(settings: dict[str, Any]) -> dict[str, Any]:
    llm = llm_module()
    boxes = settings.get("toolboxes", {})
    registered = llm.get_tools()
    _check_names(boxes, registered)
    tools: dict[str, Any] = {}
    for name, found in registered.items():
        if not isinstance(found, type):
            tools[name] = found
        elif name in boxes:
            tools.update(await _box_tools(name, found, boxes[name]))
    offered = settings.get("tools")
    return tools if offered is None else _chosen(tools, offered)


def _check_names(boxes: dict[str, Any], registered: dict[str, Any]) -> None:
    for name in boxes:
        if not isinstance(registered.get(name), type):
            known = [key for key, value in registered.items() if isinstance(value, type)]
            raise ToolsError(
                "SETTINGS_INVALID",
                f'No plugin of llm has the toolbox "{name}". There are: {", ".join(known) or "none"}.',
                f"/settings/llm-tools/toolboxes/{name}",
            )


def _chosen(tools: dict[str, Any], offered: list[str]) -> dict[str, Any]:
    for at, name in enumerate(offered):
        if name not in tools:
            raise ToolsError(
                "SETTINGS_INVALID",
                f'No plugin of llm has the tool "{name}". There are: {", ".join(tools) or "none"}.',
                f"/settings/llm-tools/tools/{at}",
            )
    return {name: tools[name] for name in offered}


async def _box_tools(name: str, kind: Any, options: dict[str, Any]) -> dict[str, Any]:
    try:
        box = kind(**options)
        box.prepare()
        await box.prepare_async()
    except Exception as error:
        raise ToolsError(
            "SETTINGS_INVALID",
            f'The toolbox "{name}" cannot be made: {error}',
            f"/settings/llm-tools/toolboxes/{name}",
        ) from error
    return {tool.name: tool for tool in box.tools()}
