"""Neighbouring plugins on a chunk's way, run in one crossing."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Mapping, Sequence

from .loading import Hook
from .values import Mirror

Call = Callable[..., Any]


class StageFault(Exception):
    """A stage failed, or answered with what is none of its answers."""

    def __init__(self, stage: int, done: List[Any], cause: Any = None, answer: Any = None) -> None:
        super().__init__()
        self.stage = stage
        self.done = done
        self.cause = cause
        self.answer = answer


class Stage:
    """One plugin's part."""

    __slots__ = ("hook", "name", "call", "is_first")

    def __init__(self, hook: Hook, name: str, context: Any) -> None:
        self.hook = hook
        self.name = name
        self.is_first = len(hook.args) == 3
        run = hook.run
        if hook.takes_context:
            self.call: Call = lambda *args: run(*args, context=context)
        else:
            self.call = run


def run_stages(stages: Sequence[Stage], chunks: Sequence[Any], mirror: Mirror) -> List[Any]:
    """What each chunk comes to; stops at the first that fails."""
    done: List[Any] = []
    for chunk, partials, finals in chunks:
        done.append(_run_chunk(stages, [chunk, partials, finals], mirror, done))
    return done


def _run_chunk(
    stages: Sequence[Stage], given: List[Any], mirror: Mirror, done: List[Any]
) -> Dict[str, Any]:
    chunk, partials, finals = given
    native, state = mirror.native, mirror.state
    is_core_only = stages[0].name == "fromNative"
    core: Any = chunk if is_core_only else None
    for at, stage in enumerate(stages):
        answer: Any = None
        try:
            if stage.name == "fromNative":
                core = partials if core is None else core
                if not partials:
                    continue
                answer = stage.call(partials, core)
            elif stage.is_first:
                answer = stage.call(chunk, native, state)
            else:
                answer = stage.call(chunk, partials, finals, native, state)
        except BaseException as error:
            raise StageFault(at, done, cause=error) from None
        if stage.name == "fromNative":
            if not isinstance(answer, (list, tuple)):
                raise StageFault(at, done, answer=answer)
            core = answer
            continue
        if not is_step(answer):
            raise StageFault(at, done, answer=answer)
        partials, finals, native, state = answer[:4]
    if is_core_only:
        return {"k": core}
    result: Dict[str, Any] = {"p": partials, "f": finals}
    if core is not None:
        result["k"] = core
    mirror.give(native, state, result)
    return result


def is_step(answer: Any) -> bool:
    """Whether an answer is (partials, finals, native, state)."""
    return (
        isinstance(answer, (list, tuple))
        and len(answer) >= 4
        and isinstance(answer[0], (list, tuple))
        and isinstance(answer[1], (list, tuple))
        and isinstance(answer[3], Mapping)
    )
