"""Calls of `solve` one after another, for problems of one class that are made for each call."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

from bench.instances import EASIEST, korf_rows
from bench.runs.ours import EngineChoice
from bench.runs.plain_loops import Eight
from bench.runs.timing import Report, Stopwatch, check
from searchkit import (
    Algorithm,
    AStar,
    Problem,
    StartAndGoal,
    Status,
    Step,
    solve,
)
from searchkit_sliding import eight_puzzle

WARM, REPEATS = 8, 5
BOARDS, SEED = 200, 1
Answer = tuple[int, int]
"""How many were solved, and the sum of their costs."""


class Fifteen(StartAndGoal[Any, Any]):
    """The 15-puzzle over tuples of tiles, as it is written for a start."""

    undirected = True

    def __init__(self, start: tuple[int, ...]) -> None:
        self.start, self.goal = start, tuple(range(16))

    def successors(self, state: tuple[int, ...]) -> Any:
        """The tiles beside the blank slide into it."""
        blank = state.index(0)
        row, column = divmod(blank, 4)
        for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0)):
            if 0 <= row + down < 4 and 0 <= column + right < 4:
                cell = blank + 4 * down + right
                tiles = list(state)
                tiles[blank], tiles[cell] = tiles[cell], 0
                yield Step(state[cell], tuple(tiles))

    def heuristic(self, state: tuple[int, ...]) -> int:
        """The sum of the distances of the tiles from their cells."""
        return sum(
            abs(cell // 4 - tile // 4) + abs(cell % 4 - tile % 4)
            for cell, tile in enumerate(state)
            if tile
        )


def call(work: str, engine: EngineChoice, *, is_first: bool = False) -> Report:
    """A call of that kind, the first of the process or one of those after it."""
    run = partial(_WORKS[work], engine)
    watch = Stopwatch()
    if is_first:
        watch.time(run)
        return watch.report()
    expected = run()
    for _ in range(WARM):
        run()
    for _ in range(REPEATS):
        check(watch.time(run) == expected, "the same answer again")
    return watch.report()


def _solved(
    problems: Callable[[], list[Problem[Any, Any]]],
    algorithm: Algorithm,
    engine: EngineChoice,
) -> Answer:
    solved = cost = 0
    for problem in problems():
        found = solve(problem, algorithm, engine=engine)
        solved += found.status is Status.SOLVED
        cost += found.cost or 0
    return solved, cost


def _eight(engine: EngineChoice) -> Answer:
    answer = _solved(lambda: [eight_puzzle()], AStar(), engine)
    check(answer == (1, 31), f"31 moves, not {answer}")
    return answer


def _boards(engine: EngineChoice) -> Answer:
    answer = _solved(lambda: _random(is_odd=None)[:BOARDS], AStar(), engine)
    check(0 < answer[0] < BOARDS, f"some are unsolvable: {answer}")
    return answer


def _odd(engine: EngineChoice) -> Answer:
    answer = _solved(lambda: _random(is_odd=True)[:50], AStar(), engine)
    check(answer == (0, 0), f"none can be solved: {answer}")
    return answer


def _random(*, is_odd: bool | None) -> list[Problem[Any, Any]]:
    draw, eight, found = random.Random(SEED), eight_puzzle(), []
    for _ in range(BOARDS):
        tiles = draw.sample(range(9), 9)
        board = eight.with_start(eight.parse(" ".join(map(str, tiles))))
        if is_odd is None or (board.certificate(board.start) is not None) == is_odd:
            found.append(board)
    return list(found)


def _plain(engine: EngineChoice) -> Answer:
    start = tuple(map(int, korf_rows(EASIEST)[0].split(",")[1].split()))
    answer = _solved(lambda: [Fifteen(start)], AStar(), engine)
    check(answer == (1, 42), f"42 moves, not {answer}")
    return answer


def _step(engine: EngineChoice) -> Answer:
    answer = _solved(lambda: [Eight((1, 2, 3, 4, 5, 6, 7, 0, 8))] * 100, AStar(), engine)
    check(answer == (100, 100), f"a move each, not {answer}")
    return answer


_WORKS: dict[str, Callable[[EngineChoice], Answer]] = {
    "eight": _eight, "boards": _boards, "odd": _odd, "plain": _plain, "step": _step,
}  # fmt: skip
