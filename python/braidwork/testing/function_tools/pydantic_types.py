"""Annotations with words of pydantic, such as `Annotated[int, pydantic.Field(ge=2)]`."""

from __future__ import annotations

import sys
from typing import Any, Dict

from .faults import PluginFault

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


def field_of(default: Any) -> Any:
    """A default that is a field of pydantic 2, as in `limit: int = Field(3, ge=1)`, or None."""
    is_field = any(
        cls.__name__ == "FieldInfo" and cls.__module__ == "pydantic.fields"
        for cls in type(default).__mro__
    )
    return default if is_field and hasattr(default, "is_required") else None


def model_schema(cls: Any) -> Dict[str, Any]:
    """The schema that a model class returns. Raises PluginFault if it has none."""
    try:
        return dict(cls.model_json_schema())
    except Exception as error:
        raise PluginFault(f'class "{cls.__name__}" returns no JSON Schema: {error}') from error
