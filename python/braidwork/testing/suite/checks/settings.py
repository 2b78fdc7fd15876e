"""Checks of the settings of a plugin, as far as they need no host."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Callable

from ...frozen import frozen
from ...function_tools import PluginFault
from ..harness import Harness
from ..schemas import schema_fault, settings_schema, value_fault
from ..check import Check, fault, same, unjudged

_ABOUT = "settings.md"
_ELEMENTS = "hooks.md#getuielements"
_SECRET = re.compile(r"(?:^|[_.])(?:api_?key|password|secret|access_token|auth_token)$", re.I)


def _schema_of(harness: Harness) -> Any:
    try:
        return settings_schema(harness.plugin.plugin)
    except PluginFault:
        return None


def _fields_of(schema: Any, path: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The settings of the schema and of the objects in it, by their paths."""
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    for name, field in properties.items() if isinstance(properties, Mapping) else ():
        if isinstance(field, Mapping):
            yield f"{path}{name}", field
            yield from _fields_of(field, f"{path}{name}.")


def _each_field(name: str, judge: Callable[[Mapping[str, Any], str], str | None]) -> Check:
    """A check of each setting. `judge` returns what is wrong with it."""

    def run(harness: Harness) -> None:
        for path, field in _fields_of(_schema_of(harness)):
            wrong = judge(field, path)
            if wrong is not None:
                fault(f'The setting "{path}" {wrong}')

    return Check(name, _ABOUT, run)


def _compiles(harness: Harness) -> None:
    if getattr(harness.plugin.plugin, "config_schema", None) is None:
        return
    try:
        schema = settings_schema(harness.plugin.plugin)
    except PluginFault as error:
        fault(f'"config_schema" is no JSON Schema: {error}')
    if not isinstance(schema, Mapping):
        fault('"config_schema" is no JSON Schema, and no class that has one.')
    wrong = schema_fault(schema)
    if wrong is not None:
        fault(f'"config_schema" does not compile: {wrong}')


def _is_of_object(harness: Harness) -> None:
    schema = _schema_of(harness)
    kind = schema.get("type", "object") if isinstance(schema, Mapping) else "object"
    if isinstance(kind, str) and kind != "object":
        fault(f'"config_schema" is of type "{kind}"; settings are an object.')


def _defaults(harness: Harness) -> None:
    whole = _schema_of(harness)
    for path, field in _fields_of(whole):
        wrong = value_fault(field, field["default"], whole) if "default" in field else None
        if wrong is not None:
            fault(f'The setting "{path}" has a default that its schema refuses: {wrong}')


def _description(field: Mapping[str, Any], _path: str) -> str | None:
    if any(field.get(key) for key in ("title", "description", "$ref", "const")):
        return None
    return 'has neither "title" nor "description".'


def _mark(field: Mapping[str, Any], path: str) -> str | None:
    is_bare = field.get("type") == "string" and field.get("writeOnly") is not True
    if _SECRET.search(path) and is_bare:
        return (
            'looks like a secret. Mark it with "writeOnly": true, so that logs, forms and other '
            "plugins never see it."
        )
    return None


def _hidden(field: Mapping[str, Any], _path: str) -> str | None:
    # A field that may be absent has the default None, which tells nothing.
    if field.get("writeOnly") is True and field.get("default") is not None:
        return "is a secret with a default, which everybody can read in the schema."
    return None


def ask_for_elements(harness: Harness) -> Any:
    """The answer of `get_ui_elements`. Raises what it raises."""
    found = harness.selection
    given = {"models": list(found.models), "available_tools": [], "tools": [], "tags": found.tags}
    config = frozen(harness.config_of_requests)
    return harness.run(
        harness.plugin.ask(
            "get_ui_elements", config, frozen(given), context=harness.context("settings")
        )
    )


def _elements_of(harness: Harness) -> list[Mapping[str, Any]]:
    """The elements that the plugin lists for forms."""
    if not harness.has("get_ui_elements"):
        return []
    try:
        elements = ask_for_elements(harness)
    except Exception as error:
        unjudged(f'"get_ui_elements" fails: {error}')
    return [one for one in elements or () if isinstance(one, Mapping)]


def _steady_form(harness: Harness) -> None:
    same(_form_of(harness), _form_of(harness), "The form differs the second time.")


def _form_of(harness: Harness) -> Any:
    """All that a host makes the form of."""
    elements = _elements_of(harness)
    return _schema_of(harness), elements, harness.select(harness.config).models


def _unique_elements(harness: Harness) -> None:
    ids = [element.get("id") for element in _elements_of(harness)]
    twice = next((id_ for at, id_ in enumerate(ids) if id_ in ids[:at]), None)
    if twice is not None:
        fault(f'"get_ui_elements" lists "{twice}" twice.')


def _runs_actions(harness: Harness) -> None:
    name = harness.plugin.name
    for element in _elements_of(harness):
        is_own = element.get("action_owner", name) == name and element.get("kind") != "setting"
        if is_own and not harness.has("run_action"):
            fault(f'The action "{element.get("id")}" is listed, but there is no "run_action".')


SETTINGS = [
    Check("has a schema of settings that compiles", _ABOUT, _compiles),
    Check("has a schema of settings for an object", _ABOUT, _is_of_object),
    Check("has defaults that its schema accepts", _ABOUT, _defaults),
    _each_field("says what each setting is for", _description),
    _each_field("marks its secrets", _mark),
    _each_field("has no default for a secret", _hidden),
    Check("has the same form each time it is shown", _ELEMENTS, _steady_form),
    Check("lists each element of its form once", _ELEMENTS, _unique_elements),
]
ACTIONS = [Check("can run the actions that it lists", "hooks.md#runaction", _runs_actions)]
