"""Checks the headers that a hook adds to the request, in `requestHeaders` of the state."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

# A name of a header, as HTTP/2 writes it.
_NAME = re.compile(r"[\da-z!#$%&'*+.^_`|~-]+", re.ASCII)
_UNSENDABLE = re.compile(r"[^\t\x20-\x7e\x80-\xff]")
# The whole size of the headers that servers accept.
_LONGEST = 16_384
_CREDENTIALS = {"authorization", "proxy-authorization", "cookie", "x-auth-token"}
# The end of the names in which model APIs expect a key, such as `x-api-key`.
_KEY = re.compile(r"(^|-)(api|access|secret|subscription)-?key$")
# The headers that belong to the connection and the body.
_FRAMING = set(
    "accept-encoding connection content-encoding content-length content-type expect host "
    "keep-alive proxy-connection te trailer transfer-encoding upgrade".split()
)


def header_fault(state: Mapping[str, Any]) -> str | None:
    """Why the host refuses the headers in a state, as a part of a sentence; None if it takes
    them. No value of a header is in it."""
    headers = state.get("requestHeaders", {})
    if not isinstance(headers, Mapping):
        return '"requestHeaders" is not a dict of texts by name'
    for name, value in headers.items():
        fault = _fault_of(name, value)
        if fault is not None:
            return f'"requestHeaders" names "{name}", which {fault}'
    size = sum(len(name) + len(value) for name, value in headers.items())
    return None if size <= _LONGEST else f'"requestHeaders" has more than {_LONGEST} characters'


def _fault_of(name: str, value: Any) -> str | None:
    if not _NAME.fullmatch(name):
        return "is not the name of a header in lower case"
    if name in _CREDENTIALS or _KEY.search(name):
        return "may carry a key; only the provider's own settings may set it"
    if name in _FRAMING:
        return "belongs to the connection, and the provider sets it"
    if not isinstance(value, str):
        return "is not a text"
    has_wrong = _UNSENDABLE.search(value)
    return "has a character that a header cannot contain" if has_wrong else None
