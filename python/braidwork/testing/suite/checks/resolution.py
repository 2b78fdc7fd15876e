"""Checks of the answers by which a host selects plugins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Callable

from ....hooks import HOOKS, PROVIDER
from ...frozen import frozen
from ..harness import Harness
from ..selection import Selection
from ..check import Check, done, fault, same, unjudged

_MOST_MODELS = 5


def _selected(harness: Harness) -> Selection:
    try:
        return harness.selection
    except Exception as error:
        unjudged(f"nothing is selected: {error}")


def _resolves(harness: Harness) -> None:
    try:
        harness.select(harness.config)
    except Exception as error:
        fault(f"The config cannot be resolved: {error}")


def _is_on(harness: Harness) -> None:
    off = _selected(harness).off
    if off is not None:
        fault(f'"{harness.plugin.name}" is off: {off}.')


def _steady(hook: str, title: str, what: str) -> Check:
    def run(harness: Harness) -> None:
        first = _answers_of(harness, hook)
        same(
            _answers_of(harness, hook),
            first,
            f'"{hook}" answers otherwise the second time. Let it depend only on the config.',
        )

    name = f"gives the same {what} each time it is asked"
    return Check(name, f"hooks.md#{title.lower()}", run, is_for_all=True)


def _answers_of(harness: Harness, hook: str) -> list[Any]:
    before = len(harness.plugin.calls)
    try:
        harness.select(harness.config)
    except Exception as error:
        unjudged(f"nothing is selected: {error}")
    return [call.answer for call in harness.plugin.calls[before:] if call.hook == hook]


def _without_settings(harness: Harness) -> None:
    if harness.plugin.kind == PROVIDER:
        _selected(harness)
    name = harness.plugin.name
    settings = harness.config.get("settings", {})
    others = {key: value for key, value in settings.items() if key != name}
    try:
        harness.select({**harness.config, "settings": others})
    except Exception as error:
        fault(f'A hook fails without "settings.{name}". {error}')


def _same_hooks(harness: Harness) -> None:
    first = _hooks_of(harness)
    done(harness.ask("stream"))
    same(
        _hooks_of(harness),
        first,
        "A hook comes or goes. Let it be there, and hand on what it is given.",
    )


def _hooks_of(harness: Harness) -> list[str]:
    return [hook for hook in HOOKS if harness.has(hook)]


def _for_each_model(harness: Harness) -> None:
    for model in _selected(harness).models[:_MOST_MODELS]:
        try:
            harness.select({**harness.config, "model": model})
        except Exception as error:
            fault(f'Model "{model}" cannot be used: {error}')


InfoCheck = Callable[[Mapping[str, Any], str, Callable[[], Any]], None]


def _with_model_info(check: InfoCheck) -> Callable[[Harness], None]:
    def run(harness: Harness) -> None:
        models = _selected(harness).models[:_MOST_MODELS]
        if not harness.has("get_model_info"):
            unjudged('the plugin has no "get_model_info"')
        for model in models:

            def ask(model: str = model) -> Any:
                config = frozen(harness.config)
                return harness.run(
                    harness.plugin.ask("get_model_info", model, config, context=None)
                )

            info = ask()
            if not isinstance(info, Mapping):
                fault(f'"get_model_info" answers for "{model}" with no dict.')
            check(info, model, ask)

    return run


def _is_possible(info: Mapping[str, Any], model: str, _ask: Callable[[], Any]) -> None:
    sizes = [info[key] for key in ("contextWindow", "maxOutputTokens") if key in info]
    prices = [price for price in info.get("price", {}).values() if isinstance(price, (int, float))]
    if any(size <= 0 for size in sizes) or any(price < 0 for price in prices):
        fault(f'"get_model_info" says of "{model}" facts that cannot be: {dict(info)}')


def _is_steady(info: Mapping[str, Any], model: str, ask: Callable[[], Any]) -> None:
    same(ask(), info, f'"get_model_info" answers otherwise for "{model}" the second time.')


_ABOUT = "hooks.md#gettags"
_INFO = "hooks.md#getmodelinfo"
_COMMON = [
    Check("resolves without an error", _ABOUT, _resolves, is_for_all=True),
    Check("is on for its config", "testing.md#options", _is_on, is_for_all=True),
    _steady("get_tags", "getTags", "tags"),
    Check("resolves without its settings", _ABOUT, _without_settings, is_for_all=True),
    Check("has the same hooks each time they are read", "hooks.md#hooks", _same_hooks),
]
RESOLUTION_OF_PROVIDERS = [
    *_COMMON,
    _steady("get_models", "getModels", "models"),
    Check("resolves with each of its models", "hooks.md#getmodels", _for_each_model),
    Check("describes its models with possible facts", _INFO, _with_model_info(_is_possible)),
    Check("describes a model the same each time it is asked", _INFO, _with_model_info(_is_steady)),
]
RESOLUTION_OF_TOOLS = [*_COMMON, _steady("is_enabled", "isEnabled", "verdict")]
RESOLUTION_OF_OTHERS = [*RESOLUTION_OF_TOOLS, _steady("get_models", "getModels", "models")]
