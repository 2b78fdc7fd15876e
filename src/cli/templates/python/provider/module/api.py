"""Sends a request, and reads the pieces of its answer."""

from __future__ import annotations

import json
import socket
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import TYPE_CHECKING, Any, Optional
from urllib.parse import SplitResult, urlsplit

if TYPE_CHECKING:
    from braidwork import Signal

_SECONDS = 60
_CODES = {
    400: "INVALID_REQUEST",
    401: "PROVIDER_UNAUTHORIZED",
    403: "PROVIDER_UNAUTHORIZED",
    404: "MODEL_UNKNOWN",
    429: "RATE_LIMITED",
    503: "OVERLOADED",
}


class ApiError(Exception):
    """An error with facts that the host passes on."""

    def __init__(self, message: str, code: str, status: Optional[int] = None) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.retryable = code in ("RATE_LIMITED", "OVERLOADED", "STREAM_INTERRUPTED")


class Api:
    """An API at an address. A request that is cancelled ends its connection."""

    def __init__(self, base_url: str, api_key: Optional[str], signal: Signal) -> None:
        self._base_url = base_url
        self._key = {"authorization": f"Bearer {api_key}"} if api_key else {}
        self._signal = signal

    def chunks_of(self, body: Any, added: Mapping[str, str]) -> Iterator[Any]:
        """The chunks of an answer, as the API sends them.

        `added` has the headers that other plugins add.
        """
        own = {"content-type": "application/json", "connection": "close", **self._key}
        sent = ("POST", json.dumps(body).encode(), {**added, **own})
        with closing(self._connect()) as connection, self._ending(connection.sock):
            yield from _events(self._answer(connection, sent))

    def _connect(self) -> HTTPConnection:
        try:
            connection = _connection(urlsplit(self._base_url))
            connection.connect()
        except (HTTPException, OSError, ValueError) as error:
            raise self._unreachable(error) from error
        return connection

    def _answer(self, connection: HTTPConnection, sent: tuple[str, bytes, Any]) -> Any:
        method, body, headers = sent
        path = urlsplit(f"{self._base_url}/chat/completions").path
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            said = "" if response.status == 200 else response.read(500).decode("utf-8", "replace")
        except (HTTPException, OSError) as error:
            raise self._unreachable(error) from error
        if response.status == 200:
            return response
        code = _CODES.get(response.status, "PROVIDER_FAILED")
        message = f"The API answered with status {response.status}: {said}"
        raise ApiError(message, code, response.status)

    @contextmanager
    def _ending(self, connection: socket.socket) -> Generator[None, None, None]:
        """Shuts a connection down when the request is cancelled, so that no read waits for it."""

        def end() -> None:
            # The connection may have ended meanwhile.
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

        withdraw = self._signal.on_abort(end)
        try:
            yield
        finally:
            withdraw()

    def _unreachable(self, error: Exception) -> ApiError:
        return ApiError(f'"{self._base_url}" could not be reached: {error}', "PROVIDER_FAILED")


def _connection(url: SplitResult) -> HTTPConnection:
    if url.hostname is None or url.scheme not in ("http", "https"):
        raise ValueError("it is no address of HTTP")
    kind = HTTPSConnection if url.scheme == "https" else HTTPConnection
    return kind(url.hostname, url.port, timeout=_SECONDS)


def _events(lines: Any) -> Iterator[Any]:
    """Reads server-sent events. Each event of this API is one line."""
    try:
        for line in lines:
            name, _, value = line.decode("utf-8").strip().partition(":")
            if name != "data":
                continue
            data = value.strip()
            if data == "[DONE]":
                return
            yield json.loads(data)
    except (HTTPException, OSError, ValueError) as error:
        raise ApiError("The API broke off its answer.", "STREAM_INTERRUPTED") from error
    raise ApiError("The API ended its answer too early.", "STREAM_INTERRUPTED")
