"""What a plugin has called when its request is cancelled."""

from __future__ import annotations

import sys
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src" / "python" / "dist" / "shim"))

from braidwork_bridge.contexts import Signal


class OnAbort(unittest.TestCase):
    def setUp(self) -> None:
        self.signal = Signal()
        self.called = threading.Event()

    def test_calls_a_function_once_the_request_is_cancelled_in_another_thread(self) -> None:
        threads: list[threading.Thread] = []

        def note() -> None:
            threads.append(threading.current_thread())
            self.called.set()

        self.signal.on_abort(note)
        self.assertFalse(self.called.is_set())
        self.signal.abort("cancelled")
        self.assertTrue(self.called.wait(5))
        self.signal.abort("cancelled again")
        self.assertEqual(len(threads), 1)
        self.assertIsNot(threads[0], threading.current_thread())

    def test_calls_it_at_once_where_the_request_was_cancelled_before(self) -> None:
        self.signal.abort("cancelled")
        self.signal.on_abort(self.called.set)
        self.assertTrue(self.called.wait(5))

    def test_calls_none_that_was_withdrawn_and_all_others(self) -> None:
        withdrawn = threading.Event()
        withdraw = self.signal.on_abort(withdrawn.set)
        self.signal.on_abort(self.called.set)
        withdraw()
        withdraw()
        self.signal.abort("cancelled")
        self.assertTrue(self.called.wait(5))
        self.assertFalse(withdrawn.is_set())

    def test_goes_on_where_one_of_them_fails_or_blocks(self) -> None:
        ended = threading.Event()
        self.signal.on_abort(lambda: ended.wait(5))
        self.signal.on_abort(self.called.set)
        self.signal.abort("cancelled")
        self.assertTrue(self.called.wait(5))
        ended.set()


if __name__ == "__main__":
    unittest.main()
