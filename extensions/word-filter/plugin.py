"""Replaces listed words in the text and the reasoning of the model, with any provider."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .words import WordFilter, Words, is_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from braidwork import Config, Context, Core, Events, Message, State, Step

_MOST_WORDS = 1_000
_LONGEST_WORD = 100
_REPLACEMENT = "***"
_FILTERS = "filters"
_KINDS = ("text", "reasoning")


class SettingsError(ValueError):
    """A setting with an invalid value."""

    code = "SETTINGS_INVALID"

    def __init__(self, below: str, reason: str) -> None:
        self.pointer = f"/settings/word-filter{below}"
        super().__init__(f'Setting "{self.pointer}" of extension "word-filter" {reason}.')


class Filters:
    """The filters of one answer; each open part has its own."""

    def __init__(self, settings: Any) -> None:
        replacement = settings["replacement"]
        if not isinstance(replacement, str):
            raise SettingsError("/replacement", "is not a text")
        words = _words(settings["words"])
        self.has_words = len(words) > 0
        self._words = Words(words)
        self._replacement = replacement
        self._open: dict[tuple[str, str], WordFilter] = {}

    def events(self, events: Events) -> Events:
        """The events with their words replaced."""
        return [out for event in events for out in self._event(event)]

    def message(self, message: Message) -> Message:
        """A message of the model with its words replaced."""
        if message["role"] != "assistant":
            return message
        return {**message, "parts": [self._part(part) for part in message["parts"]]}

    def _event(self, event: Any) -> Iterator[Any]:
        kind, _, step = event["type"].rpartition("-")
        if kind in _KINDS and step == "delta":
            said = self._filter(kind, event["id"]).add(event["delta"])
            if said:
                yield event if said == event["delta"] else {**event, "delta": said}
            return
        if kind in _KINDS and step == "end":
            rest = self._rest(kind, event["id"])
            if rest:
                yield {"type": f"{kind}-delta", "id": event["id"], "delta": rest}
        yield event

    def _part(self, part: Any) -> Any:
        if part["type"] not in _KINDS:
            return part
        text_filter = WordFilter(self._words, self._replacement)
        return {**part, "text": text_filter.add(part["text"]) + text_filter.end()}

    def _filter(self, kind: str, part: str) -> WordFilter:
        key = (kind, part)
        if key not in self._open:
            self._open[key] = WordFilter(self._words, self._replacement)
        return self._open[key]

    def _rest(self, kind: str, part: str) -> str:
        text_filter = self._open.pop((kind, part), None)
        return text_filter.end() if text_filter else ""


def _words(given: Any) -> list[str]:
    if not isinstance(given, list) or len(given) > _MOST_WORDS:
        raise SettingsError("/words", f"is not a list of at most {_MOST_WORDS} words")
    for at, word in enumerate(given):
        if not isinstance(word, str) or not is_word(word) or len(word) > _LONGEST_WORD:
            raise SettingsError(
                f"/words/{at}",
                f"is not a single word of at most {_LONGEST_WORD} letters, digits and accents",
            )
    return given


class WordFilterExtension:
    """Filters events in `process_chunk`, which keeps state, and finals in `from_native`."""

    kind = "extension"
    name = "word-filter"
    # Off by default, since it changes the answer.
    default_enabled = False
    config_schema = {
        "type": "object",
        "properties": {
            "words": {
                "type": "array",
                "title": "Words",
                "description": "Whole words that are replaced, in any case",
                "x-i18n": {
                    "de": {
                        "title": "Wörter",
                        "description": "Ganze Wörter, die ersetzt werden, groß oder klein",
                    }
                },
                "items": {"type": "string", "minLength": 1, "maxLength": _LONGEST_WORD},
                "maxItems": _MOST_WORDS,
                "default": [],
            },
            "replacement": {
                "type": "string",
                "title": "Replacement",
                "description": "What stands in place of a word",
                "x-i18n": {
                    "de": {
                        "title": "Ersatz",
                        "description": "Was anstelle eines Wortes steht",
                    }
                },
                "maxLength": 200,
                "default": _REPLACEMENT,
            },
        },
        "additionalProperties": False,
    }

    def init(self, config: Config, state: State, context: Context) -> State:
        filters = Filters(context.settings)
        if filters.has_words:
            context.local[_FILTERS] = filters
        return state

    def process_chunk(
        self,
        chunk: Any,
        partials: Events,
        finals: Sequence[Any],
        native: Any,
        state: State,
        context: Context,
    ) -> Step:
        filters = context.local.get(_FILTERS)
        if not partials or filters is None:
            return partials, finals, native, state
        return filters.events(partials), finals, native, state

    def from_native(self, natives: Sequence[Any], core: Core, context: Context) -> Core:
        filters = context.local.get(_FILTERS)
        if context.phase != "finals" or filters is None:
            return core
        return [filters.message(message) for message in core]


plugin = WordFilterExtension()
