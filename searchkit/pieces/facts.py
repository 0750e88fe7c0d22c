"""What is known of a puzzle of pieces, as rows of texts.

States are counted up to symmetry without looking at them. The number of orbits is the mean, over
all symmetries, of the number of states that each leaves as it is (A. Cauchy, F. G. Frobenius; known
as W. Burnside's lemma). A state is a motion, and a symmetry leaves it as it is if the two commute.
So it is a centraliser that is counted.

A piece that may turn stands at as many *points* as there are orientations. Motions are the maps of
points that commute with turning every piece by one; those that also commute with a symmetry take
the orbits of both onto others like them, or onto themselves. They are counted by what an orbit can
be mapped to. Which of them the moves can make is told by their sums of turns and parities: these
are a homomorphism, and so each value that is taken is taken equally often.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from searchkit.heuristic import distances_from
from searchkit.pieces.components import parity
from searchkit.pieces.group import Factor, Group, StateCount
from searchkit.pieces.layout import Layout
from searchkit.pieces.place_maps import PlaceMap
from searchkit.texts.amounts import memory, plural

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
    return sum(_Fixed(group, each).count for each in maps) // len(maps)


class _Fixed:
    """The motions that commute with a map of places."""

    def __init__(self, group: Group, one: PlaceMap) -> None:
        self.invariants, self.frame = group.invariants, one.frame
        modulus = one.frame.modulus
        points = [
            (place, turn)
            for place, component in enumerate(one.frame.component)
            if component >= 0
            for turn in range(modulus[place])
        ]
        turned = {(place, turn): (place, (turn + 1) % modulus[place]) for place, turn in points}
        mapped = {
            (p, turn): (one.places[p], (one.factors[p] * turn + one.turns[p]) % modulus[p])
            for p, turn in points
        }
        self.ways = turned, mapped

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


MOST_DIGITS = 200
MOST_SHOWN = 8
"""Of the moves that a symmetry changes."""
TOO_LARGE = (
    "the group is too large for a proof of its size: of a state that keeps the sums of turns and "
    "parities it is not known whether it can be reached"
)
ALIKE = (
    "pieces look alike, and the moves make less than sums of turns and parities allow: of a state "
    "that keeps these it may not be known whether it can be reached"
)

BANDAGED = (
    "some states are illegal, and what the moves make without regard to that is counted: of a "
    "legal state it may not be known whether it can be reached"
)


def facts_of(layout: Layout, ranks: int) -> list[tuple[str, str]]:
    """The orbits with their groups, how many states there are, and how they are packed.

    `ranks` is how many numbers states have, 0 if they have none.
    """
    group, count = layout.group, layout.group.count
    texts = [(each.orbit, _of_factor(each)) for each in group.factors]
    found = [
        (f"orbit {orbit}", f"{times} parts of {text} each" if times > 1 else text)
        for (orbit, text), times in Counter(texts).items()
    ]
    product = math.prod(each.order for each in group.factors)
    if product > group.order:
        share = _amount(product // group.order)
        found.append(
            ("all orbits together", f"of {share} ways to combine what orbits do, moves make 1")
        )
    bandaged = layout.definition.is_bandaged
    is_exact = count.is_exact and not bandaged
    at_most = "" if is_exact else "at most "
    found.append(("states that can be reached", at_most + _amount(count.states)))
    if not group.is_known:
        found.append(("note", TOO_LARGE))
    elif not count.is_exact:
        found.append(("note", ALIKE))
    if bandaged:
        pairs = sum(len(orbit.illegal) for orbit in layout.definition.orbits)
        found.append(("illegal", f"{plural(pairs, 'pair')} of a place and a piece"))
        found.append(("note", BANDAGED))
    found += _of_symmetries(layout, count if is_exact else None)
    packed = f"{plural(len(layout.words), 'word')}, {plural(len(layout.fields), 'field')}"
    found.append(("a state takes", packed))
    if ranks:
        found.append(("numbers of states", f"{ranks:,}, a bit for each: {memory(ranks // 8)}"))
    return [*found, *(("note", note) for note in layout.definition.notes)]


def _of_symmetries(layout: Layout, count: StateCount | None) -> list[tuple[str, str]]:
    """How many symmetries there are, and of which all others are products."""
    found = layout.symmetries
    mirrors = f", {found.mirrors:,} of them mirrors" * (found.mirrors > 0)
    least = "" if found.is_whole else "at least "
    rows = [("symmetries", f"{least}{found.order:,}{mirrors}")]
    for each in found.few:
        changed = list(found.step_map(each).items())
        text = ", ".join(f"{before} to {after}" for before, after in changed[:MOST_SHOWN])
        rows.append(("symmetry", text + ", ..." * (len(changed) > MOST_SHOWN)))
    if count is not None and len(found.maps) > 1:
        exactly = None if found.note else count_up_to_symmetry(layout.group, found.maps)
        fewest = "at least " + _amount(-(-count.states // len(found.maps)))
        rows.append(("states up to symmetry", _amount(exactly) if exactly else fewest))
    if found.note is not None:
        rows.append(("note", found.note))
    return rows


def _of_factor(each: Factor) -> str:
    motions = f"{_amount(each.order)} way{'s' * (each.order > 1)} to move"
    text = f"{plural(len(each.places), 'place')}, {'' if each.is_exact else 'at most '}{motions}"
    return text + (f", which follow from {each.follows}" if each.follows else "")


def _amount(number: int) -> str:
    """A number in full, unless that would fill a page."""
    if number < 10**MOST_DIGITS:
        return f"{number:,}"
    power = math.log10(number)
    return f"about {10 ** (power % 1):.2f} x 10^{int(power):,}"
