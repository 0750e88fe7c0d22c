"""Which pattern databases of a puzzle on fields an amount of memory allows.

A pattern grows by the variable that raises the mean bound on some states most, as long as its
abstraction is small enough to be tried; then by those that were best at last. Where each label
changes one variable of a kind at most, bounds of groups of these are added up: what is better
counts. (P. Haslum, A. Botea, M. Helmert, B. Bonet and S. Koenig, Domain-independent construction of
pattern database heuristics, 2007.)
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import attrs
import numpy as np

from searchkit.errors import UnsuitableError
from searchkit.fields.factors import (
    SIGNS,
    Factors,
    Relation,
    can_merge,
    merged_number,
    variable_of,
    with_merged,
)
from searchkit.pattern_space import Pattern

Array = np.ndarray[Any, Any]
Run = tuple[slice, slice]
"""Digits one after the other, and what becomes of them: as many, from the other end, or one."""
NOWHERE = 60_000
"""The distance where no way leads to a goal."""
FARTHEST = 50_000
"""What is farther counts this much."""
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
                raise UnsuitableError(
                    f"the moves of this pattern go more than {MOST_PARTS:,} ways; name fewer parts "
                    "of a state, or use another heuristic"
                )
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
    is_deep = found.size * max((move.cost for move in moves), default=0) > FARTHEST
    changed = True
    while changed:
        yield found
        changed = False
        for cost, before, after in views:
            through = after + np.uint16(cost)
            if (through < before).any():
                np.minimum(before, through, out=before)
                if is_deep:
                    before[(before > FARTHEST) & (before < NOWHERE)] = FARTHEST
                changed = True
    np.minimum(found, NOWHERE, out=found)
    yield found


DEFAULT_MEMORY = 16_000_000
MOST_TRIED = 1 << 16
"""Patterns of no more entries are built to see how good they are."""
MOST_WORK = 1 << 24
"""From how many entries moves are made in all for that, in each round."""
WORK_OF_MOVE = 256
"""A move takes as long as from this many entries before it is made."""
MOST_GROUPS = 8
LEAST_GAIN = 1.05
"""A further group has to raise the mean bound so far."""
TRIED_SUMS = 1 << 20
"""Groups that are added up are compared with others by smaller ones, of this many entries."""


@attrs.define(eq=False)
class _Chooser:
    """Looks for groups of variables whose bounds are large on some states."""

    factors: Factors
    most: int
    """The entries that groups may have together."""
    states: Array
    """The digits of some states, a row for each."""
    work: int = 0
    known: dict[Pattern, tuple[Array, float]] = attrs.field(factory=dict, init=False)
    """What `bounds` has found."""

    def size(self, group: Sequence[int]) -> int:
        """How many entries a group has."""
        return math.prod(variable_of(self.factors, each).size for each in group)

    def bounds(self, group: Pattern) -> tuple[Array, float]:
        """The bounds on the states, and the mean of all entries."""
        if group in self.known:
            return self.known[group]
        factors = with_merged(self.factors, group)
        moves = moves_of(factors, group)
        self.work += sum(each.entries + WORK_OF_MOVE for each in moves)
        found = distances(factors, group, moves)
        digits = tuple(
            np.asarray(factors.variables[each].classes)[self.states[:, each % factors.count]]
            for each in group
        )
        own = found[digits].astype(np.float64)
        reached = found[found < NOWHERE]
        # That a state is a dead end is worth as much as that it is farthest.
        own[own >= NOWHERE] = reached.max(initial=0)
        self.known[group] = own, float(reached.mean()) if reached.size else 0.0
        return self.known[group]

    def grown(self, given: Array, left: int) -> tuple[Pattern, Array]:
        """A pattern of at most that many entries that raises given bounds most; perhaps empty.

        And the bounds then, by what of it was tried.
        """
        group: Pattern = ()
        best = (float(given.mean()), 0.0)
        ranking: list[int] = []
        bounds: dict[int, Array] = {}
        raised = given
        while True:
            found, skipped = [], []
            for each in self._related(group):
                size = self.size((*group, each))
                if size > min(left, MOST_TRIED) or self.work > MOST_WORK:
                    skipped.append(each)
                    continue
                try:
                    own, mean = self.bounds((*group, each))
                except UnsuitableError:
                    continue
                bounds[each] = np.maximum(given, own)
                value = (round(float(bounds[each].mean()), 9), round(mean, 9))
                found.append((value, -self.factors.variables[each].size, -each))
            found = [each for each in found if each[0] > best]
            if not found:
                break
            found.sort(reverse=True)
            ranking = [-each for _, _, each in found]
            group, best = (*group, ranking[0]), found[0][0]
            raised = bounds[ranking[0]]
        if best[0] <= given.mean():
            return (), given
        # Beyond what is tried: what was best at last, then whatever has to do with it.
        for each in [*(each for each in ranking if each in skipped), *skipped]:
            if each not in group and self.size((*group, each)) <= left:
                group = (*group, each)
        while not self.can_be_built(group):  # as what was tried can
            group = group[:-1]
        return group, raised

    def can_be_built(self, group: Pattern) -> bool:
        """Whether the moves of a group are not too many."""
        if group in self.known:
            return True
        try:
            moves_of(with_merged(self.factors, group), group)
        except UnsuitableError:
            return False
        return True

    def _related(self, group: Pattern) -> list[int]:
        """The variables that may say more of a group: of labels that change it, or of goals."""
        found = {each for goal in self.factors.goals for each in goal}
        if group:
            found |= {
                each
                for label in self.factors.labels
                if not label.changed.isdisjoint(group)
                for each in label.relations
            }
        sizes = self.factors.variables
        return sorted(each for each in found if each not in group and sizes[each].size > 1)

    def summed(self) -> Iterator[list[int]]:
        """For each kind of variables those of which no label changes two."""
        kinds: dict[tuple[str, bool], list[int]] = {}
        for number, each in self.factors.variables.items():
            field = re.split("[=:]", each.name)[0]
            kinds.setdefault((field, each.value is not None), []).append(number)
        for members in kinds.values():
            yield _apart(self.factors, members)

    def refined(self, groups: list[Pattern]) -> list[Pattern]:
        """The groups, one of them with what fits of a variable that does not fit, if that is good.

        Only where the groups are small enough to be tried.
        """
        left = self.most - sum(map(self.size, groups))
        if self.work > MOST_WORK or max(map(self.size, groups), default=MOST_TRIED) >= MOST_TRIED:
            return groups
        best, found = LEAST_GAIN * self._mean(groups), groups
        for at, group in enumerate(groups):
            room = min(left + self.size(group), MOST_TRIED) // self.size(group)
            for each in self._related(group):
                variable = self.factors.variables[each]
                for sign, by in zip(SIGNS, (-(-variable.size // room), room), strict=True):
                    if self.work > MOST_WORK or not can_merge(variable, by):
                        continue
                    more = (*group, merged_number(self.factors, each, sign, by))
                    others = [*groups[:at], more, *groups[at + 1 :]]
                    try:
                        mean = self._mean(others)
                    except UnsuitableError:
                        continue
                    if mean > best:
                        best, found = mean, others
        return found

    def _mean(self, groups: Sequence[Pattern]) -> float:
        """The mean of what the bounds of some groups are together."""
        factors = with_merged(self.factors, [each for group in groups for each in group])
        join = np.sum if are_additive(factors, groups) else np.max
        return float(join([self.bounds(each)[0] for each in groups], axis=0).mean())

    def asked_least(self, members: Sequence[int]) -> list[int]:
        """Members in the order in which they can be brought home one after the other.

        That is by how many others the moves of ask where they are. What is asked for by few stays
        where it is while the others come home; a bound of what many ask for leads a search to
        bring that home first, and in vain. (Sub-goals that are serializable: R. E. Korf, Planning
        as search: a quantitative approach, 1987.)
        """
        by: dict[int, set[int]] = {each: set() for each in members}
        for label in self.factors.labels:
            for each in label.relations:
                if each in by and each not in label.changed:
                    by[each] |= label.changed
        return sorted(members, key=lambda each: (len(by[each]), each))

    def cut(self, members: Sequence[int], most: int) -> list[Pattern]:
        """Members in groups as long as memory allows; none where it allows too little."""
        for length in range(len(members), 0, -1):
            groups = [
                tuple(sorted(members[i : i + length])) for i in range(0, len(members), length)
            ]
            if sum(map(self.size, groups)) <= most and len(groups) <= MOST_GROUPS:
                return groups
        return []


def _apart(factors: Factors, members: Sequence[int]) -> list[int]:
    """Members of which no label changes two: those that most others clash with are left out."""
    clashes: dict[int, set[int]] = {each: set() for each in members}
    for label in factors.labels:
        changed = [each for each in members if each in label.changed]
        for each in changed:
            clashes[each] |= {other for other in changed if other != each}
    while any(clashes.values()):
        worst = max(clashes, key=lambda each: len(clashes[each]))
        for other in clashes.pop(worst):
            clashes[other].discard(worst)
    return sorted(clashes)


def are_additive(factors: Factors, groups: Sequence[Sequence[int]]) -> bool:
    """Whether no label changes two groups, so that distances may be added up."""
    return len(groups) > 1 and all(
        sum(not label.changed.isdisjoint(group) for group in groups) < 2 for label in factors.labels
    )


def choose_groups(factors: Factors, states: Sequence[Sequence[int]], most: int) -> list[Pattern]:
    """The groups whose bounds are largest on some states, given as their numbers; perhaps none."""
    digits = np.array(
        [[each.digit(state) for each in factors.variables.values()] for state in states]
    )
    chooser = _Chooser(factors, most, digits)
    groups: list[Pattern] = []
    given: Array = np.zeros(len(states))
    left = most
    while len(groups) < MOST_GROUPS:
        group, raised = chooser.grown(given, left)
        if not group or float(raised.mean()) < LEAST_GAIN * float(given.mean()):
            break
        given = raised
        groups.append(group)
        left -= chooser.size(group)
    return chooser.refined(_better(chooser, groups, given))


def _better(chooser: _Chooser, groups: list[Pattern], given: Array) -> list[Pattern]:
    """Groups to add up, if these are better than groups of which the largest bound counts.

    Of two ways to cut a kind of variables, that by what is asked for least, unless the other's
    bounds are clearly larger: near a start, they often are the same.
    """
    best = float(given.mean())
    for members in chooser.summed():
        least = 1.0
        orders = dict.fromkeys((tuple(chooser.asked_least(members)), tuple(members)))
        for number, order in enumerate(orders):
            tried = chooser.cut(order, min(chooser.most, TRIED_SUMS))
            try:
                bounds = [chooser.bounds(each)[0] for each in tried]
            except UnsuitableError:
                continue
            mean = float(sum(own.mean() for own in bounds))
            if len(tried) > 1 and mean > best * (least if number else 1):
                useful = {
                    variable
                    for each, own in zip(tried, bounds, strict=True)
                    for variable in each
                    if own.any()
                }
                larger = chooser.cut([each for each in order if each in useful], chooser.most)
                if not all(map(chooser.can_be_built, larger)):
                    continue
                groups = larger
                best, least = mean, LEAST_GAIN
    return groups
