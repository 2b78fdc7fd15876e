"""Runs the hooks of plugins for a request, without a host and without a network.

`check` has an answer in send and in stream and compares them; `send` and `stream` give one of
them; `call_tool` runs a call. All raise AssertionError for what the host would refuse: a misspelt
hook, an answer that is no JSON, events that do not fit. What plugins are given cannot be changed.
Tool schemas reach a provider as the tools wrote them; a host lowers them to its `tool_schema_format`.
"""

from .contexts import MemoryStorage
from .gather import messages_of
from .plugins import load_plugin
from .requests import Answer, Request, check, send, stream
from .tool_calls import call_tool

__all__ = [
    "Answer",
    "MemoryStorage",
    "Request",
    "call_tool",
    "check",
    "load_plugin",
    "messages_of",
    "send",
    "stream",
]
