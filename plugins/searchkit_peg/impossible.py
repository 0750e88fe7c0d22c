"""Why no goal can be reached: too few pegs, position classes, pagoda functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from searchkit.certificates import Certificate
from searchkit_peg.board import PegBoard, cells_of
from searchkit_peg.notation import write_pegs
from searchkit_peg.pagoda import Pagoda, pagodas
from searchkit_peg.parity import parity

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
