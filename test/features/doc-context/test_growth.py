"""doc-context, over texts and lines of double the size."""

from __future__ import annotations

import sys
import unittest
from typing import Any

from braidwork.testing import load_plugin
from doubling import expect_linear

plugin = load_plugin("features/doc-context")
pieces = sys.modules[type(plugin).__module__.replace(".plugin", ".pieces")]
ranking = sys.modules[type(plugin).__module__.replace(".plugin", ".ranking")]


class Growing(unittest.TestCase):
    def test_texts_of_one_sign_are_ranked_in_time_that_grows_as_they_do(self) -> None:
        for sign in (" ", "a", "a\n\n", "#\n", "\u0301", "\u0315\u0316", "\u0f73", "\uff9e", "\ufdfa"):

            def make(size: int, sign: str = sign) -> Any:
                text = sign * (size // len(sign))
                index = ranking.Index
                return lambda: ranking.Ranking([index(pieces.pieces_of("a.md", text))]).best(text)

            with self.subTest(ascii(sign)):
                expect_linear("a document", make, (7_500, 15_000, 30_000))

    def test_lines_without_an_end_are_cut_in_time_that_grows_as_they_do(self) -> None:
        for sign in ("a", " a"):

            def make(size: int, sign: str = sign) -> Any:
                text = sign * (size // len(sign))
                return lambda: pieces.pieces_of("a.md", text)

            with self.subTest(sign):
                expect_linear("a line", make, (1_000_000, 2_000_000, 4_000_000))


if __name__ == "__main__":
    unittest.main()
