"""The behaviors that every provider must have, for pytest."""

import json
from typing import Any

from braidwork.testing import describe_provider

CHUNKS: list[Any] = [
    {"choices": [{"delta": {"content": "Hel"}}]},
    {"choices": [{"delta": {"content": "lo."}, "finish_reason": "stop"}]},
    {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}},
]
EVENTS = [f"data: {json.dumps(chunk)}\n\n" for chunk in CHUNKS]


def config(url: str) -> Any:
    """The config with which the provider asks the API of the tests."""
    return {"settings": {"{{name}}": {"base_url": url}}}


API = {"config": config, "streamed": "".join([*EVENTS, "data: [DONE]\n\n"])}

test_contract = describe_provider("{{module}}/plugin.py", api=API, lacks=["images"])
