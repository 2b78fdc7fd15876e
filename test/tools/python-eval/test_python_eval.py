"""The values that an expression may have, and the operations that could make them too large."""

from __future__ import annotations

import math
from typing import Any

MOST_BITS = 4_096
LONGEST_TEXT = 10_000
# The largest integer that every JSON reader reads exactly.
_LARGEST_IN_JSON = 2**53 - 1


class Refused(Exception):
    """The reason why an expression is not evaluated."""


def checked(value: Any) -> Any:
    """The value, if it is allowed in an expression. Raises Refused."""
    if isinstance(value, int):
        if value.bit_length() > MOST_BITS:
            raise Refused(f"a number in it has more than {MOST_BITS:,} bits")
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise Refused("a number in it is not finite")
    elif isinstance(value, str):
        if len(value) > LONGEST_TEXT:
            raise Refused(f"a text in it is longer than {LONGEST_TEXT:,} characters")
    elif value is not None and not isinstance(value, (list, tuple)):
        raise Refused(f"a value of type {type(value).__name__} cannot be used in it")
    return value


def multiply(left: Any, right: Any) -> Any:
    """A product; a text may be repeated."""
    if isinstance(left, int) and isinstance(right, str):
        left, right = right, left
    if isinstance(left, str) and isinstance(right, int):
        if len(left) * right > LONGEST_TEXT:
            raise Refused(f"a text in it is longer than {LONGEST_TEXT:,} characters")
        return left * right
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return left * right
    raise Refused('"*" takes numbers, or a text and a whole number')


def power(base: Any, exponent: Any) -> Any:
    """A power of numbers. Its size is estimated before it is computed."""
    if isinstance(base, int) and isinstance(exponent, int) and abs(base) > 1:
        if base.bit_length() * abs(exponent) > 2 * MOST_BITS:
            raise Refused(f"a number in it has more than {MOST_BITS:,} bits")
    result = base**exponent
    if isinstance(result, complex):
        raise Refused("a power in it is not a real number")
    return result


def to_json(value: Any) -> Any:
    """The value as JSON: integers beyond 2^53 as texts of digits, tuples as lists."""
    if isinstance(value, (list, tuple)):
        return [to_json(item) for item in value]
    if isinstance(value, int) and abs(value) > _LARGEST_IN_JSON:
        return str(value)
    return value


def type_of(value: Any) -> str:
    """The type of the value, as JSON Schema names it."""
    if value is None:
        return "null"
    names = {bool: "boolean", int: "integer", float: "number", str: "string"}
    return names.get(type(value), "array")
