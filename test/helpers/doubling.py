"""Whether work takes time that grows as its size does: doubling.ts, for Python."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

Work = Callable[[], Any]

# The most that a doubling may cost: linear is 2, and caches and garbage add to it; quadratic is 4.
MOST_GROWTH = 2.6
# Below so many seconds a time says more of caches and garbage than of the work: a faster one counts as this.
_LEAST_TIME = 0.01
# Growth up to which it may be others on the machine who made a try slow: work is tried longer for a verdict.
_DOUBTFUL_GROWTH = 3.2
# Work is tried for a verdict as often as this, or for so many seconds of CPU.
_LEAST_SPENT = 5.0


class _Patience(NamedTuple):
    tries: int
    # Seconds of CPU after which nothing more is tried: work that is slow by then is slow by its nature.
    most_time: float


_ORDINARY = _Patience(8, 20.0)
_IN_DOUBT = _Patience(24, 60.0)


def expect_linear(name: str, make: Callable[[int], Work], sizes: Sequence[int]) -> None:
    """Raises AssertionError where a doubling of the size costs more than `MOST_GROWTH` times the CPU."""
    works = [make(size) for size in sizes]
    repeats = [max(1, round(sizes[-1] / size)) for size in sizes]
    times = [float("inf")] * len(works)
    spent = 0.0
    works[0]()
    tries = 0
    while _goes_on(tries, spent, times):
        tries += 1
        for at, work in enumerate(works):
            taken = _seconds_of(work, repeats[at])
            times[at] = min(times[at], taken)
            spent += taken * repeats[at]
    if _worst(times) <= MOST_GROWTH:
        return
    told = ", ".join(f"{size}: {taken * 1000:.1f} ms" for size, taken in zip(sizes, times))
    raise AssertionError(f'"{name}" is not linear: {told}')


def _goes_on(tries: int, spent: float, times: Sequence[float]) -> bool:
    if tries == 0:
        return True
    worst = _worst(times)
    patience = _IN_DOUBT if worst <= _DOUBTFUL_GROWTH else _ORDINARY
    is_early = tries < patience.tries or spent < _LEAST_SPENT
    return worst > MOST_GROWTH and is_early and spent < patience.most_time


def _worst(times: Sequence[float]) -> float:
    """The most that a doubling cost: how many times the CPU."""
    counted = [max(taken, _LEAST_TIME) for taken in times]
    return max((later / earlier for earlier, later in zip(counted, counted[1:])), default=0.0)


def _seconds_of(work: Work, repeats: int) -> float:
    """Seconds of this thread's CPU for one piece of work, measured over several whose results are held."""
    gc.collect()
    held = []
    before = time.thread_time()
    for _ in range(repeats):
        held.append(work())
    return (time.thread_time() - before) / repeats
