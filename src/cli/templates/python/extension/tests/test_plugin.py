"""{{name}}, without a host."""

import unittest

from braidwork.testing import Request, check, load_plugin

plugin = load_plugin("{{module}}/plugin.py")


class Straightening(unittest.TestCase):
    def test_the_quotes_of_a_text_wherever_it_is_cut(self) -> None:
        for reply in (["“It’s tea”"], ["“", "It", "’s tea", "”"]):
            with self.subTest(reply):
                self.assertEqual('"It\'s tea"', check(plugin, Request(reply=reply)).text)

    def test_no_apostrophes_where_the_setting_says_so(self) -> None:
        config = {"settings": {"{{name}}": {"apostrophes": False}}}
        answer = check(plugin, Request(reply=["“It’s tea”"], config=config))
        self.assertEqual('"It’s tea"', answer.text)

    def test_nothing_in_other_parts(self) -> None:
        source = {"type": "source", "title": "“Tea”"}
        answer = check(plugin, Request(reply=["‘Tea’", source]))
        self.assertEqual([{"type": "text", "text": "'Tea'"}, source], answer.finals[0]["parts"])


if __name__ == "__main__":
    unittest.main()
