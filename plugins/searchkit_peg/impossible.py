"""Why no goal can be reached: too few pegs, position classes, pagoda functions.

Pagoda functions are weights of the cells that no jump can raise, found by linear programming. If
every jump lands on a cell that weighs no more than the two it empties, the pegs never get heavier;
so a goal that weighs more than the start cannot be reached. (J. H. Conway; J. D. Beasley, The Ins
and Outs of Peg Solitaire, 1985; E. R. Berlekamp, J. H. Conway and R. K. Guy, Winning Ways, 1982.)
There is such a function just where the jumps cannot lead from start to goal even if they are made
in fractions, and in any order.

SciPy solves the linear programs (`pip install 'searchkit-statespace[pagoda]'`); without it, no
pagoda function is found. What it finds is rounded to whole numbers, and these are checked exactly.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import attrs

from searchkit.certificates import Certificate
from searchkit_peg.board import PegBoard, cells_of, parity
from searchkit_peg.notation import write_pegs

SOLVER = "scipy.optimize"
FINEST = 1000
"""Weights are fractions with denominators up to this one, before they are made whole."""
NEGATIVE = -1e-6
"""A difference of weights that is not an error of rounding."""
DIVE = 3000
"""How many positions are tried before the solver is loaded, which takes ten times as long."""


@attrs.frozen
class Pagoda:
    """Weights of the cells, and what they say: the start weighs less than each of `goals`."""

    weights: tuple[int, ...]
    start: int
    goals: tuple[int, ...]
    goal: int
    """The weight of the lightest goal."""


def pagodas(board: PegBoard, start: int, goals: Sequence[int]) -> list[Pagoda] | None:
    """Pagoda functions that exclude all `goals` together; None if some goal has none.

    O(goals) linear programs at most, each of one or two milliseconds on 45 cells.
    """
    if SOLVER not in sys.modules and found_at_once(board, start, goals):
        return None
    left = list(goals)
    found = []
    while left:
        weights = _weights(board, start, left[0])
        if weights is None:
            return None
        here = weigh(weights, start)
        excluded = tuple(goal for goal in left if weigh(weights, goal) > here)
        lightest = min(weigh(weights, goal) for goal in excluded)
        found.append(Pagoda(weights, here, excluded, lightest))
        left = [goal for goal in left if goal not in excluded]
    return found


def weigh(weights: Sequence[int], pegs: int) -> int:
    """What the pegs weigh together."""
    return sum(weights[cell] for cell in cells_of(pegs))


def found_at_once(board: PegBoard, start: int, goals: Sequence[int]) -> bool:
    """Whether a short depth-first search meets a goal, so that no pagoda function can exclude it.

    It spares small problems that can be solved the loading of the solver.
    """
    ends = set(goals)
    seen = {start}
    stack = [start]
    tried = 0
    while stack and tried < DIVE:
        pegs = stack.pop()
        if pegs in ends:
            return True
        tried += 1
        for link in board.links:
            if pegs & link.mask == link.before and (after := pegs ^ link.mask) not in seen:
                seen.add(after)
                stack.append(after)
    return False


def _weights(board: PegBoard, start: int, goal: int) -> tuple[int, ...] | None:
    """Weights in whole numbers by which `start` weighs less than `goal`; None if there are none."""
    cells = range(len(board.cells))
    difference = [(start >> cell & 1) - (goal >> cell & 1) for cell in cells]
    solved = _solve(board, difference)
    if solved is None:
        return None
    from fractions import Fraction  # noqa: PLC0415  (few starts need weights)

    fractions = [Fraction(weight).limit_denominator(FINEST) for weight in solved]
    scale = math.lcm(*(each.denominator for each in fractions))
    weights = tuple(int(each * scale) for each in fractions)
    divisor = math.gcd(*weights)
    weights = tuple(weight // divisor for weight in weights) if divisor else weights
    never_heavier = all(
        weights[jump.start] + weights[jump.over] >= weights[jump.land] for jump in board.jumps
    )
    return weights if never_heavier and weigh(weights, start) < weigh(weights, goal) else None


def _solve(board: PegBoard, difference: Sequence[int]) -> list[float] | None:
    """The weights between -1 and 1 that make `difference` lightest; None if it is not below 0."""
    linprog = _solver()
    if linprog is None:
        return None
    rows = _rows(board)
    found = linprog(difference, A_ub=rows, b_ub=[0] * len(rows), bounds=(-1, 1), method="highs")
    if found.status != 0 or found.fun > NEGATIVE:
        return None
    return [float(weight) for weight in found.x]


@lru_cache(maxsize=1)
def _solver() -> Callable[..., Any] | None:
    try:
        from scipy.optimize import linprog  # noqa: PLC0415  (optional, and slow to load)
    except ImportError:
        return None
    solver: Callable[..., Any] = linprog
    return solver


@lru_cache(maxsize=8)
def _rows(board: PegBoard) -> list[list[int]]:
    """A row for each jump: what it lands on, less the two cells that it empties, is at most 0."""
    rows = []
    for jump in board.jumps:
        row = [0] * len(board.cells)
        row[jump.start] = row[jump.over] = -1
        row[jump.land] = 1
        rows.append(row)
    return rows


WORDS = ("even", "odd")


def why_impossible(board: PegBoard, pegs: int, goals: Sequence[int]) -> Certificate | None:
    """A certificate that none of `goals`, all of equally many pegs, can be reached from `pegs`.

    The kinds, and what their data say:

    - `peg count`: how many `pegs` there are, and how many in a goal (`goal_pegs`);
    - `position class`: `cells`, on which every jump changes 0 or 2 pegs, and whether the pegs on
      them are even (0) or odd (1) at the `start` and in the `goal`;
    - `pagoda`: `weights` of all cells, of which no jump empties less than it fills, and what the
      pegs weigh at the `start` and in the lightest `goal`;
    - `goal by goal`: `parts`, each with a kind, its data, and the `goals` that it excludes.
    """
    if pegs in goals:
        return None
    return (
        _too_few(pegs, goals[0].bit_count())
        or _by_one_position_class(board, pegs, goals)
        or _goal_by_goal(board, pegs, goals)
    )


def _too_few(pegs: int, wanted: int) -> Certificate | None:
    count = pegs.bit_count()
    if count > wanted:
        return None
    if count < wanted:
        text = f"fewer pegs ({count}) than the goal ({wanted}), and a jump only takes pegs"
    else:
        text = f"as many pegs as the goal ({count}) but others, and every jump takes one"
    return Certificate("peg count", text, {"pegs": count, "goal_pegs": wanted})


def _by_one_position_class(board: PegBoard, pegs: int, goals: Sequence[int]) -> Certificate | None:
    for cells in board.invariants:
        here = parity(pegs & cells)
        if all(parity(goal & cells) != here for goal in goals):
            text = (
                f"the number of pegs on cells {', '.join(map(str, cells_of(cells)))} is "
                f"{WORDS[here]} and stays so, as every jump changes it by 0 or 2, but in "
                f"the goal it is {WORDS[1 - here]} (position classes)"
            )
            text += _left_open(board, pegs, goals)
            return Certificate("position class", text, _class_data(cells, here))
    return None


def _left_open(board: PegBoard, pegs: int, goals: Sequence[int]) -> str:
    """Where the last peg may end as far as position classes say, if it was to end somewhere.

    Else from which single vacancies it may end anywhere. To be left open proves nothing.
    """
    if goals[0].bit_count() != 1:
        return ""
    cells = range(len(board.cells))
    if ends := [cell for cell in cells if board.in_one_class(pegs, 1 << cell)]:
        return f"; position classes do not exclude a last peg on {_any_of(ends)}"
    starts = [
        hole
        for hole in cells
        if any(board.in_one_class(board.full & ~(1 << hole), 1 << cell) for cell in cells)
    ]
    if starts:
        return (
            "; position classes exclude every last peg from here, but not where the only hole is "
            f"on {_any_of(starts)}"
        )
    return ""


def what_is_open(board: PegBoard, pegs: int, goals: Sequence[int]) -> str | None:
    """Which of several goals of one peg are left open where others are excluded, in a clause."""
    if len(goals) < 2 or any(goal.bit_count() != 1 for goal in goals) or pegs in goals:
        return None
    in_class = [goal for goal in goals if board.in_one_class(pegs, goal)]
    left = [goal for goal in in_class if pagodas(board, pegs, [goal]) is None]
    if not left or len(left) == len(goals):
        return None
    means = {"position classes": len(goals) > len(in_class), "pagoda functions": in_class != left}
    by = " and ".join(name for name, excludes in means.items() if excludes)
    cells = [cell for goal in left for cell in cells_of(goal)]
    return f"{by} exclude every last peg but one on {_any_of(cells)}"


def _any_of(cells: Sequence[int]) -> str:
    *first, last = map(str, cells)
    return f"{', '.join(first)} or {last}" if first else last


def _goal_by_goal(board: PegBoard, pegs: int, goals: Sequence[int]) -> Certificate | None:
    """Exclude by position class what can be so excluded, and the other goals by pagodas."""
    left = list(goals)
    parts: list[dict[str, Any]] = []
    for cells in board.invariants:
        here = parity(pegs & cells)
        excluded = [goal for goal in left if parity(goal & cells) != here]
        if excluded:
            data = _class_data(cells, here)
            parts.append(_part(board, "position class", data, excluded))
            left = [goal for goal in left if goal not in excluded]
    by_pagoda = pagodas(board, pegs, left) if left else []
    if by_pagoda is None:
        return None
    if len(by_pagoda) == 1 and not parts:
        (pagoda,) = by_pagoda
        text = (
            f"with weights that no jump can raise, the pegs weigh {pagoda.start}, but in the goal "
            f"{pagoda.goal} (pagoda function)"
        )
        return Certificate("pagoda", text, _pagoda_data(pagoda))
    if by_pagoda:
        text = f"none of the {len(goals)} goals can be reached, by "
        text += "position classes and pagoda functions" if parts else "pagoda functions"
    else:
        text = "its position class, which no jump changes, is that of no goal"
        text += _left_open(board, pegs, goals)
    parts += [_part(board, "pagoda", _pagoda_data(each), each.goals) for each in by_pagoda]
    return Certificate("goal by goal", text, {"parts": parts})


def _class_data(cells: int, here: int) -> dict[str, Any]:
    return {"cells": cells_of(cells), "start": here, "goal": 1 - here}


def _pagoda_data(pagoda: Pagoda) -> dict[str, Any]:
    return {"weights": pagoda.weights, "start": pagoda.start, "goal": pagoda.goal}


def _part(board: PegBoard, kind: str, data: dict[str, Any], goals: Sequence[int]) -> dict[str, Any]:
    return {"kind": kind, "data": data, "goals": [write_pegs(board, goal) for goal in goals]}
