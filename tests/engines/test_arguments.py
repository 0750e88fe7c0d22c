"""Functions that are given something else than they need say so in one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from searchkit import IDDFS, AStar, BeamSearch, Limits, UsageError, puzzle, solve
from searchkit.checks import check_heuristic, check_problem
from searchkit.engine import Engine
from searchkit.explore import explore
from searchkit.heuristics.maximum import maximum
from searchkit.heuristics.patterns.choose import pattern_heuristic
from searchkit.packed import ZeroHeuristic
from searchkit.solve_many import solve_many
from searchkit.verify import verify_solution
from searchkit_sliding import Board, SlidingPuzzle
from searchkit_stages import Stages

PUZZLE = SlidingPuzzle.read(Board.rectangle(2, 2), "1230", "1230")

SOLVED = solve(PUZZLE, AStar())

WRONG: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: AStar("manhattan"), UsageError, "heuristic is 'manhattan'; it must be a Heuristic"),
    (lambda: BeamSearch(width=0), UsageError, "width is 0; it must be a whole number, 1 or more"),
    (lambda: BeamSearch(width="1" * 99), UsageError, "width is '1"),
    (lambda: BeamSearch(width=True), UsageError, "width is True"),
    (lambda: IDDFS(cycles="x"), UsageError, "cycles is 'x'; it must be one of 'auto', 'path'"),
    (lambda: solve("8-puzzle", AStar()), UsageError, "problem is '8-puzzle'"),
    (lambda: solve(PUZZLE, "astar"), UsageError, "algorithm is 'astar'"),
    (lambda: solve(PUZZLE, AStar), UsageError, "algorithm is <class"),
    (lambda: solve(PUZZLE, AStar(), limits=10), UsageError, "limits is 10"),
    (
        lambda: solve(PUZZLE, AStar(), limits=Limits(), engine=Engine(threads="2")),
        UsageError,
        "threads is '2'",
    ),
    (lambda: solve(PUZZLE, AStar(), want="2"), UsageError, "want is '2'; it must be 'one', 'all'"),
    (lambda: solve(PUZZLE, AStar(), want=True), UsageError, "want is True"),
    (lambda: solve_many(PUZZLE, 5, Stages()), UsageError, "starts is 5"),
    (lambda: solve_many(PUZZLE, [], AStar(), engine="x"), UsageError, "engine is 'x'"),
    (lambda: solve_many(PUZZLE, [], AStar(), engine=Engine(workers=0)), UsageError, "workers is 0"),
    (lambda: solve_many(PUZZLE, [], AStar(), limits=1), UsageError, "limits is 1"),
    (lambda: solve_many(PUZZLE, [], "stages"), UsageError, "algorithm is 'stages'"),
    (lambda: maximum(ZeroHeuristic(), "manhattan"), UsageError, "a heuristic is 'manhattan'"),
    (lambda: check_heuristic("8-puzzle"), UsageError, "problem is '8-puzzle'"),
    (lambda: check_heuristic(PUZZLE, "manhattan"), UsageError, "heuristic is 'manhattan'"),
    (lambda: pattern_heuristic(PUZZLE, None), UsageError, "name is None"),
    (lambda: puzzle(None), UsageError, "name is None"),
    (lambda: puzzle("8-puzzle", start=5), UsageError, "start is 5; it must be a text"),
    (lambda: puzzle("8-puzzle", start=b"1"), UsageError, "start is b'1'; it must be a text"),
    (lambda: puzzle("8-puzzle", goal=(1, 2)), UsageError, "goal is (1, 2); it must be a text"),
    (lambda: explore(5), UsageError, "problem is 5"),
    (lambda: explore(PUZZLE, limits=5), UsageError, "limits is 5"),
    (lambda: check_problem(5), UsageError, "problem is 5"),
    (lambda: verify_solution(5, SOLVED.solution), UsageError, "problem is 5"),
    (lambda: verify_solution(PUZZLE, SOLVED), UsageError, "a Solution, like result.solution"),
    (lambda: verify_solution(PUZZLE, SOLVED.actions), UsageError, "like result.solution"),
    (lambda: Limits(cost="3"), UsageError, "limit cost is '3'; it must be a whole number"),
    (lambda: Limits(time="2m"), UsageError, "limit time is '2m'; it must be a number, 0 or"),
    (lambda: Limits(cost=True), UsageError, "limit cost is True"),
    (lambda: Limits(expansions=1.5), UsageError, "limit expansions is 1.5"),
    (lambda: Limits(time=float("nan")), UsageError, "limit time is nan"),
]


@pytest.mark.parametrize(("call", "kind", "text"), WRONG, ids=[each[2] for each in WRONG])
def test_what_is_wrong_is_told_in_one_line(
    call: Callable[[], Any], kind: type[Exception], text: str
) -> None:
    with pytest.raises(kind) as caught:
        call()
    message = str(caught.value)
    assert text in message
    assert "\n" not in message
    assert len(message) < 200
