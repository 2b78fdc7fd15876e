"""A provider for tests of other plugins, which answers as the config says."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

from .scenes import gathered, scene_named

SCENE = "braidwork_answer"
"""The key of the config that names the answer. The answer `waiting` never ends by itself."""


@dataclass(frozen=True)
class Sent:
    """What the test provider was sent."""

    native: Any
    state: Any


class SceneProvider:
    """Its native request is the list of messages. Its chunks are events."""

    kind = "provider"
    name = "answering"

    def __init__(self, tags: list[str]) -> None:
        self._tags = tags
        self.sent: list[Sent] = []

    def get_models(self, config: Any) -> list[str]:
        return ["any"]

    def get_tags(self, config: Any, models: Any) -> list[str]:
        return ["text", "streaming", "tools", *self._tags]

    def init(self, config: Mapping[str, Any]) -> dict[str, Any]:
        return {"provider_mark": {"kept": True}, "offered": config.get("tools", [])}

    async def call(self, native: Any, state: Any, context: Any) -> Any:
        self.sent.append(Sent(native, state))
        scene = _scene_of(context)
        if scene == "waiting":
            await _forever()
        return [], gathered(scene_named(scene)), native, state

    async def stream(self, native: Any, state: Any, context: Any) -> AsyncIterator[Any]:
        self.sent.append(Sent(native, state))
        scene = _scene_of(context)
        for event in scene_named(scene):
            # Lets other requests go on between two pieces, as a real provider does.
            await asyncio.sleep(0)
            yield event
            if scene == "waiting":
                await _forever()


def _scene_of(context: Any) -> str:
    return str(context.config.get(SCENE, "plain"))


async def _forever() -> None:
    await asyncio.get_running_loop().create_future()
