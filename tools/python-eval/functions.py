"""The functions that an expression may call."""

from __future__ import annotations

import math
from typing import Any, Callable

from .values import Refused

_LARGEST_FACTORIAL = 400
_MOST_PLACES = 300


def _below(most: int, run: Callable[..., Any]) -> Callable[..., Any]:
    """Limits the arguments of a function whose result grows fast with them."""

    def apply(*arguments: Any) -> Any:
        if not all(isinstance(number, int) and number <= most for number in arguments):
            raise Refused(f'"{run.__name__}" takes whole numbers up to {most}')
        return run(*arguments)

    return apply


def _round(number: Any, places: Any = None) -> Any:
    if places is not None and abs(places) > _MOST_PLACES:
        raise Refused(f'"round" takes at most {_MOST_PLACES} places')
    return round(number, places)


def _sum(numbers: Any) -> Any:
    if all(isinstance(number, (int, float)) for number in numbers):
        return sum(numbers)
    raise Refused('"sum" takes a list of numbers')


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "acos": math.acos,
    "asin": math.asin,
    "atan": math.atan,
    "atan2": math.atan2,
    "ceil": math.ceil,
    "comb": _below(_LARGEST_FACTORIAL, math.comb),
    "cos": math.cos,
    "degrees": math.degrees,
    "exp": math.exp,
    "factorial": _below(_LARGEST_FACTORIAL, math.factorial),
    "float": float,
    "floor": math.floor,
    "gcd": math.gcd,
    "hypot": math.hypot,
    "int": int,
    "len": len,
    "log": math.log,
    "log10": math.log10,
    "log2": math.log2,
    "max": max,
    "min": min,
    "perm": _below(_LARGEST_FACTORIAL, math.perm),
    "radians": math.radians,
    "round": _round,
    "sin": math.sin,
    "sorted": sorted,
    "sqrt": math.sqrt,
    "str": str,
    "sum": _sum,
    "tan": math.tan,
    "trunc": math.trunc,
}
