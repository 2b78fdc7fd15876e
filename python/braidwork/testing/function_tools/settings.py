"""The settings of a plugin, as `context.settings` shows them."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from typing import Any, Dict, Mapping, Optional, Set, Tuple

from .conversions import Values
from .refusals import SettingsFault, first_error, own_error
from .pydantic_types import is_of_pydantic
from .schemas import hints_of, is_schema_class, schema_of_class
from .to_json import is_model
from .typed_dicts import is_typed_dict

# Chains of references and of `allOf` are followed so far.
_MOST_STEPS = 20
_MISSING: Any = object()


def given_settings(name: str, plugin: Any, config: Mapping[str, Any]) -> Any:
    """The settings of a plugin: an object of its `config_schema` if that is a dataclass or a
    pydantic model, and otherwise a dict with the defaults of the schema.

    Raises SettingsFault if the class refuses the settings.
    """
    settings = config.get("settings", {}).get(name, {})
    schema = getattr(plugin, "config_schema", None)
    if callable(schema) and not inspect.isclass(schema):
        schema = schema()
    if is_typed_dict(schema):
        schema = schema_of_class(schema)
    if is_schema_class(schema):
        own, added = _split(plugin, schema, settings)
        return _with_added(_object_of(name, schema, own), added)
    return _with_defaults(settings, schema, schema)


def refusal_of(name: str, plugin: Any, settings: Mapping[str, Any]) -> Optional[Dict[str, Any]]:
    """Why the class of a plugin refuses its settings, with the place; None if it takes them."""
    try:
        given_settings(name, plugin, {"settings": {name: settings}})
    except SettingsFault as fault:
        return {"path": fault.path, "message": fault.reason}
    return None


def may_refuse(cls: Any) -> bool:
    """Whether a class, or one that its fields name, may refuse what its JSON Schema takes."""
    seen: Set[Any] = set()
    found = [cls]
    while found:
        kind = found.pop()
        found += typing.get_args(kind)
        if is_of_pydantic(kind):
            return True
        if not inspect.isclass(kind) or kind in seen:
            continue
        seen.add(kind)
        if is_model(kind) or (dataclasses.is_dataclass(kind) and _has_own_code(kind)):
            return True
        if is_schema_class(kind):
            found += hints_of(kind, f'class "{kind.__name__}"').values()
    return False


def _has_own_code(cls: Any) -> bool:
    """Whether more runs than what Python generates when a dataclass is made."""
    return hasattr(cls, "__post_init__") or not cls.__dataclass_params__.init


def _split(plugin: Any, cls: Any, settings: Mapping[str, Any]) -> Tuple[Any, Dict[str, Any]]:
    """The settings of a class, and those that `get_ui_elements` of the plugin adds to them.

    The host has checked the latter, so every key that the class does not name is one.
    """
    if not callable(getattr(plugin, "get_ui_elements", None)):
        return settings, {}
    names = _names_of(cls)
    own = {key: value for key, value in settings.items() if key in names}
    return own, {key: value for key, value in settings.items() if key not in names}


def _names_of(cls: Any) -> Set[str]:
    """The names under which the settings of a class may stand."""
    if hasattr(cls, "__dataclass_fields__"):
        return set(cls.__dataclass_fields__)
    # A model of pydantic may take a field by its alias, by its name, or by both.
    return {*cls.model_json_schema().get("properties", {}), *getattr(cls, "model_fields", {})}


def _with_added(made: Any, added: Dict[str, Any]) -> Any:
    """The settings with further ones: as attributes of an object, which may be frozen."""
    if isinstance(made, dict):
        return {**made, **added}
    for key, value in added.items():
        if not hasattr(made, key):
            object.__setattr__(made, key, value)
    return made


def _object_of(name: str, cls: Any, settings: Any) -> Any:
    """The settings as an object of a class."""
    if not _makes_objects(cls):
        schema = cls.model_json_schema()
        return _with_defaults(settings, schema, schema)
    try:
        return Values().of(cls, settings)
    except Exception as error:
        path, reason = first_error(error)
        raise SettingsFault(name, path, reason) from own_error(error)


def _makes_objects(cls: Any) -> bool:
    """Whether a class has a constructor for JSON, and not only a schema."""
    return hasattr(cls, "__dataclass_fields__") or hasattr(cls, "model_validate")


def _with_defaults(value: Any, schema: Any, root: Any, step: int = 0) -> Any:
    """A value with the defaults of a JSON Schema for members that are absent."""
    if not isinstance(schema, dict) or step > _MOST_STEPS:
        return value
    if value is _MISSING and "default" in schema:
        return _copied(schema["default"])
    all_of = schema.get("allOf")
    further = all_of if isinstance(all_of, list) else []
    for one in [_referred(root, schema.get("$ref")), *further]:
        value = _with_defaults(value, one, root, step + 1)
    properties, items = schema.get("properties"), schema.get("items")
    if isinstance(value, dict) and isinstance(properties, dict):
        return _with_members(value, properties, root)
    if isinstance(value, list) and isinstance(items, dict):
        return [_with_defaults(item, items, root) for item in value]
    return value


def _with_members(value: Dict[str, Any], properties: Dict[str, Any], root: Any) -> Any:
    filled = dict(value)
    for key, schema in properties.items():
        made = _with_defaults(filled.get(key, _MISSING), schema, root)
        if made is not _MISSING:
            filled[key] = made
    return filled


def _referred(root: Any, reference: Any) -> Any:
    """The schema that a reference within a document points to."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    found = root
    for key in reference[1:].split("/")[1:]:
        found = found.get(_plain(key)) if isinstance(found, dict) else None
    return found


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(inner) for key, inner in value.items()}
    return [_copied(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def _plain(key: str) -> str:
    return key.replace("~1", "/").replace("~0", "~")
