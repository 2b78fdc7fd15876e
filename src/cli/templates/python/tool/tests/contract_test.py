"""The behaviors that every tool must have, for pytest."""

from braidwork.testing import describe_tool

CALLS = [{"name": "{{function}}", "input": {"text": "Tea is hot."}}]

test_contract = describe_tool("{{module}}/plugin.py", calls=CALLS)
