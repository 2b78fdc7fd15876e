"""The models that plugins of llm have registered in this interpreter."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

from .errors import ProviderError


class Installed(NamedTuple):
    """A model, with its async form if it has one."""

    model: Any
    async_model: Any

    @property
    def preferred(self) -> Any:
        """The async form can be cancelled at once."""
        return self.async_model or self.model

    @property
    def server(self) -> str:
        """Whose metadata its answers have: models of one module understand each other's."""
        return str(type(self.model or self.async_model).__module__)


def llm_module() -> Any:
    """The package llm. Raises PACKAGE_MISSING."""
    try:
        import llm
    except ImportError as error:
        raise ProviderError(
            "PACKAGE_MISSING",
            f'The provider "llm" needs the Python package "llm", which "{sys.executable}" cannot '
            f"import ({error}). Install it there with plugins of llm, for example: "
            f'"{sys.executable}" -m pip install llm llm-anthropic',
            retryable=False,
        ) from error
    return llm


# What was wrong when the plugins of llm were loaded, which llm does only once.
_faults: list[str] = []


def _registered() -> list[Any]:
    """The models of all plugins of llm that can be loaded."""
    llm = llm_module()
    try:
        llm.plugins.load_plugins()
    except Exception as error:
        _faults.append(f"{type(error).__name__}: {error}")
    found: list[Any] = llm.get_models_with_aliases()
    return found


def installed_models() -> dict[str, Installed]:
    """All registered models by their ids. Of two with one id, llm uses the last."""
    all_models = [Installed(one.model, one.async_model) for one in _registered()]
    return {one.preferred.model_id: one for one in all_models}


def installed_model(name: str) -> Installed:
    """The model with an id or an alias. Raises MODEL_UNKNOWN."""
    for one in reversed(_registered()):
        if name == (one.model or one.async_model).model_id or name in one.aliases:
            return Installed(one.model, one.async_model)
    faults = "".join(f" A plugin of llm could not be loaded: {fault}." for fault in _faults)
    raise ProviderError(
        "MODEL_UNKNOWN",
        f'No plugin of llm in "{sys.executable}" has the model "{name}".{faults}',
        retryable=False,
    )
