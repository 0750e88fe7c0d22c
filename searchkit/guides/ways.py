"""How parts of a state change: graphs of the values that one has after another, learned from steps.

These are domain transition graphs (Jonsson and Backstrom, "State-variable planning under structural
restrictions", 1998), of what is seen instead of what is declared.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import attrs

from searchkit.guides.watching import Path

AT_MOST = 128
"""How many things in a row may change their places for these to be followed."""


@attrs.define(eq=False, repr=False)
class Graph:
    """Steps between the values of one part."""

    _into: dict[Hashable, set[Hashable]] = attrs.field(factory=dict, init=False)
    _known: dict[Hashable, dict[Hashable, int]] = attrs.field(factory=dict, init=False)

    def add(self, before: Hashable, after: Hashable) -> bool:
        """Note that one value came after another; whether that is new."""
        into = self._into.setdefault(after, set())
        if before in into:
            return False
        into.add(before)
        self._known.clear()
        return True

    def far(self, value: Hashable, wanted: Hashable) -> int:
        """How many steps lead from a value to another; one more than any where none are known."""
        known = self._known.get(wanted)
        if known is None:
            known = self._known[wanted] = self._distances(wanted)
        found = known.get(value)
        return known[_BEYOND] if found is None else found

    def _distances(self, wanted: Hashable) -> dict[Hashable, int]:
        known, layer, depth = {wanted: 0}, [wanted], 0
        while layer:
            depth += 1
            found = (each for value in layer for each in self._into.get(value, ()))
            layer = [each for each in dict.fromkeys(found) if each not in known]
            known.update(dict.fromkeys(layer, depth))
        known[_BEYOND] = depth
        return known


_BEYOND: Any = object()


@attrs.define(eq=False, repr=False)
class Ways:
    """The graphs of the parts of a state."""

    moved: dict[Path, Graph] = attrs.field(factory=dict, init=False)
    """Of rows of different things that change their places: steps between these places."""
    exchanged: dict[Path, Graph] = attrs.field(factory=dict, init=False)
    """Of sets where one member comes for another: steps between members."""
    changed: dict[Path, Graph] = attrs.field(factory=dict, init=False)
    """Of other parts: steps between their values."""

    def learn(self, before: Any, after: Any, path: Path = ()) -> bool:
        """Note a step from a state to another; whether something in it is new. O(parts)."""
        if before == after or type(before) is not type(after):
            return False
        if isinstance(before, tuple):
            if len(before) != len(after):
                return False
            if is_row(before) and set(before) == set(after):
                graph = self.moved.setdefault(path, Graph())
                place = {each: i for i, each in enumerate(after)}
                moves = [(i, place[each]) for i, each in enumerate(before)]
                return sum(graph.add(i, j) for i, j in moves if i != j) > 0
            parts = enumerate(zip(before, after, strict=True))
            return sum(self.learn(old, new, (*path, i)) for i, (old, new) in parts) > 0
        if isinstance(before, frozenset):
            gone, come = before - after, after - before
            if len(gone) != 1 or len(come) != 1:
                return False
            return self.exchanged.setdefault(path, Graph()).add(*gone, *come)
        if isinstance(before, Hashable):
            return self.changed.setdefault(path, Graph()).add(before, after)
        return False


def is_row(value: tuple[Any, ...]) -> bool:
    """Whether it is a row of different things, like the tiles of a puzzle."""
    return 2 < len(value) <= AT_MOST and len(set(value)) == len(value)
