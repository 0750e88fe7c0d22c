"""What a table of cosets must keep, tried in plain Python by rules of its own."""

from __future__ import annotations

import random
from typing import Any

from searchkit.errors import ProblemError
from searchkit.pieces.cosets.coordinates import COLOURS, FLIPS, PART, SPOTS, Cosets
from searchkit.pieces.cosets.gauge import Kind
from searchkit.pieces.cosets.heuristic import CosetHeuristic
from searchkit.pieces.patterns import Pattern, after, solved

TRIED = 4
"""How many random sequences of each length are tried."""


def check_table(heuristic: CosetHeuristic, tried: int = TRIED) -> None:
    """Raise `ProblemError` if random sequences lead to states that the table says are farther.

    The states are found by the plain rules of patterns; from these, what can be seen in each place
    is read off plainly. Images under symmetries must have the same values, where they
    have one entry.
    """
    cosets, definition = heuristic.cosets, heuristic.puzzle.definition
    rng = random.Random(heuristic.table.flips)
    what = f"{heuristic.name} of {definition.name}"
    advice = "delete its folder (searchkit pdb list) and build it again"
    if heuristic.distance(cosets.solved) != 0:
        raise ProblemError(f"{what} does not give 0 for the solved puzzle; {advice}")
    for length in range(1, heuristic.table.deepest + 2):
        for _ in range(tried):
            pattern, coset, image = solved(definition), cosets.solved, cosets.solved
            steps = [rng.randrange(len(definition.steps)) for _ in range(length)]
            symmetry = rng.randrange(len(cosets.maps))
            for step in steps:
                pattern = after(definition, pattern, definition.steps[step].motion)
                coset = cosets.after(coset, step)
                image = cosets.after(image, cosets.maps[symmetry].steps[step])
            names = " ".join(definition.steps[step].name for step in steps)
            if seen_in(cosets, coset) != tuple(_seen(kind, pattern) for kind in cosets.kinds):
                raise ProblemError(f"{what} takes {names} for another coset than it leads to")
            value, other = heuristic.distance(coset), heuristic.distance(image)
            if value > length:
                raise ProblemError(f"{what} gives {value} after {names}; {advice}")
            if value != other and cosets.is_fixed(coset, heuristic.table.flips):
                raise ProblemError(
                    f"{what} gives {value} after {names}, and {other} for its image under a "
                    f"symmetry; {advice}"
                )


def seen_in(cosets: Cosets, coset: int) -> tuple[Any, Any]:
    """The orientation and the colour in each place of both kinds of pieces."""
    turns = cosets.turns.digits[coset & PART].tolist()
    colours = cosets.colours.digits[coset >> COLOURS & PART].tolist()
    spots = cosets.spots.digits[coset >> SPOTS & PART].tolist()
    flips = [coset >> FLIPS + place & 1 for place in range(len(spots))]
    return tuple(zip(turns, colours, strict=True)), tuple(zip(flips, spots, strict=True))


def _seen(kind: Kind, pattern: Pattern) -> tuple[tuple[int, int], ...]:
    component = kind.component
    row = [pattern[component.orbit][place] for place in component.places]
    home = {look: i for i, look in enumerate(kind.looks)}
    found = []
    for place, (look, turned) in enumerate(row):
        piece = home[look]
        turn = (turned + kind.zero[place] - kind.zero[piece]) % component.orientations
        found.append((turn, kind.colours[piece]))
    return tuple(found)
