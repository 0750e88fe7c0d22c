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
    return _why_not_solved(definition, one, where)


def _why_not_solved(
    definition: Definition, one: PlaceMap, where: list[tuple[int, int]]
) -> str | None:
    """The same of pieces that look alike: those that moves can exchange."""
    component = one.frame.component
    for i, (orbit, place) in enumerate(where):
        home = definition.orbits[orbit]
        away_orbit, away = where[one.places[i]]
        there = definition.orbits[away_orbit]
        if component[i] >= 0 and home.counted[place] != there.counted[away]:
            return "pieces are turned in other ways"
        for j, (other_orbit, other) in enumerate(where):
            if component[i] < 0 or component[i] != component[j] or other_orbit != orbit:
                continue
            far = where[one.places[j]][1]
            if (home.looks[place] == home.looks[other]) != (there.looks[away] == there.looks[far]):
                return "what looks alike does not do so then"
            if home.looks[place] == home.looks[other]:
                shifts = [
                    there.turned[q] - one.factors[k] * home.turned[p] - one.turns[k]
                    for k, p, q in ((i, place, away), (j, other, far))
                ]
                if (shifts[0] - shifts[1]) % home.counted[place]:
                    return "what looks alike is turned in other ways then"
    return None
