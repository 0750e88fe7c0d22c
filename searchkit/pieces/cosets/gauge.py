"""How pieces are coloured, and their orientations counted, so that symmetries keep both.

Under a symmetry, a piece of colour `c` in a place becomes one of another colour in another place;
how its orientation changes must depend on nothing else. That holds where pieces have one colour
if all symmetries treat their places alike. How many colours this takes depends on what counts as
orientation 0 in each place: it is chosen so that as many moves as possible turn no piece. For the
3x3x3 this finds the corners' two tetrads and the edges' three slices.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from searchkit.pieces.changes import Change
from searchkit.pieces.components import Component
from searchkit.pieces.layout import Layout
from searchkit.pieces.place_maps import Frame, PlaceMap


class Image(NamedTuple):
    """What a symmetry makes of the places of a component.

    A piece in place `i` with orientation `o` comes to place `places[i]`, where its orientation is
    `factor * o + turns[i]`, less `turns[j]` if it belongs in place `j`.
    """

    places: tuple[int, ...]
    turns: tuple[int, ...]
    factor: int


class Kind(NamedTuple):
    """A component as it is looked at: `colours` of places, steps, symmetries.

    `looks[i]` is how the piece looks that belongs in place `i`. `zero[i]` is what is added to the
    orientation of a piece in place `i`, and taken off again for the place where it belongs. Step
    `s` of `steps` and symmetry `g` of `images` count so.
    """

    component: Component
    looks: tuple[int, ...]
    zero: tuple[int, ...]
    colours: tuple[int, ...]
    steps: tuple[Change, ...]
    images: tuple[Image, ...]


def kind_of(layout: Layout, component: Component, frame: Frame, maps: Sequence[PlaceMap]) -> Kind:
    """A component that `maps` keep, by the colours of its places. O(maps x places)."""
    rank = {place: i for i, place in enumerate(component.places)}
    modulus = component.orientations
    own = layout.changes[layout.components.index(component)]
    zero = _zero(own, modulus)
    steps = [
        Change(
            each.sources,
            (
                (turn + zero[to] - zero[source]) % modulus
                for to, (source, turn) in enumerate(zip(each.sources, each.turns, strict=True))
            ),
            modulus,
        )
        for each in own
    ]
    images = []
    first = frame.first[component.orbit]
    here = [first + place for place in component.places]
    for each in maps:
        places = tuple(rank[each.places[i] - first] for i in here)
        factor = each.factors[here[0]]
        turns = tuple(
            (each.turns[i] + zero[to] - factor * zero[own]) % modulus
            for own, (i, to) in enumerate(zip(here, places, strict=True))
        )
        images.append(Image(places, turns, factor % modulus))
    vectors = [
        tuple((image.turns[place] - image.turns[0]) % modulus for image in images)
        for place in range(len(rank))
    ]
    names = {vector: number for number, vector in enumerate(dict.fromkeys(vectors))}
    colours = tuple(names[vector] for vector in vectors)
    looks = layout.definition.orbits[component.orbit].looks
    here_looks = tuple(looks[place] for place in component.places)
    return Kind(component, here_looks, zero, colours, tuple(steps), tuple(images))


def _zero(steps: Sequence[Change], modulus: int) -> tuple[int, ...]:
    """What to add to orientations, by place, so that many steps turn nothing.

    Steps are taken one by one, those that are their own inverse first: one that contradicts those
    before it is left out.
    """
    places = range(len(steps[0].sources))
    group, offset = list(places), [0] * len(places)

    def is_involution(step: Change) -> bool:
        return all(step.sources[step.sources[i]] == i for i in places)

    for step in sorted(steps, key=lambda each: not is_involution(each)):
        kept = list(group), list(offset)
        for to, (source, turn) in enumerate(zip(step.sources, step.turns, strict=True)):
            # turn + zero[to] - zero[source] shall be 0
            if group[to] != group[source]:
                more = (offset[source] - turn - offset[to]) % modulus
                other = group[to]
                for i in places:
                    if group[i] == other:
                        group[i], offset[i] = group[source], (offset[i] + more) % modulus
            elif (turn + offset[to] - offset[source]) % modulus:
                group, offset = kept
                break
    return tuple(offset)


def kept(component: Component, frame: Frame, maps: Sequence[PlaceMap]) -> list[PlaceMap]:
    """Those of `maps` that take a component to itself, and count its orientations in one way."""
    first = frame.first[component.orbit]
    here = [first + place for place in component.places]
    return [
        each
        for each in maps
        if {each.places[i] for i in here} == set(here) and len({each.factors[i] for i in here}) == 1
    ]
