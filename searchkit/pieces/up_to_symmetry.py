"""How many states there are up to symmetry, without looking at them.

The number of orbits is the mean, over all symmetries, of the number of states that each leaves as
it is (A. Cauchy, F. G. Frobenius; known as W. Burnside's lemma). A state is a motion, and a
symmetry leaves it as it is if the two commute. So it is a centraliser that is counted.

A piece that may turn stands at as many *points* as there are orientations. Motions are the maps of
points that commute with turning every piece by one; those that also commute with a symmetry take
the orbits of both onto others like them, or onto themselves. They are counted by what an orbit can
be mapped to. Which of them the moves can make is told by their sums of turns and parities: these
are a homomorphism, and so each value that is taken is taken equally often.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import attrs

from searchkit.heuristic import distances_from
from searchkit.pieces.components import Invariants, parity
from searchkit.pieces.group import Group
from searchkit.pieces.place_maps import Frame, PlaceMap

Point = tuple[int, int]
MOST_STEPS = 20_000_000
"""The most steps that may be made for a count."""


def count_up_to_symmetry(group: Group, maps: Sequence[PlaceMap]) -> int | None:
    """How many of the states that moves reach differ under a group of symmetries.

    None if pieces look alike, if the moves reach less than sums of turns and parities allow, or if
    it would take long. O(maps x points²).
    """
    if not (group.are_all_different and group.is_all_that_invariants_allow) or not maps:
        return None
    points = sum(modulus for modulus in maps[0].frame.modulus)
    if len(maps) * points**2 > MOST_STEPS:
        return None
    return sum(_Fixed.of(group, each).count for each in maps) // len(maps)


@attrs.frozen(eq=False)
class _Fixed:
    """The motions that commute with a map of places."""

    invariants: Invariants
    frame: Frame
    ways: tuple[dict[Point, Point], ...]
    """Turning every piece by one, and the map."""

    @classmethod
    def of(cls, group: Group, one: PlaceMap) -> _Fixed:
        frame = one.frame
        points = [
            (place, turn)
            for place, component in enumerate(frame.component)
            if component >= 0
            for turn in range(frame.modulus[place])
        ]
        turned = {
            (place, turn): (place, (turn + 1) % frame.modulus[place]) for place, turn in points
        }
        mapped = {
            (place, turn): (
                one.places[place],
                (one.factors[place] * turn + one.turns[place]) % frame.modulus[place],
            )
            for place, turn in points
        }
        return cls(group.invariants, frame, (turned, mapped))

    @property
    def count(self) -> int:
        """How many of them the moves make."""
        motions, found = 1, list[dict[Point, Point]]()
        for kind in self._kinds():
            first = kind[0]
            same = [each for x in first if (each := self._onto(first, x)) is not None]
            motions *= len(same) ** len(kind) * math.factorial(len(kind))
            found += same
            if len(kind) > 1:
                there = next(each for x in kind[1] if (each := self._onto(first, x)) is not None)
                found.append(there | {after: before for before, after in there.items()})
        index = self.invariants.index
        return motions // (index // self.invariants.with_rows(map(self._numbers, found)).index)

    def _kinds(self) -> list[list[list[Point]]]:
        """The orbits of points, those together that motions can take onto each other."""
        seen, kinds = set[Point](), list[list[list[Point]]]()
        for start in self.ways[0]:
            if start in seen:
                continue
            orbit = list(distances_from(start, lambda point: (way[point] for way in self.ways)))
            seen.update(orbit)
            for kind in kinds:
                if len(kind[0]) == len(orbit) and any(self._onto(kind[0], x) for x in orbit):
                    kind.append(orbit)
                    break
            else:
                kinds.append([orbit])
        return kinds

    def _onto(self, orbit: Sequence[Point], image: Point) -> dict[Point, Point] | None:
        """The map of an orbit that takes its first point to `image` and commutes with all ways."""
        component = self.frame.component
        found = {orbit[0]: image}
        for point in orbit:  # every point comes from one before it
            to = found[point]
            if component[point[0]] != component[to[0]]:
                return None
            for way in self.ways:
                if found.setdefault(way[point], way[to]) != way[to]:
                    return None
        return found if len(set(found.values())) == len(orbit) else None

    def _numbers(self, motion: dict[Point, Point]) -> tuple[int, ...]:
        """The sums of turns and the parities of a motion; what it does not name stays."""
        rows = []
        for each in self.invariants.components:
            first = self.frame.first[each.orbit]
            to = [motion.get((first + place, 0), (first + place, 0)) for place in each.places]
            rows += [sum(turn for _, turn in to) % each.orientations, parity([p for p, _ in to])]
        return tuple(rows)
