"""The process that plugins run in: its signals, its end, and nothing of the bridge in their way."""

from __future__ import annotations

import atexit
import faulthandler
import json
import os
import select
import signal
import sys
import threading
from typing import Any, Callable, List


# A first call takes less.
_SETTLED_SECONDS = 1.0


def prepare(on_limit: Callable[..., None]) -> None:
    """Before the first plugin is imported."""
    _hide_bridge()
    _watch_host()
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


def _watch_host() -> None:
    """Ends this process, and what its plugins started, as soon as the host is gone."""
    lifeline = int(os.environ.pop("BRAIDWORK_LIFELINE"))
    os.environ.pop("NODE_CHANNEL_FD", None)
    os.set_inheritable(lifeline, False)

    def watch() -> None:
        # Not at once: loading ctypes would hold up the first call.
        if not select.select([lifeline], [], [], _SETTLED_SECONDS)[0]:
            _die_with_parent()
        while os.read(lifeline, 1):
            pass
        # The host gave it a group of its own; in a group of others it must harm nobody.
        if os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
        os._exit(1)

    threading.Thread(target=watch, name="braidwork-lifeline", daemon=True).start()


def _die_with_parent() -> None:
    """For one that holds the interpreter's lock in C when the host ends; Linux only."""
    try:
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    except (ImportError, OSError, AttributeError):
        return
