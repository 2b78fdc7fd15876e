"""The behaviors that every extension must have, for pytest."""

from braidwork.testing import describe_extension

# The provider of the tests has these tags.
TAGS = ["{{tags}}"]
# Answers with what the extension changes. The suite splits them at every character.
ANSWERS = ["“It’s tea,” they say."]

test_contract = describe_extension("{{module}}/plugin.py", tags=TAGS, answers=ANSWERS)
