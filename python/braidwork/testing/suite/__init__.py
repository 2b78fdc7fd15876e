"""The contract suite: the behaviors that every plugin of a kind must have.

`describe_provider` and its like are tests of pytest; `Suite` is for other test runners.
"""

from .describe import describe_extension, describe_feature, describe_provider, describe_tool
from .options import Options
from .suite import Suite, SuiteCheck

__all__ = [
    "Options",
    "Suite",
    "SuiteCheck",
    "describe_extension",
    "describe_feature",
    "describe_provider",
    "describe_tool",
]
