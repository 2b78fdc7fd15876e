"""{{name}}, without a host."""

import unittest
from typing import Any

from braidwork.testing import Request, check, load_plugin

plugin = load_plugin("{{module}}/plugin.py")


def first_message(settings: Any) -> Any:
    config = {"settings": {"{{name}}": settings}}
    # The native request of the provider that stands in is the list of messages.
    return check(plugin, Request(config=config)).native[0]


class Asking(unittest.TestCase):
    def test_for_the_language_of_the_settings_before_all_other_messages(self) -> None:
        said = [{"type": "text", "text": "Answer in Welsh."}]
        self.assertEqual(
            {"role": "system", "parts": said}, first_message({"language": "Welsh"})
        )

    def test_for_english_by_default(self) -> None:
        self.assertEqual("Answer in English.", first_message({})["parts"][0]["text"])


if __name__ == "__main__":
    unittest.main()
