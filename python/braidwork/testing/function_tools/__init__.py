"""Tools that are plain functions, and settings, as the host reads and calls them.

The build copies all modules but `faults` and `wire` into the program that runs in the interpreter
beside the host, and there they import that program's own `faults` and `wire`. The two of this
package replace them where there is no host.
"""

from .faults import PluginFault
from .functions import FunctionTools
from .settings import given_settings

__all__ = ["FunctionTools", "PluginFault", "given_settings"]
