"""The hook or value that a misspelled name is meant for, by the same measure as in the host."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

# A name or word with fewer letters is near to many ordinary words: `calc` to `call`.
_FEWEST_LETTERS = 6
_LONGEST = 200


class MissingNames(NamedTuple):
    """The names that the host reads of a plugin of this kind, and that the plugin does not have."""

    hooks: Sequence[str]
    values: Sequence[str]
    #: The values that are lists.
    lists: Sequence[str]


def meant_by(member: str, sort: str, missing: MissingNames) -> str | None:
    """The hook or value that the name of a member is almost certainly meant for."""
    names = [*missing.hooks, *missing.values] if sort == "function" else missing.values
    for name in names:
        if _is_misspelled(member, name):
            return name
    plural = f"{_fold(member)}s"
    lists = missing.lists if sort == "list" else ()
    return next((name for name in lists if _fold(name) == plural), None)


def _is_misspelled(name: str, meant: str) -> bool:
    """The same letters in another style or British spelling, two swapped, or one wrong."""
    own, other = _fold(name), _fold(meant)
    if name == name.upper() or len(name) > _LONGEST or len(other) < _FEWEST_LETTERS:
        return False
    return (
        _american(own) == other
        or _is_swapped(own, other)
        or _has_wrong_letter(name, meant)
    )


def _american(name: str) -> str:
    """Hooks are spelled `finalize`, and not `finalise`."""
    return name.replace("ise", "ize", 1)


def _is_swapped(own: str, other: str) -> bool:
    at = _first_difference(own, other)
    pair = other[at : at + 2]
    return len(pair) == 2 and own == f"{other[:at]}{pair[::-1]}{other[at + 2 :]}"


def _has_wrong_letter(name: str, meant: str) -> bool:
    """Whether one word of a name of several has one letter too many, too few, or another one."""
    own, other = _words(name), _words(meant)
    if len(own) != len(other) or len(own) < 2 or _has_other_ending(_fold(name), _fold(meant)):
        return False
    pairs = [pair for pair in zip(own, other) if pair[0] != pair[1]]
    return (
        len(pairs) == 1
        and min(map(len, pairs[0])) >= _FEWEST_LETTERS
        and _is_one_edit(*pairs[0])
    )


def _is_one_edit(own: str, other: str) -> bool:
    at = _first_difference(own, other)
    if len(own) == len(other):
        return own[at + 1 :] == other[at + 1 :]
    shorter, longer = sorted((own, other), key=len)
    return shorter[at:] == longer[at + 1 :]


def _first_difference(own: str, other: str) -> int:
    shorter = min(len(own), len(other))
    return next((at for at in range(shorter) if own[at] != other[at]), shorter)


def _has_other_ending(own: str, other: str) -> bool:
    """Another ending makes another word: `get_tag`, `edit_message`."""
    return own.startswith(other) or other.startswith(own)


def _words(name: str) -> list[str]:
    spaced = re.sub("[A-Z]", lambda letter: f" {letter[0].lower()}", name)
    return [word for word in re.split("[ _]", spaced) if word]


def _fold(name: str) -> str:
    return name.lower().replace("_", "")
