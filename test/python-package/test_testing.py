"""What the test kit runs, and what it refuses."""

from __future__ import annotations

import asyncio
import dataclasses
import enum
import importlib.util
import os
import random
import tempfile
import threading
import types
import unittest
from pathlib import Path
from typing import Annotated, Any, Dict, List, Optional, TypedDict, Union

from braidwork.testing import (
    MemoryStorage,
    Request,
    call_tool,
    check,
    load_plugin,
    messages_of,
    send,
    stream,
)
from braidwork.testing.json_values import json_fault


class Shout:
    kind = "extension"
    name = "shout"

    def from_native(self, natives, core, context):
        return [self._loud(item) for item in core]

    def _loud(self, item):
        if item.get("type") == "text-delta":
            return {**item, "delta": item["delta"].upper()}
        if "parts" not in item:
            return item
        return {**item, "parts": [self._loud_part(part) for part in item["parts"]]}

    def _loud_part(self, part):
        return {**part, "text": part["text"].upper()} if part["type"] == "text" else part


def plugin_of(kind: str = "extension", **members: Any) -> Any:
    return type("Plugin", (), {"kind": kind, "name": "tried", **members})()


class Tone(enum.Enum):
    KIND = "kind"
    BRIEF = "brief"


@dataclasses.dataclass
class ToneSettings:
    tone: Tone = Tone.KIND
    words: list[str] = dataclasses.field(default_factory=list)


class Deep(TypedDict, total=False):
    deep: Annotated[int, {"default": 1}]


class Leveled(TypedDict, total=False):
    level: Annotated[int, {"default": 4}]
    inner: Deep


class SettingsOfAPlugin(unittest.TestCase):
    """What `context.settings` shows without a host."""

    def told(self, config_schema: Any, **settings: Any) -> Any:
        told: list[Any] = []

        def init(self: Any, config: Any, state: Any, context: Any) -> Any:
            told.append(context.settings)
            return state

        plugin = plugin_of(config_schema=config_schema, init=init)
        send(plugin, Request(config={"settings": {"tried": settings}}))
        return told[0]

    def test_an_object_of_a_dataclass(self) -> None:
        expected = ToneSettings(Tone.BRIEF, ["a"])
        self.assertEqual(expected, self.told(ToneSettings, tone="brief", words=["a"]))
        self.assertEqual(ToneSettings(), self.told(ToneSettings))

    @unittest.skipUnless(importlib.util.find_spec("pydantic"), "needs pydantic")
    def test_an_object_of_a_model_of_pydantic(self) -> None:
        import pydantic

        model = pydantic.create_model("Model", tone=(Tone, Tone.KIND), size=(int, 3))
        self.assertEqual(model(tone=Tone.BRIEF, size=3), self.told(model, tone="brief"))
        with self.assertRaises(ValueError) as raised:
            self.told(model, size="many")
        self.assertEqual("/settings/tried/size", getattr(raised.exception, "pointer", ""))
        self.assertEqual("SETTINGS_INVALID", getattr(raised.exception, "code", ""))

    def test_a_dict_with_the_defaults_of_a_schema(self) -> None:
        schema = {
            "properties": {
                "mode": {"$ref": "#/$defs/mode"},
                "list": {"items": {"properties": {"at": {"default": 1}}}},
                "inner": {"allOf": [{"properties": {"deep": {"default": {"a": []}}}}]},
            },
            "$defs": {"mode": {"default": "fast"}},
        }
        self.assertEqual({"mode": "fast"}, self.told(schema))
        self.assertEqual(
            {"mode": "good", "list": [{"at": 1}, {"at": 2}], "inner": {"deep": {"a": []}}},
            self.told(lambda self: schema, mode="good", list=[{}, {"at": 2}], inner={}),
        )
        self.assertEqual({"other": 1}, self.told(None, other=1))
        self.assertEqual({"level": 4, "inner": {"deep": 1}}, self.told(Leveled, inner={}))
        self.assertEqual({}, self.told({"$ref": "#"}))


class Chunked:
    """A provider whose chunks are words, each hook of its own kind."""

    kind = "provider"
    name = "chunked"

    def __init__(self) -> None:
        self.closed = False

    def init(self, config):
        return {"model": config.get("model", "none")}

    async def to_native_messages(self, messages, state):
        return {"asked": [part["text"] for message in messages for part in message["parts"]]}

    async def stream_api(self, native, state, context):
        try:
            yield ["open", "one"]
            yield "two"
            await asyncio.sleep(0)
            yield "end"
        finally:
            self.closed = True

    def process_chunk(self, chunk, native, state, context):
        said = context.local.setdefault("said", [])
        if chunk in ("open", "end"):
            kind = "text-start" if chunk == "open" else "text-end"
            return [{"type": kind, "id": "1"}], [], native, state
        said.append(chunk)
        return [{"type": "text-delta", "id": "1", "delta": chunk}], [], native, state

    def finalize(self, native, state, context):
        return [{"text": "".join(context.local["said"])}], native, state

    def from_native_messages(self, natives, state):
        return [
            {"role": "assistant", "parts": [{"type": "text", "text": native["text"]}]}
            for native in natives
        ]


class Requests(unittest.TestCase):
    def test_an_extension_runs_beside_a_stand_in_the_same_in_send_and_stream(self) -> None:
        source = {"type": "source", "url": "x"}
        answer = check(Shout, Request(reply=["a b", "c", source]))
        self.assertEqual("A BC", answer.finals[0]["parts"][0]["text"])
        self.assertEqual(
            ["text-start", "text-delta", "text-delta", "text-end", "source"],
            [event["type"] for event in answer.events],
        )

    def test_a_provider_runs_with_async_hooks_lists_of_chunks_and_longer_names(self) -> None:
        answer = check([Shout(), Chunked()], Request("How?", config={"model": "small"}))
        self.assertEqual("ONETWO", answer.text)
        self.assertEqual({"asked": ["How?"]}, answer.native)
        self.assertEqual({"model": "small"}, answer.state)

    def test_a_reader_that_leaves_closes_the_generator_and_gets_no_finals(self) -> None:
        provider = Chunked()
        answer = stream(provider, Request(cancel_after=2))
        self.assertTrue(provider.closed)
        self.assertEqual([], answer.finals)
        self.assertEqual(2, len(answer.events))

    def test_a_reader_that_leaves_calls_what_was_given_for_the_end(self) -> None:
        called = threading.Event()
        withdrawn = threading.Event()

        class Waiting:
            kind = "provider"
            name = "waiting"

            def stream(self, native, state, context):
                context.signal.on_abort(called.set)
                context.signal.on_abort(withdrawn.set)()
                yield from ["one", "two", "three"]

        stream(Waiting(), Request(cancel_after=2))
        self.assertTrue(called.wait(5))
        self.assertFalse(withdrawn.is_set())

    def test_hooks_run_in_the_order_of_the_host(self) -> None:
        order: list[str] = []

        def noting(kind: str, name: str) -> Any:
            def note(hook: str, at: int) -> Any:
                def run(self, *arguments):
                    order.append(f"{name}.{hook}")
                    return arguments[at]

                return run

            hooks = {"init": note("init", 1), "edit_messages": note("edit_messages", 0)}
            return type(name, (), {"kind": kind, "name": name, **hooks})

        send([noting("feature", "f"), noting("extension", "e"), noting("extension", "g")])
        self.assertEqual(
            ["e.init", "g.init", "f.init", "e.edit_messages", "g.edit_messages", "f.edit_messages"],
            order,
        )

    def test_a_reply_of_other_values_is_refused(self) -> None:
        with self.assertRaisesRegex(AssertionError, '"reply" has 5; give texts, and events'):
            check(Shout(), Request(reply=[5]))

    def test_a_file_that_does_not_exist_is_named(self) -> None:
        with self.assertRaisesRegex(FileNotFoundError, 'there is no file "/.*nope.py"'):
            load_plugin("nope.py")

    def test_schemas_of_tools_reach_init(self) -> None:
        schema = {"name": "add", "description": "Adds", "input_schema": {"type": "object"}}
        tool = plugin_of("tool", get_tool_schemas=lambda self, state: [schema])
        seen = plugin_of(init=lambda self, config, state: {**state, "tools": config["tools"]})
        self.assertEqual([schema], send([tool, seen]).state["tools"])

    def test_a_context_has_what_the_request_gives_it(self) -> None:
        def init(self, config, state, context):
            context.warn("mind")
            context.emit({"type": "data", "name": "n", "data": 1})
            context.log("noted")
            context.report({"kind": "file", "ref": "notes.md"})
            return {**state, "phase": context.phase, "tags": sorted(context.tags)}

        async def edit_messages(self, messages, state, context):
            await context.storage.set("key", len(messages))
            self.keys = context.storage.list("k").result()
            return messages

        plugin, storage = plugin_of(init=init, edit_messages=edit_messages), MemoryStorage()
        answer = send(plugin, Request(tags=["b", "a"], storage=storage))
        self.assertEqual({"phase": "prepare", "tags": ["a", "b"]}, answer.state)
        self.assertEqual(["tried: mind"], answer.warnings)
        self.assertEqual(1, len(answer.emitted))
        told = {"kind": "file", "ref": "notes.md", "status": "included", "plugin": "tried"}
        self.assertEqual([told], answer.reported)
        self.assertEqual({"key": 1}, storage.values)
        self.assertEqual(["key"], plugin.keys)


    def test_a_report_that_the_host_would_refuse_fails(self) -> None:
        wrong = [{}, {"kind": "odd", "ref": "x"}, {"kind": "file"}, {"kind": "file", "ref": ""}]
        worse = {"kind": "file", "ref": "x"}
        for report in [*wrong, {**worse, "status": "odd"}, {**worse, "reason": 1}]:

            def init(self, config, state, context, report=report):
                context.report(report)
                return state

            with self.assertRaisesRegex(Exception, 'a? ?report of "tried"'):
                send(plugin_of(init=init))


class Tools(unittest.TestCase):
    schema = {"name": "add", "description": "Adds", "input_schema": {"type": "object"}}

    def tool(self, execute: Any) -> Any:
        return plugin_of(
            "tool", get_tool_schemas=lambda self, state: [Tools.schema], execute_tool=execute
        )

    def test_a_call_gets_its_input_and_gives_its_result(self) -> None:
        tool = self.tool(lambda self, call, state: sum(call["input"]))
        self.assertEqual(3, call_tool(tool, "add", [1, 2]))

    def test_the_last_value_of_a_generator_is_the_result(self) -> None:
        async def execute(self, call, state, context):
            yield {"done": 0.5}
            yield "all"

        self.assertEqual("all", call_tool(self.tool(execute), "add", {}))
        self.assertEqual(2, call_tool(self.tool(lambda self, call, state: iter([1, 2])), "add", {}))

    def test_a_tool_that_is_not_offered_cannot_be_called(self) -> None:
        with self.assertRaisesRegex(AssertionError, 'offers no tool "subtract"'):
            call_tool(self.tool(lambda self, call, state: 1), "subtract", {})


class Unit(enum.Enum):
    METRE = "m"
    FOOT = "ft"


@dataclasses.dataclass
class Length:
    amount: float
    unit: Unit = Unit.METRE


def convert(length: Length, to: Unit, note: Optional[str] = None, *, context):
    """Converts a length.

    Args:
        length: What it is.
    """
    context.warn("converted")
    factor = {Unit.METRE: 1, Unit.FOOT: 2}
    return Length(length.amount / factor[length.unit] * factor[to], to)


@dataclasses.dataclass
class Side:
    length: float

    def __post_init__(self) -> None:
        if self.length <= 0:
            raise ValueError("length must be above 0")


def area(side: Side):
    """The area of a square."""
    if side.length > 5:
        raise ValueError("of the function")
    return side.length**2


@dataclasses.dataclass
class Pair:
    first: Side
    second: Side


def areas(sides: List[Side], named: Dict[str, Side], pair: Optional[Pair] = None):
    """The areas of squares."""
    return [area(side) for side in sides]


def perhaps(side: Optional[Side] = None):
    """The length of a side, if there is one."""
    return 0 if side is None else side.length


def either(side: Union[Side, Unit, str, dict]):
    """What it is given."""
    return type(side).__name__


def some(sides: Optional[List[Side]] = None, named: Optional[Dict[str, Side]] = None):
    """The lengths of sides, if there are any."""
    return [side.length for side in [*(sides or []), *(named or {}).values()]]


def any_of(sides: Union[List[Side], list, Dict[str, Side], dict]):
    """What it is given."""
    return type(sides).__name__


async def double(texts: list):
    """Doubles."""
    texts.extend(texts)
    return texts


def count(to: int):
    """Counts."""
    for number in range(to):
        yield {"at": number}
    yield Length(to)


class Functions(unittest.TestCase):
    def kit(self, *functions: Any, **members: Any) -> Any:
        return plugin_of("tool", functions=list(functions), **members)

    def test_a_function_is_given_what_it_is_annotated_with_and_its_result_is_json(self) -> None:
        given = {"length": {"amount": 3, "unit": "m"}, "to": "ft"}
        result = call_tool(self.kit(convert, double), "convert", given)
        self.assertEqual({"amount": 6, "unit": "ft"}, result)

    def test_arguments_that_a_class_refuses_are_named(self) -> None:
        with self.assertRaisesRegex(ValueError, r'"area" are not valid at /side: .* above 0') as raised:
            call_tool(self.kit(area), "area", {"side": {"length": 0}})
        self.assertEqual("OPTION_INVALID", getattr(raised.exception, "code", ""))
        with self.assertRaisesRegex(ValueError, "^of the function$"):
            call_tool(self.kit(area), "area", {"side": {"length": 9}})

    def test_arguments_that_a_class_refuses_have_their_whole_place(self) -> None:
        kit = self.kit(areas)
        good, bad = {"length": 1}, {"length": 0}
        for place, given in (
            ("/sides/1", {"sides": [good, bad], "named": {}}),
            ("/sides/0", {"sides": [bad, good], "named": {}}),
            ("/named/left", {"sides": [], "named": {"left": bad}}),
            ("/pair/second", {"sides": [], "named": {}, "pair": {"first": good, "second": bad}}),
        ):
            with self.assertRaisesRegex(ValueError, f"not valid at {place}: .* above 0") as raised:
                call_tool(kit, "areas", given)
            self.assertEqual(place, getattr(raised.exception, "pointer", ""))

    def test_arguments_that_the_only_class_of_a_choice_refuses_are_named(self) -> None:
        kit = self.kit(perhaps, either)
        self.assertEqual(0, call_tool(kit, "perhaps", {"side": None}))
        self.assertEqual(2, call_tool(kit, "perhaps", {"side": {"length": 2}}))
        with self.assertRaisesRegex(ValueError, "at /side: length must be above 0"):
            call_tool(kit, "perhaps", {"side": {"length": 0}})
        self.assertEqual("dict", call_tool(kit, "either", {"side": {"length": 0}}))
        self.assertEqual("str", call_tool(kit, "either", {"side": "long"}))

    def test_arguments_that_a_class_in_a_list_or_dict_of_a_choice_refuses_are_named(self) -> None:
        kit = self.kit(some, any_of)
        good, bad = {"length": 1}, {"length": 0}
        given = {"sides": [good, good], "named": {"left": good}}
        self.assertEqual([1, 1, 1], call_tool(kit, "some", given))
        self.assertEqual([], call_tool(kit, "some", {"sides": [], "named": None}))
        for place, given in (
            ("/sides/1", {"sides": [good, bad]}),
            ("/named/left", {"named": {"left": bad}}),
        ):
            with self.assertRaisesRegex(ValueError, f"at {place}: length must be above 0"):
                call_tool(kit, "some", given)
        self.assertEqual("list", call_tool(kit, "any_of", {"sides": [bad]}))
        self.assertEqual("dict", call_tool(kit, "any_of", {"sides": {"left": bad}}))

    def test_async_functions_and_generators_run_and_may_change_what_they_are_given(self) -> None:
        texts = ["a"]
        self.assertEqual(["a", "a"], call_tool(self.kit(double), "double", {"texts": texts}))
        self.assertEqual(["a"], texts)
        result = call_tool(self.kit(count), "count", {"to": 2})
        self.assertEqual({"amount": 2, "unit": "m"}, result)

    def test_schemas_of_functions_reach_init(self) -> None:
        seen = plugin_of(init=lambda self, config, state: {**state, "tools": config["tools"]})
        [schema] = send([self.kit(convert), seen]).state["tools"]
        self.assertEqual("Converts a length.", schema["description"])
        self.assertEqual(["length", "to"], schema["input_schema"]["required"])

    def test_what_the_host_would_not_take_is_refused(self) -> None:
        def vague(amount):
            """Says no type."""

        def silent(amount: int) -> None:
            pass

        class Nameless:
            def __call__(self, amount: int) -> None:
                """Has no name."""

        for functions, pattern in [
            ([vague], 'parameter "amount" of function "vague" has no annotation'),
            ([silent], 'function "silent" has no docstring'),
            ([3], "lists 3, which is not a function"),
            ([Nameless()], 'an object of the class "Nameless", which has no "__name__"'),
            ([count, count], 'two of its functions are called "count"'),
        ]:
            with self.assertRaisesRegex(AssertionError, pattern):
                call_tool(self.kit(*functions), "count", {})
        both = self.kit(count, get_tool_schemas=lambda self, state: [])
        with self.assertRaisesRegex(AssertionError, 'both "functions" and "get_tool_schemas"'):
            call_tool(both, "count", {"to": 1})

    def test_arguments_that_a_function_does_not_have_or_lacks_are_refused(self) -> None:
        for given, pattern in [
            ({"to": 1, "from": 0}, '"count" has no parameter "from"'),
            ({}, '"count" needs "to"'),
            ([1], 'the input of "count" is not an object'),
        ]:
            with self.assertRaisesRegex(AssertionError, pattern):
                call_tool(self.kit(count), "count", given)
        with self.assertRaisesRegex(AssertionError, 'offers no tool "add"'):
            call_tool(self.kit(count), "add", {})

    @unittest.skipUnless(importlib.util.find_spec("jsonschema"), "needs jsonschema")
    def test_arguments_that_the_schema_refuses_do_not_reach_the_function(self) -> None:
        with self.assertRaisesRegex(
            AssertionError, "schema of \"count\" refuses the input: '3' .* \\(at /to\\)"
        ):
            call_tool(self.kit(count), "count", {"to": "3"})


def said(*parts: Any) -> Any:
    return {"role": "assistant", "parts": list(parts)}


class YieldedPieces(unittest.TestCase):
    def answer_of(self, *chunks: Any) -> Any:
        def stream_api(self, native, state):
            yield from chunks

        plugin = plugin_of("provider", stream=stream_api)
        answer = stream(plugin)
        self.assertEqual(send(plugin).finals, answer.finals)
        return answer

    def test_texts_are_one_part(self) -> None:
        answer = self.answer_of("You ", "", ["said", "."])
        types = [event["type"] for event in answer.events]
        self.assertEqual(types, ["text-start", *["text-delta"] * 3, "text-end"])
        self.assertEqual(answer.finals, [said({"type": "text", "text": "You said."})])

    def test_parts_of_messages_are_appended(self) -> None:
        sealed = {"type": "reasoning", "text": ".", "providerMetadata": {"tried": {"seal": "a"}}}
        call = {"type": "tool-call", "callId": "a", "name": "weather"}
        answer = self.answer_of(
            said({"type": "reasoning", "text": "One"}),
            said(sealed, {"type": "text", "text": "It "}),
            "is",
            said({**call, "input": '{"city": '}),
            said({**call, "input": '"Rome"}'}),
            said({**call, "callId": "b", "input": {"city": "Oslo"}}),
            {**said(), "metadata": {"finishReason": "tool-calls"}},
        )
        parts = [
            {**sealed, "text": "One."},
            {"type": "text", "text": "It is"},
            {**call, "input": {"city": "Rome"}},
            {**call, "callId": "b", "input": {"city": "Oslo"}},
        ]
        metadata = {"finishReason": "tool-calls"}
        self.assertEqual(answer.finals, [{**said(*parts), "metadata": metadata}])

    def test_a_message_of_another_role_is_refused(self) -> None:
        with self.assertRaisesRegex(AssertionError, 'the role "assistant"'):
            self.answer_of({"role": "user", "parts": []})


class PiecesOfSteps(unittest.TestCase):
    """Partials of process_chunk that are texts and messages."""

    def answer_of(self, *steps: Any, **hooks: Any) -> Any:
        def process_chunk(self, chunk, native, state):
            partials, *finals = chunk["step"]
            return partials, finals, native, state

        plugin = plugin_of(
            "provider",
            stream=lambda self, native, state: [{"step": list(step)} for step in steps],
            process_chunk=process_chunk,
            **hooks,
        )
        answer = stream(plugin)
        self.assertEqual(send(plugin).finals, answer.finals)
        return answer

    def test_the_final_message_is_gathered_with_what_came_before_the_first_piece(self) -> None:
        usage = {"type": "metadata", "metadata": {"usage": {"output": 2}}}
        thought = said({"type": "reasoning", "text": "Let me "})
        answer = self.answer_of([[usage]], [[thought, "It "]], [[]], [["is", {**said()}]])
        parts = [{"type": "reasoning", "text": "Let me "}, {"type": "text", "text": "It is"}]
        self.assertEqual(answer.finals, [{**said(*parts), **{"metadata": usage["metadata"]}}])
        self.assertEqual(answer.events[-1]["type"], "text-end")

    def test_finals_of_the_provider_are_kept(self) -> None:
        final = said({"type": "text", "text": "the final"})
        self.assertEqual(self.answer_of([["a"]], [[], final]).finals, [final])
        finalize = lambda self, native, state: ([final], native, state)  # noqa: E731
        self.assertEqual(self.answer_of([["a"]], finalize=finalize).finals, [final])

    def test_parts_that_are_events_are_not_gathered(self) -> None:
        events = [
            {"type": "text-start", "id": "t"},
            {"type": "text-delta", "id": "t", "delta": "a"},
            {"type": "text-end", "id": "t"},
        ]
        self.assertEqual(self.answer_of([events], [["b"]]).finals, [])


class Refusals(unittest.TestCase):
    def refused(self, pattern: str, plugin: Any, request: Any = None) -> None:
        with self.assertRaisesRegex((AssertionError, TypeError), pattern):
            check(plugin, request)

    def test_a_misspelled_hook_is_named_with_the_right_one(self) -> None:
        self.refused('"edit_mesages"; did you mean "edit_messages"', plugin_of(edit_mesages=len))

    def test_a_hook_in_british_spelling_is_named_with_the_right_one(self) -> None:
        self.refused('"finalise"; did you mean "finalize"', plugin_of(finalise=len))

    def test_a_misspelled_value_is_named_with_the_right_one(self) -> None:
        self.refused('"required_tag"; did you mean "required_tags"', plugin_of(required_tag=["a"]))
        tool = plugin_of("tool", function=[len])
        self.refused('no value "function"; did you mean "functions"', tool)

    def test_functions_that_are_only_near_to_hooks_are_taken(self) -> None:
        words = "small cells clone closed unit steam init_db get_tag finalized set_models"
        plugin = plugin_of(**dict.fromkeys(words.split(), len), provider="x", Settings=ToneSettings)
        self.assertEqual(check(plugin).text, check(plugin_of()).text)

    def test_imported_functions_of_a_module_are_no_hooks(self) -> None:
        module = types.ModuleType("imports")
        vars(module).update(kind="feature", name="imports", close=os.close, edit_messages=os.open)
        self.assertEqual(check(module).text, check(plugin_of("feature")).text)

    def test_a_plugin_without_name_or_kind_is_none(self) -> None:
        self.refused('has a "name"', object())
        self.refused("kinds are provider, extension", plugin_of(kind="addon"))
        self.refused("neither call nor stream", plugin_of("provider"))
        self.refused('"init" that is not a function', plugin_of(init={}))

    def test_a_format_of_tool_schemas_that_there_is_not_is_refused(self) -> None:
        wrong = plugin_of("provider", stream=len, tool_schema_format="openai")
        self.refused("'openai', and none of json-schema, openai-strict", wrong)

    def test_what_is_given_cannot_be_changed_in_place(self) -> None:
        def edit_messages(self, messages, state):
            messages[0]["parts"].append({"type": "text", "text": "more"})
            return messages

        self.refused("must not be changed in place", plugin_of(edit_messages=edit_messages))

        def init(self, config, state):
            state["x"] = 1
            return state

        self.refused("must not be changed in place", plugin_of(init=init))

    def test_what_is_no_json_cannot_cross(self) -> None:
        for value, reason in [
            ({"a": [float("nan")]}, 'at "/a/0": nan is not JSON'),
            ({"a/b": {1}}, 'at "/a~1b": a set is not JSON'),
            ({"a": 2**53 + 1}, "is beyond 2\\^53; send a string"),
            ({1: 2}, "the key 1 is not a string"),
        ]:
            plugin = plugin_of(init=lambda self, config, state, value=value: value)
            self.refused(reason, plugin)

    def test_events_that_do_not_fit_are_refused(self) -> None:
        delta = {"type": "text-delta", "id": "9", "delta": "x"}
        start, end = {"type": "text-start", "id": "9"}, {"type": "text-end", "id": "9"}
        self.refused('no text with the id "9" is open', Shout, Request(reply=[delta]))
        self.refused("is still open", Shout, Request(reply=[start]))
        self.refused("was used before", Shout, Request(reply=[start, end, start, end]))
        self.refused('events of type "finish"', Shout, Request(reply=[{"type": "finish"}]))

    def test_an_extension_that_changes_events_alone_is_found(self) -> None:
        def from_native(self, natives, core, context):
            return (
                Shout().from_native(natives, core, context) if context.phase == "partials" else core
            )

        self.refused("the events add up to", plugin_of(from_native=from_native))

    def test_a_provider_whose_call_says_something_else_is_found(self) -> None:
        class Two(Chunked):
            def call(self, native, state):
                return [], [{"text": "three"}], native, state

            def finalize(self, native, state, context):
                said = context.local.get("said")
                return [{"text": "".join(said)}] if said else [], native, state

        self.refused("send returned", Two())


class Values(unittest.TestCase):
    def test_deep_nesting_is_refused_without_an_overflow(self) -> None:
        value: Any = []
        for _ in range(100_000):
            value = [value]
        self.assertIn("nested too deeply", json_fault(value) or "")
        while value:
            value = value.pop()

    def test_calls_data_and_metadata_add_up_to_parts(self) -> None:
        start = {"type": "tool-call-start", "id": "c", "name": "add"}
        delta = {"type": "tool-call-delta", "id": "c", "delta": "{}"}
        end = {"type": "tool-call-end", "id": "c", "input": {}}
        data = [{"type": "data", "name": "n", "data": at, "id": "d"} for at in (1, 2)]
        gone = {"type": "data", "name": "n", "data": 0, "transient": True}
        usage = {"type": "metadata", "metadata": {"usage": {"input": 1}}}
        self.assertEqual(
            [
                {
                    "role": "assistant",
                    "parts": [
                        {"type": "tool-call", "callId": "c", "name": "add", "input": {}},
                        {"type": "data", "name": "n", "data": 2},
                    ],
                    "metadata": {"usage": {"input": 1}},
                }
            ],
            messages_of([start, delta, *data, gone, end, usage]),
        )

    def test_any_cut_of_a_text_comes_to_the_same_message(self) -> None:
        source = random.Random(7)
        for _ in range(200):
            text = "".join(source.choice("ab \n🙂") for _ in range(source.randint(1, 30)))
            cut = sorted(source.sample(range(len(text) + 1), min(3, len(text))))
            pieces = [text[at:to] for at, to in zip([0, *cut], [*cut, len(text)])]
            self.assertEqual(text.upper(), check(Shout, Request(reply=pieces)).text)

    def test_the_halves_of_a_character_come_together(self) -> None:
        self.assertEqual("🙂", send(Shout, Request(reply=["\ud83d", "\ude42"])).text)


class Loading(unittest.TestCase):
    def test_a_plugin_is_found_in_a_file_a_folder_and_a_module(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "plugin.py")
            path.write_text('kind = "feature"\nname = "module"\n', "utf8")
            self.assertEqual("module", load_plugin(folder).name)
            Path(folder, "names.py").write_text('NAME = "other"\n', "utf8")
            path.write_text('from .names import NAME as name\nkind = "tool"\n', "utf8")
            self.assertEqual("other", load_plugin(folder).name)
            path.write_text('class plugin:\n    kind = "feature"\n    name = "class"\n', "utf8")
            self.assertEqual("Hello.", check(load_plugin(path)).text)


if __name__ == "__main__":
    unittest.main()
