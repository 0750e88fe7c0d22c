"""Puzzles on fields: every engine finds what the rules as they are written say."""

import pytest

from searchkit import AStar, BreadthFirst, Costs, Limits, UniformCost, solve
from tests.fields.puzzles import ALL, Jugs, Rush, Sokoban


def first_algorithm(puzzle):
    return BreadthFirst() if puzzle.costs is Costs.UNIT else UniformCost()


@pytest.mark.parametrize("kind", ALL)
def test_engines_agree_with_the_rules_as_they_are_written(kind):
    puzzle = kind()
    algorithm = first_algorithm(puzzle)
    limits = Limits(expansions=400)
    plain = solve(puzzle.slow_rules(), algorithm, engine="reference", limits=limits)
    for engine in ("reference", "compiled"):
        found = solve(puzzle, algorithm, engine=engine, limits=limits)
        assert found.status is plain.status
        assert found.cost == plain.cost
        assert found.statistics.generated == plain.statistics.generated
        if plain.solution is not None:
            assert found.actions == plain.actions


@pytest.mark.parametrize("kind", [Rush, Sokoban])
def test_estimates_are_kernels(kind):
    puzzle = kind()
    found = [solve(puzzle, AStar(), engine=engine) for engine in ("reference", "compiled")]
    assert len({each.cost for each in found}) == 1
    assert len({each.statistics.generated for each in found}) == 1


def test_known_costs():
    assert solve(Rush(), BreadthFirst()).cost == 51
    assert solve(Sokoban(), BreadthFirst()).cost == 33
    assert solve(Jugs(), UniformCost()).cost == 22


@pytest.mark.parametrize("kind", ALL)
def test_states_are_unpacked_packed_written_and_read(kind):
    puzzle = kind()
    fields = puzzle.unpack(puzzle.start)
    values = {name: getattr(fields, name) for name in puzzle.layout.slots}
    assert puzzle.pack(**values) == puzzle.start
    assert puzzle.parse(puzzle.format_state(puzzle.start)) == puzzle.start


@pytest.mark.parametrize("kind", ALL)
def test_the_checked_engine_finds_nothing_wrong(kind):
    puzzle = kind()
    limits = Limits(expansions=5)
    algorithm = first_algorithm(puzzle)
    found = solve(puzzle, algorithm, engine="checked", limits=limits)
    assert found.statistics.expanded == 5
