"""Whether work takes time that grows as its size does: doubling.ts, for Python."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from typing import Any

Work = Callable[[], Any]

# The most that a doubling may cost: linear is 2, and caches and garbage add to it; quadratic is 4.
MOST_GROWTH = 2.6
# Below so many seconds a time says more of caches and garbage than of the work: a faster one counts as this.
_LEAST_TIME = 0.01
# Work is tried for a verdict as often as this, and for as many seconds of CPU: others on the machine make tries slower.
_TRIES = 8
_LEAST_SPENT = 5.0
# Seconds of CPU after which nothing more is tried: work that is slow by then is slow by its nature.
_MOST_TIME = 20.0


def expect_linear(name: str, make: Callable[[int], Work], sizes: Sequence[int]) -> None:
    """Raises AssertionError where a doubling of the size costs more than `MOST_GROWTH` times the CPU."""
    works = [make(size) for size in sizes]
    repeats = [max(1, round(sizes[-1] / size)) for size in sizes]
    times = [float("inf")] * len(works)
    spent = 0.0
    works[0]()
    tries = 0
    while tries < _TRIES or spent < _LEAST_SPENT:
        tries += 1
        for at, work in enumerate(works):
            taken = _seconds_of(work, repeats[at])
            times[at] = min(times[at], taken)
            spent += taken * repeats[at]
        if _is_linear(times):
            return
        if spent > _MOST_TIME:
            break
    told = ", ".join(f"{size}: {taken * 1000:.1f} ms" for size, taken in zip(sizes, times))
    raise AssertionError(f'"{name}" is not linear: {told}')


def _is_linear(times: Sequence[float]) -> bool:
    counted = [max(taken, _LEAST_TIME) for taken in times]
    return all(later <= MOST_GROWTH * earlier for earlier, later in zip(counted, counted[1:]))


def _seconds_of(work: Work, repeats: int) -> float:
    """Seconds of this thread's CPU for one piece of work, measured over several whose results are held."""
    gc.collect()
    held = []
    before = time.thread_time()
    for _ in range(repeats):
        held.append(work())
    return (time.thread_time() - before) / repeats
