"""Recorded exchanges for the suite of providers."""

from __future__ import annotations

import base64
import json
import tempfile
import unittest
import urllib.request
from pathlib import Path
from typing import Any

from braidwork.testing import recorded_api
from braidwork.testing.suite import Options, Suite


class Words:
    """A provider whose API answers with a text."""

    kind = "provider"
    name = "words"
    config_schema = {"type": "object", "properties": {"base_url": {"type": "string"}}}

    def get_models(self, config: Any) -> list[str]:
        return ["m"]

    def stream(self, native: Any, state: Any, context: Any) -> Any:
        asked = urllib.request.Request(context.settings["base_url"], b"{}")
        with urllib.request.urlopen(asked) as response:
            yield response.read().decode()


def config(url: str) -> Any:
    return {"settings": {"words": {"base_url": url}}}


def exchange(body: list[str], kind: str = "text/event-stream", **response: Any) -> Any:
    headers = {"content-type": kind, "x-request-id": "r1"}
    return {
        "request": {"method": "POST", "url": "http://127.0.0.1/words"},
        "response": {"status": 200, "headers": headers, "body": body, **response},
    }


class Recorded(unittest.TestCase):
    def setUp(self) -> None:
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.path = Path(made.name) / "words.json"

    def api_of(self, *exchanges: Any) -> Any:
        self.path.write_text(json.dumps({"version": 1, "exchanges": exchanges}))
        return recorded_api(self.path, config)

    def test_takes_the_first_answers_that_succeeded(self) -> None:
        piece = base64.b64encode("größer".encode()).decode()
        api = self.api_of(
            exchange(["no"], status=500),
            exchange(["cut"], is_cut=True),
            exchange([piece], encoding="base64"),
            exchange(["{", "}"], "application/json"),
            exchange(["later"]),
        )
        self.assertEqual(
            {"headers": {"x-request-id": "r1"}, "whole": "{}", "streamed": ["größer"]},
            {key: value for key, value in api.items() if key != "config"},
        )
        self.assertEqual(config("u"), api["config"]("u"))

    def test_says_that_nothing_succeeded(self) -> None:
        with self.assertRaisesRegex(ValueError, "Record one that succeeds"):
            self.api_of(exchange(["no"], status=500))

    def test_says_that_a_file_is_no_recording(self) -> None:
        for text in ("", "{", "[]", "{}", '{"exchanges": 1}', '{"exchanges": [{}]}', "\udcff"):
            self.path.write_text(text, errors="surrogateescape")
            with self.assertRaisesRegex(ValueError, "words.json is no recording of exchanges"):
                recorded_api(self.path, config)
        with self.assertRaisesRegex(ValueError, "braidwork record"):
            recorded_api(self.path.with_name("none.json"), config)

    def test_lets_the_suite_repeat_it(self) -> None:
        api = self.api_of(exchange(["It is\n", "hot.\n"]))
        suite = Suite("provider", Words, Options(api=api))
        self.addCleanup(suite.close)
        checks = {check.name: check for check in suite.checks}
        self.assertIsNone(checks["takes part in a stream"].run())
        self.assertIsNone(checks["reads a stream that arrives byte by byte"].run())
        self.assertIsNone(checks["reads a stream that arrives 7 bytes at a time"].run())


if __name__ == "__main__":
    unittest.main()
