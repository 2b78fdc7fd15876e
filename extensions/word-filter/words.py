"""Finds whole words in a text that arrives in pieces."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator

# Words consist of letters, digits and "_" (of the ASCII characters), and of any other characters.
_RUN = re.compile(r"[^\s\x00-\x1f\x7f!-/:-@\[-^`{-~]+")
_JOINERS = "\u200c\u200d"


class Words:
    """The words to find, whatever their case and the encoding of their accents."""

    def __init__(self, words: Iterable[str]) -> None:
        self._keys = sorted({_key(word) for word in words})
        self._longest = max(map(len, self._keys), default=0)

    def __contains__(self, word: str) -> bool:
        return len(word) <= self._longest and self._next(_key(word)) == _key(word)

    def may_become(self, beginning: str) -> bool:
        """Whether more text could turn this beginning into one of the words."""
        if len(beginning) > self._longest:
            return False
        key = _key(beginning)
        # Later accents may change the order of these; the character below them is certain.
        while key and unicodedata.combining(key[-1]):
            key = key[:-1]
        return self._next(key).startswith(key)

    def _next(self, key: str) -> str:
        at = bisect_left(self._keys, key)
        return self._keys[at] if at < len(self._keys) else ""


class WordFilter:
    """Replaces words in one text. The result does not depend on how the text was cut."""

    def __init__(self, words: Words, replacement: str) -> None:
        self._words = words
        self._replacement = replacement
        self._held = ""
        self._half = ""
        # Whether the text so far ends inside a word that was passed on.
        self._is_inside = False

    def add(self, given: str) -> str:
        """Adds text. Returns the part that can be passed on now."""
        text, self._held = self._held + self._whole(given), ""
        if not text:
            return ""
        was_inside, self._is_inside = self._is_inside, False
        said, end = [], 0
        for start, stop in _spans(text):
            word = text[start:stop]
            said.append(text[end:start])
            end = stop
            if was_inside and start == 0:
                said.append(word)
                self._is_inside = stop == len(text)
            elif stop < len(text):
                said.append(self._replaced(word))
            elif self._words.may_become(word):
                self._held = word
            else:
                said.append(word)
                self._is_inside = True
        return "".join(said) + text[end:]

    def end(self) -> str:
        """Ends the text. Returns the held-back rest."""
        rest = self._replaced(self._held) + self._half
        self._held = self._half = ""
        return rest

    def _replaced(self, word: str) -> str:
        return self._replacement if word in self._words else word

    def _whole(self, given: str) -> str:
        """The text without a split surrogate pair at its end: the host may count in UTF-16."""
        text, self._half = self._half + given, ""
        if len(text) > len(given):
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
        if "\ud800" <= text[-1:] <= "\udbff":
            self._half = text[-1]
        return text[: len(text) - len(self._half)]


def is_word(text: str) -> bool:
    """Whether a text is exactly one word."""
    return text != "" and list(_spans(text)) == [(0, len(text))]


def _key(word: str) -> str:
    """A key that is equal for words that differ only in case or in the encoding of accents."""
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", word).casefold())


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """The ranges of the words in a text: runs of letters, digits, accents and "_"."""
    for run in _RUN.finditer(text):
        if run.group().isascii():
            yield run.span()
            continue
        start = None
        for at in range(run.start(), run.end()):
            if _is_of_word(text[at]):
                start = at if start is None else start
            elif start is not None:
                yield start, at
                start = None
        if start is not None:
            yield start, run.end()


def _is_of_word(sign: str) -> bool:
    is_plain = sign.isalnum() or sign == "_" or sign in _JOINERS
    return is_plain or unicodedata.category(sign).startswith("M")
