"""Solvable states of each classic puzzle, by every optimal engine; replayed by the slow rules."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    IDDFS,
    AStar,
    Bidirectional,
    BreadthFirst,
    IDAStar,
    UniformCost,
    solve,
)
from searchkit.scramble import scramble
from searchkit.verify import replay_texts
from searchkit_peg import hoppers
from searchkit_sliding import eight_puzzle, fifteen_puzzle, six_puzzle

pytestmark = pytest.mark.usefixtures("by_machine_code")

OPTIMAL = (BreadthFirst(), Bidirectional(), AStar(), UniformCost(), IDDFS(), IDAStar())
DEEP = (Bidirectional(), AStar(), IDAStar())
"""Quick, as reference engines, also where a solution is long."""

seeds = st.integers(0, 2**32 - 1)


def check(problem, searches):
    """All searches find one cost, by solutions that the slow rules accept."""
    costs = set()
    for algorithm, engine in searches:
        result = solve(problem, algorithm, engine=engine)
        solution = result.solution
        assert result.optimal
        assert result.engine == engine
        again = replay_texts(
            problem,
            problem.format_state(solution.start),
            [problem.format_action(action) for action in solution.actions],
            [problem.format_state(state) for state in solution.states],
        )
        assert again.cost == result.cost == len(solution.actions)
        costs.add(result.cost)
    assert len(costs) == 1


def by(engine, *algorithms):
    return [(algorithm, engine) for algorithm in algorithms]


def scrambled(problem, seed, most):
    """A state at most `most` steps from a goal."""
    rng = random.Random(seed)
    return problem.with_start(scramble(problem, rng.randint(0, most), rng))


@settings(max_examples=8, deadline=None)
@given(seeds)
def test_6_puzzle(seed):
    problem = six_puzzle()
    problem = problem.with_start(problem.random_state(random.Random(seed)))
    kinds = [each for each in OPTIMAL if each != IDDFS()]  # paths to depth 15 are too many
    check(problem, by("reference", *kinds) + by("compiled", *OPTIMAL[:4], IDAStar()))


@settings(max_examples=6, deadline=None)
@given(seeds)
def test_8_puzzle(seed):
    problem = eight_puzzle()
    problem = problem.with_start(problem.random_state(random.Random(seed)))
    check(problem, by("reference", *DEEP) + by("compiled", BreadthFirst(), UniformCost(), *DEEP))


@settings(max_examples=6, deadline=None)
@given(seeds, st.sampled_from([eight_puzzle, fifteen_puzzle]))
def test_near_states_by_all(seed, make):
    problem = scrambled(make(), seed, 9)
    check(problem, by("reference", *OPTIMAL) + by("compiled", *OPTIMAL))


@settings(max_examples=6, deadline=None)
@given(seeds)
def test_15_puzzle(seed):
    problem = scrambled(fifteen_puzzle(), seed, 30)
    check(problem, by("reference", *DEEP[1:]) + by("compiled", *DEEP))


@pytest.mark.few
@settings(max_examples=8, deadline=None)
@given(seeds)
def test_hoppers(seed):
    problem = hoppers()
    problem = problem.with_start(problem.random_state(random.Random(seed)))
    kinds = [each for each in OPTIMAL if each != IDDFS()]
    check(problem, by("reference", *kinds) + by("compiled", *OPTIMAL))
