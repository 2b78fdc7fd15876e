"""Asks a plugin the questions by which a host selects it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..frozen import frozen
from ..plugins import PluginUnderTest


@dataclass(frozen=True)
class Selection:
    """What the plugins of a chain say of a config."""

    models: Sequence[str] = ()
    tags: frozenset[str] = frozenset()
    off: str | None = None
    """Why the tested plugin is off."""


async def select(
    plugins: Sequence[PluginUnderTest], tested: PluginUnderTest, config: Mapping[str, Any]
) -> Selection:
    """Asks all plugins for models and tags, and the tested one whether it is on."""
    found = Selection()
    for plugin in sorted(plugins, key=lambda one: one.kind != "provider"):
        found = await _with_answers(found, plugin, frozen(config))
    return dataclasses.replace(found, off=await _off(found, tested, frozen(config)))


async def _with_answers(found: Selection, plugin: PluginUnderTest, config: Any) -> Selection:
    models, tags = found.models, found.tags
    if plugin.has("get_models"):
        given = () if plugin.kind == "provider" else (frozen(list(models)),)
        models = await plugin.ask("get_models", config, *given, context=None)
    if plugin.has("get_tags"):
        tags |= frozenset(await plugin.ask("get_tags", config, frozen(list(models)), context=None))
    return Selection(models, tags)


async def _off(found: Selection, plugin: PluginUnderTest, config: Any) -> str | None:
    if plugin.kind == "provider":
        return None
    verdict: Any = None
    if plugin.has("is_enabled"):
        models = frozen(list(found.models))
        verdict = await plugin.ask(
            "is_enabled", config, found.tags, models, _surroundings(plugin), context=None
        )
    if isinstance(verdict, bool):
        return None if verdict else 'its "is_enabled" answers with False'
    missing = sorted(set(value_of(plugin.plugin, "required_tags", ())) - found.tags)
    if missing:
        lacks = ", ".join(f'"{tag}"' for tag in missing)
        return f'it lacks {lacks}; pass the tags of the provider in "tags"'
    refused = sorted(set(value_of(plugin.plugin, "forbidden_tags", ())) & found.tags)
    return f'it forbids "{refused[0]}"' if refused else None


def _surroundings(plugin: PluginUnderTest) -> Any:
    enabled: dict[str, list[str]] = {"extensions": [], "features": [], "tools": []}
    enabled[f"{plugin.kind}s"].append(plugin.name)
    return frozen(
        {"enabled_plugin_ids": enabled, "disabled_plugins": [], "force_enabled_plugins": []}
    )


def value_of(plugin: Any, name: str, otherwise: Any) -> Any:
    """A value of a plugin, which may also be a function without arguments."""
    value = getattr(plugin, name, None)
    if callable(value) and not isinstance(value, type):
        value = value()
    return otherwise if value is None else value
