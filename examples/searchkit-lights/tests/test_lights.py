"""Tests of the puzzle, of its bounds and of what is registered."""

import random

import pytest
import searchkit_lights
from searchkit_lights import Checkers, Lights, lights

from searchkit import AStar, Bidirectional, BreadthFirst, IDAStar, ParseError, solve
from searchkit.explore import explore
from searchkit.registry import Registry
from searchkit.testing import PuzzleTests
from searchkit.verify import verify_solution


def boards(number):
    rng = random.Random(0)
    return [frozenset(lamp for lamp in range(9) if rng.random() < 0.5) for _ in range(number)]


def test_every_engine_finds_the_same():
    for board in boards(2):
        problem = Lights(3, board)
        results = [
            solve(problem, algorithm, want="all")
            for algorithm in (BreadthFirst(), Bidirectional(), AStar(), IDAStar())
        ]
        assert len({result.cost for result in results}) == 1
        assert len({result.count for result in results}) == 1
        verify_solution(problem, results[0].solution)


def test_known_numbers():
    found = explore(lights(3))
    assert (found.states, found.depth) == (512, 9)
    assert solve(lights(3), BreadthFirst()).cost == 5


def test_heuristics_are_lower_bounds():
    problem = lights(3)
    checkers = Checkers(problem)
    for board in boards(20):
        cost = solve(Lights(3, board), BreadthFirst()).cost
        assert problem.heuristic(board) <= cost
        assert checkers(board) <= cost


def test_texts():
    problem = lights(3)
    for board in boards(20):
        assert problem.parse(problem.format_state(board)) == board
    with pytest.raises(ParseError, match="is not a board"):
        problem.parse("#./.#.")


class TestLights(PuzzleTests):
    plugin = searchkit_lights


def test_everything_is_registered():
    registry = Registry()
    registry.add_plugin(searchkit_lights, "here")
    assert registry.problems == []
    problem = registry.puzzles.get("lights").create(size="2")
    assert problem.render(problem.lit) == "##\n##"
    assert registry.heuristics.get("checkers", problem).factory(problem)(problem.lit) == 1
    assert registry.renderers.get("lamps", problem).render(problem, problem.lit) == "● ●\n● ●"
