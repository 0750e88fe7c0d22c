"""Moves named by the tile, or by the direction of the tile or of the blank."""

from __future__ import annotations

import json
import random

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import AStar, Bidirectional, UsageError, solve
from searchkit.checks import LAWS, check_problem
from searchkit.cli.app import app
from searchkit.scramble import scramble
from searchkit.verify import replay_texts
from searchkit_sliding import WHEEL, SlidingPuzzle, sliding

OPPOSITE = dict(zip("UDLR", "DURL", strict=True))
STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
sizes = st.sampled_from([(2, 2), (2, 3), (3, 3), (3, 2), (4, 4), (3, 6), (5, 5)])


@settings(max_examples=30, deadline=None)
@given(sizes, st.integers(0, 2**32 - 1))
def test_the_three_notations_name_the_same_moves(size, seed):
    rows, columns = size
    plain = sliding(f"{rows}x{columns}")
    state = plain.random_state(random.Random(seed))
    by = {
        moves: sliding(f"{rows}x{columns}", moves=moves).successors(state)
        for moves in ("tile", "slide", "blank")
    }
    tiles = plain.packing.unpack(state)
    blank = divmod(tiles.index(0), columns)
    for tile, slide, other in zip(*by.values(), strict=True):
        assert tile.state == slide.state == other.state
        assert slide.action == OPPOSITE[other.action]
        row, column = (here + by for here, by in zip(blank, STEPS[other.action], strict=True))
        assert tiles[row * columns + column] == tile.action


@pytest.mark.parametrize("moves", ["slide", "blank"])
@settings(max_examples=10, deadline=None)
@given(size=sizes, seed=st.integers(0, 2**32 - 1))
def test_solutions_replay_by_the_slow_rules(moves, size, seed):
    rows, columns = size
    problem = sliding(f"{rows}x{columns}", moves=moves)
    problem = problem.with_start(scramble(problem, 8, random.Random(seed)))
    for algorithm in (AStar(), Bidirectional()):
        solution = solve(problem, algorithm).solution
        again = replay_texts(
            problem,
            problem.format_state(solution.start),
            [problem.format_action(action) for action in solution.actions],
            [problem.format_state(state) for state in solution.states],
        )
        assert again.cost == solution.cost


def test_all_solutions_are_the_same_ones_in_the_same_order():
    named = {
        moves: [
            each.states
            for each in solve(sliding("2x3", moves=moves), Bidirectional(), want="all").solutions
        ]
        for moves in ("tile", "slide", "blank")
    }
    assert named["tile"] == named["slide"] == named["blank"]


@pytest.mark.parametrize("moves", ["slide", "blank"])
@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 3)])
def test_laws_hold(moves, size):
    puzzle = sliding("{}x{}".format(*size), moves=moves)
    symmetric = puzzle.with_goal(puzzle.goal)
    assert len(list(symmetric.symmetries())) > 1 or size == (2, 3)
    laws = [law.name for law in LAWS if law.name != "engines"]
    report = check_problem(puzzle, states=40, engine="reference", laws=laws)
    assert report.ok, str(report)


@pytest.mark.parametrize("moves", ["slide", "blank"])
def test_documents_are_replayed_in_the_notation_that_they_name(moves, tmp_path):
    call = ["run", "8-puzzle", "-p", f"moves={moves}", "--start", "123456708", "--json"]
    written = CliRunner().invoke(app, call).stdout
    document = json.loads(written)
    assert document["solutions"][0]["actions"] == [{"slide": "L", "blank": "R"}[moves]]
    for said, code in ((moves, 0), ("tile", 2), ({"slide": "blank", "blank": "slide"}[moves], 2)):
        file = tmp_path / f"{said}.json"
        file.write_text(json.dumps({**document, "parameters": {"moves": said}}))
        assert CliRunner().invoke(app, ["verify", str(file)]).exit_code == code


def test_play_reads_directions():
    call = ["play", "8-puzzle", "-p", "moves=blank", "--start", "123456078"]
    played = CliRunner().invoke(app, call, input="r\nR\n")
    assert "solved" in played.output


def test_wrong_names_are_refused_in_one_line():
    with pytest.raises(UsageError, match="moves 'up' is not known; known: tile"):
        sliding(moves="up")
    with pytest.raises(UsageError, match="only a rectangle has them; use moves=tile"):
        SlidingPuzzle.read(WHEEL, "1234560", "1234560", "blank")
    with pytest.raises(UsageError, match="only a rectangle has them"):
        sliding(edges="0-1 1-2 2-0", moves="slide")
