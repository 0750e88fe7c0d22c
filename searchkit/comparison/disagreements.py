"""Runs that contradict each other, or what is known of a board: some engine or heuristic is wrong.

What is compared are proofs: a proved lower bound is never above the cost of any solution.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from searchkit.comparison.records import Board, Run


def disagreements(boards: Sequence[Board], runs: Collection[Run]) -> list[str]:
    """One line for each board on which two runs, or a run and its known cost, disagree. O(runs).

    A run proves a lower bound, which is the cost where its solution is optimal, and infinite where
    there is none; a solution proves an upper one. Of each board the highest lower bound is held
    against the lowest upper one.
    """
    by_board: dict[int, list[Run]] = {board.number: [] for board in boards}
    for run in runs:
        by_board[run.board].append(run)
    lines = []
    for board in boards:
        line = _disagreement(board, by_board[board.number])
        if line is not None:
            lines.append(line)
    return lines


def _disagreement(board: Board, runs: Sequence[Run]) -> str | None:
    lower: list[tuple[float, str]] = []
    upper: list[tuple[float, str]] = []
    for run in runs:
        if run.status == "unsolvable":
            lower.append((float("inf"), f"{run.contestant} says that there is no solution"))
        elif run.cost is not None:
            says = f"{run.contestant} says {run.cost}"
            upper.append((run.cost, says))
            if run.optimal:
                lower.append((run.cost, f"{says}, optimal"))
        if run.lower_bound is not None:
            lower.append((run.lower_bound, f"{run.contestant} says at least {run.lower_bound:g}"))
    if board.known_cost is not None:
        known = f"{board.known_cost} is known to be optimal"
        upper.append((board.known_cost, known))
        lower.append((board.known_cost, known))
    if not lower or not upper:
        return None
    most, least = max(lower, key=lambda each: each[0]), min(upper, key=lambda each: each[0])
    if most[0] <= least[0]:
        return None
    what = board.name if board.text is None else f"{board.name}: {board.text}"
    return f"{least[1]}, but {most[1]} ({what})"
