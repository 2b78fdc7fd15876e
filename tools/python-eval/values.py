"""What values an expression may have, and the operations that could make them grow."""

from __future__ import annotations

import math
from typing import Any

MOST_BITS = 4_096
LONGEST_TEXT = 10_000
# What a reader of JSON takes for the same number.
_LARGEST_IN_JSON = 2**53 - 1


class Refused(Exception):
    """What keeps an expression from being evaluated."""


def checked(value: Any) -> Any:
    """The value, if it may be in an expression."""
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
    """A power of numbers; how large it will be is known before it is made."""
    if isinstance(base, int) and isinstance(exponent, int) and abs(base) > 1:
        if base.bit_length() * abs(exponent) > 2 * MOST_BITS:
            raise Refused(f"a number in it has more than {MOST_BITS:,} bits")
    result = base**exponent
    if isinstance(result, complex):
        raise Refused("a power in it is no real number")
    return result


def to_json(value: Any) -> Any:
    """The value as JSON: whole numbers beyond 2^53 as digits, tuples as lists."""
    if isinstance(value, (list, tuple)):
        return [to_json(item) for item in value]
    if isinstance(value, int) and abs(value) > _LARGEST_IN_JSON:
        return str(value)
    return value


def type_of(value: Any) -> str:
    """What the value is, in the words of JSON Schema."""
    if value is None:
        return "null"
    names = {bool: "boolean", int: "integer", float: "number", str: "string"}
    return names.get(type(value), "array")
