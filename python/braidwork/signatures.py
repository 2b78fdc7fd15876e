"""A protocol for each hook. `checked: Tuple[EditMessages, FromNative] = (plugin, plugin)` makes a
type checker check the hooks of a plugin, since plugins have no base class.

Arguments are passed by position, whatever their names. A hook may be `def` or `async def`, and may
have an additional keyword parameter `context`.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable, Mapping, Sequence
from typing import Any, Callable, Protocol, TypeVar, Union

from .config import Config, Embeddings, EmbedOptions, EnablementContext, ModelInfo, UiInput
from .context import ActionContext, Context
from .hook_types import Answer as Answer
from .hook_types import Hook1, Hook2, Hook3
from .hook_types import State as State
from .messages import Message, PartialEvent
from .run_hooks import AfterInference as AfterInference
from .run_hooks import AfterToolExecute as AfterToolExecute
from .run_hooks import BeforeInference as BeforeInference
from .run_hooks import BeforeToolExecute as BeforeToolExecute
from .run_hooks import HandleAction as HandleAction
from .run_hooks import HandleEffect as HandleEffect
from .run_hooks import OnActivate as OnActivate
from .run_hooks import OnDeactivate as OnDeactivate
from .run_hooks import RunEnd as RunEnd
from .run_hooks import RunStart as RunStart
from .run_hooks import StepEnd as StepEnd
from .run_hooks import StepStart as StepStart
from .tool_signatures import EditToolCall as EditToolCall
from .tool_signatures import EditToolResult as EditToolResult
from .tool_signatures import ExecuteTool as ExecuteTool
from .tool_signatures import GetToolSchemas as GetToolSchemas
from .tool_signatures import ToolGate as ToolGate

Ids = Sequence[str]
Messages = Sequence[Message]
Events = Sequence[PartialEvent]
Core = Union[Messages, Events]
ChunkResult = tuple[Events, Sequence[Any], Any, State]
"""`(partials, finals, native, state)`."""
Finalized = tuple[Sequence[Any], Any, State]
"""`(finals, native, state)`."""

T = TypeVar("T")

Value = Union[T, Callable[[], T]]
Chunks = Union[AsyncIterable[Any], Iterable[Any]]


class ChunkInContext(Protocol):
    """An extension's `process_chunk` that has a `context`."""

    def __call__(
        self,
        chunk: Any,
        partials: Events,
        finals: Sequence[Any],
        native: Any,
        state: State,
        /,
        *,
        context: Context,
    ) -> Answer[ChunkResult]: ...


class Plugin(Protocol):
    """The members of every plugin: its kind, and a name that is unique in a host."""

    @property
    def kind(self) -> str: ...

    @property
    def name(self) -> str: ...


class GetModels(Protocol):
    """Lists the offered models. Its second argument has the models from the preceding plugins."""

    @property
    def get_models(self) -> Callable[[Config, Ids], Answer[Iterable[str]]]: ...


class ProviderGetModels(Protocol):
    """The offered models, without any I/O."""

    @property
    def get_models(self) -> Callable[[Config], Answer[Iterable[str]]]: ...


class RefreshModels(Protocol):
    """Asks the API for its models."""

    @property
    def refresh_models(self) -> Hook1[Config, Answer[Iterable[str]], ActionContext]: ...


class GetModelInfo(Protocol):
    """The known facts of a model, by its id."""

    @property
    def get_model_info(self) -> Callable[[str, Config], Answer[ModelInfo]]: ...


class GetTags(Protocol):
    """The tags that the plugin provides."""

    @property
    def get_tags(self) -> Callable[[Config, Ids], Answer[Iterable[str]]]: ...


class IsEnabled(Protocol):
    """True and False decide; any other result leaves the decision to the tags."""

    @property
    def is_enabled(self) -> Callable[[Config, frozenset[str], Ids, EnablementContext], object]: ...


class Init(Protocol):
    """Adds to the request's state."""

    @property
    def init(self) -> Hook2[Config, State, Answer[State], Context]: ...


class OwnInit(Protocol):
    """Creates a provider's request state, or a tool's own state."""

    @property
    def init(self) -> Hook1[Config, Answer[State], Context]: ...


class EditMessages(Protocol):
    """Changes the messages before any provider sees them."""

    @property
    def edit_messages(self) -> Hook2[Messages, State, Answer[Messages], Context]: ...


class ToNative(Protocol):
    """Changes the native request."""

    @property
    def to_native(self) -> Hook2[Messages, Any, Answer[Any], Context]: ...


class ProviderToNative(Protocol):
    """Creates the native request from messages."""

    @property
    def to_native(self) -> Hook2[Messages, State, Answer[Any], Context]: ...


class InitializeRequest(Protocol):
    """Changes the native request a last time."""

    @property
    def initialize_request(self) -> Hook2[Any, State, Answer[tuple[Any, State]], Context]: ...


class Call(Protocol):
    """Sends the request to the API and returns the whole answer."""

    @property
    def call(self) -> Hook2[Any, State, Answer[ChunkResult], Context]: ...


class Stream(Protocol):
    """Sends the request to the API and yields chunks. A list is several chunks at once."""

    @property
    def stream(self) -> Hook2[Any, State, Answer[Chunks], Context]: ...


class ProviderProcessChunk(Protocol):
    """Converts a chunk to events and finals."""

    @property
    def process_chunk(self) -> Hook3[Any, Any, State, Answer[ChunkResult], Context]: ...


class ProcessChunk(Protocol):
    """Changes the events and finals of a chunk."""

    @property
    def process_chunk(
        self,
    ) -> (
        Callable[[Any, Events, Sequence[Any], Any, State], Answer[ChunkResult]] | ChunkInContext
    ): ...


class Finalize(Protocol):
    """Changes the finals."""

    @property
    def finalize(self) -> Hook3[Sequence[Any], Any, State, Answer[Finalized], Context]: ...


class ProviderFinalize(Protocol):
    """Adds the remaining finals."""

    @property
    def finalize(self) -> Hook2[Any, State, Answer[Finalized], Context]: ...


class FromNative(Protocol):
    """Changes messages; in the phase `partials`, changes an extension's events."""

    @property
    def from_native(self) -> Hook2[Sequence[Any], Core, Answer[Core], Context]: ...


class ProviderFromNative(Protocol):
    """Converts native finals to messages."""

    @property
    def from_native(self) -> Hook2[Sequence[Any], State, Answer[Messages], Context]: ...


class Embed(Protocol):
    """Turns texts, or lists of token ids, into vectors."""

    @property
    def embed(
        self,
    ) -> Hook2[Sequence[str | Sequence[int]], EmbedOptions, Answer[Embeddings], ActionContext]: ...


class GetUiElements(Protocol):
    """Elements for settings forms. The host accepts the settings among them."""

    @property
    def get_ui_elements(self) -> Hook2[Config, UiInput, Answer[Sequence[Any]], ActionContext]: ...


class RunAction(Protocol):
    """Runs one of the plugin's own actions."""

    @property
    def run_action(self) -> Hook2[str, Any, Answer[Any], ActionContext]: ...


class Close(Protocol):
    """The host is closing: release all resources."""

    @property
    def close(self) -> Callable[[], Answer[None]]: ...
