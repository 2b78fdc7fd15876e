"""What keeps functions from being tools."""

from __future__ import annotations


class PluginFault(AssertionError):
    """A sentence about what the host would refuse."""
