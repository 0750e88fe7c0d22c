"""Parts of states that were empty in all that were looked at: nothing tells what they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from searchkit.translation.types import items_of, names_of

STEPS = 50_000
"""How long a walk may be that looks for a state where such a part holds something."""
Part = tuple[int, ...]
"""A part of a state, by the numbers of items from the outermost to the innermost."""


def always_empty(values: Sequence[Any]) -> list[Part]:
    """The parts of some values that are empty in all of them. O(their parts)."""
    return list(_always_empty(values, ()))


def _always_empty(values: Sequence[Any], part: Part) -> Iterator[Part]:
    kinds = set(map(type, values))
    if len(kinds) != 1:
        return
    (kind,) = kinds
    if kind in (tuple, frozenset, str):
        lengths = set(map(len, values))
        if lengths == {0}:
            yield part
        if kind is not tuple or len(lengths) > 1:
            return
    elif names_of(kind) is None:
        return
    for i, column in enumerate(zip(*map(items_of, values), strict=True)):
        yield from _always_empty(column, (*part, i))


def part_of(value: Any, part: Part) -> Any:
    """A part of a value."""
    for each in part:
        value = items_of(value)[each]
    return value


def written(value: Any, part: Part) -> str:
    """A part of a state as rules write it."""
    name = "state"
    for each in part:
        names = names_of(type(value))
        name += f".{names[each]}" if names else f"[{each}]"
        value = items_of(value)[each]
    return name


def fuller_states(
    states: Sequence[Any], children: Callable[[Any], list[Any]], is_late: Callable[[], bool]
) -> Iterator[Any]:
    """States where something is that was empty in all of `states`, met on a long walk at random.

    `children` lists those of a state. O(`STEPS` expansions), unless it `is_late` before.
    """
    empty, choose, state = always_empty(states), Random(2), states[0]
    for _ in range(STEPS if empty else 0):
        found = children(state)
        if not empty or not found or is_late():
            return
        for each in found:
            try:
                rest = [part for part in empty if not len(part_of(each, part))]
            except (TypeError, IndexError):  # of another shape than those before
                return
            if len(rest) < len(empty):
                yield each
                empty = rest
        state = choose.choice(found)
