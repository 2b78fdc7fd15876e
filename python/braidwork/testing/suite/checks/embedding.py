"""Checks of the vectors of a provider."""

from __future__ import annotations

from typing import Any

from ...frozen import frozen
from ..harness import Harness
from ..check import Check, fault, same, unjudged

_ABOUT = "hooks.md#embed"
_INPUTS = ["braided tea", "hot", "braided tea"]


def _vectors_of(harness: Harness) -> list[Any]:
    if not harness.has("embed"):
        unjudged("it makes no embeddings")
    if harness.api:
        unjudged("the API is a recording of chats")
    context = harness.context("prepare")
    try:
        embedded = harness.run(
            harness.plugin.ask("embed", frozen(_INPUTS), frozen({}), context=context)
        )
    except Exception as error:
        fault(f"The inputs cannot be embedded: {error}")
    return list(embedded["vectors"])


def _of_one_length(harness: Harness) -> None:
    lengths = {len(vector) for vector in _vectors_of(harness)}
    same(len(lengths), 1, "Vectors have several lengths.")


def _steady(harness: Harness) -> None:
    first, _, third = _vectors_of(harness)
    same(third, first, "One text has two vectors.")


EMBEDDING = [
    Check("embeds inputs as vectors of one length", _ABOUT, _of_one_length),
    Check("embeds an input the same each time", _ABOUT, _steady),
]
