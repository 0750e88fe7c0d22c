"""What a type checker is to know of a problem and of all that is made from it."""

import random
from collections.abc import Iterator, Sequence
from typing import assert_type

import attrs

from searchkit import (
    AStar,
    BreadthFirst,
    Heuristic,
    Problem,
    SearchResult,
    Solution,
    StartAndGoal,
    Step,
    solve,
)
from searchkit.checks import check_heuristic, check_problem
from searchkit.explore import Exploration, explore
from searchkit.scramble import scramble
from searchkit.solve_many import ManyResults, solve_many
from searchkit.testing import states_of
from searchkit.verify import verify_solution

Square = tuple[int, int]


class Move(str):
    """An action of a type of its own."""


@attrs.frozen
class Walk(StartAndGoal[Square, Move]):
    """A walk on a grid."""

    start: Square
    goal: Square

    def successors(self, state: Square) -> Iterator[Step[Square, Move]]:
        """To the right, or up."""
        x, y = state
        yield Step(Move("right"), (x + 1, y))
        yield Step(Move("up"), (x, y + 1))


class Manhattan(Heuristic[Square, Move]):
    """The distance without walls."""

    def __init__(self, goal: Square) -> None:
        self.goal = goal

    def __call__(self, state: Square) -> float:
        """Along both axes."""
        return abs(state[0] - self.goal[0]) + abs(state[1] - self.goal[1])

    def after(self, h: float, state: Square, step: Step[Square, Move]) -> float:
        """By the state that the step leads to."""
        return self(step.state)


def sound() -> None:
    """Holds what is known of each type; it is for reading, and not run."""
    walk = Walk((0, 0), (2, 1))
    assert_type(walk.with_goal((3, 3)), Walk)

    for result in (
        solve(walk),
        solve(walk, BreadthFirst()),
        solve(walk, AStar(Manhattan(walk.goal)), want="all"),
    ):
        assert_type(result, SearchResult[Square, Move])
        assert_type(result.actions, tuple[Move, ...])
        assert_type(result.states, tuple[Square, ...])
        assert_type(result.raise_for_status().actions, tuple[Move, ...])
        assert_type(result.problem, Problem[Square, Move] | None)
        if result.solution is not None:
            assert_type(result.solution, Solution[Square, Move])
            assert_type(result.solution.actions, tuple[Move, ...])
            assert_type(result.solution.steps[0], Step[Square, Move])
            assert_type(result.solution.steps[0].state, Square)
            assert_type(result.solution.steps[0].action, Move)
            verify_solution(walk, result.solution)
        for each in result.solutions or ():
            assert_type(each, Solution[Square, Move])

    found = explore(walk)
    assert_type(found, Exploration[Square])
    assert_type(found.farthest, Sequence[Square])

    many = solve_many(walk, [(0, 0), (1, 0)], AStar())
    assert_type(many, ManyResults[Square, Move])
    assert_type(many[0], SearchResult[Square, Move])
    assert_type(many[:2], Sequence[SearchResult[Square, Move]])

    assert_type(scramble(walk, 3, random.Random(1)), Square)
    assert_type(states_of(walk).example(), Square)
    check_problem(walk)
    check_heuristic(walk, Manhattan(walk.goal))
