"""Configs that note what is read of them, as the host's own recording views do."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Set, Tuple

from .values import ReadOnlyDict


class Recorder:
    """What was read of one config, as JSON pointers; each counts for all that stands below it."""

    def __init__(self) -> None:
        self._read: Set[str] = set()
        self._reached: Set[str] = set()
        self._entered: Set[str] = set()

    def view(self, value: Dict[str, Any]) -> "RecordingDict":
        """The config as a plugin is given it."""
        if not value:
            self.read("")
        return RecordingDict(value, self, "")

    def read(self, pointer: str) -> None:
        """A value was read as it is, or an object whole."""
        self._read.add(pointer)

    def reach(self, pointer: str) -> None:
        """An object was given out, of which it is not known yet what is read."""
        self._reached.add(pointer)

    def enter(self, pointer: str) -> None:
        """Something in an object was asked for by its key."""
        self._entered.add(pointer)

    @property
    def pointers(self) -> List[str]:
        """All that was read; an object that was only reached counts whole."""
        return sorted(self._read | (self._reached - self._entered))


_MISSING = object()


class RecordingDict(ReadOnlyDict):
    """A dict that notes each read of a key; whatever sees all of it counts for all below."""

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
        # An empty dict counts as read whole: json.dumps in C asks one for nothing but its size.
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
        """The value, or the default; either way it was asked for."""
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
        """All keys: all was read."""
        return self._all().keys()

    def values(self) -> Any:
        """All values: all was read."""
        return self._all().values()

    def items(self) -> Any:
        """All pairs: all was read."""
        return self._all().items()

    def copy(self) -> Dict[str, Any]:
        """A plain copy: all was read."""
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
