"""Observes the requests of `http.client`, which `urllib` and `requests` use too."""

from __future__ import annotations

import http.client
import time
from typing import Any, Callable, List, Optional, Tuple

from .exchanges import READ_ON_SECONDS, Exchange
from .wire import Wire

# The attribute of a connection whose request is being made.
_ASKED = "_braidwork_asked"


class _Asked:
    """The request of a connection."""

    def __init__(self, exchange: Exchange, method: str, url: str) -> None:
        self.exchange = exchange
        self.headers: List[Tuple[str, str]] = []
        # Whether the head of the request is what the connection sends next.
        self.is_head_next = False
        # Whether the connection is sending: it calls itself to open a tunnel.
        self.is_sending = False
        self._method = method
        self._url = url

    def begin(self) -> None:
        """All headers are known."""
        self.is_head_next = True
        self.exchange.ask(self._method, self._url, self.headers)

    def note(self, data: Any) -> None:
        """A piece that is sent."""
        if self.is_head_next:
            self.is_head_next = False
        elif isinstance(data, (bytes, bytearray, memoryview)):
            piece = bytes(data)
            self.exchange.send(_unframed(piece) if self._is_chunked else piece)

    @property
    def _is_chunked(self) -> bool:
        return ("transfer-encoding", "chunked") in [
            (name.lower(), value.lower()) for name, value in self.headers
        ]


def observe_http_client(wire: Wire) -> None:
    """Tells the host of all requests from here on."""
    connection: Any = http.client.HTTPConnection
    _replace(connection, "putrequest", lambda putrequest: _putrequest(wire, putrequest))
    _replace(connection, "putheader", _putheader)
    _replace(connection, "endheaders", _endheaders)
    _replace(connection, "send", _send)
    _replace(connection, "getresponse", _getresponse)


def _replace(owner: Any, name: str, replacement: Callable[[Any], Any]) -> None:
    setattr(owner, name, replacement(getattr(owner, name)))


def _putrequest(wire: Wire, original: Any) -> Any:
    def putrequest(self: Any, method: str, url: str, *args: Any, **options: Any) -> Any:
        setattr(self, _ASKED, _Asked(Exchange(wire), method, _address(self, url)))
        return original(self, method, url, *args, **options)

    return putrequest


def _putheader(original: Any) -> Any:
    def putheader(self: Any, header: Any, *values: Any) -> Any:
        asked: Optional[_Asked] = getattr(self, _ASKED, None)
        if asked is None:
            return original(self, header, *values)
        # Pieces of a compressed response would not be those of the model API.
        sent = ("identity",) if _text(header).lower() == "accept-encoding" else values
        asked.headers.append((_text(header), ", ".join(map(_text, sent))))
        return original(self, header, *sent)

    return putheader


def _endheaders(original: Any) -> Any:
    def endheaders(self: Any, *args: Any, **options: Any) -> Any:
        asked: Optional[_Asked] = getattr(self, _ASKED, None)
        if asked is not None:
            asked.begin()
        return original(self, *args, **options)

    return endheaders


def _send(original: Any) -> Any:
    def send(self: Any, data: Any) -> Any:
        asked: Optional[_Asked] = getattr(self, _ASKED, None)
        if asked is None or asked.is_sending:
            return original(self, data)
        asked.note(data)
        asked.is_sending = True
        try:
            return original(self, data)
        finally:
            asked.is_sending = False

    return send


def _getresponse(original: Any) -> Any:
    def getresponse(self: Any, *args: Any, **options: Any) -> Any:
        response = original(self, *args, **options)
        asked: Optional[_Asked] = self.__dict__.pop(_ASKED, None)
        if asked is None:
            return response
        asked.exchange.answer(response.status, response.getheaders())
        # A response to HEAD has a length of 0 here, whatever its headers say, and is never read.
        if response.fp is None or response.length == 0:
            asked.exchange.end()
        else:
            response.fp = _Observed(response, asked.exchange)
        return response

    return getresponse


class _Observed:
    """The file from which a response is read, also by libraries that read it on their own."""

    def __init__(self, response: Any, exchange: Exchange) -> None:
        self._file = response.fp
        self._exchange = exchange
        self._body = _Chunked(exchange) if response.chunked else _Plain(exchange, response.length)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def read(self, size: Optional[int] = -1) -> bytes:
        """Reads as the file does."""
        data: bytes = self._file.read(size)
        return self._note(data, is_last=size is None or size < 0)

    def read1(self, size: int = -1) -> bytes:
        """Reads as the file does."""
        return self._note(self._file.read1(size))

    def readline(self, size: Optional[int] = -1) -> bytes:
        """Reads as the file does."""
        return self._note(self._file.readline(size))

    def readinto(self, buffer: Any) -> int:
        """Reads as the file does."""
        count: int = self._file.readinto(buffer)
        self._note(bytes(memoryview(buffer)[:count]))
        return count

    def close(self) -> None:
        """Closes the file. If its reader left before the end of the body, that is read before."""
        socket: Any = getattr(getattr(self._file, "raw", None), "_sock", None)
        try:
            if socket is not None and not self._file.closed and not self._exchange.is_ended:
                self._read_on(socket)
        finally:
            self._file.close()

    def _read_on(self, socket: Any) -> None:
        limit = socket.gettimeout()
        end = time.monotonic() + READ_ON_SECONDS
        try:
            while not self._exchange.is_ended and time.monotonic() < end:
                socket.settimeout(max(0.001, end - time.monotonic()))
                if not self._note(self._file.read1(1 << 16)):
                    break
        except OSError:
            return  # The connection was lost, or the time is up: the response is not whole.
        finally:
            socket.settimeout(limit)

    def _note(self, data: bytes, is_last: bool = False) -> bytes:
        self._body.take(data, is_last or not data)
        return data


class _Plain:
    """A body without a framing of its own."""

    def __init__(self, exchange: Exchange, length: Optional[int]) -> None:
        self._exchange = exchange
        self._left = length

    def take(self, data: bytes, is_last: bool) -> None:
        """Notes what was read, and whether nothing follows on the connection."""
        self._exchange.receive(data)
        if self._left is not None:
            self._left -= len(data)
            is_last = self._left <= 0
        if is_last:
            self._exchange.end()


class _Chunked:
    """A body in chunks, each with its size in front. RFC 9112, section 7.1"""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._read = b""

    def take(self, data: bytes, is_last: bool) -> None:
        """Notes each chunk that was read whole. The last one is empty."""
        self._read += data
        while True:
            head, found, rest = self._read.partition(b"\r\n")
            size = int(head.split(b";")[0], 16) if found else -1
            if size == 0:
                self._exchange.end()
            if size <= 0 or len(rest) < size + 2:
                return
            self._exchange.receive(rest[:size])
            self._read = rest[size + 2 :]


def _unframed(chunk: bytes) -> bytes:
    """What a chunk of a request has behind its size."""
    size, _, rest = chunk.partition(b"\r\n")
    return rest[: int(size, 16)]


def _address(connection: Any, url: str) -> str:
    """The address of a request. A proxy is asked for a whole one already."""
    if "://" in url:
        return url
    is_secure = isinstance(connection, http.client.HTTPSConnection)
    host = connection._tunnel_host or connection.host
    port = connection._tunnel_port if connection._tunnel_host else connection.port
    named = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return f"{'https' if is_secure else 'http'}://{named}:{port}{url}"


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)
