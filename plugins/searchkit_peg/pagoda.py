"""Pagoda functions: weights of the cells that no jump can raise, found by linear programming.

If every jump lands on a cell that weighs no more than the two it empties, the pegs never get
heavier; so a goal that weighs more than the start cannot be reached. (J. H. Conway; J. D. Beasley,
The Ins and Outs of Peg Solitaire, 1985; E. R. Berlekamp, J. H. Conway and R. K. Guy,
Winning Ways, 1982.) There is such a function just where the jumps cannot lead from start to goal
even if they are made in fractions, and in any order.

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

from searchkit_peg.board import PegBoard, cells_of

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
