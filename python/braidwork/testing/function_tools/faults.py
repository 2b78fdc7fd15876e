"""Errors of plugins that the host would refuse."""

from __future__ import annotations


class PluginFault(AssertionError):
    """A fault for which the host would refuse the plugin."""
