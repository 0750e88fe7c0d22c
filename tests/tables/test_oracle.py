"""Tables as oracles: every distance and every way against a search of their own."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Limits, UnsuitableError
from searchkit.compiled.specialise.plain import plainly
from searchkit.explore import explore
from searchkit.symmetry import canonical_state, stabiliser
from searchkit.tables import Table
from searchkit.transforms import ChainMoves
from searchkit_peg import HOPPERS, PegSolitaire
from searchkit_sliding import SlidingPuzzle, eight_puzzle, six_puzzle
from tests.support.resuming import JUMPS, Job
from tests.support.table_spaces import one_way_ring, ring, scattered, tokens


def distances(problem: Any, roots: Iterable[Any]) -> dict[Any, int]:
    """How far every state is."""
    found = dict.fromkeys(roots, 0)
    layer = list(found)
    while layer:
        after = []
        for state in layer:
            for step in problem.successors(state):
                if step.state not in found:
                    found[step.state] = found[state] + 1
                    after.append(step.state)
        layer = after
    return found


def replay(problem: Any, solution: Any) -> Any:
    """Where the actions lead from the start of the solution."""
    at = solution.start
    for action, expected in zip(solution.actions, solution.states[1:], strict=True):
        (at,) = (step.state for step in problem.successors(at) if step.action == action)
        assert at == expected
    return at


def check_ways_to_goal(problem: Any, table: Table, states: Iterable[Any], far: Any) -> None:
    for state in states:
        solution = table.solution(state)
        assert solution is not None
        assert solution.start == state
        assert problem.is_goal(replay(problem, solution))
        assert len(solution.actions) == far[state] == table.distance(state)


def check_ways_from_start(problem: Any, table: Table, states: Iterable[Any], far: Any) -> None:
    starts = list(problem.initial_states())
    for state in states:
        solution = table.solution(state)
        assert solution is not None
        assert solution.start in starts
        assert replay(problem, solution) == state
        assert len(solution.actions) == far[state] == table.distance(state)


def test_6_puzzle_from_many_states(tmp_path: Path) -> None:
    problem = six_puzzle()
    assert explore(problem, checkpoint=tmp_path).complete
    table, far = Table.open(tmp_path, problem), distances(problem, [problem.goal])
    assert len(far) == 5040 == sum(table.layers)
    check_ways_to_goal(problem, table, random.Random(0).sample(sorted(far), 700), far)


@pytest.mark.slow
def test_8_puzzle_from_some_states(tmp_path: Path) -> None:
    problem = eight_puzzle()
    assert explore(problem, checkpoint=tmp_path).complete
    table, far = Table.open(tmp_path, problem), distances(problem, [problem.goal])
    assert len(far) == 181_440 == sum(table.layers)
    drawn = random.Random(0).sample(sorted(far), 60)
    check_ways_to_goal(problem, table, [problem.start, problem.goal, *drawn], far)
    unsolvable = SlidingPuzzle.read(problem.board, "1 2 3 4 5 6 8 7 0", "1 2 3 4 5 6 7 8 0").start
    assert table.distance(unsolvable) is None
    assert table.solution(unsolvable) is None


@pytest.mark.slow_variants("chains-auto")
@pytest.mark.spread
@pytest.mark.parametrize("symmetry", ["none", "auto"])
@pytest.mark.parametrize("problem", [JUMPS, ChainMoves(JUMPS)], ids=["jumps", "chains"])
def test_hoppers_to_many_states(problem: Any, symmetry: Any, tmp_path: Path) -> None:
    assert explore(problem, checkpoint=tmp_path, symmetry=symmetry).complete
    table, far = Table.open(tmp_path, problem), distances(problem, problem.initial_states())
    assert len(far) == 2344 == sum(table.layers)
    drawn = random.Random(0).sample(sorted(far), 500)
    check_ways_from_start(problem, table, drawn, far)
    assert all(table.distance(state) == distance for state, distance in far.items())
    if symmetry == "auto":
        stored = sum(len(file) for files in table._layers.files for file in files)
        symmetries = stabiliser(problem, list(problem.initial_states()))
        images = {min(each.state_map(state) for each in symmetries) for state in far}
        assert stored == len(images) < 500
        assert all(canonical_state(state, symmetries) in images for state in far)
        assert len(images & {*drawn}) < 150


@pytest.mark.parametrize("symmetry", ["none", "auto"])
def test_bitmaps_in_plain_python_are_written(symmetry: Any, tmp_path: Path) -> None:
    """Their kernels give numbers of numpy, which JSON cannot hold."""
    near = Limits(cost=2)
    with plainly():
        found = explore(ChainMoves(JUMPS), checkpoint=tmp_path, symmetry=symmetry, limits=near)
    assert found.layers == explore(ChainMoves(JUMPS), engine="reference", limits=near).layers
    assert {type(size) for size in found.layers} == {int}
    assert Table.open(tmp_path, ChainMoves(JUMPS)).layers == found.layers


@pytest.mark.slow
@pytest.mark.parametrize("kind", [PegSolitaire, lambda *args: ChainMoves(PegSolitaire(*args))])
def test_hoppers_from_any_pegs(kind: Any, in_little_memory: None, new_folder: Any) -> None:
    """What symmetries there are depends on the start; these need no more machine code."""

    def symmetries_of(pegs: int) -> int:
        return len(stabiliser(PegSolitaire(HOPPERS, pegs, (64,)), [pegs]))

    @settings(max_examples=15, deadline=None)
    @given(st.integers(0, HOPPERS.full).filter(lambda pegs: symmetries_of(pegs) in (1, 8)))
    def check(start: int) -> None:
        problem = kind(HOPPERS, start, (64,))
        far = distances(problem, [start])
        with new_folder() as folder:
            found = explore(problem, checkpoint=folder, symmetry="auto")
            table = Table.open(folder, problem)
        symmetries = stabiliser(problem, [start])
        for depth, (file,) in enumerate(table._layers.files):
            states = [state for state, distance in far.items() if distance == depth]
            assert found.layers[depth] == len(states)
            assert list(file) == sorted(
                {min(each.state_map(state) for each in symmetries) for state in states}
            )
        assert len(table.layers) == 1 + max(far.values())
        check_ways_from_start(problem, table, list(far)[:20], far)

    check()


@pytest.mark.parametrize("symmetry", ["none", "auto"])
def test_ways_from_the_start_of_an_undirected_problem(symmetry: Any, tmp_path: Path) -> None:
    problem = six_puzzle() if symmetry == "none" else ring()
    assert explore(problem, checkpoint=tmp_path, symmetry=symmetry, backward=False).complete
    table, far = Table.open(tmp_path, problem), distances(problem, problem.initial_states())
    states = random.Random(1).sample(sorted(far), 150)
    check_ways_from_start(problem, table, states, far)


def test_states_beyond_the_last_layer(tmp_path: Path) -> None:
    problem = ring()
    explore(problem, checkpoint=tmp_path, symmetry="auto", backward=False, limits=Limits(cost=3))
    table, far = Table.open(tmp_path, problem), distances(problem, [problem.start])
    for state, distance in far.items():
        assert table.distance(state) == (distance if distance <= 3 else None)
    assert not table.manifest.complete


SETTINGS = settings(max_examples=12, deadline=None)


@pytest.mark.spread
@pytest.mark.parametrize("symmetry", ["none", "auto"])
@pytest.mark.parametrize("undirected", [False, True])
def test_random_graphs(
    undirected: bool, symmetry: Any, in_little_memory: None, new_folder: Any
) -> None:
    @SETTINGS
    @given(tokens(undirected=undirected))
    def check(problem: Any) -> None:
        with new_folder() as folder:
            explore(problem, checkpoint=folder, symmetry=symmetry, backward=False)
            table, far = Table.open(folder, problem), distances(problem, [problem.start])
            states = random.Random(0).sample(sorted(far), min(20, len(far)))
            check_ways_from_start(problem, table, states, far)

    check()


@pytest.mark.slow_variants("False")
@pytest.mark.parametrize("undirected", [False, True])
def test_distances_in_random_graphs_of_several_starts(
    undirected: bool, in_little_memory: None, new_folder: Any
) -> None:
    @SETTINGS
    @given(scattered(undirected=undirected))
    def check(problem: Any) -> None:
        with new_folder() as folder:
            explore(problem, checkpoint=folder, backward=False)
            table, far = Table.open(folder, problem), distances(problem, problem.starts)
            assert [table.distance(word) for word in problem.tables.words] == [
                far.get(word) for word in problem.tables.words
            ]

    check()


def test_a_table_made_against_the_steps_is_refused(tmp_path: Path) -> None:
    """One-way steps are not compiled backwards; a table that says so was made by hand."""
    job = Job(one_way_ring(), backward=True)
    with pytest.raises(UnsuitableError, match="predecessors of packed states are not compiled"):
        job.into(tmp_path / "table")
    assert not (tmp_path / "table").exists()
