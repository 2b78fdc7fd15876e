"""What the programs of Python applications share: the server, questions with their checks, and the lines they print."""

import asyncio
import base64
import hashlib
import inspect
import json
import os
import secrets
import signal
import struct
import time
import traceback
import urllib.error
import urllib.request
import zlib

ORIGIN = os.environ["BRAIDWORK_URL"]
OPENAI_URL = f"{ORIGIN}/v1"
KEY = os.environ["BRAIDWORK_KEY"]
MODEL = os.environ["BRAIDWORK_MODEL"]
COUNTS = os.environ["BRAIDWORK_COUNTS"]
WRONG_KEY = "not-a-key-of-this-server"
UNKNOWN_MODEL = "unpublished"

CASES = ("plain", "streamed", "client tool", "host tool", "structured", "turns", "image", "stop", "errors")
SECONDS = 60

HELLO = "Say hello to the server, and to all who read along."
USE_HOST_TOOL = 'Use the tool calculate with {"expression": "1234 * 5678"}.'
PRODUCT = "7006652"
USE_TOOL = 'Use the tool get_weather with {"city": "Paris"}.'
PERSON = "Write down this person: name=Ada, age=36."
RECALL = "What did I say before?"
LOOK = "What do you see?"


class Limit(Exception):
    """A case failed for a known reason that lies in the application, and that no server can make up for."""


class Api:
    """One row of the table: a way in which an application can be connected. Runs its cases as they are defined."""

    def __init__(self, name):
        self.name = name

    def case(self, function):
        """Runs a case, whose name is that of the function. It works if nothing is raised."""
        name = function.__name__.replace("_", " ")
        assert name in CASES, name
        signal.signal(signal.SIGALRM, _too_late)
        signal.alarm(SECONDS)
        try:
            result = function()
            if inspect.isawaitable(result):
                asyncio.run(_awaited(result))
        except Limit as limit:
            self._print(name, "cannot", str(limit))
        except BaseException as error:  # noqa: BLE001: SystemExit too, which command line programs raise
            traceback.print_exc()
            self._print(name, "fails", reason(error))
        else:
            self._print(name, "works")
        finally:
            signal.alarm(0)
        return function

    def cannot(self, name, why):
        """Says that the application has no notion of a case, or that the protocol has not."""
        assert name in CASES, name
        self._print(name, "cannot", why)

    def _print(self, name, outcome, why=None):
        line = {"api": self.name, "case": name, "outcome": outcome}
        print("\n" + json.dumps({**line, "why": why} if why else line), flush=True)


async def _awaited(result):
    return await result


def _too_late(_number, _frame):
    raise TimeoutError(f"no result within {SECONDS} seconds")


def reason(error):
    """Why a case failed; a check of these programs says it in words."""
    return str(error) if type(error) is AssertionError else f"{type(error).__name__}: {error}"


def echoes(text, question=HELLO):
    """The answer is that to `question`."""
    has(text, f"You said: {question}")


def has(text, wanted):
    assert wanted in text, f"{text!r} lacks {wanted!r}"


def came_in_pieces(pieces):
    """A stream is one if it came in more than a few pieces; returns the whole text."""
    assert len(pieces) > 5, f"only {len(pieces)} pieces came"
    return "".join(pieces)


def is_ada(name, age):
    assert (name, age) == ("Ada", 36), f"the person is {name!r}, {age!r}"


def raises(kind, function, *arguments):
    """The application's own error comes out; returns it."""
    try:
        result = function(*arguments)
        if inspect.isawaitable(result):
            asyncio.run(_awaited(result))
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__} was raised")


async def raises_async(kind, result):
    try:
        await result
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__} was raised")


class Weather:
    """The client's own tool. Its report has a code that only a call can know."""

    def __init__(self):
        self.code = secrets.token_hex(4)
        self.asked = []

    def report(self, city):
        self.asked.append(city)
        return f"21 degrees in {city}, report {self.code}"

    def was_told(self, answer):
        """The tool was called once, for Paris, and the model saw its result."""
        assert self.asked == ["Paris"], f"the tool was asked for {self.asked}"
        has(answer, self.code)


def a_word():
    return f"word-{secrets.token_hex(4)}"


class Count:
    """A slow answer of 20 seconds, to be stopped."""

    def __init__(self):
        self.mark = f"mark-{secrets.token_hex(6)}"
        self.question = f"Count to 400 under the mark {self.mark}."

    def was_stopped(self, otherwise=None):
        """The server's run ended before the answer did: the model API saw its connection close. `otherwise` is the
        application's limit where it does not."""
        limit = time.monotonic() + 10
        while time.monotonic() < limit:
            count = self.look()
            if count["state"] == "cut":
                return
            assert count["state"] == "running", f"the answer was not stopped: {count}"
            time.sleep(0.05)
        if otherwise:
            raise Limit(otherwise)
        raise AssertionError(f"the run went on for 10 seconds: {count}")

    def has_begun(self):
        """Waits until the model has said something."""
        limit = time.monotonic() + 30
        while self.look()["sent"] < 5:
            assert time.monotonic() < limit, "no answer began within 30 seconds"
            time.sleep(0.05)

    def look(self):
        try:
            with urllib.request.urlopen(f"{COUNTS}/counts/{self.mark}") as response:
                return json.load(response)
        except urllib.error.HTTPError:
            return {"state": "running", "sent": 0}


class Image:
    """A PNG of one color, another each time."""

    def __init__(self):
        color = secrets.token_bytes(3)
        rows = b"".join(b"\0" + color * 8 for _ in range(8))
        header = struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)
        chunks = _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")
        self.bytes = b"\x89PNG\r\n\x1a\n" + chunks
        self.base64 = base64.b64encode(self.bytes).decode()
        self.url = f"data:image/png;base64,{self.base64}"

    def was_seen(self, answer):
        """The model saw these bytes."""
        has(answer, f"I see image/png of {len(self.bytes)} bytes")
        has(answer, hashlib.sha256(self.bytes).hexdigest()[:12])


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
