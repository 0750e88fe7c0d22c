"""The judge of certificates: plain code over sets of cells, shared with nothing that makes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from searchkit.certificates import Certificate, entries
from searchkit.errors import VerificationError

Pegs = frozenset[int]
Jump = tuple[int, int, int]
"""The cell that is left, the one that is jumped over, and the one that is landed on."""


def objection(
    cells: int,
    jumps: Sequence[Jump],
    start: Pegs,
    goals: Mapping[str, Pegs],
    certificate: Certificate,
) -> str | None:
    """Why `certificate` does not exclude all `goals`, given by their texts; None if it does."""
    kind, data = certificate.kind, certificate.data
    try:
        if kind == "goal by goal":
            _check_parts(cells, jumps, start, goals, data)
        else:
            _check_one(cells, jumps, start, list(goals.values()), kind, data)
    except VerificationError as error:
        return str(error)
    return None


def _check_parts(
    cells: int, jumps: Sequence[Jump], start: Pegs, goals: Mapping[str, Pegs], data: object
) -> None:
    (parts,) = entries(data, {"parts": list[dict[str, object]]})
    left = dict(goals)
    for part in parts:
        kind, inner, texts = entries(
            part, {"kind": str, "data": dict, "goals": list[str]}, "a part"
        )
        excluded = []
        for text in texts:
            if text not in left:
                raise VerificationError(
                    f"it excludes {text!r}, which is not a goal or excluded twice"
                )
            excluded.append(left.pop(text))
        _check_one(cells, jumps, start, excluded, kind, inner)
    if left:
        raise VerificationError(f"it does not exclude the goal {next(iter(left))}")


def _check_one(
    cells: int, jumps: Sequence[Jump], start: Pegs, goals: Sequence[Pegs], kind: str, data: object
) -> None:
    if not goals:
        raise VerificationError("it excludes no goal")
    if kind == "peg count":
        _check_peg_count(start, goals, data)
    elif kind == "position class":
        _check_position_class(cells, jumps, start, goals, data)
    elif kind == "pagoda":
        _check_pagoda(cells, jumps, start, goals, data)
    else:
        raise VerificationError(
            f"{kind!r} is not a kind of certificate here; known: peg count, position class, "
            "pagoda, goal by goal"
        )


def _check_peg_count(start: Pegs, goals: Sequence[Pegs], data: object) -> None:
    pegs, goal_pegs = entries(data, {"pegs": int, "goal_pegs": int})
    if len(start) != pegs:
        raise VerificationError(f"the start has {len(start)} pegs, not {pegs}")
    for goal in goals:
        if len(goal) != goal_pegs:
            raise VerificationError(f"a goal has {len(goal)} pegs, not {goal_pegs}")
        if start == goal:
            raise VerificationError("the start is a goal")
    if pegs > goal_pegs:
        raise VerificationError(f"{pegs} pegs can become {goal_pegs}, as far as numbers tell")


def _check_position_class(
    cells: int, jumps: Sequence[Jump], start: Pegs, goals: Sequence[Pegs], data: object
) -> None:
    chosen, here, there = entries(data, {"cells": list[int], "start": int, "goal": int})
    for cell in chosen:
        if not 0 <= cell < cells or chosen.count(cell) > 1:
            raise VerificationError(f"cell {cell} is none of the {cells} cells, or is named twice")
    for jump in jumps:
        if sum(cell in chosen for cell in jump) not in (0, 2):
            raise VerificationError(f"{_name(jump)} changes the number of pegs on its cells by one")
    if sum(peg in chosen for peg in start) % 2 != here:
        raise VerificationError(f"the pegs on its cells, modulo 2, are not {here} at the start")
    for goal in goals:
        if sum(peg in chosen for peg in goal) % 2 != there:
            raise VerificationError(f"the pegs on its cells, modulo 2, are not {there} in a goal")
    if here == there:
        raise VerificationError("the start and a goal are of the same class")


def _check_pagoda(
    cells: int, jumps: Sequence[Jump], start: Pegs, goals: Sequence[Pegs], data: object
) -> None:
    weights, here, there = entries(data, {"weights": list[int], "start": int, "goal": int})
    if len(weights) != cells:
        raise VerificationError(f"it has {len(weights)} weights for {cells} cells")
    for jump in jumps:
        left, over, land = jump
        if weights[left] + weights[over] < weights[land]:
            raise VerificationError(
                f"{_name(jump)} makes the pegs heavier: {weights[left]} and {weights[over]} become "
                f"{weights[land]}"
            )
    weight = sum(weights[peg] for peg in start)
    if weight != here:
        raise VerificationError(f"the start weighs {weight}, not {here}")
    lightest = min(sum(weights[peg] for peg in goal) for goal in goals)
    if lightest != there:
        raise VerificationError(f"the lightest goal weighs {lightest}, not {there}")
    if here >= there:
        raise VerificationError(f"the start weighs {here}, no less than a goal")


def _name(jump: Jump) -> str:
    left, over, land = jump
    return f"the jump from {left} over {over} to {land}"
