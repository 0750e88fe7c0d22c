"""Whole spaces of peg solitaire, compiled, against published figures."""

import json
from pathlib import Path

import pytest

from searchkit import Limits
from searchkit.engine import Engine
from searchkit.explore import explore
from searchkit.transforms import ChainMoves
from searchkit_peg import HOPPERS, PegBoard, PegSolitaire

ORTHOGONAL = {"E": (0, 1), "W": (0, -1), "N": (-1, 0), "S": (1, 0)}
ENGLISH = PegBoard.draw(
    "english", "  ooo\n  ooo\nooooooo\nooooooo\nooooooo\n  ooo\n  ooo", ORTHOGONAL
)
TRIANGLE = PegBoard.draw(
    "triangle", "o\noo\nooo\noooo\nooooo", ORTHOGONAL | {"SE": (1, 1), "NW": (-1, -1)}
)
CENTRE = 16
VACANCIES = {"corner": (0, 10, 14), "edge_midpoint": (3, 5, 12)}
"""The cells of the triangle by their class."""


@pytest.fixture(scope="module")
def spaces():
    return json.loads((Path(__file__).parent / "data" / "spaces.json").read_text())


def to_any_peg(problem):
    """The same game, won when one peg is left, wherever it stands."""
    cells = range(len(problem.board.cells))
    return PegSolitaire(problem.board, problem.start, tuple(1 << cell for cell in cells))


def compiled(problem, threads=1, **options):
    found = explore(problem, engine=Engine("compiled", threads=threads), **options)
    assert found.engine == "compiled"
    assert found.complete
    return found


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("symmetry", ["none", "auto"])
def test_hoppers_by_jumps(symmetry, threads, facts, spaces):
    problem = PegSolitaire.single_vacancy(HOPPERS, 6)
    found = compiled(problem, symmetry=symmetry, threads=threads, paths=True)
    assert found.layers == tuple(facts["boards_by_jumps"])
    assert found.states == facts["reachable_boards"]
    if symmetry == "auto":
        assert found.canonical_layers == tuple(facts["boards_by_jumps_modulo_symmetry"])
        assert sum(found.canonical_layers) == facts["reachable_boards_modulo_symmetry"]
        assert found.statistics.expanded == facts["reachable_boards_modulo_symmetry"]
    paths = found.paths
    assert (paths.shortest_solution, paths.optimal_solutions) == (11, 5664)
    assert sum(paths.to_goals) == facts["jump_sequences_centre_to_centre"]
    assert sum(paths.to_goals) + sum(paths.to_ends) == spaces["hoppers"]["maximal_games"]
    assert spaces["hoppers"]["maximal_games"] == facts["all_maximal_games"]
    assert paths.to_states[11] == paths.to_goals[11] + paths.to_ends[11]
    assert paths.to_states[11] == facts["jump_sequences_to_any_single_peg"]
    anywhere = compiled(to_any_peg(problem), symmetry=symmetry, threads=threads, paths=True).paths
    assert anywhere.to_goals[11] == facts["jump_sequences_to_any_single_peg"]
    assert anywhere.to_ends[11] == 0
    assert sum(anywhere.to_goals) + sum(anywhere.to_ends) == facts["all_maximal_games"]


@pytest.mark.parametrize("symmetry", ["none", "auto"])
def test_hoppers_by_moves(symmetry, facts, spaces):
    found = compiled(
        ChainMoves(PegSolitaire.single_vacancy(HOPPERS, 6)), symmetry=symmetry, paths=True
    )
    assert found.layers == tuple(spaces["hoppers"]["states_by_moves"])
    assert found.states == facts["reachable_boards"]
    assert found.paths.shortest_solution == facts["optimal_moves"]
    assert found.paths.optimal_solutions == facts["optimal_solutions_nothing_fixed"]
    if symmetry == "auto":
        assert sum(found.canonical_layers) == facts["reachable_boards_modulo_symmetry"]


@pytest.mark.parametrize("symmetry", ["none", "auto"])
@pytest.mark.parametrize("vacancy", VACANCIES)
def test_triangle_by_jumps(vacancy, symmetry, board_facts):
    known = board_facts["triangle15_by_vacancy"][vacancy]
    for cell in VACANCIES[vacancy]:
        problem = PegSolitaire.single_vacancy(TRIANGLE, cell)
        found = compiled(problem, symmetry=symmetry, paths=True)
        assert found.states == known["boards"]
        assert found.paths.to_goals[13] == sum(found.paths.to_goals)
        assert found.paths.to_goals[13] == known["ending_in_the_vacancy"]
        assert found.paths.to_states[13] == known["solutions"]
        anywhere = compiled(to_any_peg(problem), symmetry=symmetry, paths=True)
        assert anywhere.layers == found.layers
        assert anywhere.paths.optimal_solutions == known["solutions"]


@pytest.mark.slow_variants("edge_midpoint")
@pytest.mark.parametrize("vacancy", VACANCIES)
def test_triangle_by_moves(vacancy, board_facts):
    known = board_facts["triangle15_by_vacancy"][vacancy]
    for cell in VACANCIES[vacancy]:
        problem = PegSolitaire.single_vacancy(TRIANGLE, cell)
        found = compiled(ChainMoves(problem), symmetry="auto", paths=True)
        plain = compiled(ChainMoves(problem), paths=True)
        assert (found.layers, found.paths) == (plain.layers, plain.paths)
        assert found.states == known["boards"]
        assert found.paths.shortest_solution == known["fewest_moves"]
        anywhere = compiled(ChainMoves(to_any_peg(problem)), symmetry="auto", paths=True)
        assert anywhere.paths.shortest_solution == known["fewest_moves"]
        assert anywhere.states == known["boards"]


def test_first_boards_of_english(board_facts):
    found = explore(
        PegSolitaire.single_vacancy(ENGLISH, CENTRE), engine="compiled", symmetry="auto",
        limits=Limits(cost=11), paths=True,
    )  # fmt: skip
    canonical = board_facts["english33_canonical_boards_after_n_jumps"]
    assert found.layers == tuple(board_facts["english33_boards_after_n_jumps"][:12])
    assert found.canonical_layers == tuple(canonical[:12])


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_english_by_jumps(threads, board_facts, spaces):
    known = spaces["english33"]
    problem = PegSolitaire.single_vacancy(ENGLISH, CENTRE)
    found = compiled(problem, symmetry="auto", threads=threads, paths=True)
    assert found.layers == tuple(board_facts["english33_boards_after_n_jumps"])
    assert found.states == known["boards"]
    assert found.canonical_layers == tuple(board_facts["english33_canonical_boards_after_n_jumps"])
    assert sum(found.canonical_layers) == known["canonical_boards"]
    assert found.paths.shortest_solution == 31
    assert found.paths.to_goals[31] == known["jump_sequences_centre_to_centre"]
    assert found.paths.to_states[31] == known["jump_sequences_to_any_single_peg"]
    assert found.paths.ends[31] == 4


@pytest.mark.slow
def test_english_to_any_peg(spaces):
    problem = to_any_peg(PegSolitaire.single_vacancy(ENGLISH, CENTRE))
    paths = compiled(problem, symmetry="auto", paths=True).paths
    assert paths.shortest_solution == 31
    assert paths.optimal_solutions == spaces["english33"]["jump_sequences_to_any_single_peg"]
    assert sum(paths.to_goals) == paths.optimal_solutions == paths.to_states[31]


@pytest.mark.slow
def test_english_without_symmetry(board_facts):
    found = compiled(PegSolitaire.single_vacancy(ENGLISH, CENTRE), threads=2)
    assert found.layers == tuple(board_facts["english33_boards_after_n_jumps"])


@pytest.mark.slow
def test_english_by_moves(spaces):
    known = spaces["english33"]
    problem = ChainMoves(PegSolitaire.single_vacancy(ENGLISH, CENTRE))
    found = compiled(problem, symmetry="auto", paths=True)
    assert found.canonical_layers == tuple(known["canonical_boards_by_moves"])
    assert sum(found.canonical_layers) == known["canonical_boards"]
    assert found.states == known["boards"]
    assert found.paths.shortest_solution == known["fewest_moves_centre_to_centre"]
    assert found.paths.optimal_solutions == known["optimal_solutions_centre_to_centre"]
