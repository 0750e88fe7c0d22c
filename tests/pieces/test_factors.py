"""Words of moves that solve a puzzle of pieces: they do, and a search has some solution soon."""

from __future__ import annotations

import random

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import AStar, Bidirectional, IDAStar, Limits, Problem, Status, Step, solve
from searchkit.engines import incumbents, words
from searchkit.pieces import Change, Definition, Move, Orbit, Pieces
from searchkit.pieces.factors import Factors, words_between
from searchkit.pieces.shapes import Shapes
from searchkit.verify import verify_solution
from searchkit_cube import cube2, cube3

SOON = incumbents.Share(start=0, burst=1, rate=1 << 60)


@st.composite
def definitions(draw):
    """Some pieces in a row, moved by some permutations; some look alike, or turn."""
    count, turns = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    looks = tuple(draw(st.integers(0, piece)) for piece in range(count))
    moves = [
        Move(
            name,
            {
                "beads": Change(
                    draw(st.permutations(range(count))),
                    [draw(st.integers(0, turns - 1)) for _ in range(count)],
                    turns,
                )
            },
        )
        for name in "AB"
    ]
    orbit = Orbit("beads", count, turns)
    if draw(st.booleans()):
        orbit = attrs.evolve(orbit, pieces=looks)
    return Definition("beads", [orbit], moves)


def has_table(puzzle):
    shapes = Shapes(puzzle.layout, puzzle.unpack(puzzle.goal))
    for _ in shapes.find():
        pass
    return Factors.of(puzzle.layout, shapes) is not None


@settings(max_examples=60, deadline=None)
@given(definitions(), st.lists(st.integers(0, 20), max_size=8), st.lists(st.integers(0, 20)))
def test_words_lead_from_one_pattern_to_another(definition, there, back):
    puzzle = Pieces.of(definition)

    def moved(numbers):
        state = puzzle.goal
        for number in numbers:
            if puzzle.layout.steps:
                state = puzzle.apply(state, 0, number % len(puzzle.layout.steps))
        return state

    start, goal = moved(there), moved(back[:8])
    found = [
        word
        for word in words_between(puzzle.layout, puzzle.unpack(start), puzzle.unpack(goal))
        if word is not None
    ]
    if puzzle.layout.group.are_all_different and has_table(puzzle):
        assert found
    assert [len(word) for word in found] == sorted({len(word) for word in found}, reverse=True)
    for word in found:
        state = start
        for operator in word:
            state = puzzle.apply(state, 0, operator)
        if puzzle.layout.group.are_all_different:
            assert state == goal


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["reference", pytest.param("compiled", marks=pytest.mark.slow)])
def test_a_scrambled_cube_has_a_solution_when_its_search_gives_up(engine):
    puzzle = cube3()
    puzzle = puzzle.with_start(puzzle.random_state(random.Random(3)))
    few = Limits(expansions=3_000 if engine == "reference" else 150_000)
    result = solve(puzzle, Bidirectional(incumbents="words"), engine=engine, limits=few)
    assert result.status is Status.LIMIT
    assert not result.optimal
    assert 5 < result.lower_bound < result.cost < 150
    costs = [each.cost for each in result.improvements]
    assert costs == sorted(set(costs), reverse=True)
    assert costs[-1] == result.cost
    verify_solution(puzzle, result.solution)
    alone = solve(puzzle, Bidirectional(), engine=engine, limits=few)
    assert alone.solution is None
    assert alone.lower_bound == result.lower_bound
    assert alone.statistics.expanded == result.statistics.expanded


def test_the_default_method_has_words_beside_it():
    puzzle = cube3()
    puzzle = puzzle.with_start(puzzle.random_state(random.Random(4)))
    result = solve(puzzle, engine="reference", limits=Limits(expansions=3_000))
    assert result.cost is not None
    assert result.algorithm == Bidirectional(incumbents="words")
    assert solve(Line()).algorithm == Bidirectional(incumbents="novelty")


class Line(Problem):
    """No puzzle of pieces: it has no words."""

    undirected = True

    def initial_states(self):
        return [6]

    def goal_states(self):
        return [0]

    def is_goal(self, state):
        return state == 0

    def successors(self, state):
        return [Step("down", state - 1), Step("up", state + 1)]


@pytest.mark.slow_variants("any-AStar(heuristic=None, incumbents='none')")
@pytest.mark.spread
@pytest.mark.parametrize("algorithm", [AStar(), IDAStar(), Bidirectional()], ids=repr)
@pytest.mark.parametrize("within", ["any", "+3", 2])
def test_what_is_enough_is_not_said_to_be_optimal(algorithm, within, monkeypatch):
    monkeypatch.setattr(words, "SHARES", dict.fromkeys(words.SHARES, SOON))
    puzzle = cube2()
    puzzle = puzzle.with_start(puzzle.random_state(random.Random(2)))
    expected = solve(puzzle, Bidirectional(), engine="reference")
    few = Limits(within=within, expansions=3000)
    result = solve(puzzle, algorithm, engine="reference", limits=few)
    assert result.lower_bound <= expected.cost <= result.cost
    assert result.optimal == (result.lower_bound == result.cost)


@pytest.mark.parametrize("starts", [1, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("algorithm", [Bidirectional(incumbents="words"), AStar(incumbents="beam")])
def test_an_optimal_solution_stays_optimal(algorithm, starts, monkeypatch):
    monkeypatch.setattr(words, "SHARES", dict.fromkeys(words.SHARES, SOON))
    puzzle = cube2()
    rng = random.Random(1)
    for _ in range(starts):
        state = puzzle.goal
        for _ in range(5):
            state = puzzle.apply(state, 0, rng.randrange(len(puzzle.layout.steps)))
        given_start = puzzle.with_start(state)
        expected = solve(given_start, Bidirectional(), engine="reference")
        result = solve(given_start, algorithm, engine="reference")
        assert (result.cost, result.optimal) == (expected.cost, True)
        limited = solve(
            given_start, algorithm, engine="reference", limits=Limits(cost=expected.cost - 1)
        )
        assert limited.solution is None


def test_within_any_takes_the_first_words(monkeypatch):
    monkeypatch.setattr(words, "SHARES", dict.fromkeys(words.SHARES, SOON))
    puzzle = cube3()
    puzzle = puzzle.with_start(puzzle.random_state(random.Random(5)))
    result = solve(puzzle, Bidirectional(), engine="reference", limits=Limits(within="any"))
    assert result.status is Status.SOLVED
    assert not result.optimal
    assert result.lower_bound <= result.cost


class Fewer(Pieces):
    """Only the first operator and its inverse may be used."""

    def legal(self, state, control, operator):
        """Kernel."""
        return operator < 2


def test_rules_that_allow_less_are_held(monkeypatch):
    monkeypatch.setattr(words, "SHARES", dict.fromkeys(words.SHARES, SOON))
    swaps = [Move("A", {"beads": Change((1, 2, 0, 3))}), Move("B", {"beads": Change((0, 2, 3, 1))})]
    puzzle = Fewer.of(Definition("beads", [Orbit("beads", 4)], swaps))
    start = puzzle.apply(puzzle.apply(puzzle.goal, 0, 2), 0, 0)
    result = solve(puzzle.with_start(start), Bidirectional(incumbents="words"), engine="reference")
    assert result.solution is None
