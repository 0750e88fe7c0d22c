"""Certificates of puzzles on fields that no author has written: sums that no move changes.

The moves are followed on states that are not known (`searchkit.fields.labels`), which gives all
that they change, and under what. Some of it is ruled out by what never ceases to hold: that the
values of an array are all different, that the item at the place that a number names has some value.
All of these that hold at the start are supposed, and those dropped that some change would end,
until none would. Of what is left, `searchkit.invariants` finds the sums that stay the same.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from searchkit.certificates import Certificate
from searchkit.errors import UnsuitableError
from searchkit.fields.declared import Array, Int
from searchkit.fields.labels import Copy, Label, lowered
from searchkit.fields.symbols import Values
from searchkit.invariants.finding import Arrays, Change, Finder, Invariant, Order
from searchkit.packed import has_expand

INVARIANT = "invariant"
"""The kind of these certificates; see `searchkit.fields.invariant_checks` for their data."""
MOST_CHANGES = 1 << 17
MOST_GOALS = 64


@attrs.frozen
class Link:
    """The item of an array at the place that a number names is `value`, always."""

    number: int
    array: str
    value: int


@attrs.define
class Kept:
    """What never ceases to hold, as far as is known: arrays of different values, and links."""

    arrays: dict[str, range]
    """All arrays."""
    distinct: set[str]
    links: set[Link]

    @classmethod
    def at(cls, layout: Any, start: Sequence[int]) -> Kept:
        """All that holds at a start."""
        arrays, numbers = {}, {}
        for name, field in layout.fields.items():
            if isinstance(field, Array):
                arrays[name] = layout.numbers[name]
            elif isinstance(field, Int) and field.low >= 0:
                numbers[layout.numbers[name].start] = field.below
        distinct = {
            name
            for name, places in arrays.items()
            if len({start[i] for i in places}) == len(places)
        }
        links = {
            Link(number, name, start[places[start[number]]])
            for number, below in numbers.items()
            for name, places in arrays.items()
            if below <= len(places)
        }
        return cls(arrays, distinct, links)

    def allows(self, values: Mapping[int, int]) -> bool:
        """Whether there can be a state with these values."""
        for name in self.distinct:
            own = [values[i] for i in self.arrays[name] if i in values]
            if len(set(own)) < len(own):
                return False
        for link in self.links:
            if link.number in values:
                place = self.arrays[link.array][values[link.number]]
                if values.get(place, link.value) != link.value:
                    return False
        return True

    def drop(self, change: Change) -> None:
        """Drop what a change may end."""
        before, after = change.before, {**change.before, **change.after}
        gone: set[Any] = set()
        for name in self.distinct:
            own = [i for i in self.arrays[name] if i in change.after]
            if sorted(before[i] for i in own) != sorted(after[i] for i in own):
                gone.add(name)
        for link in self.links:
            places = self.arrays[link.array]
            if link.number not in change.after and not any(i in places for i in change.after):
                continue
            now = after.get(link.number)
            if now is None or after.get(places[now]) != link.value:
                gone.add(link)
        self.distinct -= gone
        self.links -= gone


def invariant_certificate(puzzle: Any, start: Any) -> Certificate | None:
    """The certificate that no goal of a puzzle is reached from a start, if a sum tells them apart.

    None as well where its moves cannot be followed, or change too much in too many ways.
    """
    if has_expand(puzzle):
        return None
    try:
        plain = lowered(puzzle.author, [start], puzzle.only_goal)
    except UnsuitableError:
        return None
    if not plain.goals or len(plain.goals) > MOST_GOALS:
        return None
    numbers = plain.starts[0]
    kept = Kept.at(puzzle.layout, numbers)
    changes = _changes(plain.labels, plain.domains, kept)
    if changes is None:
        return None
    arrays = Arrays({name: kept.arrays[name] for name in kept.arrays if name in kept.distinct})
    finder = Finder.of(changes, arrays)
    found: dict[str, Invariant] = {}
    for goal in plain.goals:
        own = finder.tell(*_to_goal(numbers, goal, plain.domains, arrays))
        if own is None:
            return None
        found.setdefault(repr(own), own)
    return _certificate(puzzle.layout, kept, list(found.values()))


def _changes(
    labels: Sequence[Label], domains: Mapping[int, Values], kept: Kept
) -> list[Change] | None:
    """All that labels change by what is kept, from which is dropped what is not; None if much."""
    while True:
        changes: list[Change] = []
        for label in labels:
            for change in _ways(label, domains, kept):
                if change is None or len(changes) > MOST_CHANGES:
                    return None
                changes.append(change)
        before = len(kept.distinct), len(kept.links)
        for change in changes:
            kept.drop(change)
        if before == (len(kept.distinct), len(kept.links)):
            return changes


def _ways(label: Label, domains: Mapping[int, Values], kept: Kept) -> Iterator[Change | None]:
    """What a label changes, for all values of the numbers that matter; None for too many."""
    asked = {n for n, values in label.given.items() if len(values) == 1}
    asked |= {*label.after, *(e.source for e in label.after.values() if isinstance(e, Copy))}
    asked |= {
        link.number for link in kept.links if any(n in kept.arrays[link.array] for n in label.after)
    }
    numbers = sorted(asked)
    choices = [label.given.get(n, domains[n]) for n in numbers]
    if math.prod(map(len, choices)) > MOST_CHANGES:
        yield None
        return
    for values in itertools.product(*choices):
        before = dict(zip(numbers, values, strict=True))
        if kept.allows(before):
            yield Change(before, {n: _made(e, before) for n, e in label.after.items()})


def _made(after: int | Copy, before: Mapping[int, int]) -> int:
    return after.table[before[after.source]] if isinstance(after, Copy) else after


def _to_goal(
    start: Sequence[int], goal: Mapping[int, Values], domains: Mapping[int, Values], arrays: Arrays
) -> tuple[dict[Any, int], list[dict[Any, int]]]:
    """What the vector of a goal has more than that of a start, and what all others have besides."""
    allowed: dict[Any, Values] = {
        n: goal.get(n, values) or (start[n],) for n, values in domains.items()
    }
    base = {n: start[n] if start[n] in values else values[0] for n, values in allowed.items()}
    difference, free = arrays.between(dict(enumerate(start)), base)
    for n, values in allowed.items():
        free += [{(n, each): 1, (n, base[n]): -1} for each in values if each != base[n]]
    for name, places in arrays.places.items():
        if any(len(allowed[n]) > 1 for n in places):
            free.append({Order(name): 1})
    return difference, free


def _certificate(layout: Any, kept: Kept, found: Sequence[Invariant]) -> Certificate:
    names = [name for name, own in layout.numbers.items() for _ in own]
    parts, words = [], []
    for each in found:
        orders = [name.array for name in each.weights if isinstance(name, Order)]
        weights = [
            [*feature, weight]
            for feature, weight in each.weights.items()
            if not isinstance(feature, Order)
        ]
        parts.append({"modulus": each.modulus, "orders": orders, "weights": sorted(weights)})
        fields = dict.fromkeys([*orders, *(names[row[0]] for row in weights)])
        words.append(each.told(", ".join(fields)))
    links = [[link.number, kept.arrays[link.array][0], link.value] for link in kept.links]
    text = (
        f"no move changes {' nor '.join(dict.fromkeys(words))}, and each goal has another than the "
        "start"
    )
    data = {"parts": parts, "distinct": sorted(kept.distinct), "links": sorted(links)}
    return Certificate(INVARIANT, text, data)
