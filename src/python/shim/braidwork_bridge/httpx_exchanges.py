"""Observes the requests of `httpx` and `httpx2`, which the SDKs of model APIs use."""

from __future__ import annotations

import asyncio
import sys
import threading
from typing import Any, AsyncIterator, Iterator

from .exchanges import READ_ON_SECONDS, Exchange
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
            self._pieces = iter(stream)
            self._exchange = exchange
            self._is_lost = False

        def __iter__(self) -> Iterator[bytes]:
            try:
                for piece in self._pieces:
                    self._exchange.receive(piece)
                    yield piece
            except GeneratorExit:
                raise  # Its reader left, and the pieces are still there.
            except BaseException:
                self._is_lost = True
                raise
            self._exchange.end()

        def close(self) -> None:
            if not (self._exchange.is_ended or self._is_lost):
                # The limit for a read is the client's, and may be long.
                reader = threading.Thread(target=self._read_on, daemon=True)
                reader.start()
                reader.join(READ_ON_SECONDS)
            self._stream.close()

        def _read_on(self) -> None:
            try:
                for _piece in self:
                    pass
            except Exception:
                return  # The connection was lost or closed: the response is not whole.

    class AsyncObserved(httpx.AsyncByteStream):
        """The body of a response to an async client."""

        def __init__(self, stream: Any, exchange: Exchange) -> None:
            self._stream = stream
            self._pieces = stream.__aiter__()
            self._exchange = exchange
            self._is_lost = False

        async def __aiter__(self) -> AsyncIterator[bytes]:
            try:
                async for piece in self._pieces:
                    self._exchange.receive(piece)
                    yield piece
            except GeneratorExit:
                raise  # Its reader left, and the pieces are still there.
            except BaseException:
                self._is_lost = True
                raise
            self._exchange.end()

        async def aclose(self) -> None:
            try:
                is_open = not (self._exchange.is_ended or self._is_lost)
                if is_open and _has_asyncio():
                    await asyncio.wait_for(self._read_on(), READ_ON_SECONDS)
            except Exception:
                return  # The connection was lost, or the time is up: the response is not whole.
            finally:
                await self._stream.aclose()

        async def _read_on(self) -> None:
            async for _piece in self:
                pass

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


def _has_asyncio() -> bool:
    """Whether asyncio runs, and not trio."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


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
