"""All hooks and values of plugins: their names, and the kinds of plugins that may have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

PROVIDER, EXTENSION, FEATURE, TOOL = KINDS = ("provider", "extension", "feature", "tool")

_ALL = KINDS
_NO_PROVIDER = (EXTENSION, FEATURE, TOOL)
_NO_TOOL = (PROVIDER, EXTENSION, FEATURE)
_FOLLOWERS = (EXTENSION, FEATURE)


class Hook(NamedTuple):
    """A hook: the kinds that may have it, its alternative name, and the shape of its answer."""

    kinds: tuple[str, ...]
    also: str | None = None
    answer: str = "any"


HOOKS: Mapping[str, Hook] = {
    "get_models": Hook(_NO_TOOL, answer="ids"),
    "refresh_models": Hook((PROVIDER,), answer="ids"),
    "get_model_info": Hook((PROVIDER,), answer="object"),
    "get_tags": Hook(_ALL, answer="ids"),
    "is_enabled": Hook(_NO_PROVIDER, answer="verdict"),
    "init": Hook(_ALL, answer="object"),
    "edit_messages": Hook(_FOLLOWERS, answer="list"),
    "to_native": Hook(_NO_TOOL, also="to_native_messages", answer="native"),
    "initialize_request": Hook(_NO_TOOL, answer="native-state"),
    "call": Hook((PROVIDER,), also="call_api", answer="step"),
    "stream": Hook((PROVIDER,), also="stream_api", answer="chunks"),
    "process_chunk": Hook((PROVIDER, EXTENSION), answer="step"),
    "finalize": Hook(_NO_TOOL, answer="finals"),
    "from_native": Hook(_NO_TOOL, also="from_native_messages", answer="list"),
    "embed": Hook((PROVIDER,), answer="object"),
    "get_tool_schemas": Hook((TOOL,), answer="list"),
    "execute_tool": Hook((TOOL,)),
    "edit_tool_call": Hook((FEATURE,)),
    "tool_gate": Hook((FEATURE,)),
    "edit_tool_result": Hook((FEATURE,)),
    "on_activate": Hook((FEATURE,)),
    "run_start": Hook((FEATURE,)),
    "step_start": Hook((FEATURE,)),
    "before_inference": Hook((FEATURE,)),
    "after_inference": Hook((FEATURE,)),
    "before_tool_execute": Hook((FEATURE,)),
    "after_tool_execute": Hook((FEATURE,)),
    "step_end": Hook((FEATURE,)),
    "run_end": Hook((FEATURE,)),
    "handle_action": Hook((FEATURE,)),
    "handle_effect": Hook((FEATURE,)),
    "on_deactivate": Hook((FEATURE,)),
    "get_ui_elements": Hook(_ALL, answer="list"),
    "run_action": Hook(_FOLLOWERS),
    "close": Hook(_ALL),
}

VALUES: Mapping[str, tuple[str, ...]] = {
    "default_enabled": _NO_PROVIDER,
    "providers": (EXTENSION,),
    "required_tags": _NO_PROVIDER,
    "forbidden_tags": _NO_PROVIDER,
    "config_schema": _ALL,
    "tool_schema_format": (PROVIDER,),
    "sections": (FEATURE,),
    "state_keys": (FEATURE,),
    "actions": (FEATURE,),
    "effects": (FEATURE,),
}
