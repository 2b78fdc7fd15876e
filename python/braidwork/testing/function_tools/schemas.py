"""Derives JSON Schemas from the types of Python: annotations, dataclasses, pydantic models."""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import inspect
import types
import typing
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

from .faults import PluginFault
from .pydantic_types import adapter_of, model_schema
from .to_json import is_json, is_model, json_value
from .typed_dicts import is_typed_dict, required_fields, unwrapped

Schema = Dict[str, Any]

_PLAIN = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
_LISTS = (list, tuple, collections.abc.Sequence, collections.abc.Iterable)
_MAPS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
_UNIONS = (Union, getattr(types, "UnionType", Union))
# The keys of a field's metadata that are keywords of JSON Schema.
_KEYWORDS = frozenset(
    "title description default examples format pattern minLength maxLength minimum maximum "
    "exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems enum const "
    "writeOnly readOnly deprecated".split()
)


def is_schema_class(value: Any) -> bool:
    """Whether a class stands for a schema: a dataclass, a typed dict or a pydantic model."""
    return inspect.isclass(value) and (
        dataclasses.is_dataclass(value) or is_model(value) or is_typed_dict(value)
    )


def schema_of_class(cls: Any) -> Schema:
    """The schema of a class. Raises PluginFault, which names a field without a schema."""
    if is_model(cls):
        return model_schema(cls)
    if not is_schema_class(cls):
        raise PluginFault(
            f'class "{cls.__name__}" has no JSON Schema; make it a dataclass, a TypedDict or a '
            "pydantic model"
        )
    made = Definitions(cls)
    return made.whole(made.of_class(cls))


def hints_of(value: Any, where: str) -> Dict[str, Any]:
    """The annotations of a class or a function, as types."""
    try:
        return typing.get_type_hints(value, include_extras=True)
    except Exception as error:  # a name is unknown, or this version of Python lacks it
        raise PluginFault(f"the annotations of {where} cannot be read: {error}") from error


class Definitions:
    """Builds the schemas of annotations, and of the classes that the annotations name."""

    def __init__(self, root: Any = None) -> None:
        self._root = root
        self._names: Dict[Any, str] = {}
        self._schemas: Dict[str, Schema] = {}

    def whole(self, schema: Schema) -> Schema:
        """A schema with the definitions that it refers to."""
        return {**schema, "$defs": self._schemas} if self._schemas else schema

    def of(self, annotation: Any, where: str) -> Schema:
        """The schema of an annotation. The error messages name it as `where`."""
        annotation = unwrapped(annotation)
        origin = typing.get_origin(annotation)
        if annotation in (Any, object):
            return {}
        if annotation in (None, type(None)):
            return {"type": "null"}
        plain = _PLAIN.get(annotation) if inspect.isclass(annotation) else None
        if plain is not None:
            return {"type": plain}
        if hasattr(annotation, "__metadata__"):
            return self._annotated(annotation, where)
        if origin is typing.Literal:
            return _values(list(typing.get_args(annotation)), where)
        if origin in _UNIONS:
            return self._union(typing.get_args(annotation), where)
        return self._container(origin or annotation, typing.get_args(annotation), where)

    def _container(self, kind: Any, args: Tuple[Any, ...], where: str) -> Schema:
        if kind in _LISTS:
            return self._list(kind, args, where)
        if kind in _MAPS:
            if args and args[0] is not str:
                raise _unsayable(args[0], where, "the keys of a JSON object must be texts")
            return {
                "type": "object",
                "additionalProperties": self.of(args[1], f"{where}[str]") if args else True,
            }
        if inspect.isclass(kind) and issubclass(kind, enum.Enum):
            return _values([member.value for member in kind], where)
        if is_schema_class(kind):
            return self._named(kind)
        raise _unsayable(kind, where, "use one of the types that JSON can express")

    def _list(self, kind: Any, args: Tuple[Any, ...], where: str) -> Schema:
        if kind is not tuple or not args or args[-1] is Ellipsis:
            item = self.of(args[0], f"{where}[]") if args else {}
            return {"type": "array", "items": item}
        places = [self.of(arg, f"{where}[{at}]") for at, arg in enumerate(args)]
        return {
            "type": "array",
            "prefixItems": places,
            "minItems": len(places),
            "maxItems": len(places),
        }

    def _union(self, args: Tuple[Any, ...], where: str) -> Schema:
        branches = [self.of(arg, where) for arg in args]
        types_of = [branch["type"] for branch in branches if list(branch) == ["type"]]
        return {"type": types_of} if len(types_of) == len(branches) else {"anyOf": branches}

    def _annotated(self, annotation: Any, where: str) -> Schema:
        schema = self._of_pydantic(annotation, where) or self.of(annotation.__origin__, where)
        for said in annotation.__metadata__:
            if isinstance(said, str):
                schema = {**schema, "description": said}
            elif isinstance(said, Mapping):
                schema = {**schema, **keywords_of(said)}
        return schema

    def _named(self, cls: Any) -> Schema:
        if cls is self._root:
            return {"$ref": "#"}
        if cls not in self._names:
            made = self._with_own(model_schema(cls)) if is_model(cls) else None
            if made and list(made) == ["$ref"]:  # a model that contains itself
                self._names[cls] = made["$ref"].rpartition("/")[2]
                return made
            name, number = cls.__name__, 1
            while name in self._schemas and self._schemas[name] != made:
                number += 1
                name = f"{cls.__name__}_{number}"
            # The name is stored before the fields are read, because a field may refer to the class.
            self._names[cls] = name
            self._schemas[name] = {}
            self._schemas[name] = self.of_class(cls) if made is None else made
        return {"$ref": f"#/$defs/{self._names[cls]}"}

    def _of_pydantic(self, annotation: Any, where: str) -> Optional[Schema]:
        """The schema of an annotation with words of pydantic; None for any other."""
        try:
            adapter = adapter_of(annotation)
            schema = None if adapter is None else dict(adapter.json_schema())
        except Exception as error:  # of many types, for a type that pydantic does not know
            raise PluginFault(f"{where} has no JSON Schema: {error}") from error
        return None if schema is None else self._with_own(schema)

    def _with_own(self, schema: Schema) -> Schema:
        """A schema of pydantic, whose definitions go to the others."""
        for name, inner in schema.pop("$defs", {}).items():
            if self._schemas.setdefault(name, inner) != inner:
                raise PluginFault(f'two classes are called "{name}"; rename one of them')
        return schema

    def of_class(self, cls: Any) -> Schema:
        """The schema of a dataclass or a typed dict, with the fields in their order."""
        hints = hints_of(cls, f'class "{cls.__name__}"')
        if is_typed_dict(cls):
            return _object(
                {name: self.of(hint, _field(cls, name)) for name, hint in hints.items()},
                required_fields(cls, hints),
                _described(cls),
            )
        fields = [field for field in dataclasses.fields(cls) if field.init]
        properties = {field.name: self._field(cls, field, hints) for field in fields}
        required = [field.name for field in fields if not _has_default(field)]
        return _object(properties, required, _described(cls))

    def _field(self, cls: Any, field: Any, hints: Mapping[str, Any]) -> Schema:
        where = _field(cls, field.name)
        schema = {**self.of(hints[field.name], where), **keywords_of(field.metadata)}
        if not _has_default(field):
            return schema
        is_made = field.default is dataclasses.MISSING
        default = json_value(field.default_factory() if is_made else field.default)
        if not is_json(default):
            raise PluginFault(f"JSON cannot express the default of {where}: {default!r}")
        return {**schema, "default": default}


def keywords_of(said: Mapping[Any, Any]) -> Schema:
    """Converts the metadata of a field: keywords of JSON Schema, `secret` and `env`."""
    schema: Schema = {}
    for key, value in said.items():
        if key == "secret":
            schema["writeOnly"] = bool(value)
        elif key == "env":
            schema["x-env"] = value
        elif isinstance(key, str) and (key in _KEYWORDS or key.startswith("x-")):
            schema[key] = value
    return schema


def _object(properties: Schema, required: List[str], words: Schema) -> Schema:
    schema: Schema = {"type": "object", **words, "properties": properties}
    if required:
        schema["required"] = required
    return {**schema, "additionalProperties": False}


def _has_default(field: Any) -> bool:
    missing = dataclasses.MISSING
    return field.default is not missing or field.default_factory is not missing


def _described(cls: Any) -> Schema:
    text: Optional[str] = cls.__dict__.get("__doc__")
    # Python gives a dataclass without a docstring its signature as docstring.
    if not text or text.startswith(f"{cls.__name__}("):
        return {}
    return {"description": inspect.cleandoc(text).split("\n\n")[0].replace("\n", " ")}


def _values(values: List[Any], where: str) -> Schema:
    if not all(value is None or isinstance(value, (str, int, float)) for value in values):
        raise _unsayable(values, where, "listed values must be texts, numbers, booleans or None")
    return {"enum": values}


def _field(cls: Any, name: str) -> str:
    return f'field "{name}" of class "{cls.__name__}"'


def _unsayable(found: Any, where: str, hint: str) -> PluginFault:
    shown = getattr(found, "__qualname__", None) or repr(found)
    return PluginFault(
        f"{where} is of type {shown}, which has no JSON Schema: {hint}. Types are str, int, float, "
        "bool, None, list, tuple, dict[str, …], Literal, Enum, Optional, Union, dataclasses, "
        "TypedDict, pydantic models and Any"
    )
