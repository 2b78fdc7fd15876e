"""Converts core messages to those of llm, as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .errors import ProviderError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from braidwork import Message

Part = dict[str, Any]


def messages_of(messages: Sequence[Message], server: str) -> list[dict[str, Any]]:
    """The messages in the form of `llm.Message.to_dict`. Raises INVALID_REQUEST for a file by address."""
    now = 1 + max(
        (at for at, message in enumerate(messages) if message["role"] == "assistant"), default=-1
    )
    converted = []
    for at, message in enumerate(messages):
        pointer = f"/messages/{at}/parts" if at >= now else None
        parts = _parts_of(message, server, pointer)
        if parts:
            converted.append({"role": message["role"], "parts": parts})
    return converted


def _parts_of(message: Message, server: str, pointer: str | None) -> list[Part]:
    parts = []
    for place, part in enumerate(message["parts"]):
        if message["role"] == "assistant":
            made = _own_part(part, server)
        else:
            made = _given_part(part, f"{pointer}/{place}" if pointer else None)
        if made is not None:
            parts.append(made)
    return parts


def _given_part(part: Mapping[str, Any], pointer: str | None) -> Part | None:
    kind = part["type"]
    if kind == "text":
        return {"type": "text", "text": part["text"]}
    if kind == "file":
        return _file_part(part, pointer)
    return _result_part(part) if kind == "tool-result" else None


def _own_part(part: Mapping[str, Any], server: str) -> Part | None:
    """A part of an answer. What only its model understands goes back to that one alone."""
    kind = part["type"]
    facts = part.get("providerMetadata", {}).get("llm", {})
    is_own = facts.get("server") == server
    metadata = facts.get("metadata") if is_own else None
    if kind == "text":
        return _with({"type": "text", "text": part["text"]}, metadata)
    if kind == "reasoning" and is_own:
        return _with({"type": "reasoning", "text": part["text"]}, metadata)
    if kind == "file":
        return {"type": "text", "text": f"[file {part.get('name', part['mediaType'])}]"}
    if kind not in ("tool-call", "tool-result"):
        return None
    if part.get("providerExecuted") and not is_own:
        return {"type": "text", "text": _foreign_text(part)}
    made = _call_part(part) if kind == "tool-call" else _result_part(part)
    return _with({**made, "server_executed": bool(part.get("providerExecuted"))}, metadata)


def _with(part: Part, metadata: dict[str, Any] | None) -> Part:
    return {**part, "provider_metadata": metadata} if metadata else part


def _call_part(part: Mapping[str, Any]) -> Part:
    given = part["input"]
    # Arguments that are no object came from a model that wrote no JSON.
    arguments = given if isinstance(given, dict) else {"arguments": given}
    return {
        "type": "tool_call",
        "name": part["name"],
        "arguments": arguments,
        "tool_call_id": part["callId"],
    }


def _result_part(part: Mapping[str, Any]) -> Part:
    output = part["output"]
    files = [item for item in output if _is_file(item)] if isinstance(output, list) else []
    made: Part = {
        "type": "tool_result",
        "name": part["name"],
        "output": _text_of(output),
        "tool_call_id": part["callId"],
    }
    if files:
        made["attachments"] = [_attachment(file) for file in files]
    if part.get("isError"):
        made["exception"] = "ToolError"
    return made


def _is_file(item: Any) -> bool:
    return isinstance(item, dict) and item.get("type") == "file" and "data" in item


def _text_of(output: Any) -> str:
    if isinstance(output, str):
        return output
    if isinstance(output, list) and output and all(_is_part(item) for item in output):
        return "\n".join(item["text"] for item in output if item["type"] == "text")
    return json.dumps(output, ensure_ascii=False)


def _is_part(item: Any) -> bool:
    return isinstance(item, dict) and (item.get("type") == "text" or _is_file(item))


def _foreign_text(part: Mapping[str, Any]) -> str:
    if part["type"] == "tool-call":
        return f"[{part['name']} was called with {_text_of(part['input'])}]"
    return f"[{part['name']} answered {_text_of(part['output'])}]"


def _file_part(part: Mapping[str, Any], pointer: str | None) -> Part:
    if "data" in part or _is_data_url(part.get("url", "")):
        return {"type": "attachment", "attachment": _attachment(part)}
    if pointer is None:
        return {"type": "text", "text": f"[file {part.get('name', part['mediaType'])}]"}
    # Plugins of llm would fetch the address themselves, whatever it is.
    raise ProviderError(
        "INVALID_REQUEST",
        "The provider fetches no file by its address. Send its content.",
        pointer=pointer,
        retryable=False,
    )


def _is_data_url(url: str) -> bool:
    return url.startswith("data:") and url.partition(",")[0].endswith(";base64")


def _attachment(part: Mapping[str, Any]) -> Part:
    data = part["data"] if "data" in part else part["url"].partition(",")[2]
    return {"type": part["mediaType"], "content": data}
