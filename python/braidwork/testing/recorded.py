"""Reads what `braidwork record` has written, for the option `api` of `describe_provider`."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Exchange = Mapping[str, Any]


def recorded_api(
    path: str | Path, config: Callable[[str], Mapping[str, Any]]
) -> dict[str, Any]:
    """The first whole answer and the first stream of a file. If there is only one of them, it
    answers all requests.

    Args:
        path: The file.
        config: Returns the config with which the provider sends its requests to an address.

    Raises:
        ValueError: The file is no recording, or no exchange in it has succeeded.
    """
    answers = [one for one in _exchanges(path) if _is_answer(one)]
    whole = next((one for one in answers if not _is_stream(one)), None)
    streamed = next((one for one in answers if _is_stream(one)), None)
    first = whole or streamed
    if first is None:
        raise ValueError(
            f"{path}: no exchange has an answer with status 200 that ended. "
            "Record one that succeeds."
        )
    kept = first["response"].get("headers", {}).items()
    return {
        "config": config,
        "headers": {name: value for name, value in kept if name != "content-type"},
        **({} if whole is None else {"whole": "".join(_pieces(whole))}),
        **({} if streamed is None else {"streamed": _pieces(streamed)}),
    }


def _exchanges(path: str | Path) -> list[Exchange]:
    try:
        recording = json.loads(Path(path).read_text("utf-8"))
        found: list[Exchange] = recording["exchanges"]
        for exchange in found:
            exchange["request"]["method"], exchange["response"]["status"], _pieces(exchange)
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise ValueError(
            f"{path} is no recording of exchanges ({error!r}). "
            'Write one with "braidwork record".'
        ) from error
    return found


def _is_answer(exchange: Exchange) -> bool:
    response = exchange["response"]
    is_whole = response["status"] < 300 and not response.get("is_cut")
    return is_whole and exchange["request"]["method"] == "POST"


def _is_stream(exchange: Exchange) -> bool:
    headers = exchange["response"].get("headers", {})
    return re.search(r"\bjson\b", headers.get("content-type", "")) is None


def _pieces(exchange: Exchange) -> list[str]:
    response = exchange["response"]
    pieces: list[str] = response["body"]
    if response.get("encoding") != "base64":
        return list(pieces)
    return [base64.b64decode(piece).decode("utf-8") for piece in pieces]
