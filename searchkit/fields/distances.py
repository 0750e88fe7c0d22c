"""Distances in abstractions: of all digits of some variables, by all labels at once."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import attrs
import numpy as np

from searchkit.errors import UnsuitableError
from searchkit.fields.factors import Factors, Relation

Array = np.ndarray[Any, Any]
Run = tuple[slice, slice]
"""Digits one after the other, and what becomes of them: as many, from the other end, or one."""
NOWHERE = 60_000
"""The distance where no way leads to a goal."""
MOST_COST = 255
"""What costs more counts this much."""
MOST_PARTS = 1 << 16


@attrs.frozen
class Move:
    """A label in an abstraction: where it can be made, and where that leads."""

    cost: int
    before: tuple[slice, ...]
    after: tuple[slice, ...]

    @property
    def entries(self) -> int:
        """From how many entries it can be made."""
        return math.prod(each.stop - each.start for each in self.before)


def moves_of(factors: Factors, group: Sequence[int]) -> list[Move]:
    """What the labels that change a group of variables make of it, each of these once."""
    sizes = [factors.variables[each].size for each in group]
    best: dict[Any, int] = {}
    for label in factors.labels:
        if label.changed.isdisjoint(group):
            continue
        relations = tuple(label.relations.get(each) for each in group)
        cost = min(label.cost, MOST_COST)
        best[relations] = min(best.get(relations, cost), cost)
    moves = []
    for relations, cost in best.items():
        parts = [
            ((slice(0, size), slice(0, size)),) if relation is None else _runs(relation)
            for relation, size in zip(relations, sizes, strict=True)
        ]
        for chosen in itertools.product(*parts):
            moves.append(Move(cost, tuple(a for a, _ in chosen), tuple(b for _, b in chosen)))
            if len(moves) > MOST_PARTS:
                raise UnsuitableError("the moves of this pattern go too many ways")
    return moves


@lru_cache(maxsize=1 << 14)
def _runs(relation: Relation) -> tuple[Run, ...]:
    """The pairs of a relation in runs of neighbours, each of which is a slice."""
    runs: list[Run] = []
    left = sorted(set(relation))
    while left:
        longest: list[tuple[int, int]] = []
        rest = set(left)
        for step in (1, -1, 0):
            old, new = left[0]
            run = []
            while (old, new) in rest:
                run.append((old, new))
                old, new = old + 1, new + step
            if len(run) > len(longest):
                longest, way = run, step
        (old, new), count = longest[0], len(longest)
        end = new + way * count
        after = slice(new, new + 1) if way == 0 else slice(new, end if end >= 0 else None, way)
        runs.append((slice(old, old + count), after))
        taken = set(longest)
        left = [each for each in left if each not in taken]
    return tuple(runs)


def distances(factors: Factors, group: Sequence[int], moves: Sequence[Move]) -> Array:
    """How far the digits of a group are from a goal at least; an axis for each variable.

    `NOWHERE` where no way leads to one. `moves` are those of the group. They are made backwards,
    over and over, until nothing changes: O(distance x entries of moves) at most, some nanoseconds
    each.
    """
    *_, found = relaxed(factors, group, moves)
    return found


def relaxed(factors: Factors, group: Sequence[int], moves: Sequence[Move]) -> Iterator[Array]:
    """The same, after every round."""
    sizes = [factors.variables[each].size for each in group]
    found: Array = np.full(sizes, NOWHERE, dtype=np.uint16)
    for goal in factors.goals:
        allowed = [
            sorted(goal.get(each, range(size))) for each, size in zip(group, sizes, strict=True)
        ]
        found[np.ix_(*allowed)] = 0
    views = [(move.cost, found[move.before], found[move.after]) for move in moves]
    changed = True
    while changed:
        yield found
        changed = False
        for cost, before, after in views:
            through = after + np.uint16(cost)
            if (through < before).any():
                np.minimum(before, through, out=before)
                changed = True
    np.minimum(found, NOWHERE, out=found)
    yield found
