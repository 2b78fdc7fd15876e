"""Checks that each hook runs where it should, and nowhere else."""

from __future__ import annotations

from ....hooks import HOOKS
from ..harness import Harness
from ..check import Check, done, fault, needs_hook, same

_ABOUT = "hooks.md#hooks"
_BEFORE = ("init", "edit_messages", "to_native", "initialize_request")
_AFTER = ("finalize", "from_native")


def _own_of(harness: Harness, hooks: tuple[str, ...]) -> list[str]:
    kind = harness.plugin.kind
    return [hook for hook in hooks if harness.has(hook) and kind in HOOKS[hook].kinds]


def _what(mode: str) -> str:
    return "a whole answer" if mode == "send" else "a stream"


def _prepares(mode: str) -> Check:
    def run(harness: Harness) -> None:
        ran = [call.hook for call in done(harness.ask(mode)).calls if call.hook in _BEFORE]
        same(
            ran,
            _own_of(harness, _BEFORE),
            "Other hooks ran before the request than the plugin has.",
        )

    return Check(f"runs each hook once before {_what(mode)}, in order", _ABOUT, run)


def _finishes(mode: str) -> Check:
    def run(harness: Harness) -> None:
        ran = [
            call.hook
            for call in done(harness.ask(mode)).calls
            if call.hook in _AFTER and call.phase != "partials"
        ]
        same(ran, _own_of(harness, _AFTER), "Other hooks ran after the answer.")

    return Check(f"runs each hook once after {_what(mode)}, in order", _ABOUT, run)


def _chunks(harness: Harness) -> None:
    needs_hook(harness, "process_chunk")
    ran = [call.hook for call in done(harness.ask("stream")).calls]
    if "process_chunk" not in ran and harness.has("stream"):
        fault('The stream had chunks, and "process_chunk" never ran.')


def _steady_request(harness: Harness) -> None:
    done(harness.ask("stream"))
    first, second = harness.native(), harness.native()
    what = "The same messages make another native request in a second conversation. "
    same(second, first, what + 'Keep what a conversation needs in "context.storage".')


_STEADY = Check(
    "prepares the same request each time", "hooks.md#initializerequest", _steady_request
)
_COMMON = [_prepares("send"), _prepares("stream"), _finishes("send"), _finishes("stream")]
_CHUNKS = Check("runs processChunk for each chunk of a stream", "hooks.md#processchunk", _chunks)
HOOKS_OF_PROVIDERS = [*_COMMON, _CHUNKS, _STEADY]
HOOKS_OF_EXTENSIONS = [*_COMMON, _CHUNKS, _STEADY]
HOOKS_OF_FEATURES = [*_COMMON, _STEADY]
HOOKS_OF_TOOLS = [_STEADY]
