"""Ranks pieces of text by how well they match some words (BM25)."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

# The usual parameters: saturation of word counts, and weight of the piece length.
_SATURATION = 1.2
_LENGTH_WEIGHT = 0.75
# A piece with less than this share of the best score is a chance match.
_LEAST_SHARE = 0.25

_SIGNS = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_SIGNS}]|[^\W_{_SIGNS}]+")


class Piece(NamedTuple):
    """Consecutive lines of a document."""

    path: str
    first_line: int
    last_line: int
    text: str


def words_of(text: str) -> list[str]:
    """The words of a text for comparison: without case, accents and plural "s"."""
    # Remove accents first: normalization sorts the accents of a letter in quadratic time.
    plain = _bare(unicodedata.normalize("NFKD", _bare(text)))
    return [_singular(word) for word in _WORD.findall(plain.casefold())]


def _bare(text: str) -> str:
    # By category: some marks that do not combine are normalized to marks that do.
    return "".join(sign for sign in text if not unicodedata.category(sign).startswith("M"))


def _singular(word: str) -> str:
    has_plural = len(word) > 3 and word.endswith("s") and not word.endswith("ss")
    return word[:-1] if has_plural else word


class Ranking:
    """An index of pieces by their words."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces = pieces
        self._lengths: list[int] = []
        self._counts: defaultdict[str, dict[int, int]] = defaultdict(dict)
        for at, piece in enumerate(pieces):
            words = words_of(f"{piece.path} {piece.text}")
            self._lengths.append(len(words))
            for word, count in Counter(words).items():
                self._counts[word][at] = count
        self._average = sum(self._lengths) / max(1, len(pieces)) or 1.0

    def best(self, question: str) -> list[Piece]:
        """The matching pieces, best first; equal ones in document order."""
        scores: defaultdict[int, float] = defaultdict(float)
        for word in set(words_of(question)):
            self._add(word, scores)
        least = max(scores.values(), default=0.0) * _LEAST_SHARE
        found = [at for at, score in scores.items() if score >= least]
        return [self._pieces[at] for at in sorted(found, key=lambda at: (-scores[at], at))]

    def _add(self, word: str, scores: defaultdict[int, float]) -> None:
        counts = self._counts.get(word, {})
        rarity = math.log(1 + (len(self._pieces) - len(counts) + 0.5) / (len(counts) + 0.5))
        for at, count in counts.items():
            length = self._lengths[at] / self._average
            norm = _SATURATION * (1 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * length)
            scores[at] += rarity * count * (_SATURATION + 1) / (count + norm)
