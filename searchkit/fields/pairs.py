"""Which values of two numbers of a state can be met together, and what labels need besides.

From the pairs of values in the starts, those that labels lead to are added until there are no
more. What is not among them is never met: a car is not where another one is, nor is one of its
cells empty. A label that asks about numbers which are dropped is then known to be impossible for
some values of those that are kept. (P. Haslum and H. Geffner, Admissible heuristics for optimal
planning, 2000; P. Haslum, B. Bonet and H. Geffner, New admissible heuristics for domain-independent
planning, 2005.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from searchkit.fields.labels import Copy, Label, Lowered
from searchkit.fields.symbols import Values

Array = np.ndarray[Any, Any]
MOST_WORK = 1 << 25
"""Pairs are not found where those of one round, times the labels, are more."""
MOST_VALUES = 64
"""Numbers of more values can have any of them at any time, as far as is known."""


@attrs.frozen(eq=False)
class Pairs:
    """Which facts, a number with a value each, can be met together."""

    domains: Mapping[int, Values]
    first: Mapping[int, int]
    """The first fact of each number that is looked at; they are in the order of its values."""
    together: Array
    """A row and a column for each fact."""

    def facts(self, number: int, values: Sequence[int]) -> list[int]:
        """The facts of a number with some of its values."""
        low = self.domains[number][0]
        return [self.first[number] + value - low for value in values]

    def with_given(self, given: Mapping[int, Values]) -> Array | None:
        """Which facts are met together where numbers have given values; None if that is never."""
        found = self.together.copy()
        for number, values in given.items():
            if number not in self.first:
                continue
            others: Array = np.zeros_like(found)
            for fact in self.facts(number, values):
                row = self.together[fact]
                others |= row[:, None] & row
            found &= others
        for number in self.first:
            rows = self.facts(number, self.domains[number])
            if not found[rows, rows].any():
                return None
        return found

    def narrowed(self, given: Mapping[int, Values]) -> dict[int, Values] | None:
        """The values that all numbers can have then, of those that have fewer; None if never."""
        found = self.with_given(given)
        if found is None:
            return None
        narrow = {n: values for n, values in given.items() if n not in self.first}
        for number in self.first:
            values = self.domains[number]
            rows = self.facts(number, values)
            own = found[rows, rows]
            if not own.all():
                narrow[number] = tuple(v for v, ok in zip(values, own, strict=True) if ok)
        return narrow

    def admit(self, state: Sequence[int]) -> bool:
        """Whether all pairs of values in a state are known."""
        facts = [fact for n in self.first for fact in self.facts(n, (state[n],))]
        return bool(self.together[np.ix_(facts, facts)].all())


def pairs_of(puzzle: Lowered) -> Pairs:
    """The pairs that can be met. O(rounds x labels x pairs)."""
    first: dict[int, int] = {}
    count = 0
    for number, values in puzzle.domains.items():
        if 1 <= len(values) <= MOST_VALUES:
            first[number] = count
            count += len(values)
    if count * count * len(puzzle.labels) > MOST_WORK:
        return Pairs(puzzle.domains, {}, np.zeros((0, 0), dtype=np.bool_))
    pairs = Pairs(puzzle.domains, first, np.zeros((count, count), dtype=np.bool_))
    for state in puzzle.starts:
        facts = [fact for n in first for fact in pairs.facts(n, (state[n],))]
        pairs.together[np.ix_(facts, facts)] = True
    is_new = True
    while is_new:
        is_new = False
        for label in puzzle.labels:
            is_new |= _add_after(pairs, label)
    return pairs


def _add_after(pairs: Pairs, label: Label) -> bool:
    """Add the pairs after a label; whether there was a new one."""
    found = pairs.with_given(label.given)
    if found is None:
        return False
    # One more fact, which is always met: what becomes a constant.
    always = len(found)
    known = np.zeros((always + 1, always + 1), dtype=np.bool_)
    known[:always, :always] = found
    known[always, :always] = known[:always, always] = found.diagonal()
    known[always, always] = True
    kept = np.ones(always, dtype=np.bool_)
    sources: list[tuple[int, int]] = []
    for number, after in label.after.items():
        if number not in pairs.first:
            continue
        kept[pairs.facts(number, pairs.domains[number])] = False
        if not isinstance(after, Copy):
            (fact,) = pairs.facts(number, (after,))
            sources.append((fact, always))
        elif after.source in pairs.first:
            for value, result in after.table.items():
                (fact,) = pairs.facts(number, (result,))
                (source,) = pairs.facts(after.source, (value,))
                sources.append((fact, source))
        else:
            for result in set(after.table.values()):
                (fact,) = pairs.facts(number, (result,))
                sources.append((fact, always))
    before = np.flatnonzero(kept)
    left = np.concatenate([before, [fact for fact, _ in sources]]).astype(np.int64)
    right = np.concatenate([before, [source for _, source in sources]]).astype(np.int64)
    reached = np.zeros_like(pairs.together)
    new = known[np.ix_(right, right)]
    if len(set(left.tolist())) == len(left):
        reached[np.ix_(left, left)] = new
    else:
        rows, columns = np.nonzero(new)
        reached[left[rows], left[columns]] = True
    # Two values of one number are never met together.
    for number in {number for number in label.after if number in pairs.first}:
        facts = pairs.facts(number, pairs.domains[number])
        block = reached[np.ix_(facts, facts)]
        reached[np.ix_(facts, facts)] = np.diag(block.diagonal())
    if (reached <= pairs.together).all():
        return False
    pairs.together[:] |= reached
    return True
