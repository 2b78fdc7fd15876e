"""word-filter, hook by hook."""

from __future__ import annotations

import random
import re
import unittest
from typing import Any

from braidwork.testing import Request, check, load_plugin, send
from cases import runs_of

plugin = load_plugin("extensions/word-filter")


def request(reply: Any, words: Any = ("darn", "Straße", "café"), **settings: Any) -> Request:
    own = {"words": list(words) if isinstance(words, tuple) else words, **settings}
    return Request(reply=reply, config={"settings": {"word-filter": own}})


def said(*pieces: str, **settings: Any) -> str:
    return check(plugin, request(pieces, **settings)).text


def pieces_of(text: str, source: random.Random) -> list[str]:
    """A text cut anywhere, also between the halves of a character."""
    units = text.encode("utf-16-le", "surrogatepass")
    places = range(0, len(units) + 1, 2)
    cuts = sorted(source.sample(places, min(len(places), source.randint(0, 6))))
    pairs = zip([0, *cuts], [*cuts, len(units)])
    return [units[at:to].decode("utf-16-le", "surrogatepass") for at, to in pairs]


class Replacing(unittest.TestCase):
    def test_whole_words_in_any_case(self) -> None:
        self.assertEqual("***, *** and *** it!", said("Darn, DARN and darn it!"))
        self.assertEqual("darned undarn darn_1 darn2", said("darned undarn darn_1 darn2"))
        self.assertEqual('(***) "***" ***.', said('(darn) "darn" darn.'))

    def test_however_unicode_writes_them(self) -> None:
        self.assertEqual("*** *** ***", said("STRASSE strasse Straße"))
        self.assertEqual("*** ***", said("cafe\u0301 CAFÉ"))
        self.assertEqual("cafe café\u0323", said("cafe café\u0323"))

    def test_a_word_that_is_split_between_chunks(self) -> None:
        self.assertEqual("a *** b", said("a d", "a", "r", "n b"))
        self.assertEqual("a darned b", said("a d", "arn", "ed b"))
        self.assertEqual("***", said("cafe", "\u0301"))
        self.assertEqual("caf\u00e9\u0301", said("caf\u00e9", "\u0301"))
        self.assertEqual("xdarn", said("x", "darn"))

    def test_a_word_at_the_end_of_a_part(self) -> None:
        self.assertEqual("oh ***", said("oh da", "rn"))
        self.assertEqual("oh da", said("oh ", "da"))

    def test_letters_whose_halves_come_apart(self) -> None:
        word = "𝒹𝒶𝓇𝓃"
        source = random.Random(3)
        for _ in range(runs_of(100)):
            self.assertEqual("so *** 😀", said(*pieces_of(f"so {word} 😀", source), words=[word]))

    def test_reasoning_too_and_no_other_part(self) -> None:
        call = {"type": "tool-call-start", "id": "c", "name": "darn"}
        end = {"type": "tool-call-end", "id": "c", "input": {"darn": "darn"}}
        source = {"type": "source", "title": "darn"}
        reply = [
            {"type": "reasoning-start", "id": "1"},
            {"type": "reasoning-delta", "id": "1", "delta": "dar"},
            {"type": "text-start", "id": "1"},
            {"type": "text-delta", "id": "1", "delta": "da"},
            {"type": "reasoning-delta", "id": "1", "delta": "n"},
            {"type": "reasoning-end", "id": "1", "providerMetadata": {"p": 1}},
            {"type": "text-delta", "id": "1", "delta": "rn"},
            {"type": "text-end", "id": "1"},
            call,
            end,
            source,
        ]
        parts = check(plugin, request(reply)).finals[0]["parts"]
        self.assertEqual(["***", "***"], [part["text"] for part in parts[:2]])
        self.assertEqual({"p": 1}, parts[0]["providerMetadata"])
        self.assertEqual({"darn": "darn"}, parts[2]["input"])
        self.assertEqual(source, parts[3])

    def test_a_delta_without_a_word_passes_as_it_came_at_once(self) -> None:
        answer = check(plugin, request(["Hello ", "dear ", "d", "ay ", "x"]))
        deltas = [event["delta"] for event in answer.events if "delta" in event]
        self.assertEqual(["Hello ", "dear ", "day ", "x"], deltas)

    def test_another_replacement_or_none(self) -> None:
        self.assertEqual("a [gone] b", said("a darn b", replacement="[gone]"))
        self.assertEqual("a  b", said("a darn b", replacement=""))

    def test_the_same_however_the_answer_is_cut(self) -> None:
        source = random.Random(11)
        signs = [
            "darn",
            "Darn",
            "da",
            "rn",
            "é",
            "e\u0301",
            "caf",
            " ",
            "_",
            "😀",
            "\u0301",
            "ß",
            "x",
        ]
        for _ in range(runs_of(500, 10)):
            text = "".join(source.choice(signs) for _ in range(source.randint(1, 12)))
            self.assertEqual(said(text), said(*pieces_of(text, source)), ascii(text))

    def test_what_a_plain_pattern_replaces_in_ascii(self) -> None:
        source = random.Random(5)
        for _ in range(runs_of(300, 10)):
            text = "".join(source.choice("darn DN-'_1.") for _ in range(source.randint(1, 40)))
            plain = re.sub(r"\bdarn\b", "***", text, flags=re.IGNORECASE)
            self.assertEqual(plain, said(*pieces_of(text, source), words=["darn"]), text)

    def test_a_word_without_an_end_is_not_held(self) -> None:
        answer = check(plugin, request(["d" * 1000] * 200 + [" darn"]))
        self.assertEqual("d" * 200_000 + " ***", answer.text)


class Settings(unittest.TestCase):
    def test_without_words_nothing_is_replaced(self) -> None:
        self.assertIs(False, plugin.default_enabled)
        self.assertEqual("oh darn", said("oh ", "darn", words=[]))
        self.assertEqual("oh darn", check(plugin, Request(reply=["oh ", "darn"], config={})).text)

    def test_settings_that_cannot_be_used_are_named(self) -> None:
        for words, pointer in [
            ("darn", "/words"),
            (["a"] * 1001, "/words"),
            (["fine", "two words"], "/words/1"),
            (["a-b"], "/words/0"),
            (["x" * 101], "/words/0"),
            ([1], "/words/0"),
        ]:
            with self.assertRaises(ValueError) as raised:
                send(plugin, request(["x"], words=words))
            self.assertEqual("SETTINGS_INVALID", raised.exception.code)
            self.assertEqual(f"/settings/word-filter{pointer}", raised.exception.pointer)
            self.assertIn(pointer, str(raised.exception))


if __name__ == "__main__":
    unittest.main()
