"""Checks whether plugins can still run in this interpreter, which one of them may have broken."""

from __future__ import annotations

import _thread
import builtins
import os
import sys
import threading
import time
import traceback
from typing import Any, Callable, NoReturn, Optional

# A copy, so that no plugin can remove builtins that this module needs.
__builtins__ = vars(builtins).copy()

# Kept here, because a plugin may replace the originals.
_exit = os._exit
_write = os.write
_fstat = os.fstat
_now = time.monotonic
_begin = _thread.start_new_thread
_new_lock = _thread.allocate_lock
_Thread = threading.Thread
_depth_of = sys.getrecursionlimit
_set_depth = sys.setrecursionlimit
_modules = sys.modules

# The exit status by which the host's log and tests recognize this end (EX_SOFTWARE of sysexits.h).
STATUS = 70
# Builtins that programs replace by functions that do the same and more.
_REPLACED = ("print", "open", "input", "__import__", "help", "breakpoint", "exit", "quit")
_NEEDED = ("sys", "builtins", "threading", __name__)
_LONGEST_SECONDS = 10.0
# The maximum wait of a failed request for a check; most checks take a tenth of a millisecond.
_PATIENCE_SECONDS = 1.0
_DEPTH = _depth_of()
_BUILTINS = vars(builtins)
_KEPT = tuple(
    (name, value)
    for name, value in _BUILTINS.items()
    if callable(value) and name not in _REPLACED and name != "_"
)
_ORIGINAL = {name: _BUILTINS[name] for name in ("print", "open", "__import__")}
# Held during a slow check, with its start time.
_looking = _new_lock()
_since = [0.0]


def check() -> None:
    """Called after each hook: ends the interpreter if a plugin has broken it."""
    reason = _changed()
    if reason is not None:
        give_up(reason)


def suspect(error: BaseException) -> None:
    """Called after an error that a broken interpreter may have caused: checks more closely."""
    reason = _changed() or _lost()
    if reason is not None:
        give_up(reason, error)
    look(_threads_begin)
    if _looking.acquire(True, _PATIENCE_SECONDS):
        _looking.release()


def look(is_well: Callable[[], Optional[str]]) -> None:
    """Runs a slow check in a thread of its own, one at a time."""
    if not _looking.acquire(False):
        if _now() - _since[0] > 2 * _LONGEST_SECONDS:
            give_up("new threads do not run")
        return
    _since[0] = _now()

    def body() -> None:
        try:
            reason = is_well()
        except BaseException:
            reason = "it cannot be asked how it is"
        if reason is not None:
            give_up(reason)
        _looking.release()

    try:
        _begin(body, ())
    except BaseException:  # too many threads, or no memory
        give_up("no thread can be started")


def give_up(reason: str, error: Optional[BaseException] = None) -> NoReturn:
    """Ends the process at once. The host informs the callers and starts another process."""
    try:
        lines = traceback.format_exception(type(error), error, None) if error else []
        text = "".join(lines)[-1000:] + f"a plugin has broken this interpreter: {reason}\n"
        _write(2, text.encode("utf-8", "replace"))
    finally:
        _exit(STATUS)


def _changed() -> Optional[str]:
    for name, value in _KEPT:
        if _BUILTINS.get(name) is not value:
            return f'the builtin "{name}" was replaced'
    if _depth_of() < _DEPTH:
        _set_depth(_DEPTH)
        return "the recursion limit was lowered"
    return None


def _lost() -> Optional[str]:
    if sys.modules is not _modules or any(name not in _modules for name in _NEEDED):
        return "modules are gone from sys.modules"
    for at, name in ((1, "stdout"), (2, "stderr")):
        if getattr(getattr(sys, name, None), "closed", False) or not _is_open(at):
            return f'"sys.{name}" was closed'
    for name, uses in _USES.items():
        if _BUILTINS.get(name) is not _ORIGINAL[name] and not _works(uses):
            return f'the builtin "{name}" was replaced, and does not work'
    return None


def _is_open(descriptor: int) -> bool:
    try:
        _fstat(descriptor)
    except OSError:
        return False
    return True


def _works(use: Callable[[], object]) -> bool:
    try:
        use()
    except BaseException:
        return False
    return True


class _Nowhere:
    """A file that discards its content."""

    def write(self, _text: str) -> None:
        """Discards the text."""

    def flush(self) -> None:
        """Does nothing."""


_USES: Any = {
    "print": lambda: _BUILTINS["print"](end="", file=_Nowhere()),
    "open": lambda: _BUILTINS["open"](os.devnull).close(),
    "__import__": lambda: _BUILTINS["__import__"]("sys").path,
}


def _threads_begin() -> Optional[str]:
    thread = _Thread(target=_nothing, daemon=True)
    thread.start()
    # `start` returns after the thread has begun.
    return None if thread.ident is not None else "new threads do not run"


def _nothing() -> None:
    """The work of a thread that only has to begin."""
