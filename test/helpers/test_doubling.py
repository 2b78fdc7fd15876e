"""doubling.py tells work that is linear from work that is not."""

from __future__ import annotations

import unittest
from collections.abc import Callable
from typing import Any

from doubling import expect_linear

SIZES = (1_000, 2_000, 4_000)


def linear(size: int) -> Callable[[], Any]:
    return lambda: [number * number for number in range(100 * size)]


def quadratic(size: int) -> Callable[[], Any]:
    numbers = list(range(size))
    return lambda: [number for number in numbers if number == -1 or -number - 1 in numbers]


class Doubling(unittest.TestCase):
    def test_lets_linear_work_pass(self) -> None:
        expect_linear("squares", linear, SIZES)

    def test_stops_quadratic_work_with_what_was_measured(self) -> None:
        with self.assertRaisesRegex(AssertionError, r'"pairs" is not linear: 1000: [\d.]+ ms, 2000'):
            expect_linear("pairs", quadratic, SIZES)


if __name__ == "__main__":
    unittest.main()
