"""How work on the asyncio thread ends: each is told once, however early it is cancelled."""

from __future__ import annotations

import asyncio
import sys
import threading
import unittest
import warnings
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src" / "python" / "dist" / "shim"))

from braidwork_bridge.event_loop import AsyncThread


class Cancelling(unittest.TestCase):
    def setUp(self) -> None:
        self.thread = AsyncThread()
        self.ended = threading.Event()
        self.told: list[Any] = []

    def done(self, value: Any, error: Any) -> None:
        self.told.append((value, type(error)))
        self.ended.set()

    async def endless(self) -> None:
        await asyncio.Event().wait()

    def test_tells_of_work_that_is_cancelled_before_its_first_step(self) -> None:
        with warnings.catch_warnings():
            # Work that never begins is never awaited.
            warnings.simplefilter("error")
            for _ in range(100):
                self.setUp()
                self.thread.run(self.endless(), self.done)()
                self.assertTrue(self.ended.wait(5), "nobody was told of the end")
                self.assertEqual(self.told, [(None, asyncio.CancelledError)])

    def test_tells_once_of_work_that_is_cancelled_in_its_middle(self) -> None:
        begun = threading.Event()

        async def work() -> None:
            begun.set()
            await self.endless()

        cancel = self.thread.run(work(), self.done)
        self.assertTrue(begun.wait(5))
        cancel()
        self.assertTrue(self.ended.wait(5))
        self.assertEqual(self.told, [(None, asyncio.CancelledError)])

    def test_tells_once_of_work_that_ends(self) -> None:
        async def work() -> int:
            return 42

        cancel = self.thread.run(work(), self.done)
        self.assertTrue(self.ended.wait(5))
        cancel()
        self.assertEqual(self.told, [(42, type(None))])


if __name__ == "__main__":
    unittest.main()
