"""Hooks that hang end with an error that names them."""

from __future__ import annotations

import asyncio
import signal
import time
import unittest

from braidwork.testing import Request, call_tool, check
from braidwork.testing.limits import HookTimeout
from braidwork.testing.suite import Options, Suite

_LIMITS = ("hook", "process_chunk", "execute_tool", "call", "stream_idle")
SHORT = {"limits": dict.fromkeys(_LIMITS, 0.05)}
LONG = 1000


class Awaiting:
    kind = "extension"
    name = "awaiting"

    async def process_chunk(self, chunk, partials, finals, native, state):
        await asyncio.sleep(LONG)


class Blocking:
    kind = "extension"
    name = "blocking"

    async def init(self, config, state):
        await asyncio.sleep(0)
        time.sleep(LONG)


class Turning:
    kind = "extension"
    name = "turning"

    def init(self, config, state):
        while True:
            pass


class Silent:
    kind = "provider"
    name = "silent"

    async def stream(self, messages, state):
        yield "a"
        await asyncio.sleep(LONG)


class Stuck:
    kind = "provider"
    name = "stuck"

    def stream(self, messages, state):
        yield "a"
        time.sleep(LONG)


class Slow:
    kind = "tool"
    name = "slow"

    def get_tool_schemas(self, state):
        schema = {"type": "object", "properties": {}}
        return [{"name": "wait", "description": "Waits.", "input_schema": schema}]

    def execute_tool(self, call, state):
        time.sleep(LONG)


class Limits(unittest.TestCase):
    def test_a_hook_that_hangs_ends_and_is_named(self):
        for plugin, hook, limit in (
            (Awaiting, "process_chunk", "process_chunk"),
            (Blocking, "init", "hook"),
            (Turning, "init", "hook"),
            (Silent, "stream", "stream_idle"),
            (Stuck, "stream", "stream_idle"),
        ):
            with self.subTest(plugin.name), self.assertRaises(HookTimeout) as raised:
                check(plugin(), Request(config=SHORT))
            said = f'"{hook}" of "{plugin.name}" did not end within 0.05 seconds (limits.{limit})'
            self.assertEqual(str(raised.exception), said)

    def test_a_tool_that_hangs_ends(self):
        with self.assertRaisesRegex(HookTimeout, '"execute_tool" of "slow" did not end'):
            call_tool(Slow(), "wait", {}, SHORT)

    def test_a_suite_names_the_hook(self):
        self.assertIn('"process_chunk" of "awaiting" did not end', _faults_of(Awaiting))

    def test_a_hook_that_ends_in_time_leaves_no_alarm(self):
        before = signal.getsignal(signal.SIGALRM)
        check(Quick(), Request(config=SHORT))
        self.assertEqual(signal.getitimer(signal.ITIMER_REAL), (0.0, 0.0))
        self.assertIs(signal.getsignal(signal.SIGALRM), before)


class Quick:
    kind = "extension"
    name = "quick"

    def init(self, config, state):
        return state


def _faults_of(plugin):
    suite = Suite("extension", plugin, Options(config=SHORT))
    faults = []
    for one in suite.checks:
        try:
            one.run()
        except AssertionError as error:
            faults.append(str(error))
    suite.close()
    return "\n".join(faults)


if __name__ == "__main__":
    unittest.main()
