"""Which numbers `encode` refuses, as readers of JSON in JavaScript would change them."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src" / "python" / "dist" / "shim"))

from braidwork_bridge.faults import AnswerFault
from braidwork_bridge.wire import encode


class LongNumbers(unittest.TestCase):
    def test_refuses_a_number_beyond_the_limit_at_every_place(self) -> None:
        for before in range(40):
            for number in (2**53 + 1, -(2**53) - 1, 10**17, 10**60):
                with self.subTest(before=before, number=number):
                    with self.assertRaises(AnswerFault) as caught:
                        encode({"k" * before: [1, number]})
                    self.assertEqual(caught.exception.pointer, "/" + "k" * before + "/1")

    def test_encodes_the_largest_number_and_digits_in_texts_at_every_place(self) -> None:
        for before in range(40):
            for value in (2**53, -(2**53), "1" * 40, 0.1234567890123456, 1e300):
                with self.subTest(before=before, value=value):
                    self.assertIn(str(value), encode({"k" * before: value}))


if __name__ == "__main__":
    unittest.main()
