"""`solve_many`: each result is that of `solve`, as it comes, whoever solves it."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterable, Iterator
from itertools import count, islice
from typing import Any
from unittest.mock import patch

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    IDDFS,
    AStar,
    BreadthFirst,
    Limits,
    Problem,
    StartAndGoal,
    Status,
    Step,
    UnsuitableError,
    UsageError,
    solve,
    solve_many,
)
from searchkit.algorithms import Algorithm
from searchkit.engine import Engine, EngineChoice
from searchkit.errors import ProblemError, WorkerLostError
from searchkit.fields import Array, Fields
from searchkit.heuristics.patterns.choose import pattern_heuristic
from searchkit_sliding import Board, SlidingPuzzle, eight_puzzle
from searchkit_stages import Stages

CRASHES, FAILS = 13, 17
GOAL = "123450"


@attrs.frozen
class Walk(StartAndGoal[int, str]):
    """A walk to a number, which ends the process of a worker at one start and fails at another."""

    start: int = 3
    goal: int = 0
    home: int = attrs.field(factory=os.getpid, eq=False)
    undirected = True

    def successors(self, state: int) -> Iterable[Step[int, str]]:
        if self.start == CRASHES and os.getpid() != self.home:
            os.kill(os.getpid(), signal.SIGKILL)
        if self.start == FAILS:
            raise RuntimeError("seventeen")
        if state > 0:
            yield Step("left", state - 1)
        if state < 100:
            yield Step("right", state + 1)

    def heuristic(self, state: int) -> int:
        return abs(state - self.goal)

    def parse(self, text: str) -> int:
        return int(text)


class Fixed(Problem[int, str]):
    """A problem with one start."""

    def initial_states(self) -> list[int]:
        return [0]

    def successors(self, state: int) -> list[Step[int, str]]:
        return []

    def is_goal(self, state: int) -> bool:
        return True


boards = st.permutations(range(6)).map(lambda cells: "".join(map(str, cells)))


@settings(max_examples=10)
@given(
    st.lists(boards, max_size=5),
    st.sampled_from([AStar(), BreadthFirst(), None]),
    st.sampled_from(["auto", "reference", "compiled"]),
)
def test_each_result_is_that_of_solve(
    texts: list[str], algorithm: Algorithm | None, engine: EngineChoice
) -> None:
    puzzle = SlidingPuzzle.read(Board.rectangle(2, 3), GOAL, GOAL)
    starts = [puzzle.parse(text) for text in texts]
    found = solve_many(puzzle, starts, algorithm, engine=engine)
    for start, result in zip(starts, found, strict=True):
        alone = solve(puzzle.with_start(start), algorithm or result.algorithm, engine=engine)
        assert (result.status, result.solution) == (alone.status, alone.solution)
        assert (result.optimal, result.lower_bound) == (alone.optimal, alone.lower_bound)
        assert (result.algorithm, result.heuristic) == (alone.algorithm, alone.heuristic)
        assert result.certificate == alone.certificate
        assert result.problem is not None
        assert list(result.problem.initial_states()) == [start]
    assert found.costs.tolist() == [-1 if each.cost is None else each.cost for each in found]


@attrs.frozen
class Piles(StartAndGoal[Any, str]):
    """Counters that go down by one or two; which values they have, the start says."""

    start: tuple[int, ...] = (5, 5, 5)
    goal: tuple[int, ...] = (0, 0, 0)

    def successors(self, state: tuple[int, ...]) -> Iterable[Step[tuple[int, ...], str]]:
        for i in range(3):
            if state[i] > 0:
                yield Step(f"{i}-1", (*state[:i], state[i] - 1, *state[i + 1 :]))
            if state[i] > 1:
                yield Step(f"{i}-2", (*state[:i], state[i] - 2, *state[i + 1 :]))


class FieldPiles(Fields):
    """The same on declared fields."""

    def __init__(self) -> None:
        self.declare(piles=Array(3, 12))
        self.moves = [(i, less) for i in range(3) for less in (1, 2)]
        self.start = self.pack(piles=[5, 5, 5])

    def legal(self, s: Any, i: int, less: int) -> bool:
        return bool(s.piles[i] >= less)

    def apply(self, s: Any, i: int, less: int) -> None:
        s.piles[i] -= less

    def at_goal(self, s: Any) -> bool:
        return all(each == 0 for each in s.piles)


PILES = [(5, 5, 5), (3, 2, 1), (9, 2, 7), (0, 0, 0)]


@pytest.mark.parametrize("kind", [Piles, FieldPiles])
def test_tables_that_another_start_needs_are_made_for_it(kind: Any) -> None:
    """They hold for the values that can be reached from a start: others for larger piles."""
    problem, name = kind(), "state=0/state=1/state=2"
    starts = PILES
    if kind is FieldPiles:
        starts = [problem.pack(piles=each) for each in PILES]
        name = name.replace("state", "piles")
    algorithm = AStar(heuristic=pattern_heuristic(problem, name))
    with pytest.raises(UnsuitableError, match="it was made for another one"):
        solve(problem.with_start(starts[2]), algorithm)
    found = list(solve_many(problem, starts, algorithm, engine="reference"))
    best = [sum((each + 1) // 2 for each in start) for start in PILES]
    assert [each.cost for each in found] == [each.lower_bound for each in found] == best
    assert [each.statistics.expanded for each in found] == best
    assert {each.heuristic for each in found} == {f"pdb:{name}"}
    assert all(each.optimal for each in found)


@pytest.mark.spread("algorithm2")
@pytest.mark.parametrize("algorithm", [AStar(), IDDFS(), Stages()])
def test_workers_find_what_one_process_does(algorithm: Algorithm) -> None:
    puzzle, rng = SlidingPuzzle.read(Board.rectangle(2, 3), GOAL, GOAL), random.Random(7)
    starts = [puzzle.random_state(rng) for _ in range(5)] + [puzzle.parse("213450")]
    alone = list(solve_many(puzzle, starts, algorithm, engine="reference"))
    shared = list(solve_many(puzzle, starts, algorithm, engine=Engine("reference", workers=2)))
    for each, other in zip(alone, shared, strict=True):
        assert each.solution == other.solution
        assert each.status is other.status
        assert each.statistics.expanded == other.statistics.expanded
        assert each.problem == other.problem


@pytest.mark.parametrize("workers", [None, 1])
def test_results_come_while_starts_are_read(workers: int | None) -> None:
    read = []

    def starts() -> Iterator[int]:
        for number in count():
            read.append(number)
            yield number % 12

    with patch("searchkit.solving.team.AHEAD", 20):
        found = solve_many(
            Walk(), starts(), BreadthFirst(), engine=Engine("reference", workers=workers)
        )
        assert read == []
        assert [result.cost for result in islice(found, 60)] == [*range(12)] * 5
        assert len(read) < 100
        assert found[59].cost == 11


def test_what_a_start_has_ended_is_raised_at_its_result_each_time() -> None:
    found = solve_many(Walk(), [2, FAILS, 4], BreadthFirst(), engine="reference")
    for _ in range(2):
        assert found[0].cost == 2
        with pytest.raises(ProblemError, match="seventeen"):
            found[1]
        with pytest.raises(ProblemError, match="seventeen"):
            len(found)
        with pytest.raises(ProblemError, match="seventeen"):
            list(found)


def test_a_lost_worker_is_raised_with_the_start_it_was_at() -> None:
    starts = [2, CRASHES, 4]
    found = solve_many(Walk(), starts, BreadthFirst(), engine=Engine("reference", workers=1))
    assert found[0].cost == 2
    with pytest.raises(WorkerLostError, match="SIGKILL") as error:
        found[1]
    assert error.value.__notes__ == [f"at the start {CRASHES}"]


def test_limits_hold_for_each_start() -> None:
    found = solve_many(Walk(), [1, 90, 2], BreadthFirst(), limits=Limits(expansions=20))
    assert [each.status for each in found] == [Status.SOLVED, Status.LIMIT, Status.SOLVED]
    assert found.costs.tolist() == [1, -1, 2]


def test_rows_make_a_table() -> None:
    rows = solve_many(Walk(), [2, 90], AStar(), limits=Limits(expansions=20)).to_dicts()
    assert rows[0].items() >= {
        "start": "2", "status": "solved", "cost": 2, "optimal": True, "lower_bound": 2,
        "expanded": 2, "moves": "left left",
    }.items()  # fmt: skip
    assert (rows[1]["start"], rows[1]["status"]) == ("90", "limit reached")
    assert (rows[1]["cost"], rows[1]["moves"]) == (None, None)
    assert rows[0].keys() == rows[1].keys()


def test_no_starts_give_no_results() -> None:
    found = solve_many(Walk(), [], BreadthFirst())
    assert (len(found), list(found), found.costs.tolist(), found.to_dicts()) == (0, [], [], [])
    with pytest.raises(IndexError, match="result 0 of 0"):
        found[0]


def test_a_problem_with_a_fixed_start_is_refused() -> None:
    with pytest.raises(UnsuitableError, match="Fixed has a fixed start"):
        solve_many(Fixed(), [0], BreadthFirst())


def test_a_jump_of_an_engine_for_many_is_an_error() -> None:
    """It once ended the solution, without a word, at the state before."""
    from searchkit.errors import CompilationError  # noqa: PLC0415

    puzzle = eight_puzzle()
    jump = np.array([puzzle.parse("123456780"), puzzle.parse("867254301")], dtype=np.int64)
    with patch("searchkit.solve_many.many_engine_of") as engine_of:
        engine_of.return_value = lambda problem, algorithm, starts: (
            lambda some: (jump, np.array([0, 2]))
        )
        found = solve_many(puzzle, [puzzle.start], Stages(), engine=Engine(threads=1))
        assert found.costs.tolist() == [1]
        with pytest.raises(CompilationError, match="is not a successor"):
            found[0]


class Place:
    """A place that is equal to itself alone."""


@attrs.frozen
class Places(StartAndGoal[Place, str]):
    """The way between two places."""

    start: Place
    goal: Place

    def successors(self, state: Place) -> Iterable[Step[Place, str]]:
        return [Step("there", self.goal)]


def test_starts_that_are_equal_by_identity_are_not_sent_to_workers() -> None:
    problem = Places(Place(), Place())
    starts = [problem.goal, problem.start]
    assert list(solve_many(problem, starts, BreadthFirst()).costs) == [0, 1]
    with pytest.raises(UnsuitableError, match="equal by identity alone"):
        list(solve_many(problem, starts, BreadthFirst(), engine=Engine(workers=1)))


def test_databases_are_built_by_one_search_alone() -> None:
    with pytest.raises(UsageError, match="solve_many builds no databases; leave tables out"):
        solve_many(eight_puzzle(), [], AStar(), limits=Limits(tables=1_000_000))
    assert len(solve_many(eight_puzzle(), [], AStar(), limits=Limits(tables=0))) == 0
