"""The `context` argument, which the host passes by keyword to hooks that have that parameter."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Generator, Mapping
from typing import Any, Literal, Protocol, TypedDict, TypeVar

from .config import Config, ModelInfo
from .messages import PartialEvent

Level = Literal["debug", "info", "warn", "warning", "error", "critical"]
Phase = Literal["prepare", "partials", "finals"]
ContextKind = Literal[
    "instructions",
    "memory",
    "knowledge",
    "file",
    "document",
    "resource",
    "policy",
    "session",
    "history",
]
ContextStatus = Literal["included", "shortened", "left_out", "missing"]

T_co = TypeVar("T_co", covariant=True)


class Signal(Protocol):
    """The cancellation signal of a request."""

    @property
    def aborted(self) -> bool:
        """Whether the request was cancelled."""
        ...

    def wait(self, timeout: float | None = None) -> bool:
        """Waits for the cancellation, at most `timeout` seconds. Not for async code."""
        ...

    def on_abort(self, callback: Callable[[], Any]) -> Callable[[], None]:
        """Calls a function in a thread of its own once the request is cancelled, at once if it is.

        For code that waits in a call that only another thread can end, such as a read of a socket.
        Returns a function that withdraws it.
        """
        ...


class Reply(Protocol[T_co]):
    """An answer of the host: `await` it in async code; elsewhere call `result()`."""

    def __await__(self) -> Generator[Any, None, T_co]:
        """The answer, in async code."""
        ...

    def result(self, timeout: float | None = None) -> T_co:
        """The answer, after waiting for it."""
        ...


class Storage(Protocol):
    """A plugin's own storage of JSON values, by conversation."""

    def get(self, key: str) -> Reply[Any]:
        """The value of a key, or None."""
        ...

    def set(self, key: str, value: Any) -> Reply[None]:
        """Stores a value."""
        ...

    def list(self, prefix: str = "") -> Reply[builtins.list[str]]:
        """The keys with a prefix."""
        ...

    def delete(self, key: str) -> Reply[None]:
        """Deletes a value."""
        ...


class _CallerFacts(TypedDict, total=False):
    role: str
    scope: str
    data: Mapping[str, Any]


class Caller(_CallerFacts):
    """Who asks, as the server or the program has identified them."""

    id: str


class _ContextNotes(TypedDict, total=False):
    status: ContextStatus
    reason: str


class ContextReport(_ContextNotes):
    """Something that a plugin put into a request, left out of it, or did not find.

    `ref` says what it is, for people: a path, an id or an address, never its text.
    """

    kind: ContextKind
    ref: str


class ActionContext(Protocol):
    """The context of a hook that may run outside a request."""

    @property
    def signal(self) -> Signal:
        """Pass it to every operation that waits."""
        ...

    @property
    def phase(self) -> Phase:
        """`partials` while chunks stream, `finals` after the answer, `prepare` before it."""
        ...

    @property
    def config(self) -> Config:
        """The config; other plugins' secrets are `{"$secret": true}`."""
        ...

    @property
    def settings(self) -> Any:
        """The plugin's own settings, made when they are first read.

        If `config_schema` is a dataclass or a pydantic model, they are an object of that class.
        Otherwise they are a dict, with the defaults of the schema.
        """
        ...

    @property
    def tags(self) -> frozenset[str]:
        """The tags of the resolution."""
        ...

    @property
    def model_info(self) -> ModelInfo:
        """The known facts of the model."""
        ...

    @property
    def request_id(self) -> str | None:
        """None outside a request."""
        ...

    @property
    def conversation_id(self) -> str | None:
        """The conversation, if the caller named one."""
        ...

    @property
    def run_id(self) -> str | None:
        """The run that this request is a step of, if any."""
        ...

    @property
    def caller(self) -> Caller | None:
        """Who asks, if the host knows it. No client can set it."""
        ...

    @property
    def local(self) -> dict[str, Any]:
        """The plugin's own values of any type for this request; they never leave Python."""
        ...

    @property
    def storage(self) -> Storage:
        """Storage that lasts longer than the request."""
        ...

    def log(self, message: str, level: Level = "info") -> None:
        """Writes a line to the host's log. `warning` is `warn` there, and `critical` is `error`."""
        ...

    def warn(self, message: str) -> None:
        """Adds a sentence to the warnings of the result."""
        ...

    def emit(self, event: PartialEvent) -> None:
        """Sends an event at once to the caller that reads the stream.

        No other hook receives the event, and the finals do not contain it.
        """
        ...

    def report(self, report: ContextReport) -> None:
        """Tells what the plugin puts into the request, beside what was said, or leaves out.

        The stored events of a run keep it. After the request was sent, it does nothing.
        """
        ...

    def note_upstream_id(self, id: str) -> None:
        """Notes the id that the model API gave the request, for results, errors and logs."""
        ...


class Context(ActionContext, Protocol):
    """The context of a request's hook."""

    @property
    def request_id(self) -> str:
        """The request's id."""
        ...
