"""Configs that record which parts are read, like the host's own recording views."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Set, Tuple

from .values import ReadOnlyDict


class Recorder:
    """The parts of a config that were read, as JSON pointers. Each includes everything below it."""

    def __init__(self) -> None:
        self._read: Set[str] = set()
        self._reached: Set[str] = set()
        self._entered: Set[str] = set()

    def view(self, value: Dict[str, Any]) -> "RecordingDict":
        """The config as a plugin receives it."""
        if not value:
            self.read("")
        return RecordingDict(value, self, "")

    def read(self, pointer: str) -> None:
        """Records that a plain value, or a whole object, was read."""
        self._read.add(pointer)

    def reach(self, pointer: str) -> None:
        """Records that an object was returned, of which no part was read yet."""
        self._reached.add(pointer)

    def enter(self, pointer: str) -> None:
        """Records that a key of an object was read."""
        self._entered.add(pointer)

    @property
    def pointers(self) -> List[str]:
        """All recorded reads. An object of which no part was read counts as a whole."""
        return sorted(self._read | (self._reached - self._entered))


_MISSING = object()


class RecordingDict(ReadOnlyDict):
    """A dict that records each read of a key. Methods that return everything record the whole."""

    __slots__ = ("_recorder", "_pointer", "_views")

    def __init__(self, value: Dict[str, Any], recorder: Recorder, pointer: str) -> None:
        super().__init__(value)
        self._recorder = recorder
        self._pointer = pointer
        self._views: Dict[str, RecordingDict] = {}

    def _at(self, key: Any) -> Any:
        if not isinstance(key, str):
            return _MISSING
        self._recorder.enter(self._pointer)
        pointer = self._pointer + "/" + key.replace("~", "~0").replace("/", "~1")
        inner = super().get(key, _MISSING)
        # An empty dict counts as read: json.dumps in C only asks for its size.
        if type(inner) is not dict or not inner:
            self._recorder.read(pointer)
            return inner
        self._recorder.reach(pointer)
        view = self._views.get(key)
        if view is None:
            view = self._views[key] = RecordingDict(inner, self._recorder, pointer)
        return view

    def _all(self) -> Dict[str, Any]:
        self._recorder.read(self._pointer)
        return {key: dict.__getitem__(self, key) for key in dict.__iter__(self)}

    def __getitem__(self, key: Any) -> Any:
        found = self._at(key)
        if found is _MISSING:
            raise KeyError(key)
        return found

    def get(self, key: Any, default: Any = None) -> Any:
        """The value or the default. Either way the key counts as read."""
        found = self._at(key)
        return default if found is _MISSING else found

    def __contains__(self, key: Any) -> bool:
        return self._at(key) is not _MISSING

    def __iter__(self) -> Iterator[Any]:
        return iter(self._all())

    def __reversed__(self) -> Iterator[Any]:
        return reversed(list(self._all()))

    def __len__(self) -> int:
        return len(self._all())

    def keys(self) -> Any:
        """All keys; records the whole."""
        return self._all().keys()

    def values(self) -> Any:
        """All values; records the whole."""
        return self._all().values()

    def items(self) -> Any:
        """All pairs; records the whole."""
        return self._all().items()

    def copy(self) -> Dict[str, Any]:
        """A plain copy; records the whole."""
        return self._all()

    def __eq__(self, other: object) -> bool:
        return self._all() == (other._all() if isinstance(other, RecordingDict) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __or__(self, other: Any) -> Any:
        return {**self._all(), **other}

    def __ror__(self, other: Any) -> Any:
        return {**other, **self._all()}

    def __repr__(self) -> str:
        return repr(self._all())

    def __reduce_ex__(self, _protocol: Any) -> Tuple[Any, ...]:
        return dict, (self._all(),)
