"""The process that plugins run in: its signals, its end, and nothing of the bridge in their way."""

from __future__ import annotations

import atexit
import faulthandler
import json
import os
import signal
import sys
from typing import Any, Callable, List


def prepare(on_limit: Callable[..., None]) -> None:
    """Before the first plugin is imported."""
    _hide_bridge()
    os.environ.pop("NODE_CHANNEL_FD", None)
    # The host decides what an interrupt from the terminal means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGUSR1, on_limit)
    faulthandler.register(signal.SIGUSR2, all_threads=True)
    # The first that is registered is the last that runs: no noise from what goes after it.
    atexit.register(os._exit, 0)


def _hide_bridge() -> None:
    """Takes pythonia's modules out of the way of plugins' imports, and its patch out of `json`."""
    folder = os.path.dirname(os.path.abspath(sys.modules["__main__"].__file__ or ""))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path) != folder]
    for name in _modules_of(folder):
        sys.modules[f"_pythonia_{name}"] = sys.modules.pop(name)
    encoder: Any = json.JSONEncoder
    encoder.default = getattr(encoder.default, "default", encoder.default)


def _modules_of(folder: str) -> List[str]:
    return [
        name
        for name, module in list(sys.modules.items())
        if name != "__main__" and os.path.dirname(getattr(module, "__file__", None) or "") == folder
    ]
