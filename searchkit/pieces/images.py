"""Images of states by symmetries, field by field, and which are looked up in databases.

Where a symmetry takes the goal to itself, the image of a state is as far from it, and so is the
inverse of a state where all pieces differ. What is looked up of an image are other pieces of the
state: one table answers for all that symmetries make of its own (J. C. Culberson and J. Schaeffer,
Pattern databases, 1998; A. Felner, U. Zahavi, J. Schaeffer and R. Holte, Dual lookups in pattern
databases, 2005).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache, partial
from typing import Any

import attrs
import numpy as np

from searchkit.capabilities import FieldImage, Symmetry
from searchkit.pattern_space import Pattern
from searchkit.pieces.groups import marks_of
from searchkit.pieces.layout import Field, Layout
from searchkit.pieces.patterns import Pattern as Arrangement
from searchkit.pieces.place_maps import PlaceMap
from searchkit.symmetry import image_by_fields


def symmetry_of(layout: Layout, one: PlaceMap) -> Symmetry[Any, Any]:
    """A map of places as a symmetry of packed states."""
    images = fields_under(layout, one)
    labels = layout.labels
    actions = {label: labels[image] for label, image in zip(labels, one.steps, strict=True)}
    changed = layout.symmetries.step_map(one)
    text = ", ".join(f"{before} to {after}" for before, after in list(changed.items())[:6])
    kind = "identity" if one.is_identity else "mirror" if one.is_mirror else "turn"
    return Symmetry(
        f"{kind} {text}{', ...' * (len(changed) > 6)}".strip(),
        partial(image_by_fields, images),
        actions.__getitem__,
        fields=images,
    )


def fields_under(layout: Layout, one: PlaceMap) -> tuple[FieldImage, ...]:
    """What a map of places makes of each field. O(fields x values)."""
    known: dict[tuple[int, ...], tuple[int, ...]] = {}
    return tuple(_field_under(layout, one, field, known) for field in layout.fields)


def _field_under(
    layout: Layout, one: PlaceMap, field: Field, known: dict[tuple[int, ...], tuple[int, ...]]
) -> FieldImage:
    frame, each = one.frame, layout.components[field.component]
    first = frame.first[each.orbit]
    item = first + each.places[field.item]
    after = one.places[item]
    to_component, to_item = layout.at[frame.orbit[after], after - frame.first[frame.orbit[after]]]
    target = next(f for f in layout.fields_of[to_component] if f.item == to_item)
    # By piece, the same happens to all pieces that are turned the same way besides.
    number = frame.component[item]
    more = one.recoloured[number, frame.looks[item]][1] if field.counted else -1 - field.item
    key = field.component, field.counted, more
    if key not in known:
        known[key] = _values(layout, one, field, to_component)
    bits = layout.words[field.word].bits
    return FieldImage(field.word, field.shift, bits, target.word, target.shift, known[key])


def _values(layout: Layout, one: PlaceMap, field: Field, to_component: int) -> tuple[int, ...]:
    """What each value of a field becomes; 0 if it is none."""
    frame, each = one.frame, layout.components[field.component]
    first, counted = frame.first[each.orbit], frame.counted_of[each.orbit]
    to_low = layout.shape_of[to_component].item_bits
    found = [0] * (1 << layout.words[field.word].bits)
    for value, item, look, turned in layout.values_of(field):
        place = first + each.places[item]
        other, more = one.recoloured[frame.component[place], look]
        after = one.places[place]
        if field.counted:  # where the piece is, not what is in the place
            orbit = frame.orbit[after]
            _, other = layout.at[orbit, after - frame.first[orbit]]
        turn = one.factors[place] * turned + one.turns[place] + more
        found[value] = other | turn % counted[look] << to_low
    return tuple(found)


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
    """What a group of an image has of a state; `home` is which place comes to each place."""
    total = len(home)
    pieces = tuple(piece // total * total + home[piece % total] for piece in group)
    marks = marks_of(layout.definition, pieces)
    return frozenset(
        (orbit, look, mark) for orbit, own in marks.items() for look, mark in own.items()
    )
