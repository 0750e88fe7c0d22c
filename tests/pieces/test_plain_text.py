"""The rules of puzzles of pieces as files of their own: what they say, and what they check."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest
from hypothesis import given, settings

from searchkit import UniformCost, solve
from searchkit.pieces import Pieces
from searchkit.proofs.checker import check, read
from searchkit.proofs.writing import Proof, prove
from searchkit_cube import cube2, cube3
from searchkit_pancakes import burnt_pancakes, pancakes
from searchkit_topspin import topspin

from .test_reading import definitions

PUZZLES = {
    "pancakes": pancakes(7),
    "burnt pancakes": burnt_pancakes(5),
    "topspin": topspin(8),
    "cube2": cube2(),
    "cube2 in quarters": cube2("quarter"),
    "cube3": cube3(),
}


def rules_of(puzzle):
    space = {}
    exec(puzzle.plain_text(), space)
    return SimpleNamespace(**space)


def compare(puzzle, state):
    rules, text = rules_of(puzzle), puzzle.format_state(state)
    assert rules.starts() == [puzzle.format_state(puzzle.start)]
    assert rules.goal(text) is (state == puzzle.goal)
    assert rules.goal(puzzle.format_state(puzzle.goal))
    assert [*rules.successors(text)] == [
        (step.action, puzzle.format_state(step.state), step.cost)
        for step in puzzle.successors(state)
    ]
    own = getattr(puzzle, "default_heuristic", lambda: None)()
    if own is not None and own.name in rules.heuristics:
        assert rules.heuristics[own.name](text) == own(state)


@pytest.mark.parametrize("name", PUZZLES)
def test_files_say_what_puzzles_say(name):
    puzzle, rng = PUZZLES[name], random.Random(0)
    for state in (puzzle.start, puzzle.goal, *(puzzle.random_state(rng) for _ in range(10))):
        compare(puzzle, state)


@pytest.mark.few
@given(definitions())
@settings(max_examples=60, deadline=None)
def test_files_of_any_definition_in_one_row(definition):
    puzzle, rng = Pieces.of(definition), random.Random(0)
    if puzzle.plain_text() is None:
        assert len(definition.orbits) > 1 or definition.is_bandaged
        return
    for _ in range(4):
        compare(puzzle, puzzle.random_state(rng))


def test_gaps_are_among_the_heuristics():
    assert [*rules_of(pancakes(5)).heuristics] == ["gap"]
    assert [*rules_of(topspin(6)).heuristics] == ["ring-gap"]


@pytest.mark.parametrize("puzzle", [pancakes(5), burnt_pancakes(4), topspin(6)], ids=repr)
def test_the_checker_accepts_proofs_by_these_files(puzzle, tmp_path):
    path = tmp_path / "answer.proof"
    prove(solve(puzzle, UniformCost()), Proof(path=path))
    verdict = check(*read(path), rules_of(puzzle))
    assert "optimal" in verdict.text
