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
    """A hook: the kinds that may have it, and its alternative name."""

    kinds: tuple[str, ...]
    also: str | None = None


HOOKS: Mapping[str, Hook] = {
    "get_models": Hook(_NO_TOOL),
    "refresh_models": Hook((PROVIDER,)),
    "get_model_info": Hook((PROVIDER,)),
    "get_tags": Hook(_ALL),
    "is_enabled": Hook(_NO_PROVIDER),
    "init": Hook(_ALL),
    "edit_messages": Hook(_FOLLOWERS),
    "to_native": Hook(_NO_TOOL, also="to_native_messages"),
    "initialize_request": Hook(_NO_TOOL),
    "call": Hook((PROVIDER,), also="call_api"),
    "stream": Hook((PROVIDER,), also="stream_api"),
    "process_chunk": Hook((PROVIDER, EXTENSION)),
    "finalize": Hook(_NO_TOOL),
    "from_native": Hook(_NO_TOOL, also="from_native_messages"),
    "embed": Hook((PROVIDER,)),
    "get_tool_schemas": Hook((TOOL,)),
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
    "get_ui_elements": Hook(_ALL),
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
