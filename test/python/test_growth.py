"""What crosses the bridge, and what is read of functions, takes time that grows as it does."""

from __future__ import annotations

import socket
import sys
import unittest
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional, Union, cast

from doubling import expect_linear

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src" / "python" / "dist" / "shim"))

from braidwork_bridge import docstrings, functions, to_json, values, wire

LONG_NUMBER = "1234567890123456"


@dataclass
class Left:
    child: Optional[Union[Left, Right]]
    left: int = 0


@dataclass
class Right:
    child: Optional[Union[Left, Right]]
    right: int = 0


class Pieces:
    """A socket whose bytes come so many at a time."""

    def __init__(self, data: bytes, most: int) -> None:
        self.data = data
        self.most = most
        self.at = 0

    def recv(self, size: int) -> bytes:
        start, self.at = self.at, self.at + min(size, self.most)
        return self.data[start : self.at]


def reading(data: bytes, most: int) -> Callable[[], Any]:
    def read() -> int:
        reader = wire.Reader(cast(socket.socket, Pieces(data, most)), wire.Guard())
        return sum(1 for _ in iter(reader.line, ""))

    return read


def nested(levels: int) -> Any:
    value = None
    for _ in range(levels):
        value = {"child": value, "right": 1}
    return value


class Wire(unittest.TestCase):
    def test_values_with_a_long_number_under_long_keys(self) -> None:
        def make(size: int) -> Callable[[], Any]:
            value = {"k" * size: [LONG_NUMBER, *range(size)]}
            return lambda: wire.encode(value)

        expect_linear("keys", make, (10_000, 20_000, 40_000))

    def test_values_of_many_brackets_numbers_and_members(self) -> None:
        kinds: dict[str, Callable[[int], Any]] = {
            "brackets": lambda size: [[]] * size,
            "digits": lambda size: f"{LONG_NUMBER[1:]} " * size,
            "members": lambda size: {str(at): at for at in range(size)},
        }
        for name, value_of in kinds.items():

            def make(size: int, value_of: Callable[[int], Any] = value_of) -> Callable[[], Any]:
                value = value_of(size)
                return lambda: wire.decode(f'{{"r":1,"val":{wire.encode(value)}}}')

            with self.subTest(name):
                expect_linear(name, make, (10_000, 20_000, 40_000))

    def test_lines_in_pieces(self) -> None:
        for piece, most in [(b"a", 3), (b"\n", 1), (b"\n", 1 << 16), (b"abc\n", 5)]:

            def make(size: int, piece: bytes = piece, most: int = most) -> Callable[[], Any]:
                return reading(piece * (size // len(piece)) + b"\n", most)

            with self.subTest(f"{piece!r} {most}"):
                expect_linear("lines", make, (20_000, 40_000, 80_000))

    def test_a_state_that_changes(self) -> None:
        def make(size: int) -> Callable[[], Any]:
            mirror = values.Mirror()
            mirror.take({"n": [0] * size, "u": {str(at): at for at in range(size)}})

            # Larger states would not fit into the caches of a processor, which slows each member of them.
            def give() -> None:
                for _ in range(20):
                    mirror.give([], {**mirror.state, "new": object()}, {})

            return give

        expect_linear("a state", make, (2_500, 5_000, 10_000))


class Functions(unittest.TestCase):
    def test_sections_of_a_docstring(self) -> None:
        for section in ("Args:\n", "Args:\n\n", "Parameters\n---\na : b\n"):

            def make(size: int, section: str = section) -> Callable[[], Any]:
                def documented() -> None:
                    pass

                documented.__doc__ = section * size
                return lambda: docstrings.read_docstring(documented)

            with self.subTest(repr(section)):
                expect_linear("sections", make, (2_000, 4_000, 8_000))

    def test_arguments_whose_branches_look_at_the_same_objects(self) -> None:
        union = Union[Left, Right]
        made = functions.Values().of(union, nested(60))
        self.assertEqual((Right, Right), (type(made), type(made.child)))

        def make(size: int) -> Callable[[], Any]:
            given = [nested(20)] * size
            return lambda: [functions.Values().of(union, value) for value in given]

        expect_linear("branches", make, (10, 20, 40))

    def test_answers_as_json(self) -> None:
        def make(size: int) -> Callable[[], Any]:
            value = [Left(None), {"a": [1]}] * size
            return lambda: to_json.json_value(value)

        expect_linear("an answer", make, (2_500, 5_000, 10_000))


if __name__ == "__main__":
    unittest.main()
