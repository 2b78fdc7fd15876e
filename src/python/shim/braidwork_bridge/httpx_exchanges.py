"""Observes the requests of `httpx` and `httpx2`, which the SDKs of model APIs use."""

from __future__ import annotations

import sys
from typing import Any, AsyncIterator, Iterator

from .exchanges import Exchange
from .wire import Wire


def observe_httpx(wire: Wire, name: str) -> None:
    """Tells the host of all requests from here on of the module with this name."""
    httpx: Any = sys.modules[name]
    handle = httpx.HTTPTransport.handle_request
    handle_async = httpx.AsyncHTTPTransport.handle_async_request

    class Observed(httpx.SyncByteStream):
        """The body of a response."""

        def __init__(self, stream: Any, exchange: Exchange) -> None:
            self._stream = stream
            self._exchange = exchange

        def __iter__(self) -> Iterator[bytes]:
            for piece in self._stream:
                self._exchange.receive(piece)
                yield piece
            self._exchange.end()

        def close(self) -> None:
            self._stream.close()

    class AsyncObserved(httpx.AsyncByteStream):
        """The body of a response to an async client."""

        def __init__(self, stream: Any, exchange: Exchange) -> None:
            self._stream = stream
            self._exchange = exchange

        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for piece in self._stream:
                self._exchange.receive(piece)
                yield piece
            self._exchange.end()

        async def aclose(self) -> None:
            await self._stream.aclose()

    def handle_request(self: Any, request: Any) -> Any:
        exchange = _asked(wire, request)
        response = handle(self, request)
        _answered(exchange, response)
        response.stream = Observed(response.stream, exchange)
        return response

    async def handle_async_request(self: Any, request: Any) -> Any:
        exchange = _asked(wire, request)
        response = await handle_async(self, request)
        _answered(exchange, response)
        response.stream = AsyncObserved(response.stream, exchange)
        return response

    httpx.HTTPTransport.handle_request = handle_request
    httpx.AsyncHTTPTransport.handle_async_request = handle_async_request


def _asked(wire: Wire, request: Any) -> Exchange:
    # Pieces of a compressed response would not be those of the model API.
    request.headers["accept-encoding"] = "identity"
    exchange = Exchange(wire)
    exchange.ask(request.method, str(request.url), request.headers.multi_items())
    # The body of a request that is streamed, such as an upload, is not kept in memory.
    exchange.send(getattr(request, "_content", b""))
    return exchange


def _answered(exchange: Exchange, response: Any) -> None:
    exchange.answer(response.status_code, response.headers.multi_items())
