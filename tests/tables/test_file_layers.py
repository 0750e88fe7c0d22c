"""Layers in files against the reference engine, in so little memory that all has to be merged."""

from __future__ import annotations

import random
import resource
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import LimitKind, Limits, ProblemError, UsageError
from searchkit.compiled.layers import part_tasks, runs, sorted_files
from searchkit.compiled.layers.part_tasks import Expanded, Expansion, Merge
from searchkit.compiled.layers.row_reader import RowReader
from searchkit.errors import LawError
from searchkit.explore import Checkpoint, explore
from searchkit.tables import Table
from searchkit.tables.folder_store import FolderOpener
from searchkit.tables.keys import KeyFile, python_states
from searchkit.tables.manifest import Manifest
from searchkit.tables.signed import canonical as canonical_text
from searchkit.tables.writer import TableWriter
from tests.support.key_files import written
from tests.support.table_spaces import (
    HIGHEST_BIT,
    SLOTS,
    Scattered,
    UndirectedScattered,
    canonical,
    path,
    ring,
    scattered,
    tokens,
)

SETTINGS = settings(max_examples=10, deadline=None)


def answer(found: Any) -> Any:
    return found.origin, found.layers, found.canonical_layers, found.complete, found.limit


def farthest(problem: Any, found: Any) -> set[int]:
    if found.canonical_layers is None:
        return set(found.farthest)
    return {canonical(problem, state) for state in found.farthest}


def check(problem: Any, new_folder: Any, limits: Limits, **options: Any) -> None:
    """Explore by both engines, wholly, to a depth, and up to a number of nodes."""
    whole = explore(problem, engine="reference", **options)
    enough = len(whole.layers)  # so that duplicates which are overlooked are not endless
    with new_folder() as folder:
        found = explore(problem, checkpoint=folder, limits=Limits(cost=enough), **options)
        assert found.engine == "compiled"
        assert answer(found) == answer(whole)
        assert len(found.farthest) == len(whole.farthest)
        assert farthest(problem, found) == farthest(problem, whole)
        assert found.statistics.expanded == whole.statistics.expanded
        assert found.statistics.generated == whole.statistics.generated
        assert sorted(folder.glob("*.part")) == []
        table = Table.open(folder, problem)
        assert len(list(table.check())) == len(whole.layers)
        for files in table._layers.files:
            for file in files:
                states = list(file)
                assert states == sorted(set(states))
    depth = Limits(cost=limits.cost)
    expected = explore(problem, engine="reference", limits=depth, **options)
    with new_folder() as folder:
        found = explore(problem, checkpoint=folder, limits=depth, **options)
        assert answer(found) == answer(expected)
        assert farthest(problem, found) == farthest(problem, expected)
        sizes = found.canonical_layers or found.layers
        assert sum(sizes[:-1]) <= found.statistics.expanded <= sum(sizes)
    with new_folder() as folder:
        nodes = Limits(expansions=limits.expansions)
        found = explore(problem, checkpoint=folder, limits=nodes, **options)
        least = min(limits.expansions or 0, whole.statistics.expanded)
        assert found.statistics.expanded == least
        assert found.layers == whole.layers[: len(found.layers)]
        if found.complete:
            assert answer(found) == answer(whole)
        else:
            assert found.limit is LimitKind.EXPANSIONS
            sizes = whole.canonical_layers or whole.layers
            done = sum(size for size in sizes[: len(found.layers)])
            assert done >= least >= done - sizes[len(found.layers) - 1]
    with new_folder() as folder:
        memory = Limits(memory=limits.memory, cost=enough)
        found = explore(problem, checkpoint=folder, limits=memory, **options)
        assert answer(found) == answer(whole)
        assert found.statistics.bytes <= (limits.memory or 0)


LIMITS = st.builds(
    Limits, cost=st.integers(0, 9), expansions=st.integers(0, 80), memory=st.integers(1024, 4096)
)


@pytest.mark.slow_variants("False")
@pytest.mark.parametrize("undirected", [False, True])
def test_random_graphs(undirected: bool, in_little_memory: None, new_folder: Any) -> None:
    @SETTINGS
    @given(scattered(undirected=undirected), st.booleans(), LIMITS)
    def compare(problem: Any, backward: bool, limits: Limits) -> None:
        check(problem, new_folder, limits, backward=backward and undirected)

    compare()


@pytest.mark.slow_variants("True-auto")
@pytest.mark.spread
@pytest.mark.parametrize("symmetry", ["none", "auto"])
@pytest.mark.parametrize("undirected", [False, True])
def test_random_graphs_up_to_symmetry(
    undirected: bool, symmetry: str, in_little_memory: None, new_folder: Any
) -> None:
    @SETTINGS
    @given(tokens(undirected=undirected), LIMITS)
    def compare(problem: Any, limits: Limits) -> None:
        check(problem, new_folder, limits, symmetry=symmetry, backward=False)

    compare()


class Watched:
    """What happens while layers are made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.runs: list[int] = []
        self.windows: list[int] = []
        self.merged: list[int] = []
        finish, step, cuts = Expansion.finish, Merge.step, runs.cuts

        def finished(expansion: Expansion) -> Expanded:
            found = finish(expansion)
            self.runs += [run.count for run in found.runs]
            return found

        def cut(*arguments: Any) -> Any:
            found = cuts(*arguments)
            self.windows.append(len(found) + 1)
            return found

        def stepped(merge: Merge) -> int:
            found = step(merge)
            self.merged.append(found)
            return found

        monkeypatch.setattr(Expansion, "finish", finished)
        monkeypatch.setattr(runs, "cuts", cut)
        monkeypatch.setattr(Merge, "step", stepped)


@pytest.mark.slow_variants("none")
@pytest.mark.parametrize("symmetry", ["none", "auto"])
def test_runs_are_many_and_windows_do_split(
    symmetry: Any, in_little_memory: None, new_folder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = ring(10)
    expected = explore(problem, engine="reference", symmetry=symmetry)
    watched = Watched(monkeypatch)
    with new_folder() as folder:
        found = explore(problem, checkpoint=folder, symmetry=symmetry)
        states = list(Table.open(folder, problem)._layers.files[7][0])
    assert answer(found) == answer(expected)
    assert states[0] < HIGHEST_BIT <= states[-1]
    assert len(watched.runs) > 3 * len(found.layers)
    assert max(watched.windows) > 5
    assert max(watched.runs) <= 16
    assert max(watched.merged) < 60
    if symmetry == "auto":
        assert found.canonical_layers is not None
        assert sum(found.canonical_layers) * 4 < found.states == 1000


def test_in_enough_memory_it_is_the_same(new_folder: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(monkeypatch)
    with new_folder() as folder:
        found = explore(ring(10), checkpoint=folder)
    assert len(watched.runs) == len(found.layers) + 1
    assert set(watched.windows) == {1}
    assert found.states == 1000


@SETTINGS
@given(st.lists(st.sets(st.integers(0, 2**64 - 1), max_size=80), max_size=12), st.integers(1, 40))
def test_windows_hold_about_as_many_rows_as_wanted(sets: list[set[int]], most: int) -> None:
    check_windows(sets, most)


def test_windows_of_runs_that_lie_apart() -> None:
    """The successors of a chunk of a sorted layer lie together: no run is like the others."""
    apart = [set(range(1000 * n, 1000 * n + 300)) for n in range(20)]
    check_windows([*apart, set(range(7000, 7400))], 100)


def check_windows(sets: list[set[int]], most: int) -> None:
    """By cuts, and by readers that go on from one to the next."""
    block = 4
    with TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patches:
        patches.setattr("searchkit.tables.keys.BLOCK", block)
        files = []
        for number, states in enumerate(sets):
            folder = Path(place) / str(number)
            folder.mkdir()
            files.append(KeyFile.open(written(folder, sorted(states))[0], len(states), 1))
        readers = [RowReader.of(file) for file in files]
        cuts = [*runs.cuts(readers, most), None]
        pieces = [[python_states(each.before(cut)) for each in readers] for cut in cuts]
    for number, states in enumerate(sets):
        assert [state for piece in pieces for state in piece[number]] == sorted(states)
    edges = [python_states(cut)[0] for cut in cuts if cut is not None]
    assert edges == sorted(set(edges))
    for edge, piece in zip(edges, pieces, strict=False):
        assert all(state < edge for states in piece for state in states)
    sizes = [sum(map(len, piece)) for piece in pieces]
    assert max(sizes) <= 2 * most + 3 * block * max(1, len(sets))


def test_no_roots(new_folder: Any) -> None:
    for kind in (Scattered, UndirectedScattered):
        problem = kind([[-1] * SLOTS], [5], [])
        with new_folder() as folder:
            for engine in ("reference", "auto"):
                where = None if engine == "reference" else folder
                with pytest.raises(LawError, match="initial_states gives no state"):
                    explore(problem, checkpoint=where, backward=False, engine=engine)


def test_a_memory_limit_is_not_where_to_give_up(
    in_little_memory: None, new_folder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(part_tasks, "CHUNK", 1 << 18)
    monkeypatch.setattr(sorted_files, "MOST_BYTES", 1 << 31)
    watched = Watched(monkeypatch)
    for memory in (1024, 1500, 2000, 5000):
        watched.merged.clear()
        with new_folder() as folder:
            found = explore(ring(8), checkpoint=folder, limits=Limits(memory=memory))
        assert (found.complete, found.states) == (True, 512)
        assert found.statistics.bytes <= memory
        assert 4 * 8 * max(watched.merged) <= memory
        assert 4 * 8 * max(watched.runs) <= memory
    with new_folder() as folder:
        found = explore(ring(8), checkpoint=folder, limits=Limits(memory=1000))
    assert found.limit is LimitKind.MEMORY


@contextmanager
def few_open_files(more: int) -> Iterator[None]:
    """No more than that many, whatever numbers of files are taken."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with ExitStack() as files:
        opened = [files.enter_context(open("/dev/null")) for _ in range(more)]  # noqa: PTH123
        most = max(each.fileno() for each in opened)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most + 1, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("undirected", [False, True])
def test_a_deep_space_does_not_use_up_open_files(
    undirected: bool, in_little_memory: None, new_folder: Any
) -> None:
    problem = path(64, undirected=undirected)
    with new_folder() as folder, few_open_files(12):
        explore(problem, checkpoint=folder, backward=False, limits=Limits(cost=50))
        found = explore(problem, checkpoint=folder, backward=False)
        assert found.layers == (1,) * 64
        assert Table.open(folder, problem).distance(found.farthest[0]) == 63


class Dear(Scattered):
    """All is as in `Scattered`, but for one step."""

    def cost(self, state: int, control: int, operator: int) -> int:
        return 2 if state & 63 == 9 else 1


def test_costs_are_checked(new_folder: Any) -> None:
    there = path(20, undirected=False)
    problem = Dear(there.tables.following, there.tables.words, [0])
    with new_folder() as folder:
        found = explore(problem, checkpoint=folder, limits=Limits(cost=8))
        assert found.layers == (1,) * 9
        for _ in range(2):
            with pytest.raises(ProblemError, match="costs 2"):
                explore(problem, checkpoint=folder)
        assert len(Table.open(folder, problem).layers) == 10


def test_identity_is_compared_as_it_is_read(new_folder: Any) -> None:
    problem = path(5, undirected=True)
    with new_folder() as folder:
        for _ in range(2):
            found = explore(
                problem, checkpoint=Checkpoint(folder, identity={"size": (3, 3), "of": {"a": 1}})
            )
        assert found.complete
        with pytest.raises(UsageError, match=r"size = \[3, 3\] there and \[3, 4\] here"):
            explore(
                problem, checkpoint=Checkpoint(folder, identity={"size": (3, 4), "of": {"a": 1}})
            )
    with new_folder() as folder, pytest.raises(UsageError, match="cannot be written down"):
        explore(problem, checkpoint=Checkpoint(folder, identity={"size": {3}}))


def test_files_of_the_last_layer_are_opened_once(tmp_path: Path, monkeypatch: Any) -> None:
    for depth in (2, 3):
        found = explore(ring(), checkpoint=tmp_path, limits=Limits(cost=depth))
    opened, opener = [], FolderOpener.open

    def noting(self: Any, parts: Any, words: int, **more: Any) -> Any:
        opened.extend(parts)
        return opener(self, parts, words, **more)

    with TableWriter.open(tmp_path, Manifest.read(tmp_path).identity) as table:
        monkeypatch.setattr(FolderOpener, "open", noting)
        last, choose = sorted_files._LastLayer(table), random.Random(1)
        for _ in range(20):
            assert set(last.drawn(5, choose)) <= set(found.farthest)
        assert len(opened) == 1
        table.manifest = attrs.evolve(table.manifest, layers=table.manifest.layers[:-1])
        assert not {*last.drawn(5, choose)} & set(found.farthest)
        assert len(opened) == 2


def test_what_is_read_and_written_is_linear_in_the_layers(tmp_path: Path, monkeypatch: Any) -> None:
    """A directed problem asks all layers before, whose files are read once each."""
    opened, written, real = list[str](), list[Any](), KeyFile.open.__func__  # type: ignore[attr-defined]

    def opening(cls: Any, path: Path, *more: Any) -> Any:
        opened.append(path.name)
        return real(cls, path, *more)

    def writing(content: Any) -> str:
        written.append(content)
        return canonical_text(content)

    monkeypatch.setattr(KeyFile, "open", classmethod(opening))
    monkeypatch.setattr("searchkit.tables.manifest.canonical", writing)
    assert explore(path(40, undirected=False), checkpoint=tmp_path).depth == 39
    assert max(opened.count(name) for name in opened if name.startswith("layer")) <= 3
    assert sum("parts" in each for each in written if isinstance(each, dict)) == 40
    assert Manifest.read(tmp_path).complete
