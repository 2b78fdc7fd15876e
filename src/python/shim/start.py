"""Loaded by pythonia's `fileImport`: imports the bridge's own package and starts it."""

import importlib
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
try:
    importlib.import_module("braidwork_bridge.bridge").start()
finally:
    sys.path.pop(0)
