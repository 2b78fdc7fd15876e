"""Prepares the process for plugins: its socket, signals and end; hides the bridge's own modules."""

from __future__ import annotations

import atexit
import faulthandler
import json
import os
import signal
import sys
from functools import partial
from typing import Any, Callable, List


def socket_of_host() -> Any:
    """The socket that pythonia opened, which no child process of a plugin inherits."""
    main: Any = sys.modules["__main__"]
    sock = main.apiout.buffer.raw._sock
    sock.set_inheritable(False)
    # After a plugin's `os.fork` the child must not read messages that are meant for this process.
    os.register_at_fork(after_in_child=partial(os.close, sock.fileno()))
    return sock


def prepare(on_limit: Callable[..., None]) -> None:
    """Called before the first plugin is imported."""
    _hide_bridge()
    os.environ.pop("NODE_CHANNEL_FD", None)
    # The host decides how to handle Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGUSR1, on_limit)
    faulthandler.register(signal.SIGUSR2, all_threads=True)
    # The first registered function runs last: it prevents output from later cleanup.
    atexit.register(os._exit, 0)


def _hide_bridge() -> None:
    """Hides pythonia's modules from plugins' imports, and removes its patch of `json`."""
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
