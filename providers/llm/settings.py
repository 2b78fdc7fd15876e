"""The settings of the provider, and the options of its models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import ProviderError

if TYPE_CHECKING:
    from braidwork import Config, Context

CONFIG_SCHEMA: dict[str, Any] = {
    "type": "object",
    "title": "llm",
    "properties": {
        "models": {
            "type": "array",
            "title": "Models to offer instead of all that are installed",
            "items": {"type": "string"},
            "uniqueItems": True,
        },
        "keys": {
            "type": "object",
            "title": "Keys, by the names that llm gives them",
            "additionalProperties": {"type": "string", "writeOnly": True},
        },
        "options": {"type": "object", "title": "Options of the model"},
    },
    "additionalProperties": False,
}

# The names that options of models have for keys of the config.
_NEUTRAL = {
    "temperature": ("temperature",),
    "top_p": ("top_p",),
    "max_output_tokens": ("max_output_tokens", "max_tokens", "max_completion_tokens"),
    "stop": ("stop", "stop_sequences"),
    "seed": ("seed",),
    "reasoning_effort": ("reasoning_effort", "thinking_level", "effort"),
    "presence_penalty": ("presence_penalty",),
    "frequency_penalty": ("frequency_penalty",),
}


def settings_of(config: Config) -> dict[str, Any]:
    """The settings of a config, which the host has checked."""
    settings: dict[str, Any] = config.get("settings", {}).get("llm", {})
    return settings


def options_of(model: Any, context: Context) -> dict[str, Any]:
    """The options of a request: keys of the config that the model has options for, and the settings.

    Raises SETTINGS_INVALID for options that the model refuses.
    """
    config = context.config
    known = model.Options.model_fields
    neutral = {}
    for key, names in _NEUTRAL.items():
        value = config.get(key)
        # An empty list of stop texts stops at nothing.
        if value is None or value == []:
            continue
        name = next((name for name in names if name in known), None)
        if name is not None and _is_taken(model, name, value):
            neutral[name] = value
        else:
            context.warn(f'The model "{model.model_id}" has no option for "{key}" = {value!r}.')
    options = {**neutral, **settings_of(config).get("options", {})}
    _check(model, options)
    return options


def _is_taken(model: Any, name: str, value: Any) -> bool:
    try:
        model.Options(**{name: value})
    except ValueError:
        return False
    return True


def _check(model: Any, options: dict[str, Any]) -> None:
    try:
        model.Options(**options)
    except ValueError as error:
        # pydantic lists its faults; other validators raise only a message.
        faults = error.errors() if hasattr(error, "errors") else [{"loc": (), "msg": str(error)}]
        place = "".join(f"/{part}" for part in faults[0]["loc"][:1])
        raise ProviderError(
            "SETTINGS_INVALID",
            f'The model "{model.model_id}" refuses settings.llm.options{place.replace("/", ".")}: '
            f"{faults[0]['msg']}. It has the options {', '.join(model.Options.model_fields)}.",
            pointer=f"/settings/llm/options{place}",
            retryable=False,
        ) from None


def options_schema(model: Any) -> dict[str, Any]:
    """The JSON Schema of a model's options, in which nothing refers to anything else."""
    schema = model.Options.model_json_schema()
    definitions = schema.pop("$defs", {})
    inlined: dict[str, Any] = _inlined(schema, definitions, 0)
    return inlined


# A definition that contains itself is cut off at this depth.
_DEEPEST = 8


def _inlined(value: Any, definitions: dict[str, Any], depth: int) -> Any:
    if isinstance(value, list):
        return [_inlined(item, definitions, depth) for item in value]
    if not isinstance(value, dict):
        return value
    name = str(value.get("$ref", "")).rpartition("/")[2]
    rest = {key: _inlined(item, definitions, depth) for key, item in value.items() if key != "$ref"}
    if name == "" or depth == _DEEPEST:
        return _without_null(rest)
    return {**_inlined(definitions.get(name, {}), definitions, depth + 1), **rest}


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """An option that may be null is left out of the settings instead, which forms show better."""
    choices = schema.get("anyOf")
    if not isinstance(choices, list) or {"type": "null"} not in choices:
        return schema
    others = [choice for choice in choices if choice != {"type": "null"}]
    rest = {
        key: value
        for key, value in schema.items()
        if key != "anyOf" and not (key == "default" and value is None)
    }
    return {**others[0], **rest} if len(others) == 1 else {**rest, "anyOf": others}
