"""Tools that are plain functions, as the host reads and calls them.

`docstrings`, `functions` and `schemas` are the host's own modules, byte for byte; `faults` and
`wire` are what they need of the host, without one.
"""

from .faults import PluginFault
from .functions import FunctionTools

__all__ = ["FunctionTools", "PluginFault"]
