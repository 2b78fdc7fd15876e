"""A tool with a function whose parameter and result may be absent, and settings of nested classes."""

import dataclasses
from typing import Optional

kind = "tool"
name = "places"


@dataclasses.dataclass
class Place:
    """A place."""

    x: float = dataclasses.field(metadata={"description": "How far it is."})


@dataclasses.dataclass
class Settings:
    """The settings."""

    start: Optional[Place] = dataclasses.field(
        default=None, metadata={"description": "Where it begins."}
    )


config_schema = Settings


def go(place: Optional[Place] = None):
    """Goes somewhere.

    Args:
        place: Where it goes.
    """
    return place


functions = [go]
