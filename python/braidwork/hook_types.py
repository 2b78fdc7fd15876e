"""Types of hooks by their number of arguments. Each hook may have a `context` besides."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from typing import Any, Callable, Protocol, TypeVar, Union

State = Mapping[str, Any]
"""A request's shared state: JSON, small, never changed in place."""

T = TypeVar("T")
Answer = Union[T, Awaitable[T]]

A = TypeVar("A", contravariant=True)
B = TypeVar("B", contravariant=True)
D = TypeVar("D", contravariant=True)
C = TypeVar("C", contravariant=True)
R = TypeVar("R", covariant=True)


class InContext1(Protocol[A, R, C]):
    """A hook of one argument that has a `context`."""

    def __call__(self, first: A, /, *, context: C) -> R: ...


class InContext2(Protocol[A, B, R, C]):
    """A hook of two arguments that has a `context`."""

    def __call__(self, first: A, second: B, /, *, context: C) -> R: ...


class InContext3(Protocol[A, B, D, R, C]):
    """A hook of three arguments that has a `context`."""

    def __call__(self, first: A, second: B, third: D, /, *, context: C) -> R: ...


Hook1 = Union[Callable[[A], R], InContext1[A, R, C]]
Hook2 = Union[Callable[[A, B], R], InContext2[A, B, R, C]]
Hook3 = Union[Callable[[A, B, D], R], InContext3[A, B, D, R, C]]
