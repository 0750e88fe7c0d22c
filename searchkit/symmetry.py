"""Generic helpers about symmetries: which of them fix a state, and what they make equal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from searchkit.bits import WORD_BITS
from searchkit.capabilities import FieldImage, HasSymmetries, Symmetry
from searchkit.problem import Problem

S = TypeVar("S")
A = TypeVar("A")
T = TypeVar("T")


def stabiliser(problem: Problem[S, A], states: Sequence[S]) -> list[Symmetry[S, A]]:
    """The symmetries of `problem` that map the set of `states` to itself.

    Empty for a problem without known symmetries. One key per state and symmetry is computed.
    """
    if not isinstance(problem, HasSymmetries):
        return []
    keys = {problem.key(state) for state in states}
    return [
        symmetry
        for symmetry in problem.symmetries()
        if {problem.key(symmetry.state_map(state)) for state in states} == keys
    ]


def packed_image(symmetry: Symmetry[Any, Any], state: Any) -> Any:
    """The image of a packed state by what a symmetry says of fields or bits. O(fields)."""
    if symmetry.fields is None:
        from searchkit.linear_index import moved_bits  # noqa: PLC0415  (for few)

        return moved_bits(state, (*(bits := symmetry.bits or ()), *range(len(bits), WORD_BITS)))
    return image_by_fields(symmetry.fields, state)


def image_by_fields(fields: Iterable[FieldImage], state: Any) -> Any:
    """The packed state whose fields are the images of those of another one. O(fields)."""
    words = state if isinstance(state, tuple) else (state,)
    found = [0] * len(words)
    for each in fields:
        value = words[each.word] >> each.shift & (1 << each.bits) - 1
        found[each.to_word] |= each.values[value] << each.to_shift
    return tuple(found) if isinstance(state, tuple) else found[0]


def canonical_state(state: Any, symmetries: Iterable[Symmetry[Any, Any]]) -> Any:
    """The least of the packed states that symmetries make equal to `state`."""
    images = (packed_image(each, state) for each in symmetries if each.is_packed)
    return min(images, default=state)


def orbits(items: Sequence[T], maps: Iterable[Callable[[T], T]]) -> list[list[T]]:
    """The classes of `items` that `maps` make equal, each in the order of `items`.

    Every map must permute `items`, which need not be hashable. Takes time quadratic in the
    number of items.

    >>> orbits([0, 1, 2, 3], [lambda i: (i + 2) % 4])
    [[0, 2], [1, 3]]
    """
    group = list(range(len(items)))
    for permute in maps:
        for index, item in enumerate(items):
            other = group[items.index(permute(item))]
            mine = group[index]
            if other != mine:
                keep, drop = min(mine, other), max(mine, other)
                group = [keep if number == drop else number for number in group]
    return [
        [item for item, number in zip(items, group, strict=True) if number == first]
        for first in sorted(set(group))
    ]
