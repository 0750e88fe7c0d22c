"""Which sums no change changes, and by which of them a start is told from its goals.

A state is a value at each of its *places*. It is counted as a vector: one for each place with its
value, and one where the values of an array, which are all different, are in an odd order. What a
change adds to that vector is known from the places that it changes alone. Weights by which all
these weigh nothing, modulo a prime, are an invariant: the sum of the weights is the same in all
states that steps lead to. So parities of arrangements (W. W. Johnson and W. E. Story, 1879),
classes of jumps (M. Reiss, 1857) and what keys of lamps cannot do are one question, of linear
algebra.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from searchkit.problem import derived

Place = Hashable
Vector = Mapping[Any, int]
"""Numbers by what they count; those that are left out are 0."""
Values = Mapping[Any, Any]
"""The values at some places."""

MODULI = (2, 3, 5, 7, 1_000_003)
"""The last is for sums that stay what they are."""


@attrs.define
class Span:
    """All sums of the vectors that were added, modulo a prime.

    >>> span = Span(2)
    >>> span.add({"a": 1, "b": 1}), span.add({"b": 1, "c": 1}), span.add({"a": 1, "c": 1})
    (True, True, False)
    >>> span.weights_against({"a": 1, "c": 1}) is None
    True
    >>> span.weights_against({"c": 1}) == {"a": 1, "b": 1, "c": 1}
    True
    """

    modulus: int
    _rows: dict[Hashable, dict[Hashable, int]] = attrs.field(factory=dict)
    """By its pivot, which no other row has, and of which it has 1."""

    def copy(self) -> Span:
        """Another one of the same vectors."""
        return Span(self.modulus, {pivot: {**row} for pivot, row in self._rows.items()})

    def add(self, vector: Vector) -> bool:
        """Add a vector; whether it was none of the sums. O(rows x their length)."""
        rest = self._rest(vector)
        if not rest:
            return False
        pivot = next(iter(rest))
        inverse = pow(rest[pivot], -1, self.modulus)
        row = {name: count * inverse % self.modulus for name, count in rest.items()}
        for other in self._rows.values():
            if pivot in other:
                self._take(other, row, other[pivot])
        self._rows[pivot] = row
        return True

    def weights_against(self, vector: Vector) -> dict[Any, int] | None:
        """Weights by which each of the sums weighs 0, and the vector does not; None if it is one.

        Of several such, those of the first number that is left.
        """
        rest = self._rest(vector)
        if not rest:
            return None
        name = next(iter(rest))
        weights = {pivot: -row.get(name, 0) % self.modulus for pivot, row in self._rows.items()}
        return {each: weight for each, weight in weights.items() if weight} | {name: 1}

    def _rest(self, vector: Vector) -> dict[Hashable, int]:
        rest = {name: count % self.modulus for name, count in vector.items()}
        for name in list(rest):
            if name in self._rows:
                self._take(rest, self._rows[name], rest[name])
        return {name: count for name, count in rest.items() if count}

    def _take(self, vector: dict[Hashable, int], row: Vector, times: int) -> None:
        """Take a row away so many times."""
        for name, count in row.items():
            left = (vector.get(name, 0) - count * times) % self.modulus
            if left:
                vector[name] = left
            else:
                vector.pop(name, None)


@attrs.frozen
class Order:
    """What counts whether the values of an array are in an odd order."""

    array: str


@attrs.frozen
class Change:
    """What a step makes of the values at some places: those of `after`, of which all are told."""

    before: Values
    after: Values

    @classmethod
    def of(cls, before: Values, after: Values) -> Change:
        """Of two views, of which a place that is left out is as if it had the value None."""
        places = {**before, **after}
        return cls({n: before.get(n) for n in places}, {n: after.get(n) for n in places})


@attrs.frozen
class Invariant:
    """Weights of values at places, and of orders: the sum, modulo `modulus`, never changes.

    `kind` says in words what the sum is of; it is empty where that is all there is.
    """

    kind: str
    modulus: int
    weights: Mapping[Any, int]

    def told(self, over: str) -> str:
        """What never changes, in words: of which part of states, where `kind` does not say it."""
        return self.kind or f"a sum over the values of {over}, modulo {self.modulus}"

    def keeps(self, added: Vector) -> bool:
        """Whether what adds that to the vector of a state does not change the sum."""
        return not sum(self.weights.get(n, 0) * count for n, count in added.items()) % self.modulus


@attrs.frozen
class Arrays:
    """Arrays whose values are all different, and stay the same but for their order."""

    places: Mapping[str, Sequence[Place]]
    _of: Mapping[Place, str] = derived(
        lambda self: {place: name for name, places in self.places.items() for place in places}
    )

    def difference(self, change: Change) -> dict[Any, int]:
        """What a change adds to the vector of a state."""
        before, after = change.before, change.after
        places = [n for n in after if before[n] != after[n]]
        found: dict[Any, int] = {(n, before[n]): -1 for n in places}
        found |= {(n, after[n]): 1 for n in places}
        for name in dict.fromkeys(self._of[n] for n in places if n in self._of):
            own = [n for n in places if self._of.get(n) == name]
            if is_odd([before[n] for n in own], [after[n] for n in own]):
                found[Order(name)] = 1
        return found

    def between(self, start: Values, goal: Values) -> tuple[dict[Any, int], list[dict[Any, int]]]:
        """What the vector of a goal has more than a start's, and orders that cannot be compared."""
        alike = {
            name: places
            for name, places in self.places.items()
            if {start.get(n) for n in places} == {goal.get(n) for n in places}
        }
        free: list[dict[Any, int]] = [{Order(name): 1} for name in self.places if name not in alike]
        return Arrays(alike).difference(Change.of(start, goal)), free


def is_odd(before: Sequence[Any], after: Sequence[Any]) -> bool:
    """Whether it takes an odd number of swaps to make one sequence of the other.

    The values are all different, and those of one are those of the other.
    """
    where = {value: place for place, value in enumerate(before)}
    targets, odd = [where[value] for value in after], False
    for place in range(len(targets)):
        while targets[place] != place:
            target = targets[place]
            targets[place], targets[target] = targets[target], target
            odd = not odd
    return odd


@attrs.frozen
class Finder:
    """Finds the invariants of some changes; `places` are in the order of a state."""

    changes: Sequence[Vector]
    """What the changes add, each once."""
    arrays: Arrays
    _spans: dict[Any, Span] = attrs.field(factory=dict, init=False)

    @classmethod
    def of(cls, changes: Iterable[Change], arrays: Arrays) -> Finder:
        """Of changes, of which many may add the same."""
        found = {}
        for change in changes:
            added = arrays.difference(change)
            found[frozenset(added.items())] = added
        found.pop(frozenset(), None)
        return cls(tuple(found.values()), arrays)

    def tell(
        self, difference: Vector, free: Sequence[Vector] = (), *, all_seen: bool = False
    ) -> Invariant | None:
        """An invariant by which states of that difference differ, the simplest that is found.

        `free` are more differences that must not matter. With `all_seen`, what no change has
        changed tells nothing; of an order, that of an array. None if there is no invariant.
        """
        seen = {feature for added in self.changes for feature in added} if all_seen else None
        if seen is not None:
            changed = {feature[0] for feature in seen if not isinstance(feature, Order)}
            seen |= {Order(name) for name, own in self.arrays.places.items() if changed & {*own}}
        for kind, features in self._families():
            for modulus in MODULI if features is None else (2,):
                own = _within(difference, features, modulus)
                if seen is not None and not own.keys() <= seen:
                    continue
                span = self._span(features, modulus)
                if free:
                    span = span.copy()
                    for each in free:
                        span.add(_within(each, features, modulus))
                weights = span.weights_against(own)
                if weights is not None:
                    return Invariant(kind, modulus, weights)
        return None

    def _families(self) -> Iterator[tuple[str, Collection[Any] | None]]:
        """What to count, in words, the simplest first; None for all there is."""
        for name, places in self.arrays.places.items():
            order = Order(name)
            yield f"the parity of the order of {name}", {order}
            moved = Counter(
                value
                for added in self.changes
                if order in added
                for value in dict.fromkeys(n[1] for n in added if not isinstance(n, Order))
            )
            for value, _ in moved.most_common(1):
                kind = f"the parity of the order of {name}, together with the place of {value!r}"
                yield kind, {order} | {(place, value) for place in places}
        yield "", None

    def _span(self, features: Collection[Any] | None, modulus: int) -> Span:
        key = None if features is None else frozenset(features), modulus
        if key not in self._spans:
            span = self._spans[key] = Span(modulus)
            for added in self.changes:
                span.add(_within(added, features, modulus))
        return self._spans[key]


def _within(vector: Vector, features: Collection[Any] | None, modulus: int) -> Vector:
    """What a vector has of some features, or of all; orders count modulo 2 alone."""
    if features is None:
        return {n: k for n, k in vector.items() if modulus == 2 or not isinstance(n, Order)}
    return {name: count for name, count in vector.items() if name in features}
