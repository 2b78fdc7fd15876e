"""The native request and the state. Host and Python each keep a copy, and send only changes."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, NoReturn, Tuple

_SIMPLE = (str, int, float, bool)


def _refuse(*_: Any, **__: Any) -> NoReturn:
    raise TypeError("native, state and config are read-only; return new ones")


class ReadOnlyDict(dict[Any, Any]):
    """A dict that a plugin cannot change. Copies of it are plain dicts."""

    __slots__ = ()
    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce_ex__(self, _protocol: Any) -> Tuple[Any, ...]:
        return dict, (dict(self),)


class ReadOnlyList(list[Any]):
    """A list that a plugin cannot change. Copies of it are plain lists."""

    __slots__ = ()
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse

    def __reduce_ex__(self, _protocol: Any) -> Tuple[Any, ...]:
        return list, (list(self),)


def read_only(value: Any) -> Any:
    """The value with a read-only top level."""
    if type(value) is dict:
        return ReadOnlyDict(value)
    return ReadOnlyList(value) if type(value) is list else value


class Mirror:
    """Python's copy of the native request and the state."""

    __slots__ = ("native", "state")

    def __init__(self) -> None:
        self.native: Any = None
        self.state: ReadOnlyDict = ReadOnlyDict()

    def take(self, message: Mapping[str, Any]) -> None:
        """Applies the changes that the host made to native and state."""
        if "n" in message:
            self.native = read_only(message["n"])
        put, gone = message.get("u"), message.get("g")
        if put or gone:
            state = dict(self.state)
            for key in gone or ():
                state.pop(key, None)
            state.update(put or {})
            self.state = ReadOnlyDict(state)

    def give(self, native: Any, state: Mapping[str, Any], changes: Dict[str, Any]) -> None:
        """Stores the values that a hook returned, and adds their differences to `changes`."""
        if native is not self.native:
            self.native = changes["n"] = read_only(native)
        if state is not self.state:
            before = self.state
            put = {key: state[key] for key in state if not _is_same(before, key, state[key])}
            gone: List[str] = [key for key in before if key not in state]
            if put:
                changes["u"] = put
            if gone:
                changes["g"] = gone
            self.state = ReadOnlyDict(state)


_MISSING = object()


def _is_same(before: Mapping[str, Any], key: str, value: Any) -> bool:
    known = before.get(key, _MISSING)
    if known is value:
        return True
    return type(known) is type(value) and type(value) in _SIMPLE and bool(known == value)
