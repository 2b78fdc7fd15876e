"""Sends a request, and reads the pieces of its answer."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPException
from typing import Any, Optional
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

_SECONDS = 60
_BETWEEN_LOOKS = 0.1
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


def chunks_of(
    body: Any, base_url: str, api_key: Optional[str], added: Mapping[str, str], signal: Any
) -> Iterator[Any]:
    """The chunks of an answer, as the API sends them. The signal ends the connection."""
    headers = {**added, "content-type": "application/json"}
    if api_key:
        headers["authorization"] = f"Bearer {api_key}"
    request = Request(f"{base_url}/chat/completions", json.dumps(body).encode(), headers)
    try:
        response = urlopen(request, timeout=_SECONDS)
    except HTTPError as error:
        said = error.read(500).decode("utf-8", "replace")
        code = _CODES.get(error.code, "PROVIDER_FAILED")
        message = f"The API answered with status {error.code}: {said}"
        raise ApiError(message, code, error.code) from error
    except (URLError, HTTPException, OSError) as error:
        message = f'"{base_url}" could not be reached: {error}'
        raise ApiError(message, "PROVIDER_FAILED") from error
    with response, _ended_by(signal, response):
        yield from _events(response)


@contextmanager
def _ended_by(signal: Any, response: Any) -> Iterator[None]:
    """Ends a connection when the request is cancelled. A read of it would wait for the API."""
    connection = socket.socket(fileno=os.dup(response.fileno()))
    is_read = threading.Event()

    def watch() -> None:
        while not is_read.wait(_BETWEEN_LOOKS):
            if signal.aborted:
                # The other side may have ended it.
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
                return

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        is_read.set()
        connection.close()


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
