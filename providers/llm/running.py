"""Runs a model of llm, and tells what it says as chunks."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

Chunk = dict[str, Any]
_END = object()


async def chunks_of(response: Any) -> AsyncIterator[Chunk]:
    """The events of a response as JSON, and then its end."""
    is_async = hasattr(response, "astream_events")
    events = response.astream_events() if is_async else _in_thread(response)
    try:
        async for event in events:
            if event.type in ("text", "reasoning"):
                yield _chunk_of(event)
    finally:
        await events.aclose()
    messages = await response.messages() if is_async else response.messages()
    calls = await response.tool_calls() if is_async else response.tool_calls()
    yield {
        "type": "end",
        "parts": [part.to_dict() for message in messages for part in message.parts],
        "calls": [_call_of(call) for call in calls],
        "usage": {
            "input": response.input_tokens,
            "output": response.output_tokens,
            "details": response.token_details,
        },
        "model": response.resolved_model or response.model.model_id,
        "reason": _reason_in(response.response_json),
    }


def _chunk_of(event: Any) -> Chunk:
    chunk = {"type": event.type, "text": event.chunk, "part": event.part_index}
    if event.provider_metadata:
        chunk["metadata"] = event.provider_metadata
    return chunk


def _call_of(call: Any) -> Chunk:
    return {"id": call.tool_call_id, "name": call.name, "arguments": call.arguments or {}}


def _reason_in(answer: Any) -> str | None:
    """Why the answer ended. llm does not say it, but keeps what model APIs said."""
    if not isinstance(answer, dict):
        return None
    for name in ("finish_reason", "stop_reason", "finishReason"):
        if isinstance(answer.get(name), str):
            return str(answer[name])
    return None


async def _in_thread(response: Any) -> AsyncIterator[Any]:
    """The events of a model without an async form, which works in a thread of its own.

    Nobody can stop a thread: after a cancel, the model ends at its next event.
    """
    loop = asyncio.get_running_loop()
    worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="llm")
    events = response.stream_events()
    try:
        while True:
            event = await loop.run_in_executor(worker, next, events, _END)
            if event is _END:
                return
            yield event
    finally:
        # The generator is closed in its own thread, after what still runs there.
        worker.submit(events.close)
        worker.shutdown(wait=False)
