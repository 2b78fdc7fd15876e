"""Runs the calls of the options as a model would make them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..frozen import frozen
from ..json_values import json_fault
from .harness import Harness

# An answer that has nothing else is a result with facts; any other one is its output.
_FACTS = {"output", "isError", "native", "artifacts", "evidence", "question"}


@dataclass(frozen=True)
class RanCall:
    """A call, as parts of messages."""

    call: Mapping[str, Any]
    result: Mapping[str, Any]

    @property
    def is_error(self) -> bool:
        """Whether the call failed."""
        return self.result.get("isError") is True

    @property
    def outcome(self) -> tuple[Any, bool]:
        """What the result says, without what may differ between two calls."""
        return self.result.get("output"), self.is_error


class OpenTools:
    """The tools of a config that is open, with the state of the plugin."""

    def __init__(self, harness: Harness) -> None:
        self._harness = harness
        self.context = harness.context("tools")
        self.state: Any = frozen({})
        self.schemas: Sequence[Mapping[str, Any]] = ()

    async def open(self) -> None:
        """Asks the plugin for its state and its tools. Raises what it raises."""
        plugin = self._harness.plugin
        if plugin.has("init"):
            config = frozen({**self._harness.config_of_requests, "tools": []})
            self.state = await plugin.ask("init", config, context=self.context)
        if plugin.has("get_tool_schemas"):
            self.schemas = await plugin.ask("get_tool_schemas", self.state, context=self.context)

    def schema_of(self, name: str) -> Mapping[str, Any] | None:
        """The tool of this name."""
        return next((one for one in self.schemas if one.get("name") == name), None)

    async def execute(self, call: Mapping[str, Any]) -> RanCall:
        """Runs a call. What the tool raises is its result."""
        try:
            answer = await self._answer_of(call)
        except Exception as error:
            answer = {"output": f"{type(error).__name__}: {error}", "isError": True}
        is_whole = isinstance(answer, Mapping) and "output" in answer and set(answer) <= _FACTS
        shown = {key: answer[key] for key in ("output", "isError") if is_whole and key in answer}
        told = shown or {"output": answer}
        part = {"type": "tool-result", "callId": call["callId"], "name": call["name"]}
        return RanCall(call, {**part, **told})

    async def _answer_of(self, call: Mapping[str, Any]) -> Any:
        plugin = self._harness.plugin
        given: Any = {key: call[key] for key in ("callId", "name", "input")}
        # Functions get arguments of their own types, and hooks get frozen ones.
        given = given if plugin.functions else frozen(given)
        answer = await plugin.ask("execute_tool", given, self.state, context=self.context)
        if hasattr(answer, "__anext__"):
            values = answer
            answer = None
            async for value in values:
                answer = value
        fault = json_fault(answer)
        if fault is not None:
            raise AssertionError(f"the result is no JSON, {fault}")
        return answer


def open_tools(harness: Harness) -> OpenTools:
    """The tools of the plugin. Raises what its hooks raise."""
    tools = OpenTools(harness)
    harness.run(tools.open())
    return tools


def calls_of(harness: Harness) -> list[Mapping[str, Any]]:
    """The calls of the options as parts of a message."""
    return [
        {"type": "tool-call", "callId": f"call-{at}", "name": one["name"], "input": one["input"]}
        for at, one in enumerate(harness.options.calls)
    ]


def run_calls(harness: Harness) -> list[RanCall]:
    """Runs the calls of the options one after the other."""
    tools = open_tools(harness)
    return [harness.run(tools.execute(call)) for call in calls_of(harness)]
