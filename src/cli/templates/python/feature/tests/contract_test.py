"""The behaviors that every feature must have, for pytest."""

from braidwork.testing import describe_feature

# The provider of the tests has these tags.
TAGS = ["{{tags}}"]

test_contract = describe_feature("{{module}}/plugin.py", tags=TAGS)
