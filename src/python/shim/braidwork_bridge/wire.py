"""Exchanges lines of JSON with the host, over the socket that pythonia opened."""

from __future__ import annotations

import builtins
import json
import os
import re
import select
import socket
import threading
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional

from . import vitals
from .faults import AnswerFault, encode_fault

if TYPE_CHECKING:
    from concurrent.futures import Future

# A copy, so that no plugin can remove builtins that this module needs.
__builtins__ = vars(builtins).copy()

CHANNEL = "braidwork"
_LONG_NUMBER = re.compile(r"[0-9]{16}")
_TWO_DIGITS = re.compile(r"[0-9]{2}")
# The depth is measured only after this many opening brackets.
_MANY = 500
_REQUEST_ID = re.compile(r'\{"r":(\d+)')
_BLOCK = 1 << 16
_DECODE = json.JSONDecoder().raw_decode
_dumps = json.JSONEncoder(default=None).encode
_exit = os._exit


def _encoder() -> Callable[[Any], str]:
    """json's C encoder, created once: json itself creates one for each value."""
    whole = json.JSONEncoder(
        ensure_ascii=False, check_circular=False, separators=(",", ":"), allow_nan=False
    )
    make = getattr(json.encoder, "c_make_encoder", None)
    text_of = getattr(json.encoder, "c_encode_basestring", None)
    if make is None or text_of is None:
        return whole.encode
    pieces = make(None, whole.default, text_of, None, ":", ",", False, False, False)
    return lambda value: "".join(pieces(value, 0))


_ENCODE = _encoder()


def encode(value: Any) -> str:
    """A value as JSON. An `AnswerFault` describes a part that is not JSON, and its place."""
    try:
        text = _ENCODE(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise encode_fault(value, error) from None
    # From 3.12 on the encoder accepts deeper nesting than other readers.
    is_deep = len(text) > _MANY and text.count("[") + text.count("{") > _MANY
    if is_deep or _has_long_number(text):
        fault = encode_fault(value, None)
        if fault.pointer is not None:
            raise fault
    return text


def _has_long_number(text: str) -> bool:
    # Two neighbors among every eighth character are digits wherever 16 digits are in a row. Hardly
    # any other text has such neighbors, and searching the whole text takes as long as encoding it.
    return bool(_TWO_DIGITS.search(text[::8]) and _LONG_NUMBER.search(text))


class Guard:
    """Tracks whether the main thread must not be interrupted."""

    def __init__(self) -> None:
        self.depth = 0
        self._main = threading.main_thread().ident

    def __enter__(self) -> None:
        if threading.get_ident() == self._main:
            self.depth += 1

    def __exit__(self, *_: object) -> None:
        if threading.get_ident() == self._main:
            self.depth -= 1


class Reader:
    """Reads messages of the host. An interrupted read loses no message."""

    def __init__(self, sock: socket.socket, guard: Guard) -> None:
        self._sock = sock
        self._guard = guard
        self._buffer = bytearray()
        self._searched = 0

    def line(self) -> str:
        """The next line; empty at the end."""
        # Only the main thread reads. This does the same as `with`, at less cost.
        self._guard.depth += 1
        try:
            if not self._buffer:
                data = self._receive()
                if data.find(b"\n") == len(data) - 1:
                    return data.decode("utf-8", "replace")
                self._buffer += data
            return self._buffered_line()
        finally:
            self._guard.depth -= 1

    def _buffered_line(self) -> str:
        while True:
            end = self._buffer.find(b"\n", self._searched)
            if end >= 0:
                line = self._buffer[: end + 1].decode("utf-8", "replace")
                del self._buffer[: end + 1]
                self._searched = 0
                return line
            self._searched = len(self._buffer)
            data = self._receive()
            if not data:
                return ""
            self._buffer += data

    def _receive(self) -> bytes:
        try:
            return self._sock.recv(_BLOCK)
        except OSError:  # a plugin closed the socket
            _exit(vitals.STATUS)

    def wait(self) -> None:
        """Waits until there is data. Unlike reading, waiting may be interrupted."""
        if not self._buffer:
            select.select([self._sock], [], [])


def decode(line: str) -> Any:
    """Decodes a message of the host. An unreadable one becomes a message that reports that."""
    try:
        return _DECODE(line)[0]
    except (ValueError, RecursionError) as error:
        found = _REQUEST_ID.match(line)
        request = int(found.group(1)) if found else 0
        fault = f"what the host sent cannot be read: {error}"
        return {"r": request, "action": CHANNEL, "key": "unreadable", "val": fault}


class Reply:
    """An answer of the host. `await` it in async code; elsewhere call `result()`."""

    def __init__(self, wire: "Wire", future: "Future[Any]") -> None:
        self._wire = wire
        self._future = future

    def __await__(self) -> Any:
        import asyncio

        return asyncio.wrap_future(self._future).__await__()

    def result(self, timeout: Optional[float] = None) -> Any:
        """The answer, after waiting for it."""
        if threading.current_thread() is threading.main_thread():
            self._wire.read_until(self._future.done)
        return self._future.result(timeout)


def _bytes_of(line: str) -> bytes:
    try:
        return (line + "\n").encode()
    except UnicodeEncodeError:
        # A lone surrogate, which strings in JavaScript may contain.
        return (_dumps(_DECODE(line)[0]) + "\n").encode()


class Wire:
    """The only writer. Any thread may write; only the main thread reads."""

    def __init__(self, sock: socket.socket, guard: Guard) -> None:
        self._sock = sock
        self._guard = guard
        self._lock = threading.Lock()
        self._asked: Dict[int, "Future[Any]"] = {}
        self._questions = 0
        self.read_until: Callable[[Callable[[], bool]], None] = lambda is_done: None

    def send(self, line: str) -> None:
        """Writes a whole line."""
        data = _bytes_of(line)
        with self._guard, self._lock:
            self._write(data)

    def _write(self, data: bytes) -> None:
        try:
            self._sock.sendall(data)
        except OSError:  # the host ended, or a plugin closed the socket
            _exit(vitals.STATUS)

    def answer(self, request: int, value: Any, more: str = "") -> None:
        """Answers a request. `more` contains additional members as JSON."""
        self.send(f'{{"r":{request},"val":{encode(value)}{more}}}')

    def answer_chunks(self, request: int, value: Any) -> None:
        """Like `answer`, for chunks: called on the main thread, without the cost of a `with`."""
        data = _bytes_of(f'{{"r":{request},"val":{encode(value)}}}')
        self._guard.depth += 1
        try:
            with self._lock:
                self._write(data)
        finally:
            self._guard.depth -= 1

    def fail(self, request: int, error: Dict[str, Any]) -> None:
        """Answers a request with an error."""
        self.send(f'{{"r":{request},"err":{_dumps(error)}}}')

    def push(self, event: str, **members: Any) -> None:
        """Sends a message that the host did not request. A fault has its place in a member."""
        try:
            text = encode(members)
        except AnswerFault as fault:
            raise fault.below() from None
        self.send(f'{{"c":"{CHANNEL}","e":"{event}",{text[1:]}')

    def ask(self, **members: Any) -> Reply:
        """Sends a question to the host."""
        from concurrent.futures import Future

        future: "Future[Any]" = Future()
        with self._lock:
            self._questions += 1
            number = self._questions
            self._asked[number] = future
        try:
            self.push("ask", i=number, **members)
        except AnswerFault as fault:
            self._asked.pop(number, None)
            raise fault.below() from None
        return Reply(self, future)

    def settle(self, number: int, value: Any, error: Optional[str]) -> None:
        """Stores the host's answer to a question."""
        future = self._asked.pop(number, None)
        if future is None or not future.set_running_or_notify_cancel():
            return
        if error is None:
            future.set_result(value)
        else:
            future.set_exception(RuntimeError(error))
