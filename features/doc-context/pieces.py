"""Splits a document into pieces that make sense on their own."""

from __future__ import annotations

from collections.abc import Iterator

from .ranking import Piece

# Paragraphs are joined up to this many characters, and longer ones are split.
_LONGEST_PIECE = 1_200


def pieces_of(path: str, text: str) -> list[Piece]:
    """The pieces of a document. A piece consists of whole paragraphs unless one is too long."""
    lines = text.replace("\r\n", "\n").split("\n")
    pieces: list[Piece] = []
    for start, stop in _blocks(lines):
        filled = [at for at in range(start, stop) if lines[at].strip()]
        if filled:
            first, last = filled[0], filled[-1]
            shown = "\n".join(lines[first : last + 1])
            pieces += [Piece(path, first + 1, last + 1, part) for part in _cut(shown)]
    return pieces


def _blocks(lines: list[str]) -> Iterator[tuple[int, int]]:
    """The line ranges of blocks: they end at empty lines and before Markdown headings."""
    start, size, last_gap = 0, 0, 0
    for at, line in enumerate(lines):
        is_gap = not line.strip()
        if is_gap:
            last_gap = at + 1
        is_full = size + len(line) > _LONGEST_PIECE
        if at > start and (line.startswith("#") or is_full):
            stop = last_gap if is_full and last_gap > start else at
            yield start, stop
            start, size = stop, sum(len(earlier) + 1 for earlier in lines[stop:at])
        size += len(line) + 1
    yield start, len(lines)


def _cut(text: str) -> Iterator[str]:
    """Splits a text that is too long, such as one endless line, between words."""
    text = text.strip()
    start = 0
    while len(text) - start > _LONGEST_PIECE:
        at = text.rfind(" ", start + _LONGEST_PIECE // 2, start + _LONGEST_PIECE)
        at = start + _LONGEST_PIECE if at == -1 else at
        yield text[start:at].rstrip()
        # The rest is never copied: copying would take quadratic time.
        start = at
        while text[start].isspace():
            start += 1
    if text:
        yield text[start:]
