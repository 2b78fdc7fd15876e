"""word-filter, over texts and parts of double the size."""

from __future__ import annotations

import sys
import unittest
from typing import Any

from braidwork.testing import load_plugin
from doubling import expect_linear

plugin = load_plugin("extensions/word-filter")
module: Any = sys.modules[type(plugin).__module__]


class Growing(unittest.TestCase):
    def filters(self) -> Any:
        words = ["darn", "d" * 100, "e" + "\u0301" * 99]
        return module.Filters({"words": words, "replacement": "***"})

    def test_as_a_text_in_small_pieces_does(self) -> None:
        for sign in ("d", "d ", "e\u0301", "\u0315\u0316", "\u0f73", "\ud83d", "\u200d"):

            def make(size: int, sign: str = sign) -> Any:
                text = sign * (size // len(sign))
                cuts = range(0, size, 3)
                events = [{"type": "text-delta", "id": "1", "delta": text[at : at + 3]} for at in cuts]
                end = {"type": "text-end", "id": "1"}
                return lambda: self.filters().events([*events, end])

            with self.subTest(ascii(sign)):
                expect_linear("a text", make, (15_000, 30_000, 60_000))

    def test_as_the_number_of_open_parts_does(self) -> None:
        def make(size: int) -> Any:
            steps = ({"type": "text-delta", "delta": "dar"}, {"type": "text-end"})
            events = [{**step, "id": str(at)} for step in steps for at in range(size)]
            return lambda: self.filters().events(events)

        expect_linear("parts", make, (2_500, 5_000, 10_000))


if __name__ == "__main__":
    unittest.main()
