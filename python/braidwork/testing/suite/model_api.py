"""A server on loopback in place of a model API. It repeats a recorded exchange."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_PATIENCE = 5.0


class ModelApi:
    """The server. `mood` says what it does otherwise with the next requests:

    `status` answers with this HTTP status and an error; `body` sends this body; `cut_at` ends the
    connection after this share of the body; `end_at` ends the answer there, as if it were whole;
    `stall_at` stops there, and leaves the connection open; `pieces` sends this many bytes at once.
    """

    def __init__(self, recorded: Mapping[str, Any]) -> None:
        self.recorded = recorded
        self.mood: Mapping[str, Any] = {}
        self.bodies: list[str] = []
        """The bodies of all requests, in order."""
        self.open = 0
        """How many requests were not answered to their end."""
        self._is_ending = threading.Event()
        handler = type("Handler", (_Handler,), {"api": self})
        self._server = _Server(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), daemon=True
        )
        self._thread.start()

    @property
    def config(self) -> Mapping[str, Any]:
        """The config with which the provider asks this server."""
        made: Mapping[str, Any] = self.recorded["config"](
            f"http://127.0.0.1:{self._server.server_address[1]}"
        )
        return made

    def close(self) -> None:
        """Ends the server and its connections."""
        self._is_ending.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(_PATIENCE)

    def is_stream(self, text: str, path: str) -> bool:
        """Whether a request gets a stream: it asks for one, or there is nothing else."""
        if "whole" not in self.recorded:
            return True
        body = _parsed(text)
        decides = self.recorded.get("is_stream")
        if decides is not None:
            return bool(decides(body, path))
        return isinstance(body, dict) and body.get("stream") is True

    def stall(self, connection: socket.socket) -> None:
        """Waits until the other side leaves, or the server ends."""
        connection.settimeout(0.02)
        while not self._is_ending.is_set():
            try:
                if connection.recv(1) == b"":
                    return
            except TimeoutError:
                continue
            except OSError as error:
                if isinstance(error, socket.timeout):
                    continue
                return


class _Server(ThreadingHTTPServer):
    """A server whose queue has room for all requests of a check."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 64


class _Handler(BaseHTTPRequestHandler):
    """Answers one connection."""

    api: ModelApi
    protocol_version = "HTTP/1.1"
    wbufsize = 0
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        self.api.open += 1
        self.close_connection = True
        try:
            size = int(self.headers.get("content-length", 0))
            text = self.rfile.read(size).decode("utf8")
            self.api.bodies.append(text)
            self._answer(text)
        except OSError:
            # The other side has left, as the checks of cancelled requests expect.
            return
        finally:
            self.api.open -= 1

    def _answer(self, text: str) -> None:
        mood, recorded = self.api.mood, self.api.recorded
        if "status" in mood:
            self._refuse(mood["status"])
            return
        streamed = recorded.get("streamed") if self.api.is_stream(text, self.path) else None
        body = mood.get("body", _body_of(recorded["whole"] if streamed is None else streamed))
        kind = "application/json" if streamed is None else "text/event-stream"
        self._send(body.encode("utf8"), {**recorded.get("headers", {}), "content-type": kind})

    def _refuse(self, status: int) -> None:
        told = {"error": {"type": "planted", "message": f"planted status {status}"}}
        body = json.dumps(told).encode("utf8")
        self.send_response(status)
        # SDKs of vendors repeat such requests otherwise.
        self.send_header("x-should-retry", "false")
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _send(self, body: bytes, headers: Mapping[str, str]) -> None:
        mood = self.api.mood
        self.send_response(200)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("transfer-encoding", "chunked")
        self.send_header("connection", "close")
        self.end_headers()
        shares = [mood[key] for key in ("cut_at", "stall_at", "end_at") if key in mood]
        sent = body[: int(len(body) * shares[0])] if shares else body
        size = mood.get("pieces", len(sent)) or 1
        for at in range(0, len(sent), size):
            piece = sent[at : at + size]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        if "stall_at" in mood:
            self.api.stall(self.connection)
        elif "cut_at" not in mood:
            self.wfile.write(b"0\r\n\r\n")

    def log_message(self, format: str, *args: Any) -> None:
        """Prints nothing."""


def _body_of(answer: Any) -> str:
    if isinstance(answer, (list, tuple)) and all(isinstance(piece, str) for piece in answer):
        return "".join(answer)
    return answer if isinstance(answer, str) else json.dumps(answer)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
