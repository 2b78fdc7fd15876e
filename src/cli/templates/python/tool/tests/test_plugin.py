"""{{name}}, without a host."""

import unittest
from typing import Any

from braidwork.testing import call_tool, load_plugin

plugin = load_plugin("{{module}}/plugin.py")


def count(text: str, **settings: Any) -> Any:
    config = {"settings": {"{{name}}": settings}}
    return call_tool(plugin, "{{function}}", {"text": text}, config)


class Counting(unittest.TestCase):
    def test_words_and_characters(self) -> None:
        self.assertEqual({"words": 3, "characters": 11}, count("Tea is hot."))

    def test_no_white_space_where_the_setting_says_so(self) -> None:
        self.assertEqual({"words": 3, "characters": 9}, count("Tea is hot.", spaces=False))

    def test_no_words_in_an_empty_text(self) -> None:
        self.assertEqual({"words": 0, "characters": 1}, count(" "))


if __name__ == "__main__":
    unittest.main()
