"""What annotations come to: schemas, and the values that a function gets."""

from __future__ import annotations

import dataclasses
import enum
import importlib.util
import types
import unittest
from typing import Annotated, Any, Dict, List, Optional, TypedDict, Union

from braidwork.testing.function_tools.conversions import Values
from braidwork.testing.function_tools.faults import PluginFault
from braidwork.testing.function_tools.functions import FunctionTool
from braidwork.testing.function_tools.schemas import schema_of_class
from braidwork.testing.function_tools.settings import given_settings, may_refuse

HAS_EXTENSIONS = importlib.util.find_spec("typing_extensions") is not None
HAS_PYDANTIC = importlib.util.find_spec("pydantic") is not None

if HAS_EXTENSIONS:
    import typing_extensions as typed

    class Query(typed.TypedDict):
        text: str
        limit: typed.NotRequired[int]
        said: Annotated[typed.NotRequired[int], "How often"]
        fixed: typed.ReadOnly[typed.NotRequired[int]]

    class Loose(typed.TypedDict, total=False):
        name: typed.Required[str]
        size: int

    class Longer(Query, Loose):
        more: typed.Annotated[typed.Required[bool], "More"]


if HAS_PYDANTIC:
    import pydantic

    Level = Annotated[int, pydantic.Field(ge=2, description="How much")]

    @dataclasses.dataclass
    class Leveled:
        level: Level = 3

    class Cat(pydantic.BaseModel):
        lives: int

    Cats = Annotated[List[Cat], pydantic.Field(max_length=2)]


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass
class Point:
    x: float


class Shape(TypedDict):
    color: Color
    at: Point
    more: List[Point]
    names: Dict[str, Color]


class Other(TypedDict):
    other: Color


class Deep(TypedDict, total=False):
    deep: Annotated[int, {"default": 1}]
    color: Annotated[Color, {"default": "blue"}]


@dataclasses.dataclass
class Holder:
    inner: Deep
    shape: Optional[Shape] = None


SHAPE = {"color": "red", "at": {"x": 1}, "more": [{"x": 2}], "names": {"a": "blue"}}
MADE = {
    "color": Color.RED,
    "at": Point(1),
    "more": [Point(2)],
    "names": {"a": Color.BLUE},
}


def given_to(annotation: Any, value: Any) -> Any:
    """What a function gets for an argument of this type."""

    def take(value: Any) -> None:
        """Takes it."""
        told.append(value)

    told: List[Any] = []
    take.__annotations__ = {"value": annotation}
    FunctionTool(take).call({"value": value}, None)
    return told[0]


class RequiredFields(unittest.TestCase):
    @unittest.skipUnless(HAS_EXTENSIONS, "needs typing_extensions")
    def test_are_those_that_the_annotations_say(self) -> None:
        self.assertEqual(["text"], schema_of_class(Query)["required"])
        self.assertEqual(["name"], schema_of_class(Loose)["required"])
        self.assertEqual({"type": "integer"}, schema_of_class(Query)["properties"]["limit"])

    @unittest.skipUnless(HAS_EXTENSIONS, "needs typing_extensions")
    def test_are_those_of_all_classes_of_a_typed_dict(self) -> None:
        self.assertEqual({"text", "name", "more"}, set(schema_of_class(Longer)["required"]))


class ValuesOfTypedDicts(unittest.TestCase):
    def test_have_the_annotated_types(self) -> None:
        self.assertEqual(MADE, given_to(Shape, SHAPE))
        self.assertEqual([MADE], given_to(List[Shape], [SHAPE]))

    def test_are_those_of_the_branch_that_fits(self) -> None:
        either = Union[Other, Shape, Point]
        self.assertEqual(MADE, given_to(either, SHAPE))
        self.assertEqual({"other": Color.RED}, given_to(either, {"other": "red"}))
        self.assertEqual(Point(1), given_to(either, {"x": 1}))

    def test_are_refused_with_the_reason(self) -> None:
        with self.assertRaisesRegex(ValueError, "'green' is not a valid Color"):
            given_to(Other, {"other": "green"})

    @unittest.skipUnless(HAS_EXTENSIONS, "needs typing_extensions")
    def test_of_fields_that_need_not_be_there_have_their_types(self) -> None:
        optional = typed.TypedDict("optional", {"color": typed.NotRequired[Color]})
        self.assertEqual({"color": Color.RED}, given_to(optional, {"color": "red"}))
        self.assertEqual({}, given_to(optional, {}))

    def test_have_their_defaults_within_a_dataclass(self) -> None:
        plugin = types.SimpleNamespace(config_schema=Holder)
        config = {"settings": {"p": {"inner": {}, "shape": SHAPE}}}
        self.assertEqual(
            Holder({"deep": 1, "color": Color.BLUE}, MADE), given_settings("p", plugin, config)
        )


@unittest.skipUnless(HAS_PYDANTIC, "needs pydantic")
class FieldsOfPydantic(unittest.TestCase):
    def test_say_what_a_value_may_be(self) -> None:
        made = schema_of_class(Leveled)["properties"]["level"]
        expected = {"type": "integer", "minimum": 2, "description": "How much", "default": 3}
        self.assertEqual(expected, made)

    def test_refer_to_the_classes_that_they_have(self) -> None:
        def feed(cats: Cats) -> None:
            """Feeds cats."""

        schema = FunctionTool(feed).schema["input_schema"]
        self.assertEqual({"$ref": "#/$defs/Cat"}, schema["properties"]["cats"]["items"])
        self.assertEqual(2, schema["properties"]["cats"]["maxItems"])
        self.assertIn("Cat", schema["$defs"])

    def test_refuse_values(self) -> None:
        self.assertEqual(2, Values().of(Level, 2))
        with self.assertRaises(ValueError):
            Values().of(Level, 1)
        self.assertEqual([Cat(lives=9)], given_to(Cats, [{"lives": 9}]))
        self.assertTrue(may_refuse(Leveled))

    def test_of_types_without_a_schema_are_refused(self) -> None:
        def take(value: Annotated[types.ModuleType, pydantic.Field(description="M")]) -> None:
            """Takes it."""

        with self.assertRaisesRegex(PluginFault, 'parameter "value" of function "take"'):
            FunctionTool(take)


if __name__ == "__main__":
    unittest.main()
