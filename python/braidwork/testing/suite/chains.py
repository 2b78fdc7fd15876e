"""The plugins of a suite, in a new chain for each request."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from ..chain import Chain
from ..contexts import MemoryStorage, RequestContext, Shared
from ..frozen import frozen
from ..plugins import PluginUnderTest
from .exchange import Exchange, Question
from .options import Options
from .scene_provider import SCENE, SceneProvider
from .selection import Selection
from .watched_plugin import WatchedPlugin


class CallerTools:
    """The tools of a request that no plugin of the chain offers."""

    kind = "tool"
    name = "braidwork-caller"

    def __init__(self, tools: Sequence[Mapping[str, Any]]) -> None:
        self._tools = list(tools)

    def get_tool_schemas(self, state: Any) -> list[Any]:
        return self._tools


class Chains:
    """The tested plugin, those beside it, and a provider."""

    def __init__(self, plugin: WatchedPlugin, options: Options) -> None:
        self._plugin = plugin
        self._storage = MemoryStorage()
        self._ids = itertools.count(1)
        self.logged: list[Any] = []
        """The level and text of what plugins log."""
        self.scene = SceneProvider(list(options.tags))
        self.plugins = [plugin, *(PluginUnderTest(one) for one in options.beside)]
        providers = [one for one in self.plugins if one.kind == "provider"]
        self.is_scripted = not providers
        """Whether the provider of the suite answers."""
        if self.is_scripted:
            providers = [PluginUnderTest(self.scene)]
            self.plugins += providers
        self.provider = providers[0]

    def exchange(self, question: Question, config: Mapping[str, Any], found: Selection) -> Exchange:
        """A request that has not begun."""
        given = configured(config, found)
        if question.answer is not None:
            given[SCENE] = question.answer
        tools = [PluginUnderTest(CallerTools(question.tools))] if question.tools else []
        shared = self._shared(given, found, self._model_info(given))
        shared.request_id = f"request-{next(self._ids)}"
        storage = MemoryStorage() if question.begins_conversation else self._storage
        chain = Chain([*self.plugins, *tools], shared, storage)
        return Exchange(chain, shared, self.provider)

    def context(self, config: Mapping[str, Any], found: Selection, phase: Any) -> RequestContext:
        """A context outside of requests."""
        shared = self._shared(configured(config, found), found, {})
        context = RequestContext(self._plugin.plugin, shared, self._storage)
        context.phase = phase
        return context

    def _shared(self, config: Mapping[str, Any], found: Selection, info: Any) -> Shared:
        shared = Shared(frozen(config), found.tags, frozen(info))
        shared.logged = self.logged
        return shared

    def _model_info(self, config: Mapping[str, Any]) -> Any:
        hook = getattr(self.provider.plugin, "get_model_info", None)
        model = config.get("model")
        info = None if hook is None or model is None else hook(model, frozen(config))
        return {} if inspect.isawaitable(info) or info is None else info


def configured(config: Mapping[str, Any], found: Selection) -> dict[str, Any]:
    """A config with its model, by default the first one."""
    models = found.models
    return {**({"model": models[0]} if models else {}), **config}
