"""Types for plugins in Python; `braidwork.testing` runs their hooks without a host.

A plugin needs none of this at run time: import it under `if TYPE_CHECKING:`.
"""

from .config import (
    Config,
    Embeddings,
    EmbedOptions,
    EnablementContext,
    Limits,
    ModelInfo,
    ResponseFormat,
    UiInput,
)
from .context import ActionContext, Caller, Context, Signal, Storage
from .hooks import HOOKS, KINDS, VALUES
from .messages import (
    DataEvent,
    DataPart,
    FilePart,
    FinishReason,
    Message,
    MessageMetadata,
    Part,
    PartialEvent,
    ReasoningPart,
    Role,
    SourcePart,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    Usage,
)
from .signatures import ChunkResult, Core, Events, Finalized, Messages, Plugin, State
from .tools import ModelTool, ToolCall, ToolOutput, ToolResult, ToolSafety, ToolSchema

__all__ = [
    "ActionContext",
    "Caller",
    "ChunkResult",
    "Config",
    "Context",
    "Core",
    "DataEvent",
    "DataPart",
    "EmbedOptions",
    "Embeddings",
    "EnablementContext",
    "Events",
    "FilePart",
    "Finalized",
    "FinishReason",
    "HOOKS",
    "KINDS",
    "Limits",
    "Message",
    "MessageMetadata",
    "Messages",
    "ModelInfo",
    "ModelTool",
    "Part",
    "PartialEvent",
    "Plugin",
    "ReasoningPart",
    "ResponseFormat",
    "Role",
    "Signal",
    "SourcePart",
    "State",
    "Storage",
    "TextPart",
    "ToolCall",
    "ToolCallPart",
    "ToolOutput",
    "ToolResult",
    "ToolResultPart",
    "ToolSafety",
    "ToolSchema",
    "UiInput",
    "Usage",
    "VALUES",
]
