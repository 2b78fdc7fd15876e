"""Runs the hooks of plugins for a request, without a host and without a network.

`check` gets an answer with send and with stream and compares them; `send` and `stream` get one of
the two; `call_tool` executes a tool call. All raise AssertionError for faults that the host would
refuse: a misspelled hook, an answer of the wrong shape or that is not JSON, invalid events and
messages. Arguments of hooks are frozen.
A provider gets tool schemas unchanged; a host converts them to its `tool_schema_format`.

`describe_provider`, `describe_extension`, `describe_feature` and `describe_tool` make a test of
pytest for each behavior that every plugin of the kind must have. `recorded_api` lets them repeat
what `braidwork record` has written.
"""

from .contexts import MemoryStorage
from .gather import messages_of
from .plugins import load_plugin
from .recorded import recorded_api
from .requests import Answer, Request, check, send, stream
from .suite import describe_extension, describe_feature, describe_provider, describe_tool
from .tool_calls import call_tool

__all__ = [
    "Answer",
    "MemoryStorage",
    "Request",
    "call_tool",
    "check",
    "describe_extension",
    "describe_feature",
    "describe_provider",
    "describe_tool",
    "load_plugin",
    "messages_of",
    "recorded_api",
    "send",
    "stream",
]
