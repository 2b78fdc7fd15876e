"""The surroundings in which a suite tests a plugin."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Options:
    """What the functions `describe_…` take beside the plugin."""

    config: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the plugin, and other keys that it needs."""
    messages: str | Sequence[Mapping[str, Any]] = "Hello"
    """The messages of the request."""
    beside: Sequence[Any] = ()
    """Plugins in the same chain, such as the provider that an extension works with."""
    tags: Iterable[str] = ()
    """More tags of the test provider, which answers when `beside` has no provider."""
    calls: Sequence[Mapping[str, Any]] = ()
    """Calls of a tool, `{"name": …, "input": …}`, run one after the other."""
    answers: str | Sequence[str] = ()
    """For an extension: texts of answers, with the words that it looks for. The suite splits them
    at every character."""
    api: Mapping[str, Any] | None = None
    """A recorded exchange with the model API of a provider: `config`, `whole`, `streamed`,
    `headers` and `is_stream`."""
    lacks: Iterable[str] = ()
    """What the API of a provider does not have: `tools`, `images`, `usage` or `finishReason`."""
