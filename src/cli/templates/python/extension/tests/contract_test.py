"""The behaviors that every extension must have, for pytest."""

from braidwork.testing import describe_extension

# The provider of the tests has these tags.
TAGS = ["{{tags}}"]

test_contract = describe_extension("{{module}}/plugin.py", tags=TAGS)
