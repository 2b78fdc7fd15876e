"""What the host gives, by keyword, to hooks that have a parameter named `context`."""

from __future__ import annotations

import builtins
from collections.abc import Generator
from typing import Any, Literal, Protocol, TypeVar

from .config import Config, ModelInfo
from .messages import PartialEvent

Level = Literal["debug", "info", "warn", "error"]
Phase = Literal["prepare", "partials", "finals"]

T_co = TypeVar("T_co", covariant=True)


class Signal(Protocol):
    """Whether the request was cancelled."""

    @property
    def aborted(self) -> bool:
        """True from the moment at which it was."""
        ...

    def wait(self, timeout: float | None = None) -> bool:
        """Waits until it is, for at most so many seconds; not in async code."""
        ...


class Reply(Protocol[T_co]):
    """An answer of the host: `await` it in async code, ask for its `result()` elsewhere."""

    def __await__(self) -> Generator[Any, None, T_co]:
        """The answer, in async code."""
        ...

    def result(self, timeout: float | None = None) -> T_co:
        """The answer, once it is there."""
        ...


class Storage(Protocol):
    """A plugin's own store of JSON values, by conversation."""

    def get(self, key: str) -> Reply[Any]:
        """The value, or None."""
        ...

    def set(self, key: str, value: Any) -> Reply[None]:
        """Keeps a value."""
        ...

    def list(self, prefix: str = "") -> Reply[builtins.list[str]]:
        """The keys that begin so."""
        ...

    def delete(self, key: str) -> Reply[None]:
        """Forgets a value."""
        ...


class ActionContext(Protocol):
    """The context of a hook that may run outside a request."""

    @property
    def signal(self) -> Signal:
        """Hand it to whatever waits."""
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
    def tags(self) -> frozenset[str]:
        """The tags of the resolution."""
        ...

    @property
    def model_info(self) -> ModelInfo:
        """What is known of the model."""
        ...

    @property
    def request_id(self) -> str | None:
        """None outside a request."""
        ...

    @property
    def conversation_id(self) -> str | None:
        """The conversation, where the caller named one."""
        ...

    @property
    def run_id(self) -> str | None:
        """The run that this request is a step of."""
        ...

    @property
    def local(self) -> dict[str, Any]:
        """The plugin's own values of any type for this request; they never leave Python."""
        ...

    @property
    def storage(self) -> Storage:
        """What outlives the request."""
        ...

    def log(self, message: str, level: Level = "info") -> None:
        """A line in the host's log."""
        ...

    def warn(self, message: str) -> None:
        """Adds a sentence to the result's warnings."""
        ...

    def emit(self, event: PartialEvent) -> None:
        """An event to the reader at once, past the other hooks; in no final."""
        ...


class Context(ActionContext, Protocol):
    """The context of a request's hook."""

    @property
    def request_id(self) -> str:
        """The request's id."""
        ...
