"""A protocol for each hook: `checked: Tuple[EditMessages, FromNative] = (plugin, plugin)` has a
type checker look at the hooks of a plugin, which has no base class.

Arguments go by position, whatever they are called. A hook may be `def` or `async def`, and may have
one more parameter, by keyword: `context`.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Awaitable, Iterable, Mapping, Sequence
from typing import (
    Any,
    Callable,
    Protocol,
    TypeVar,
    Union,
)

from .config import Config, EnablementContext, ModelInfo, UiInput
from .context import ActionContext, Context
from .messages import Message, PartialEvent
from .tools import ToolCall, ToolResult, ToolSchema

State = Mapping[str, Any]
"""A request's shared state: JSON, small, never changed in place."""

Ids = Sequence[str]
Messages = Sequence[Message]
Events = Sequence[PartialEvent]
Core = Union[Messages, Events]
Step = tuple[Events, Sequence[Any], Any, State]
"""`(partials, finals, native, state)`."""
Finalized = tuple[Sequence[Any], Any, State]
"""`(finals, native, state)`."""

T = TypeVar("T")
A = TypeVar("A", contravariant=True)
B = TypeVar("B", contravariant=True)
D = TypeVar("D", contravariant=True)
C = TypeVar("C", contravariant=True)
R = TypeVar("R", covariant=True)

Answer = Union[T, Awaitable[T]]
Value = Union[T, Callable[[], T]]
Chunks = Union[AsyncIterable[Any], Iterable[Any]]


class InContext1(Protocol[A, R, C]):
    """A hook of one argument that has a `context`."""

    def __call__(self, first: A, /, *, context: C) -> R: ...


class InContext2(Protocol[A, B, R, C]):
    """A hook of two arguments that has a `context`."""

    def __call__(self, first: A, second: B, /, *, context: C) -> R: ...


class InContext3(Protocol[A, B, D, R, C]):
    """A hook of three arguments that has a `context`."""

    def __call__(self, first: A, second: B, third: D, /, *, context: C) -> R: ...


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
    ) -> Answer[Step]: ...


Hook1 = Union[Callable[[A], R], InContext1[A, R, C]]
Hook2 = Union[Callable[[A, B], R], InContext2[A, B, R, C]]
Hook3 = Union[Callable[[A, B, D], R], InContext3[A, B, D, R, C]]


class Plugin(Protocol):
    """What every plugin has: its kind, and a name that is unique in a host."""

    @property
    def kind(self) -> str: ...

    @property
    def name(self) -> str: ...


class GetModels(Protocol):
    """The models on offer, upstream's among them."""

    @property
    def get_models(self) -> Callable[[Config, Ids], Answer[Iterable[str]]]: ...


class ProviderGetModels(Protocol):
    """The models on offer, without any I/O."""

    @property
    def get_models(self) -> Callable[[Config], Answer[Iterable[str]]]: ...


class RefreshModels(Protocol):
    """Asks the API for its models."""

    @property
    def refresh_models(self) -> Hook1[Config, Answer[Iterable[str]], ActionContext]: ...


class GetModelInfo(Protocol):
    """What is known of a model, by its id."""

    @property
    def get_model_info(self) -> Callable[[str, Config], Answer[ModelInfo]]: ...


class GetTags(Protocol):
    """The tags that the plugin provides."""

    @property
    def get_tags(self) -> Callable[[Config, Ids], Answer[Iterable[str]]]: ...


class IsEnabled(Protocol):
    """True and False are verdicts; anything else leaves it to the tags."""

    @property
    def is_enabled(self) -> Callable[[Config, frozenset[str], Ids, EnablementContext], object]: ...


class Init(Protocol):
    """Adds to the request's state."""

    @property
    def init(self) -> Hook2[Config, State, Answer[State], Context]: ...


class OwnInit(Protocol):
    """Makes the request's state in a provider, its own in a tool."""

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
    """Makes the native request out of messages."""

    @property
    def to_native(self) -> Hook2[Messages, State, Answer[Any], Context]: ...


class InitializeRequest(Protocol):
    """The last look at the native request."""

    @property
    def initialize_request(self) -> Hook2[Any, State, Answer[tuple[Any, State]], Context]: ...


class Call(Protocol):
    """Asks the API and waits for the whole answer."""

    @property
    def call(self) -> Hook2[Any, State, Answer[Step], Context]: ...


class Stream(Protocol):
    """Asks the API and yields its chunks; a list is several that came together."""

    @property
    def stream(self) -> Hook2[Any, State, Answer[Chunks], Context]: ...


class ProviderProcessChunk(Protocol):
    """Turns a chunk into events and finals."""

    @property
    def process_chunk(self) -> Hook3[Any, Any, State, Answer[Step], Context]: ...


class ProcessChunk(Protocol):
    """Changes what a chunk was turned into."""

    @property
    def process_chunk(
        self,
    ) -> Callable[[Any, Events, Sequence[Any], Any, State], Answer[Step]] | ChunkInContext: ...


class Finalize(Protocol):
    """Changes the finals."""

    @property
    def finalize(self) -> Hook3[Sequence[Any], Any, State, Answer[Finalized], Context]: ...


class ProviderFinalize(Protocol):
    """Adds what finals are left."""

    @property
    def finalize(self) -> Hook2[Any, State, Answer[Finalized], Context]: ...


class FromNative(Protocol):
    """Changes messages, or in the phase `partials` an extension's events."""

    @property
    def from_native(self) -> Hook2[Sequence[Any], Core, Answer[Core], Context]: ...


class ProviderFromNative(Protocol):
    """Makes messages out of native finals."""

    @property
    def from_native(self) -> Hook2[Sequence[Any], State, Answer[Messages], Context]: ...


class GetToolSchemas(Protocol):
    """The tools that are offered."""

    @property
    def get_tool_schemas(self) -> Hook1[State, Answer[Sequence[ToolSchema]], ActionContext]: ...


class ExecuteTool(Protocol):
    """Runs one call of the model."""

    @property
    def execute_tool(self) -> Hook2[ToolCall, State, Answer[ToolResult], ActionContext]: ...


class GetUiElements(Protocol):
    """Elements for settings forms."""

    @property
    def get_ui_elements(self) -> Hook2[Config, UiInput, Answer[Sequence[Any]], ActionContext]: ...


class RunAction(Protocol):
    """Runs one of the plugin's own actions."""

    @property
    def run_action(self) -> Hook2[str, Any, Answer[Any], ActionContext]: ...


class Close(Protocol):
    """The host is closing: lets go of what is open."""

    @property
    def close(self) -> Callable[[], Answer[None]]: ...
