"""Loaded by pythonia's `fileImport`: imports the bridge's own package and starts it.

Processes that plugins start by `multiprocessing` run it too, as what they take for the main module.
"""

import importlib
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
try:
    if __name__ == "__mp_main__":
        importlib.import_module("braidwork_bridge.children").find_plugins()
    else:
        importlib.import_module("braidwork_bridge.bridge").start(os.path.abspath(__file__))
finally:
    sys.path.pop(0)
