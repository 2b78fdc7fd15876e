"""A protocol for each hook that is about tools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from .context import ActionContext
from .hook_types import Answer, Hook1, Hook2, State
from .run_hooks import GatedCall
from .tools import (
    ToolCall,
    ToolCallEdit,
    ToolCallInfo,
    ToolGateVerdict,
    ToolOutcome,
    ToolResult,
    ToolResultEdit,
    ToolSchema,
)


class GetToolSchemas(Protocol):
    """The offered tools."""

    @property
    def get_tool_schemas(self) -> Hook1[State, Answer[Sequence[ToolSchema]], ActionContext]: ...


class ExecuteTool(Protocol):
    """Executes one tool call of the model."""

    @property
    def execute_tool(self) -> Hook2[ToolCall, State, Answer[ToolResult], ActionContext]: ...


class EditToolCall(Protocol):
    """Changes the arguments of a call before the policy decides about it."""

    @property
    def edit_tool_call(self) -> Hook1[ToolCallInfo, Answer[ToolCallEdit | None], ActionContext]: ...


class ToolGate(Protocol):
    """Judges a call before it runs."""

    @property
    def tool_gate(self) -> Hook1[GatedCall, Answer[ToolGateVerdict | None], ActionContext]: ...


class EditToolResult(Protocol):
    """Changes what the model is told of a call that has run."""

    @property
    def edit_tool_result(
        self,
    ) -> Hook2[ToolCallInfo, ToolOutcome, Answer[ToolResultEdit | None], ActionContext]: ...
