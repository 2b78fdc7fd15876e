"""The Python side of the bridge: runs the hooks of Python plugins for the host. 3.9 and newer."""
