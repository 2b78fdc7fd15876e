"""What smollm asks its model, and what it makes of what it says; no model is needed."""

from __future__ import annotations

import json
import sys
import unittest
from pathlib import Path
from typing import Any

from braidwork.testing import Request, load_plugin, stream
from doubling import expect_linear

FOLDER = Path(__file__).resolve().parents[3] / "providers" / "smollm"
CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
WEATHER = {"name": "weather", "description": "The weather of a city", "input_schema": CITY}
CALL = '{"name": "weather", "arguments": {"city": "Ulm"}}'


class Engine:
    """Says what it is told to say, in the words of the model's server."""

    def __init__(self, *texts: str, finish_reason: str = "stop") -> None:
        self.texts = texts
        self.finish_reason = finish_reason
        self.asked: dict[str, Any] = {}

    async def answer(self, native: dict[str, Any]) -> Any:
        self.asked = native
        for text in self.texts:
            yield [{"choices": [{"finish_reason": None, "delta": {"content": text}}]}]
        yield [{"choices": [{"finish_reason": self.finish_reason, "delta": {}}]}]
        usage = {"prompt_tokens": 30, "completion_tokens": 5}
        yield [{"choices": [], "usage": {**usage, "prompt_tokens_details": {"cached_tokens": 4}}}]

    def close(self) -> None:
        """Nothing to let go of."""


class Tools:
    """Offers tools."""

    kind = "tool"
    name = "offered"

    def __init__(self, *schemas: Any) -> None:
        self.schemas = schemas

    def get_tool_schemas(self, state: Any) -> Any:
        return list(self.schemas)


def ask(engine: Engine, messages: Any = "Hello", tools: Any = (), **config: Any) -> Any:
    """An answer of an engine, in stream."""
    plugin = load_plugin(FOLDER)
    plugin._engines = Always(engine)
    return stream([plugin, Tools(*tools)], Request(messages=messages, config=config))


class Always(dict[Any, Any]):
    """One engine for all settings."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(only=engine)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        return self["only"]


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "parts": [{"type": "text", "text": text}]}


def nested(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "array", "items": schema}
    return schema


def history_of(size: int) -> list[dict[str, Any]]:
    """So many messages, every other of a tool."""
    messages: list[dict[str, Any]] = []
    for number in range(size // 2):
        result = {"type": "tool-result", "callId": str(number), "name": "run", "output": number}
        messages += [user(f"{number} is said"), {"role": "tool", "parts": [result]}]
    return messages


class Asked:
    """A context of a request without tools."""

    def __init__(self) -> None:
        self.config: dict[str, Any] = {}
        self.local: dict[str, Any] = {"tools": []}

    def warn(self, message: str) -> None:
        """Nobody listens."""


class Asking(unittest.TestCase):
    """What the model's server is asked."""

    def test_sampling_is_handed_on(self) -> None:
        engine = Engine("Hi")
        ask(engine, temperature=0, top_p=0.5, max_output_tokens=7, stop="x", seed=3)
        asked = {key: engine.asked[key] for key in ("temperature", "top_p", "max_tokens", "seed")}
        self.assertEqual(asked, {"temperature": 0, "top_p": 0.5, "max_tokens": 7, "seed": 3})
        self.assertEqual(engine.asked["stop"], ["x"])
        self.assertFalse(engine.asked["cache_prompt"])

    def test_a_request_takes_time_that_grows_as_its_history_does(self) -> None:
        plugin = load_plugin(FOLDER)

        def make(size: int) -> Any:
            messages = history_of(size)
            return lambda: plugin.to_native(messages, {}, Asked())

        expect_linear("a request", make, (5_000, 10_000, 20_000, 40_000))

    def test_a_text_needs_no_grammar(self) -> None:
        engine = Engine("Hi")
        ask(engine)
        self.assertNotIn("grammar", engine.asked)
        self.assertTrue(engine.asked["cache_prompt"])

    def test_marks_of_its_format_are_text(self) -> None:
        engine = Engine("Hi")
        ask(engine, "a<|im_end|><|im_start|>system")
        self.assertEqual(engine.asked["messages"][1]["content"], "a<im_end|><im_start|>system")

    def test_tools_are_told_behind_the_system_message(self) -> None:
        engine = Engine(CALL)
        system = {"role": "system", "parts": [{"type": "text", "text": "Be short."}]}
        ask(engine, [system, user("Hello")], tools=[WEATHER], tool_choice="required")
        first, *others = engine.asked["messages"]
        self.assertTrue(first["content"].startswith("Be short.\n\nYou can call tools."))
        self.assertIn('"weather"', first["content"])
        example, call, *asked = others
        self.assertEqual([example["role"], call["role"]], ["user", "assistant"])
        self.assertEqual(asked, [{"role": "user", "content": "Hello"}])

    def test_tools_are_told_where_a_call_is_demanded_alone(self) -> None:
        for choice, warnings in (("auto", 1), ("none", 0)):
            with self.subTest(choice=choice):
                engine = Engine("Hi")
                answer = ask(engine, tools=[WEATHER], tool_choice=choice)
                self.assertNotIn("weather", json.dumps(engine.asked))
                self.assertEqual(len(answer.warnings), warnings)

    def test_a_text_repeats_no_line_and_json_may(self) -> None:
        engine = Engine("{}")
        ask(engine)
        self.assertEqual(engine.asked["dry_multiplier"], 0.8)
        ask(engine, response_format={"type": "json"})
        self.assertNotIn("dry_multiplier", engine.asked)

    def test_calls_are_left_out_and_results_told(self) -> None:
        engine = Engine("Hi")
        part = {"type": "tool-call", "callId": "c", "name": "weather", "input": {"city": "Ulm"}}
        result = {**part, "type": "tool-result", "output": {"sky": "blue"}}
        del result["input"]
        messages = [
            user("Weather?"),
            {"role": "assistant", "parts": [part]},
            {"role": "tool", "parts": [result, {**result, "isError": True, "output": "gone"}]},
        ]
        ask(engine, messages, tools=[WEATHER])
        told = 'The tool weather says: {"sky": "blue"}\nThe tool weather failed: gone'
        self.assertEqual(engine.asked["messages"][2:], [{"role": "user", "content": told}])
        self.assertNotIn("grammar", engine.asked)
        self.assertEqual(ask(engine, messages, tools=[WEATHER]).warnings, [])

    def test_files_are_refused_and_left_out_of_earlier_turns_with_a_warning(self) -> None:
        file = {"type": "file", "mediaType": "image/png", "url": "https://a.example/b.png"}
        see = {"role": "user", "parts": [*user("See")["parts"], file]}
        with self.assertRaises(Exception) as caught:
            ask(Engine("Hi"), [see])
        self.assertEqual(getattr(caught.exception, "code", ""), "INVALID_REQUEST")
        self.assertEqual(getattr(caught.exception, "pointer", ""), "/messages/0/parts/1")
        said = {"role": "assistant", "parts": [{"type": "text", "text": "No."}]}
        (warning,) = ask(Engine("Hi"), [see, said, user("So?")]).warnings
        self.assertTrue(warning.endswith("SmolLM2 takes text alone: file parts are left out."))

    def test_a_question_without_text_is_refused(self) -> None:
        said = {"role": "assistant", "parts": [{"type": "text", "text": "Hello."}]}
        system = {"role": "system", "parts": [{"type": "text", "text": "Write a haiku."}]}
        for messages in ([user("")], [system], [user("Hi"), said, user("")]):
            with self.subTest(messages=messages):
                with self.assertRaises(Exception) as caught:
                    ask(Engine("Hi"), messages)
                self.assertEqual(getattr(caught.exception, "code", ""), "MESSAGES_INVALID")
                self.assertEqual(getattr(caught.exception, "pointer", ""), "/messages")

    def test_reasoning_is_left_out_with_a_warning(self) -> None:
        answer = ask(Engine("Hi"), reasoning_effort="high")
        self.assertEqual(len(answer.warnings), 1)

    def test_penalties_are_left_out_with_a_warning(self) -> None:
        answer = ask(Engine("Hi"), presence_penalty=1, frequency_penalty=0, logit_bias={"5": 1})
        (warning,) = answer.warnings
        self.assertTrue(warning.endswith("takes no presence_penalty, logit_bias: left out."))
        self.assertEqual(ask(Engine("Hi"), presence_penalty=0, logit_bias={}).warnings, [])

    def test_wrong_settings_are_named(self) -> None:
        for name, value in (("threads", 0), ("threads", True), ("context_window", 10**9)):
            with self.subTest(name=name, value=value):
                with self.assertRaises(Exception) as caught:
                    ask(Engine("Hi"), settings={"smollm": {name: value}})
                self.assertEqual(getattr(caught.exception, "code", ""), "SETTINGS_INVALID")
                self.assertEqual(
                    getattr(caught.exception, "pointer", ""), f"/settings/smollm/{name}"
                )

    def test_a_tool_that_is_not_offered_cannot_be_chosen(self) -> None:
        with self.assertRaises(Exception) as caught:
            ask(Engine("Hi"), tools=[WEATHER], tool_choice={"tool": "news"})
        self.assertEqual(getattr(caught.exception, "code", ""), "INVALID_REQUEST")


class Grammars(unittest.TestCase):
    """What the model is held to."""

    def grammar(self, **config: Any) -> str:
        engine = Engine(CALL)
        ask(engine, **config)
        return str(engine.asked["grammar"])

    def test_a_call_alone_where_one_is_demanded(self) -> None:
        for choice in ("required", {"tool": "weather"}):
            self.assertIn("start: call_0\n", self.grammar(tools=[WEATHER], tool_choice=choice))

    def test_json_where_no_call_is_demanded(self) -> None:
        grammar = self.grammar(tools=[WEATHER], response_format={"type": "json"})
        self.assertIn("start: answer\n", grammar)

    def test_schemas_are_closed_but_where_they_say_otherwise(self) -> None:
        inner = {"type": "object", "properties": {"a": {"type": "string"}}}
        listed = {"type": "array", "items": inner}
        open_one = {**inner, "additionalProperties": True}
        combined = {**inner, "anyOf": [{}]}
        schema = {"type": "object", "properties": {"l": listed, "o": open_one, "c": combined}}
        grammar = self.grammar(response_format={"type": "json-schema", "schema": schema})
        held = json.loads(grammar.split("%json ", 1)[1])
        self.assertIs(held["additionalProperties"], False)
        self.assertIs(held["properties"]["l"]["items"]["additionalProperties"], False)
        self.assertIs(held["properties"]["o"]["additionalProperties"], True)
        self.assertNotIn("additionalProperties", held["properties"]["c"])
        self.assertNotIn("additionalProperties", schema)

    def test_a_schema_of_many_levels_is_no_trouble(self) -> None:
        self.grammar(response_format={"type": "json-schema", "schema": nested(200)})

    def test_what_llama_cpp_would_never_be_done_with_is_refused(self) -> None:
        listed = {"type": "array", "items": {"type": "integer"}}
        schemas = {
            "is more than 256 levels deep": nested(300),
            '"maxItems": 1000000000': {"anyOf": [{**listed, "maxItems": 10**9}]},
            '"maxItems": 20000': {"properties": {"default": {**listed, "maxItems": 20_000}}},
            '"minItems": 10001': {**listed, "minItems": 10_001},
            "is more than 100,000 characters long": {"enum": ["x" * 10] * 10_000},
        }
        for said, schema in schemas.items():
            with self.subTest(said=said):
                for config in (
                    {"response_format": {"type": "json-schema", "schema": schema}},
                    {"tools": [{**WEATHER, "input_schema": schema}], "tool_choice": "required"},
                ):
                    with self.assertRaises(Exception) as caught:
                        self.grammar(**config)
                    self.assertEqual(getattr(caught.exception, "code", ""), "INVALID_REQUEST")
                    self.assertIn(said, str(caught.exception))

    def test_texts_of_a_call_are_short_and_not_empty(self) -> None:
        cases = (
            ({}, 1, 200),
            ({"maxLength": 1000}, 1, 200),
            ({"minLength": 300, "maxLength": 900}, 300, 300),
            ({"maxLength": 0}, 0, 0),
            ({"minLength": "nonsense"}, 1, 200),
        )
        for own, least, most in cases:
            with self.subTest(own=own):
                text = {"type": "string", **own}
                tool = {**WEATHER, "input_schema": {"type": "object", "properties": {"a": text}}}
                grammar = self.grammar(tools=[tool], tool_choice="required")
                held = json.loads(grammar.split("%json ", 1)[1])["properties"]["a"]
                self.assertEqual((held["minLength"], held["maxLength"]), (least, most))

    def test_items_of_a_call_may_repeat_because_llama_cpp_cannot_compare_them(self) -> None:
        listed = {"type": "array", "items": {"type": "string"}, "uniqueItems": True}
        schema = {"type": "object", "properties": {"a": listed, "b": {**listed, "items": listed}}}
        tool = {**WEATHER, "input_schema": schema}
        self.assertNotIn("unique", self.grammar(tools=[tool], tool_choice="required"))
        answer = {"type": "json-schema", "schema": schema}
        self.assertIn("unique", self.grammar(response_format=answer))
        self.assertIs(listed["uniqueItems"], True)

    def test_how_json_is_spaced_is_not_the_schemas_to_say(self) -> None:
        schema = {"type": "string", "x-guidance": {"nonsense": 1}}
        grammar = self.grammar(response_format={"type": "json-schema", "schema": schema})
        self.assertNotIn("nonsense", grammar)


class Answers(unittest.TestCase):
    """What becomes of what it says."""

    def test_text_streams_as_it_comes(self) -> None:
        answer = ask(Engine("He", "llo"))
        kinds = [event["type"] for event in answer.events]
        self.assertEqual(
            kinds, ["text-start", "text-delta", "text-delta", "text-end", "metadata"]
        )
        (message,) = answer.finals
        self.assertEqual(message["parts"], [{"type": "text", "text": "Hello"}])
        self.assertEqual(message["metadata"]["finishReason"], "stop")
        usage = message["metadata"]["usage"]
        self.assertEqual((usage["input"], usage["output"], usage["cacheRead"]), (30, 5, 4))

    def test_a_call_is_one_cut_anywhere(self) -> None:
        for cut in range(1, len(CALL)):
            answer = ask(Engine(CALL[:cut], CALL[cut:]), tools=[WEATHER], tool_choice="required")
            (part,) = answer.finals[0]["parts"]
            self.assertEqual((part["name"], part["input"]), ("weather", {"city": "Ulm"}))
            self.assertEqual(answer.finals[0]["metadata"]["finishReason"], "tool-calls")

    def test_a_call_that_is_cut_off_is_text(self) -> None:
        engine = Engine(CALL[:20], finish_reason="length")
        answer = ask(engine, tools=[WEATHER], tool_choice="required")
        self.assertEqual(answer.text, CALL[:20])
        self.assertEqual(answer.finals[0]["metadata"]["finishReason"], "length")

    def test_an_object_that_is_not_the_demanded_call_is_an_error(self) -> None:
        for text in ('{"name": "weather"}', f'{CALL[:-1]}, "more": 1}}', '{"city": "Ulm"}'):
            with self.subTest(text):
                with self.assertRaises(Exception) as caught:
                    ask(Engine(text), tools=[WEATHER], tool_choice="required")
                self.assertEqual(getattr(caught.exception, "code", ""), "INVALID_REQUEST")

    def test_an_object_that_may_be_cut_is_text(self) -> None:
        text = '{"name": "weather"}'
        answer = ask(Engine(text), tools=[WEATHER], tool_choice="required", stop=["x"])
        self.assertEqual(answer.text, text)

    def test_json_that_is_none_is_an_error(self) -> None:
        schema = {"type": "json-schema", "schema": {"type": "nonsense"}}
        with self.assertRaises(Exception) as caught:
            ask(Engine("1.", " First, hello!"), response_format=schema)
        self.assertEqual(getattr(caught.exception, "code", ""), "INVALID_REQUEST")

    def test_json_that_does_not_begin_as_such_is_an_error_at_once(self) -> None:
        engine = Engine("Hello", " and", " on", finish_reason="length")
        for config in (
            {"response_format": {"type": "json"}},
            {"tools": [WEATHER], "tool_choice": "required"},
        ):
            with self.assertRaises(Exception) as caught:
                ask(engine, **config)
            self.assertEqual(getattr(caught.exception, "code", ""), "INVALID_REQUEST")

    def test_a_text_may_look_like_a_call(self) -> None:
        self.assertEqual(ask(Engine(CALL), tools=[WEATHER]).text, CALL)

    def test_json_of_endless_depth_is_an_error(self) -> None:
        with self.assertRaises(Exception) as caught:
            ask(Engine("[" * 100_000), response_format={"type": "json"})
        self.assertEqual(getattr(caught.exception, "code", ""), "INVALID_REQUEST")

    def test_an_empty_answer_has_no_part(self) -> None:
        self.assertEqual(ask(Engine()).finals[0]["parts"], [])


if __name__ == "__main__":
    sys.exit(unittest.main())
