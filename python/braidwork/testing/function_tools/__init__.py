"""Tools that are plain functions, and settings, as the host reads and calls them.

The build copies `docstrings`, `functions`, `schemas`, `settings` and `to_json` into the program that runs in
the interpreter beside the host. There they import that program's own `faults` and `wire`. The
`faults` and `wire` of this package replace these two where there is no host.
"""

from .faults import PluginFault
from .functions import FunctionTools
from .settings import given_settings

__all__ = ["FunctionTools", "PluginFault", "given_settings"]
