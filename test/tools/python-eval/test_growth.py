"""python-eval, over expressions of double the size."""

from __future__ import annotations

import unittest
from typing import Any

from braidwork.testing import load_plugin
from doubling import expect_linear

plugin = load_plugin("tools/python-eval")


class Growing(unittest.TestCase):
    def test_expressions_take_time_that_grows_as_they_do(self) -> None:
        for sign in (" ", "(", "1+", "'", "\\\n", "\U0001f642"):

            def make(size: int, sign: str = sign) -> Any:
                expression = sign * (size // len(sign))
                return lambda: plugin.execute_tool({"input": {"expression": expression}}, {})

            with self.subTest(ascii(sign)):
                expect_linear("an expression", make, (250_000, 500_000, 1_000_000))
                self.assertLess(len(make(1_000_000)()["output"]), 500)


if __name__ == "__main__":
    unittest.main()
