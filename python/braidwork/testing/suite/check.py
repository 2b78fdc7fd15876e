"""A behavior that a plugin must have, and the words to say that it does not."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, NoReturn

if TYPE_CHECKING:
    from .exchange import Asked
    from .harness import Harness


class Fault(AssertionError):
    """The plugin does something else. The message says what is wrong, and what to do."""


class NotJudged(Exception):
    """A check cannot be made: another check reports why, or there is nothing to check."""


@dataclass(frozen=True)
class Check:
    """A check. `run` raises Fault or NotJudged."""

    name: str
    """What a plugin does that passes."""
    about: str
    """A page of the docs and a place in it."""
    run: Callable[[Harness], None]
    is_for_all: bool = False
    """Whether it can be made of a plugin that is off."""


def fault(message: str) -> NoReturn:
    """Raises Fault."""
    raise Fault(message)


def unjudged(reason: str) -> NoReturn:
    """Raises NotJudged."""
    raise NotJudged(reason)


def needs_hook(harness: Harness, hook: str) -> None:
    """Raises NotJudged if the plugin does not have the hook."""
    if not harness.has(hook):
        unjudged(f'the plugin has no "{hook}"')


def needs_api(harness: Harness) -> None:
    """Raises NotJudged if the options have no API."""
    if harness.api is None:
        unjudged('pass "api", a recorded exchange with the model API')


def needs(harness: Harness, what: str) -> None:
    """Raises NotJudged if the API of a provider does not have this."""
    if what in harness.options.lacks:
        unjudged(f"the API lacks {what}")


def needs_script(harness: Harness) -> None:
    """Raises NotJudged if another provider than that of the suite answers."""
    if not harness.is_scripted:
        unjudged("another provider is beside the plugin")


def is_change(error: BaseException | None) -> bool:
    """Whether a hook failed because it tried to change one of its arguments."""
    text = str(error)
    return isinstance(error, (TypeError, AttributeError)) and any(
        words in text
        for words in ("must not be changed in place", "does not support item", "'frozenset' object")
    )


def done(asked: Asked) -> Asked:
    """The result of a request that ended well. Another check reports one that failed."""
    if asked.ended.status != "done":
        unjudged(f"the request {said_of(asked)}")
    return asked


def said_of(asked: Asked) -> str:
    """How a request ended, and with which error."""
    status, _, error, _ = asked.ended
    return f"{status} with {error.code}: {error.message}" if error else status


def same(actual: Any, expected: Any, message: str) -> None:
    """Raises Fault with both values, if they differ."""
    if actual != expected:
        fault(f"{message}\ngot: {shown(actual)}\nnot: {shown(expected)}")


def shown(value: Any) -> str:
    """A value in a message, shortened."""
    return json.dumps(value, ensure_ascii=False, default=repr)[:1000]


def parts_in(messages: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """All parts of messages."""
    return [part for message in messages for part in message["parts"]]


def text_in(messages: Sequence[Mapping[str, Any]], kind: str = "text") -> str:
    """The text of all parts of a kind as one."""
    return "".join(part["text"] for part in parts_in(messages) if part["type"] == kind)


def texts_in(value: Any) -> str:
    """All texts in a value, also in JSON within texts, joined by line feeds."""
    texts: list[str] = []
    open_values = [value]
    while open_values:
        current = open_values.pop()
        if isinstance(current, str):
            texts.append(current)
            open_values.append(_in_text(current))
        elif isinstance(current, Mapping):
            open_values += [*current.keys(), *current.values()]
        elif isinstance(current, (list, tuple)):
            open_values += current
    return "\n".join(texts)


def _in_text(text: str) -> Any:
    if not text.lstrip().startswith(("[", "{")):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None
