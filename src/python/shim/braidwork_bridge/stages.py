"""Runs the chunk hooks of adjacent plugins in one round trip."""

from __future__ import annotations

import builtins
from functools import partial
from typing import Any, Callable, Dict, List, Mapping, Sequence

from .faults import AnswerFault, describe
from .loading import Hook
from .values import Mirror
from .wire import encode

# A copy, so that no plugin can remove builtins that this module needs.
__builtins__ = vars(builtins).copy()


class StageFault(Exception):
    """A stage failed, or returned an invalid answer."""

    def __init__(self, stage: int, done: List[Any], cause: Any = None, answer: Any = None) -> None:
        super().__init__()
        self.stage = stage
        self.done = done
        # The stage before it that gave a value that is no event, or -1.
        self.stray = -1
        self.cause = cause
        self.answer = answer

    def describe(self) -> Dict[str, Any]:
        """Describes the fault for the host, with the results for earlier chunks."""
        described: Dict[str, Any] = {"stage": self.stage, "done": self.done}
        if self.stray >= 0:
            described["stray"] = self.stray
        if self.cause is not None:
            described.update(describe(self.cause))
        else:
            described["answer"] = self.answer
        try:
            encode(described)
        except Exception as unfit:  # from its answer, or from earlier chunks
            described = {"stage": self.stage, "done": [], **describe(unfit)}
        return described


class Stage:
    """One plugin's step in the processing of a chunk."""

    __slots__ = ("call", "is_async", "is_core", "is_first")

    def __init__(self, hook: Hook, name: str, context: Any) -> None:
        self.is_async = hook.mode == "async"
        self.is_core = name == "fromNative"
        # A provider's hook takes the chunk only, before native and state.
        self.is_first = len(hook.args) == 3
        self.call: Callable[..., Any] = hook.run
        if hook.takes_context:
            self.call = partial(hook.run, context=context)


class Segment:
    """Adjacent plugins of a chain, with the current native and state."""

    __slots__ = ("is_async", "_steps", "_cores", "_mirror")

    def __init__(self, stages: Sequence[Stage], mirror: Mirror) -> None:
        # The host joins either only async stages or none.
        self.is_async = stages[0].is_async
        self._steps = [stage for stage in stages if not stage.is_core]
        self._cores = [stage for stage in stages if stage.is_core]
        self._mirror = mirror

    def run(self, chunks: Sequence[Any]) -> List[Any]:
        """Runs hooks that are not async, and returns the result of each chunk."""
        try:
            self.process(chunks).send(None)
        except StopIteration as ended:
            done: List[Any] = ended.value
            return done
        raise RuntimeError("a hook without async has not ended at once")

    async def process(self, chunks: Sequence[Any]) -> List[Any]:
        """Runs async hooks, and returns the result of each chunk. Stops at the first failure."""
        done: List[Any] = []
        # One coroutine for all chunks: one for each would take as long as the checks of its result.
        for given in chunks:
            if not self._steps:
                core, partials = given
                done.append({"k": await self._to_core(core, partials, done)})
                continue
            # Without a provider's hook before, the chunk is a partial already.
            chunk, partials, finals = given if len(given) > 1 else (given[0], given, [])
            native, state = self._mirror.native, self._mirror.state
            lists = [partials]
            for at, stage in enumerate(self._steps):
                try:
                    if stage.is_first:
                        answer = stage.call(chunk, native, state)
                    else:
                        answer = stage.call(chunk, partials, finals, native, state)
                    if stage.is_async:
                        answer = await answer
                except BaseException as error:
                    raise _failed(at, done, error, lists) from None
                if not is_step(answer):
                    raise StageFault(at, done, answer=answer)
                partials, finals, native, state = answer if len(answer) == 4 else answer[:4]
                lists.append(partials)
            result = self._result(partials, finals, native, state)
            if self._cores and partials:
                result["k"] = await self._to_core(partials, partials, done)
            done.append(result)
        return done

    def send(self, send: Callable[[int, Any], None], request: int, done: List[Any]) -> None:
        """Sends the results of chunks. A fault has the stage and the place in its answer."""
        try:
            send(request, done)
        except AnswerFault as fault:
            raise self._fault_of(fault, done) from None

    def _fault_of(self, fault: AnswerFault, done: List[Any]) -> StageFault:
        """The fault of a result that is not JSON, with its stage and its place in the answer."""
        _, chunk, member, *_ = [*(fault.pointer or "").split("/"), "", "p"]
        if not chunk.isdigit():
            return StageFault(0, [], cause=fault)
        is_core = member == "k"
        stage = len(self._steps) + len(self._cores) - 1 if is_core else len(self._steps) - 1
        after = "" if is_core else f"/{'pfnu'.index(member)}"
        moved = fault.moved(f"/{chunk}/{member}", after)
        return StageFault(stage, done[: int(chunk)], cause=moved)

    def _result(self, partials: Any, finals: Any, native: Any, state: Any) -> Dict[str, Any]:
        result: Dict[str, Any] = {"p": partials}
        if finals:
            result["f"] = finals
        mirror = self._mirror
        if native is not mirror.native or state is not mirror.state:
            mirror.give(native, state, result)
        return result

    async def _to_core(self, core: Any, partials: Any, done: List[Any]) -> Any:
        lists = [core]
        for at, stage in enumerate(self._cores, len(self._steps)):
            try:
                core = stage.call(partials, core)
                if stage.is_async:
                    core = await core
            except BaseException as error:
                raise _failed(at, done, error, lists, len(self._steps)) from None
            if not isinstance(core, (list, tuple)):
                raise StageFault(at, done, answer=core)
            lists.append(core)
        return core


def _failed(
    at: int, done: List[Any], error: BaseException, lists: Sequence[Any], first: int = 0
) -> StageFault:
    """The fault of a stage. `lists` has what the stage `first` was given, and each answer since."""
    fault = StageFault(at, done, cause=error)
    for place, events in enumerate(lists):
        if any(not isinstance(one, _MAPPINGS) for one in events):
            fault.stray = first + place - 1
            break
    return fault


# Made once: these run for every chunk. The usual types come first, as `isinstance` takes longer.
_LISTS = (list, tuple)
_MAPPINGS = (dict, Mapping)


def is_step(answer: Any) -> bool:
    """Whether an answer is (partials, finals, native, state)."""
    if not (type(answer) is tuple or isinstance(answer, _LISTS)) or len(answer) < 4:
        return False
    partials, finals, state = answer[0], answer[1], answer[3]
    return (
        (type(partials) is list or isinstance(partials, _LISTS))
        and (type(finals) is list or isinstance(finals, _LISTS))
        and isinstance(state, _MAPPINGS)
    )
