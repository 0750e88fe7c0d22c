"""Tables of the numbers of states: the counts, states and distances of the reference engine."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Limits, ProblemError, UsageError, puzzle
from searchkit.compiled.layers.marked import Marked
from searchkit.compiled.specialise.module import state_array
from searchkit.compiled.specialise.plain import plainly
from searchkit.engine import Engine
from searchkit.executors.inline import Inline
from searchkit.explore import explore
from searchkit.pieces import Pieces
from searchkit.tables import Table
from searchkit.tables.layers import LayerStates
from searchkit.tables.manifest import Manifest
from searchkit_sliding import Board, SlidingPuzzle
from tests.compiled.test_numbers_after import Corners
from tests.pieces.test_symmetries import FOLDED
from tests.support.packed_spaces import RankedSpace, WideRankedSpace, spaces
from tests.support.resuming import check_files
from tests.tables.test_parts import distances

FILES = "searchkit.compiled.layers.sorted_files"
WORKERS = st.sampled_from([None, 1, 2, 4, 7])


class Several(Inline):
    """Runs tasks here, as if it had so many workers."""

    def __init__(self, workers: int) -> None:
        super().__init__()
        self.workers = workers


class UndirectedRanked(RankedSpace):
    undirected = True


@pytest.fixture(autouse=True, params=["sorted", "marked"])
def by_tasks(
    in_little_memory: None, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """Layers are made by tasks of a few states; successors are sorted, or are bits."""
    for name, value in (("ALONE", 0), ("FEWEST", 3), ("TASK_STATES", 20), ("TASKS_A_WORKER", 1)):
        monkeypatch.setattr(f"{FILES}.{name}", value)
    for name in ("LEAST_BYTES", "MOST_BYTES"):
        monkeypatch.setattr(f"{FILES}.{name}", 1 << 14)
    monkeypatch.setattr("searchkit.compiled.layers.runs.RANGE", 40)
    few = 0 if request.param == "sorted" else 1 << 30
    monkeypatch.setattr("searchkit.compiled.layers.rank_tasks.FEW", few)
    monkeypatch.setattr("searchkit.compiled.layers.rank_tasks.CHUNK", 5)


def check(problem: Any, folder: Path, workers: int | None, **options: Any) -> Table:
    """Compare with the reference engine: counts, and the states of every layer."""
    whole = explore(problem, engine="reference", **options)
    by = None if workers is None else Several(workers)
    found = explore(problem, engine=Engine("compiled", workers=by), checkpoint=folder, **options)
    for name in ("layers", "canonical_layers", "complete", "limit", "origin"):
        assert getattr(found, name) == getattr(whole, name)
    if found.complete:
        assert found.statistics.generated == whole.statistics.generated
        assert found.statistics.expanded == whole.statistics.expanded
    assert list(found.farthest) == sorted(found.farthest)
    if found.canonical_layers is None:
        assert set(found.farthest) == set(whole.farthest)
    assert len(found.farthest) == len(whole.farthest)
    assert not list(folder.glob("*.part"))
    table = Table.open(folder, problem)
    assert table.manifest.ranks == problem.ranks
    sizes = whole.canonical_layers or whole.layers
    for size, files in zip(sizes, table._layers.files, strict=True):
        numbers = [number for file in files for number in file]
        assert numbers == sorted(set(numbers))
        assert len(numbers) == size
    return table


@pytest.mark.spread
@pytest.mark.parametrize("kind", [RankedSpace, WideRankedSpace, UndirectedRanked])
def test_random_spaces(kind: Any, new_folder: Any) -> None:
    @settings(max_examples=8, deadline=None)
    @given(spaces(undirected=kind is UndirectedRanked), WORKERS, st.none() | st.integers(0, 4))
    def compare(space: Any, workers: int | None, depth: int | None) -> None:
        problem = kind(*space)
        with new_folder() as folder:
            table = check(problem, folder, workers, limits=Limits(cost=depth), backward=False)
            far = distances(problem)
            for number in range(problem.ranks):
                state = problem.unrank(number)
                expected = far.get(state)
                if depth is not None and expected is not None and expected > depth:
                    expected = None
                assert table.distance(state) == expected

    compare()


@pytest.mark.slow_variants("sorted-7", "sorted-4")
@pytest.mark.spread
@pytest.mark.parametrize("workers", [None, 1, 2, 4, 7])
def test_sliding(workers: int | None, tmp_path: Path) -> None:
    problem = SlidingPuzzle.read(Board.rectangle(2, 3), "1 2 3 4 5 0", "1 2 3 4 5 0")
    table = check(problem, tmp_path, workers, backward=True)
    assert sum(table.layers) == 360
    far = distances(problem)
    for state, distance in random.Random(0).sample(sorted(far.items()), 20):
        solution = table.solution(state)
        assert solution is not None
        assert len(solution.actions) == distance == table.distance(state)
    other = SlidingPuzzle.read(Board.rectangle(2, 3), "2 1 3 4 5 0", "1 2 3 4 5 0")
    assert table.distance(other.start) is None


@pytest.mark.spread
@pytest.mark.parametrize("workers", [None, 3])
def test_numbers_after_steps(workers: int | None, tmp_path: Path) -> None:
    table = check(Corners(), tmp_path, workers)
    assert [len(LayerStates(files)) for files in table._layers.files] == list(table.layers)


@pytest.mark.slow_variants("marked-two words-3")
@pytest.mark.spread
@pytest.mark.parametrize(("name", "depth"), [("alike", None), ("two words", 3), ("corners", 3)])
@plainly()
def test_symmetries(name: str, depth: int | None, tmp_path: Path) -> None:
    puzzle = Pieces.of(FOLDED[name]())
    if puzzle.ranks:
        limits = Limits(cost=depth)
        table = check(puzzle, tmp_path, 2, symmetry="auto", limits=limits)
        whole = explore(puzzle, engine="reference", limits=limits)
        for state in random.Random(0).sample(sorted(whole.farthest), min(20, whole.layers[-1])):
            assert table.distance(state) == whole.depth


def test_workers_come_and_go(tmp_path: Path) -> None:
    problem = puzzle("pancakes", size=6)
    whole = explore(problem, engine="reference")
    for workers, depth in ((Several(3), 2), (None, 3), (Several(5), 5), (1, None)):
        found = explore(
            problem, engine=Engine("compiled", workers=workers), checkpoint=tmp_path,
            limits=Limits(cost=depth),
        )  # fmt: skip
    assert found.layers == whole.layers
    assert Manifest.read(tmp_path).ranks == 720
    check_files(tmp_path)


@pytest.mark.slow_variants("marked-shares0-0", "sorted-shares1-720")
@pytest.mark.parametrize(("shares", "ranks"), [((64, 1 << 30), 0), ((1 << 30, 64), 720)])
def test_room_decides_when_a_table_is_begun(
    shares: Any, ranks: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And whoever goes on with it keeps to that."""
    problem = puzzle("pancakes", size=6)
    for share, depth in zip(shares, (3, None), strict=True):
        monkeypatch.setattr("searchkit.tables.numbers.MOST_SHARE", share)
        found = explore(
            problem, engine="compiled", checkpoint=tmp_path, limits=Limits(cost=depth)
        )  # fmt: skip
        assert Manifest.read(tmp_path).ranks == ranks
    assert found.states == 720
    assert Table.open(tmp_path, problem).distance(problem.goal) == 0


def test_other_numbers_are_refused(tmp_path: Path) -> None:
    class Others(Corners):
        ranks = 2048

    class Unnumbered(Corners):
        ranks = 0

    explore(Corners(), engine="compiled", checkpoint=tmp_path, limits=Limits(cost=2))
    for kind, own in ((Others, "others, to 2,047"), (Unnumbered, "none")):
        kind.__name__ = "Corners"
        with pytest.raises(UsageError, match="holds numbers of states from 0 to 1,023"):
            explore(kind(), engine="compiled", checkpoint=tmp_path)
        with pytest.raises(UsageError, match=own):
            Table.open(tmp_path, kind())


class OutOfRange(Corners):
    def rank_after(self, index, control, operator):
        return 1024


class WrongAfter(Corners):
    def rank_after(self, index, control, operator):
        return index ^ 2 << operator & 1023


class NotInverse(Corners):
    rank_after = RankedSpace.rank_after

    def unrank(self, index):
        return 1023 - (index ^ (index == 1022) << 5)


class TooMany(NotInverse):
    def rank(self, state):
        return 1023 - state + (state == 5) * 4096

    def unrank(self, index):
        return 1023 - index


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (OutOfRange, r"rank_after.* is 1024, but the rank of the child is|from 0 to 1023"),
        (WrongAfter, "but the rank of the child is"),
        (NotInverse, "unrank does not give the state back"),
        (TooMany, "rank gives a number that is not from 0 to 1023"),
    ],
)
@plainly()
def test_kernels_that_contradict_each_other(kind: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match=message):
        explore(kind(), engine="compiled", checkpoint=tmp_path)


@given(st.lists(st.sets(st.integers(0, 400), min_size=1), min_size=1, max_size=4), st.integers(0))
def test_marked_numbers(sets: list[set[int]], base: int) -> None:
    base %= 2**64 - 448
    pieces = [state_array(sorted(base + each for each in one), 1) for one in sets]
    wanted = sorted(base + each for each in set().union(*sets))
    marked = Marked.below(0)
    for _ in range(2):
        found = marked.merged(pieces)
        if found is not None:
            assert found.tolist() == wanted
        elif wanted[-1] < 2**63:
            assert wanted[-1] - wanted[0] > 64 * (sum(map(len, sets)) - 1)
    if base + 448 > 2**63:
        return
    some = Marked(Marked.below(448).bitmap, base)
    for piece in pieces:
        some.mark(piece)
    assert some.count == len(wanted)
    assert [number for found in some.taken(5) for number in found.tolist()] == wanted
    with pytest.raises(ValueError, match="is not one of 448"):
        some.mark(state_array([base + 448], 1))
