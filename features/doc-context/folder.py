"""The text files of a folder, in pieces. Links are not followed."""

from __future__ import annotations

import codecs
import os
import stat
import threading
from collections.abc import Callable, Iterator
from time import monotonic
from typing import NamedTuple

from .pieces import pieces_of
from .ranking import Index, Piece, Ranking
from .settings import Settings, SettingsError

# Non-blocking, since opening a named pipe would wait for a writer.
_READ = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_BINARY", 0)
)
# How many seconds a request reads documents. The next one goes on.
_LONGEST_READ = 8.0
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
    # The number of documents for which the time was too short. A later request reads them.
    unread: int


class _Known(NamedTuple):
    stamp: tuple[int, ...]
    index: Index


class _Update:
    """What a request has found of the documents so far."""

    def __init__(self, max_total_bytes: int, end: float) -> None:
        self.indexes: dict[str, Index] = {}
        self.left_out: list[str] = []
        self.unread = 0
        # The bytes that may still be read, and the time until when.
        self.left = max_total_bytes
        self.end = end


class Folder:
    """The documents of a folder, each with its index. A file is read again only after a change."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._root = os.path.realpath(settings.folder)
        self._known: dict[str, _Known] = {}
        self._lock = threading.Lock()

    def find(self, question: str, is_cancelled: Callable[[], bool]) -> Found:
        """One thread after the other. Raises SettingsError where the folder cannot be read."""
        # Before the lock: of requests that come together, only the first reads for so long.
        end = monotonic() + _LONGEST_READ
        with self._lock:
            update = self._read(is_cancelled, end)
            pieces = Ranking(list(update.indexes.values())).best(question)
            return Found(pieces, [_shown(path) for path in update.left_out], update.unread)

    def _read(self, is_cancelled: Callable[[], bool], end: float) -> _Update:
        """Reads documents that are new or have changed. A cancelled request keeps what it read."""
        update = _Update(self._settings.max_total_bytes, end)
        paths = set()
        for path in self._paths("", 0, update.left_out):
            if is_cancelled():
                raise InterruptedError("the request was cancelled")
            if len(update.indexes) + update.unread == self._settings.max_files:
                count = self._settings.max_files
                update.left_out.append(f"all behind the first {count} documents")
                break
            paths.add(path)
            self._take(path, update)
        for path in [path for path in self._known if path not in paths]:
            del self._known[path]
        return update

    def _take(self, path: str, update: _Update) -> None:
        """Takes a document into an update: as it is known, or read anew while there is time."""
        stats = self._stats(path)
        known = self._known.get(path)
        if stats is None or stats.st_size > update.left:
            update.left_out.append(path)
        elif known is not None and known.stamp == _stamp_of(stats):
            update.indexes[path] = known.index
            update.left -= stats.st_size
        elif monotonic() > update.end:
            update.unread += 1
            update.left -= stats.st_size
        else:
            self._learn(path, stats, update)

    def _learn(self, path: str, stats: os.stat_result, update: _Update) -> None:
        self._known.pop(path, None)
        text = self._text(path, stats.st_size)
        if text is None:
            update.left_out.append(path)
        else:
            index = Index(pieces_of(_shown(path), text))
            self._known[path] = _Known(_stamp_of(stats), index)
            update.indexes[path] = index
            update.left -= stats.st_size

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

    def _stats(self, path: str) -> os.stat_result | None:
        """The facts of a file; None if it is a link, too large or out of reach."""
        try:
            stats = os.lstat(os.path.join(self._root, path))
        except OSError:
            return None
        is_document = stat.S_ISREG(stats.st_mode) and stats.st_size <= self._settings.max_file_bytes
        return stats if is_document else None

    def _text(self, path: str, size: int) -> str | None:
        """A document's text; None if it is behind a link or not text."""
        place = os.path.join(self._root, path)
        try:
            # A folder in the path may have been replaced by a link.
            if os.path.realpath(place) != place:
                return None
            handle = os.open(place, _READ)
        except OSError:
            return None
        with os.fdopen(handle, "rb") as file:
            is_file = stat.S_ISREG(os.fstat(handle).st_mode)
            return text_in(file.read(size)) if is_file else None


def _stamp_of(stats: os.stat_result) -> tuple[int, ...]:
    """The state of a file. The change time notices new permissions too."""
    return (stats.st_ino, stats.st_size, stats.st_mtime_ns, stats.st_ctime_ns)


def text_in(content: bytes) -> str | None:
    """A text in UTF-8, or in UTF-16 with a byte order mark; None for other bytes."""
    has_mark = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = content.decode("utf-16" if has_mark else "utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _shown(path: str) -> str:
    """A path as text, since file names may consist of any bytes."""
    return os.fsencode(path).decode("utf-8", "replace").replace(os.sep, "/")
