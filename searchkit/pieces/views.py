"""Which images of a state are looked up in the databases of some groups of pieces.

Where a symmetry takes the goal to itself, the image of a state is as far from it, and so is the
inverse of a state where all pieces differ. What is looked up of an image are other pieces of the
state: one table answers for all that symmetries make of its own (J. C. Culberson and J. Schaeffer,
Pattern databases, 1998; A. Felner, U. Zahavi, J. Schaeffer and R. Holte, Dual lookups in pattern
databases, 2005).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache

import attrs
import numpy as np

from searchkit.pattern_space import Pattern
from searchkit.pieces.groups import marks_of
from searchkit.pieces.layout import Layout
from searchkit.pieces.patterns import Pattern as Arrangement
from searchkit.pieces.place_maps import PlaceMap

MOST_LOOKED_UP = 8
"""How many look-ups there are of a state and its images; more if there are two for each group."""
Seen = frozenset[Hashable]
"""Pieces, with what matters of each."""
MOST_MAPS = 256
"""Of more symmetries than this, only the first ones are looked at."""


@attrs.frozen(eq=False)
class View:
    """An image of states: by a symmetry, of its inverse perhaps; and which groups see it."""

    one: PlaceMap
    is_inverse: bool
    groups: tuple[int, ...]


def views_of(
    layout: Layout,
    goal: Arrangement,
    groups: Sequence[Pattern],
    is_whole: Callable[[int], bool],
    *,
    additive: bool,
) -> list[View]:
    """The state itself, images by symmetries, and inverses; of values that are added up, no images.

    A group that `is_whole` says the same of the inverse. Inverses cost a look at every piece: where
    pieces turn they are looked up only if there is no symmetry, as on the 3x3x3 they took more time
    than they saved beside images.
    """
    most = max(MOST_LOOKED_UP, 2 * len(groups))
    views = symmetric_views(layout, goal, groups, 0 if additive else most)
    moving = [each for each in layout.components if each.moves]
    orbits = [layout.definition.orbits[each.orbit] for each in moving]
    if not all(each.are_all_different and len(set(each.counted)) == 1 for each in orbits):
        return views
    if len(views) > 1 and any(each.orientations > 1 for each in moving):
        return views
    partial = [group for group in range(len(groups)) if not is_whole(group)]
    for number, view in enumerate(views[:]):
        seeing = [group for group in view.groups if group in partial]
        looked_up = sum(len(each.groups) for each in views) + len(seeing)
        if seeing and (number == 0 or looked_up <= most):
            views.append(View(view.one, True, view.groups if additive else tuple(seeing)))
    return views


def symmetric_views(
    layout: Layout, goal: Arrangement, groups: Sequence[Pattern], most: int
) -> list[View]:
    """The state itself, and images by symmetries in which groups see pieces not seen before.

    Those come first of which the fewest have been seen. O(symmetries * pieces * `most`).
    """
    identity = PlaceMap.identity(layout.symmetries.frame)
    found: dict[PlaceMap, list[int]] = {identity: list(range(len(groups)))}
    seen = {_seen(layout, identity.places, group): None for group in groups}
    loads = Counter(piece for each in seen for piece in each)
    others = _others(layout, goal, groups, seen) if most > len(groups) else {}
    for _ in range(min(most - len(groups), len(others))):
        key = min(others, key=lambda each: sum(loads[piece] for piece in each) / len(each))
        one, group = others.pop(key)
        loads.update(key)
        found.setdefault(one, []).append(group)
    return [View(one, False, tuple(seeing)) for one, seeing in found.items()]


@lru_cache(maxsize=4)
def maps_of(layout: Layout, goal: Arrangement) -> tuple[PlaceMap, ...]:
    """The symmetries, but for the identity, that keep the goal; of many, some."""
    maps = layout.symmetries.maps[1:MOST_MAPS]
    return tuple(each for each in maps if each.pattern(goal) == goal)


def _others(
    layout: Layout, goal: Arrangement, groups: Sequence[Pattern], seen: dict[Seen, None]
) -> dict[Seen, tuple[PlaceMap, int]]:
    """What groups see of images and not of the state, with one of the maps for each."""
    found: dict[Seen, tuple[PlaceMap, int]] = {}
    turns = 2 * len(layout.symmetries.frame.looks)
    for one in maps_of(layout, goal):
        home = np.argsort(one.places).tolist()
        for number, group in enumerate(groups):
            if max(group) < turns:  # how places are turned depends on more than the pieces
                key = _seen(layout, home, group)
                if key not in seen:
                    found.setdefault(key, (one, number))
    return found


def _seen(layout: Layout, home: Sequence[int], group: Pattern) -> Seen:
    """The pieces of a state that a group of its image has, with what matters of them.

    `home` is the place of the state that comes to each place of the image.
    """
    total = len(home)
    pieces = tuple(piece // total * total + home[piece % total] for piece in group)
    marks = marks_of(layout.definition, pieces)
    return frozenset(
        (orbit, look, mark) for orbit, own in marks.items() for look, mark in own.items()
    )
