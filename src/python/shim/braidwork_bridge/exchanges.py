"""Tells the host of the requests that plugins send over HTTP, while it records exchanges."""

from __future__ import annotations

import binascii
import itertools
import os
from functools import partial
from typing import Iterable, Tuple

from .imported import when_imported
from .wire import Wire

Headers = Iterable[Tuple[str, str]]

_NUMBERS = itertools.count(1)
# For how long a response is read on that its reader has left. Many leave at the API's end mark,
# before the end of the body.
READ_ON_SECONDS = 0.5


def observe(wire: Wire, *, is_wanted: bool) -> None:
    """Tells the host, where it wants that, of all requests from here on that plugins send with
    `http.client`, on which `urllib` and `requests` are built, with `httpx`, or with `httpx2`.
    """
    if not is_wanted:
        return
    # Most processes record nothing, and start sooner without these modules.
    from .http_client_exchanges import observe_http_client
    from .httpx_exchanges import observe_httpx

    observe_http_client(wire)
    for name in ("httpx", "httpx2"):
        when_imported(name, partial(observe_httpx, wire, name))


class Exchange:
    """One request and its response, told step by step."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        # Other interpreters count too.
        self._id = f"{os.getpid()}.{next(_NUMBERS)}"
        self._is_ended = False

    def ask(self, method: str, url: str, headers: Headers) -> None:
        """The request begins."""
        self._tell("asked", m=method, u=url, h=list(headers))

    def send(self, data: bytes) -> None:
        """A piece of the request's body."""
        self._tell_piece("sent", data)

    def answer(self, status: int, headers: Headers) -> None:
        """The response begins."""
        self._tell("answered", s=status, h=list(headers))

    def receive(self, data: bytes) -> None:
        """A piece of the response's body."""
        self._tell_piece("received", data)

    @property
    def is_ended(self) -> bool:
        """Whether the response is whole."""
        return self._is_ended

    def end(self) -> None:
        """The response is whole."""
        if not self._is_ended:
            self._tell("ended")
        self._is_ended = True

    def _tell_piece(self, step: str, data: bytes) -> None:
        if data and not self._is_ended:
            self._tell(step, d=binascii.b2a_base64(data, newline=False).decode("ascii"))

    def _tell(self, step: str, **members: object) -> None:
        self._wire.push("exchange", i=self._id, t=step, **members)
