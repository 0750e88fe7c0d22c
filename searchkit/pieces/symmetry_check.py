"""Whether a map of places is a symmetry, by its definition: plain, and apart from the search."""

from __future__ import annotations

from searchkit.pieces.definition import Definition
from searchkit.pieces.place_maps import PlaceMap


def why_not(definition: Definition, one: PlaceMap) -> str | None:
    """None if each step becomes the step that a map says, and what looks alike looks alike then.

    Else what is wrong, in a few words. O(steps x places).
    """
    where = [(o, p) for o, orbit in enumerate(definition.orbits) for p in range(orbit.places)]
    number = {each: i for i, each in enumerate(where)}
    if sorted(one.places) != list(range(len(where))):
        return "two places go to one"
    if sorted(one.steps) != list(range(len(definition.steps))):
        return "two steps become one"
    for step, image in zip(definition.steps, one.steps, strict=True):
        other = definition.steps[image]
        for (orbit, place), i in number.items():
            change = step.motion[orbit]
            source = number[orbit, change.sources[place]]
            there_orbit, there = where[one.places[i]]
            there_change = other.motion[there_orbit]
            modulus = there_change.orientations
            if number[there_orbit, there_change.sources[there]] != one.places[source]:
                return f"{step.name} does not become {other.name}"
            turned = one.factors[i] * change.turns[place] + one.turns[i] - one.turns[source]
            if (turned - there_change.turns[there]) % modulus or change.orientations != modulus:
                return f"{step.name} does not become {other.name}"
    return _why_not_solved(definition, one, where) or _why_not_legal(definition, one, where)


def _why_not_legal(
    definition: Definition, one: PlaceMap, where: list[tuple[int, int]]
) -> str | None:
    """The same of the pairs of places and pieces that are illegal there, as far as these meet."""
    number = {each: i for i, each in enumerate(where)}
    pairs = set()
    for orbit, each in enumerate(definition.orbits):
        for place, label in each.illegal:
            i = number[orbit, place]
            homes = [number[orbit, p] for p, piece in enumerate(each.pieces) if piece == label]
            pairs |= {
                (i, home)
                for home in homes
                if one.frame.component[i] == one.frame.component[home] >= 0
            }
    if {(one.places[i], one.places[home]) for i, home in pairs} != pairs:
        return "what is legal does not become what is legal"
    return None


def _why_not_solved(
    definition: Definition, one: PlaceMap, where: list[tuple[int, int]]
) -> str | None:
    """The same of pieces that look alike: those that moves can exchange."""
    images: dict[tuple[int, int], tuple[int, int]] = {}
    origins: dict[tuple[int, int, int], tuple[int, int]] = {}
    for i, (orbit, place) in enumerate(where):
        component = one.frame.component[i]
        if component < 0:
            continue
        home = definition.orbits[orbit]
        away_orbit, away = where[one.places[i]]
        there = definition.orbits[away_orbit]
        modulus = home.counted[place]
        if modulus != there.counted[away]:
            return "pieces are turned in other ways"
        shift = there.turned[away] - one.factors[i] * home.turned[place] - one.turns[i]
        look, image = (component, home.looks[place]), (there.looks[away], shift % modulus)
        if images.setdefault(look, image) != image:
            return "what looks alike does not do so then"
        if origins.setdefault((component, away_orbit, image[0]), look) != look:
            return "what does not look alike does so then"
    return None
