"""Annotations with words of pydantic, such as `Annotated[int, pydantic.Field(ge=2)]`."""

from __future__ import annotations

import sys
from typing import Any

_ROOMS = ("pydantic", "pydantic_core", "annotated_types")


def is_of_pydantic(said: Any) -> bool:
    """Whether metadata of an annotation belongs to pydantic."""
    return type(said).__module__.partition(".")[0] in _ROOMS


def adapter_of(annotation: Any) -> Any:
    """What pydantic makes schemas and values of an annotation with; None if nothing in its metadata
    belongs to pydantic 2. Raises what pydantic raises for a type that it does not know."""
    if not any(map(is_of_pydantic, annotation.__metadata__)):
        return None
    adapter = getattr(sys.modules.get("pydantic"), "TypeAdapter", None)
    return None if adapter is None else adapter(annotation)
