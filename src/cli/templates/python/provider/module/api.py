"""Sends a request, and reads the pieces of its answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from http.client import HTTPException
from typing import Any, Optional
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

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


def chunks_of(
    body: Any, base_url: str, api_key: Optional[str], added: Mapping[str, str]
) -> Iterator[Any]:
    """The chunks of an answer, as the API sends them."""
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
    with response:
        yield from _events(response)


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
