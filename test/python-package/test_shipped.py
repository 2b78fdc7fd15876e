"""The shipped plugins in Python pass the suite of their kind."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from typing import Any

from braidwork.testing import load_plugin
from braidwork.testing.suite import Options, Suite

ROOT = Path(__file__).resolve().parents[2]


class Engine:
    """Answers in place of the language model of smollm."""

    async def answer(self, native: Any) -> Any:
        for text in ("Tea ", "is hot."):
            yield [{"choices": [{"finish_reason": None, "delta": {"content": text}}]}]
        yield [{"choices": [{"finish_reason": "stop", "delta": {}}]}]
        yield [{"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}]

    def close(self) -> None:
        """Nothing to let go of."""


class Engines(dict[Any, Any]):
    """One engine for all settings."""

    def setdefault(self, key: Any, default: Any = None) -> Any:
        return Engine()


class Shipped(unittest.TestCase):
    def expect_no_fault(self, kind: str, plugin: Any, **options: Any) -> None:
        suite = Suite(kind, plugin, Options(**options))
        self.addCleanup(suite.close)
        faults = []
        for check in suite.checks:
            try:
                check.run()
            except AssertionError as error:
                faults.append(f"{check.name}: {error}")
        self.assertEqual([], faults)

    def test_word_filter(self) -> None:
        settings = {"word-filter": {"words": ["tea"]}}
        plugin = ROOT / "extensions" / "word-filter"
        self.expect_no_fault("extension", plugin, config={"settings": settings})

    def test_doc_context(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "tea.md").write_text("# Tea\nIt is hot.\n")
            self.expect_no_fault(
                "feature",
                ROOT / "features" / "doc-context",
                config={"settings": {"doc-context": {"folder": folder}}},
                messages="Is tea hot?",
            )

    def test_python_eval(self) -> None:
        calls = [{"name": "python_eval", "input": {"expression": "6 * 7"}}]
        self.expect_no_fault("tool", ROOT / "tools" / "python-eval", calls=calls)

    def test_smollm(self) -> None:
        plugin = load_plugin(ROOT / "providers" / "smollm")
        plugin._engines = Engines()
        # It has tools only where a call is required, and its model reads texts.
        self.expect_no_fault("provider", plugin, lacks=["tools", "images"])


if __name__ == "__main__":
    unittest.main()
