"""Ranks pieces of text by how well they match some words (BM25)."""

from __future__ import annotations

import math
import re
import unicodedata
from array import array
from bisect import bisect_left
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

# A posting is a number of 64 bits: of a word, of a piece, and how often the word is in the piece.
_COUNT_BITS = 6
_PIECE_BITS = 22
_MOST_COUNT = (1 << _COUNT_BITS) - 1
_MOST_PIECE = (1 << _PIECE_BITS) - 1
_WORD_MASK = (1 << (64 - _PIECE_BITS - _COUNT_BITS)) - 1


class Piece(NamedTuple):
    """Consecutive lines of a document."""

    path: str
    first_line: int
    last_line: int
    text: str


def words_of(text: str) -> list[str]:
    """The words of a text for comparison: without case, accents and plural "s"."""
    return [_singular(word) for word in _forms_of(text)]


def _forms_of(text: str) -> list[str]:
    if text.isascii():
        return _WORD.findall(text.lower())
    # Remove accents first: normalization sorts the accents of a letter in quadratic time.
    plain = unicodedata.normalize("NFKD", text.translate(_BARE)).translate(_BARE)
    return _WORD.findall(plain.casefold())


class _Bare(dict[int, "int | None"]):
    """A table for str.translate that removes accents. It learns the signs of texts."""

    def __missing__(self, sign: int) -> int | None:
        # By category: some marks that do not combine are normalized to marks that do.
        is_mark = unicodedata.category(chr(sign)).startswith("M")
        self[sign] = None if is_mark else sign
        return self[sign]


_BARE = _Bare()


def _singular(word: str) -> str:
    has_plural = len(word) > 3 and word.endswith("s") and not word.endswith("ss")
    return word[:-1] if has_plural else word


class _Keys(dict[str, int]):
    """The upper bits of the postings of each form: a hash, so that no list of words is kept."""

    def __missing__(self, form: str) -> int:
        self[form] = _key_of(_singular(form))
        return self[form]


def _key_of(word: str) -> int:
    return (hash(word) & _WORD_MASK) << (_PIECE_BITS + _COUNT_BITS)


class Index:
    """The pieces of one document, and where its words are. It is made anew when it changes."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = pieces
        self.lengths = array("I")
        keys = _Keys()
        postings: list[int] = []
        for at, piece in enumerate(pieces):
            forms = _forms_of(f"{piece.path} {piece.text}")
            self.lengths.append(len(forms))
            place = at << _COUNT_BITS
            for form, count in Counter(forms).items():
                postings.append(keys[form] | place | min(count, _MOST_COUNT))
        postings.sort()
        self._postings = array("Q", postings)

    def find(self, key: int) -> dict[int, int]:
        """The pieces with a word, and how often each has it."""
        found: dict[int, int] = {}
        postings = self._postings
        end = key + (1 << (_PIECE_BITS + _COUNT_BITS))
        for place in range(bisect_left(postings, key), len(postings)):
            posting = postings[place]
            if posting >= end:
                break
            at = posting >> _COUNT_BITS & _MOST_PIECE
            found[at] = found.get(at, 0) + (posting & _MOST_COUNT)
        return found


class Ranking:
    """Ranks the pieces of documents. Each has its own index, so a change costs one of them."""

    def __init__(self, indexes: Sequence[Index]) -> None:
        self._indexes = indexes
        self._count = sum(len(index.pieces) for index in indexes)
        self._average = sum(sum(index.lengths) for index in indexes) / max(1, self._count) or 1.0

    def best(self, question: str) -> list[Piece]:
        """The matching pieces, best first; equal ones in document order."""
        scores: defaultdict[tuple[int, int], float] = defaultdict(float)
        for word in set(words_of(question)):
            self._add(_key_of(word), scores)
        least = max(scores.values(), default=0.0) * _LEAST_SHARE
        found = [place for place, score in scores.items() if score >= least]
        found.sort(key=lambda place: (-scores[place], place))
        return [self._indexes[document].pieces[at] for document, at in found]

    def _add(self, key: int, scores: defaultdict[tuple[int, int], float]) -> None:
        found = [index.find(key) for index in self._indexes]
        size = sum(map(len, found))
        rarity = math.log(1 + (self._count - size + 0.5) / (size + 0.5))
        for document, (index, counts) in enumerate(zip(self._indexes, found)):
            for at, count in counts.items():
                length = index.lengths[at] / self._average
                norm = _SATURATION * (1 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * length)
                scores[document, at] += rarity * count * (_SATURATION + 1) / (count + norm)
