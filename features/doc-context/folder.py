"""The text files of a folder, in pieces. Links are not followed."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable, Iterator
from typing import NamedTuple

from .pieces import pieces_of
from .ranking import Piece, Ranking
from .settings import Settings, SettingsError

# Non-blocking, since opening a named pipe would wait for a writer.
_READ = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_BINARY", 0)
)
_DEEPEST = 32
_MOST_ENTRIES = 50_000
_REASONS = {
    FileNotFoundError: "does not exist",
    PermissionError: "may not be read",
    NotADirectoryError: "is not a folder",
}


class Found(NamedTuple):
    """The pieces that match a question, best first, and the documents that were not searched."""

    pieces: list[Piece]
    left_out: list[str]


class _Known(NamedTuple):
    stamp: tuple[int, int, int]
    pieces: list[Piece]


class Folder:
    """The documents of a folder. A file is read again only if it has changed."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._root = os.path.realpath(settings.folder)
        self._known: dict[str, _Known] = {}
        self._ranking = Ranking([])
        self._lock = threading.Lock()

    def find(self, question: str, is_cancelled: Callable[[], bool]) -> Found:
        """One thread after the other. Raises SettingsError where the folder cannot be read."""
        with self._lock:
            left_out = self._read(is_cancelled)
            return Found(self._ranking.best(question), [_shown(path) for path in left_out])

    def _read(self, is_cancelled: Callable[[], bool]) -> list[str]:
        """Reads changed documents. Returns the paths that were left out."""
        known: dict[str, _Known] = {}
        left_out: list[str] = []
        left = self._settings.max_total_bytes
        for path in self._paths("", 0, left_out):
            if is_cancelled():
                raise InterruptedError("the request was cancelled")
            if len(known) == self._settings.max_files:
                left_out.append(f"all behind the first {len(known)} documents")
                break
            document = self._document(path, left)
            if document is None:
                left_out.append(path)
            else:
                known[path] = document
                left -= document.stamp[1]
        if known != self._known:
            pieces = [piece for document in known.values() for piece in document.pieces]
            self._known, self._ranking = known, Ranking(pieces)
        return left_out

    def _paths(self, below: str, depth: int, left_out: list[str]) -> Iterator[str]:
        names, folders = [], []
        for entry in self._entries(below, left_out):
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "node_modules":
                    folders.append(entry.name)
            elif entry.is_file(follow_symlinks=False):
                if entry.name.lower().endswith(self._settings.endings):
                    names.append(entry.name)
        for name in sorted(names):
            yield os.path.join(below, name)
        for name in sorted(folders) if depth < _DEEPEST else ():
            yield from self._paths(os.path.join(below, name), depth + 1, left_out)

    def _entries(self, below: str, left_out: list[str]) -> list[os.DirEntry[str]]:
        entries: list[os.DirEntry[str]] = []
        try:
            with os.scandir(os.path.join(self._root, below)) as found:
                for entry in found:
                    entries.append(entry)
                    if len(entries) == _MOST_ENTRIES:
                        left_out.append(os.path.join(below, "…"))
                        break
        except OSError as error:
            if not below:
                reason = _REASONS.get(type(error), "cannot be read")
                raise SettingsError("folder", f'"{self._settings.folder}" {reason}') from error
            left_out.append(below)
        return entries

    def _document(self, path: str, left: int) -> _Known | None:
        """A document's pieces; None if it is a link, not text, or too large."""
        place = os.path.join(self._root, path)
        try:
            # A folder in the path may have been replaced by a link.
            if os.path.realpath(place) != place:
                return None
            handle = os.open(place, _READ)
        except OSError:
            return None
        with os.fdopen(handle, "rb") as file:
            facts = os.fstat(handle)
            size = facts.st_size
            if not stat.S_ISREG(facts.st_mode) or size > min(left, self._settings.max_file_bytes):
                return None
            stamp = (facts.st_ino, size, facts.st_mtime_ns)
            known = self._known.get(path)
            if known is not None and known.stamp == stamp:
                return known
            content = file.read(size)
        if b"\0" in content:
            return None
        text = content.decode("utf-8-sig", "replace")
        return _Known(stamp, pieces_of(_shown(path), text))


def _shown(path: str) -> str:
    """A path as text, since file names may consist of any bytes."""
    return os.fsencode(path).decode("utf-8", "replace").replace(os.sep, "/")
