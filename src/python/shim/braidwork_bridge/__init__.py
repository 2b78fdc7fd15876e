"""The Python side of the bridge. It runs the hooks of Python plugins for the host. Python 3.9+."""
