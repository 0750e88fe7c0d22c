"""Layers in parts, made by workers: the counts and the states of one process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import LimitKind, Limits, UsageError, puzzle
from searchkit.compiled.layers.key_files import sorted_rows
from searchkit.compiled.layers.part_tasks import Combination
from searchkit.compiled.layers.row_reader import key_module
from searchkit.compiled.layers.runs import RunWriter, StoredRun, Stretch, Windows, stretches
from searchkit.compiled.layers.sorted_files import groups_of
from searchkit.compiled.specialise.module import state_array
from searchkit.engine import Engine
from searchkit.executors.inline import Inline
from searchkit.explore import Exploration, explore
from searchkit.tables import Table, TableWriter
from searchkit.tables.folder_store import FolderFiles
from searchkit.tables.keys import KeyFile, python_states
from searchkit.tables.layers import LayerStates
from searchkit.tables.manifest import Manifest
from tests.support.key_files import machine_read, written
from tests.support.resuming import JOBS, check_files
from tests.support.table_spaces import WideScattered, ring, scattered

SETTINGS = settings(max_examples=8, deadline=None)
WORD = st.integers(0, 2**64 - 1)


class Several(Inline):
    """Runs tasks here, as if it had so many workers."""

    def __init__(self, workers: int) -> None:
        super().__init__()
        self.workers = workers


@pytest.fixture(autouse=True)
def by_workers(in_little_memory: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every layer is made by tasks, of a few states each; each worker merges a part."""
    monkeypatch.setattr("searchkit.compiled.layers.sorted_files.ALONE", 0)
    monkeypatch.setattr("searchkit.compiled.layers.sorted_files.FEWEST", 3)
    monkeypatch.setattr("searchkit.compiled.layers.sorted_files.TASK_STATES", 20)
    monkeypatch.setattr("searchkit.compiled.layers.sorted_files.TASKS_A_WORKER", 1)


def check(
    problem: Any, folder: Path, workers: int, whole: Exploration[Any] | None = None, **options: Any
) -> None:
    """Compare with the reference engine: counts, states of every layer, and what is on disk."""
    whole = whole or explore(problem, engine="reference", **options)
    found = explore(problem, checkpoint=folder, engine=Engine(workers=Several(workers)), **options)
    for name in ("layers", "canonical_layers", "complete", "limit", "origin"):
        assert getattr(found, name) == getattr(whole, name)
    assert found.statistics.expanded == whole.statistics.expanded
    if whole.complete:  # else both look for one more state, each in its own order
        assert found.statistics.generated == whole.statistics.generated
    assert list(found.farthest) == sorted(found.farthest)
    assert len(set(found.farthest)) == len(whole.farthest)
    if found.canonical_layers is None:
        assert set(found.farthest) == set(whole.farthest)
    files = Table.open(folder, problem)._layers.files
    sizes = whole.canonical_layers or whole.layers
    for size, parts in zip(sizes, files, strict=True):
        assert 1 <= len(parts) <= workers
        assert all(map(len, parts))
        states = [state for part in parts for state in part]
        assert len(states) == size
        assert (
            states == sorted(set(states)) == [each for part in parts for each in machine_read(part)]
        )
    assert not list(folder.glob("*.part"))


NUMBERS = {
    "ring, symmetric": [1, 4],
    "one way": [2],
    "sliding": [7],
    "jumps, symmetric": [2, 7],
    "jumps": [],
}
"""Of workers, of whom more are slow."""


@pytest.mark.slow_variants("sliding-7", "jumps, symmetric-7")
@pytest.mark.parametrize(
    ("name", "workers"),
    [
        pytest.param(name, workers, marks=[] if workers in few else pytest.mark.slow)
        for name, few in NUMBERS.items()
        for workers in (1, 2, 4, 7)
    ],
)
def test_as_many_parts_as_there_are(name: str, workers: int, tmp_path: Path) -> None:
    job = JOBS[name]
    check(job.problem, tmp_path, workers, symmetry=job.symmetry, backward=job.backward)
    most = max(len(entry.parts) for entry in Manifest.read(tmp_path).layers)
    assert workers // 2 < most <= workers  # a stretch may have no new state


@pytest.mark.slow
@pytest.mark.parametrize(("name", "depth"), [("cube2", 4), ("cube3", 3)])
def test_cubes_up_to_symmetry(name: str, depth: int, tmp_path: Path) -> None:
    """States of one word and of two, in as many parts as there are workers."""
    problem, options = puzzle(name), {"symmetry": "auto", "limits": Limits(cost=depth)}
    whole = explore(problem, engine="reference", **options)
    for workers in (1, 2, 4, 7):
        folder = tmp_path / str(workers)
        check(problem, folder, workers, whole, **options)
        assert len(Manifest.read(folder).layers[-1].parts) == workers


@pytest.mark.slow_variants("False")
@pytest.mark.parametrize("undirected", [False, True])
def test_random_graphs_of_two_words(undirected: bool, new_folder: Any) -> None:
    @SETTINGS
    @given(scattered(undirected=undirected), st.sampled_from([1, 2, 4, 7]))
    def compare(narrow: Any, workers: int) -> None:
        problem = WideScattered(narrow)
        with new_folder() as folder:
            check(problem, folder, workers, backward=False)
            table = Table.open(folder, problem)
            for word in narrow.tables.words:
                far = explore_distance(problem, (word >> 6 & 3, word))
                assert table.distance((word >> 6 & 3, word)) == far

    def explore_distance(problem: Any, state: Any) -> int | None:
        if problem not in known:
            known.clear()
            known[problem] = distances(problem)
        return known[problem].get(state)

    known: dict[Any, dict[Any, int]] = {}
    compare()


def distances(problem: Any) -> dict[Any, int]:
    """How far every state is."""
    found = dict.fromkeys(problem.initial_states(), 0)
    layer = list(found)
    while layer:
        steps = [(at, step.state) for at in layer for step in problem.successors(at)]
        layer = list(dict.fromkeys(after for _, after in steps if after not in found))
        found |= {after: found[at] + 1 for at, after in reversed(steps) if after not in found}
    return found


def test_parts_stay_when_others_go_on(tmp_path: Path) -> None:
    problem = ring()
    for workers, depth in ((Several(3), 2), (None, 4), (Several(5), 6), (1, 8), (None, None)):
        found = explore(
            problem,
            checkpoint=tmp_path,
            symmetry="auto",
            engine=Engine(workers=workers),
            limits=Limits(cost=depth),
        )
    assert found.layers == explore(problem, engine="reference").layers
    check_files(tmp_path)


def test_bitmaps_go_on_with_parts(tmp_path: Path) -> None:
    """A layer is the same, whoever made it."""
    job = JOBS["jumps, symmetric"]
    for workers, depth in ((Several(3), 4), (None, 7), (Several(3), None)):
        found = explore(
            job.problem, checkpoint=tmp_path / "a", symmetry="auto", engine=Engine(workers=workers),
            limits=Limits(cost=depth),
        )  # fmt: skip
    explore(
        job.problem, checkpoint=tmp_path / "b", symmetry="auto", engine=Engine(workers=Several(3))
    )
    assert found.states == 2344
    tables = [Table.open(tmp_path / name, job.problem)._layers for name in "ab"]
    listed = [[list(LayerStates(files)) for files in each.files] for each in tables]
    assert listed[0] == listed[1]


def test_limits_of_workers(tmp_path: Path) -> None:
    whole = explore(ring(), engine="reference")
    for most in (1, 7, 100, 150, 10_000):
        found = explore(
            ring(), checkpoint=tmp_path / str(most), engine=Engine(workers=Several(2)),
            limits=Limits(expansions=most),
        )  # fmt: skip
        assert found.statistics.expanded == min(most, 216)
        assert found.layers == whole.layers[: len(found.layers)]
        assert found.limit is (LimitKind.EXPANSIONS if most < 216 else None)
    found = explore(
        ring(),
        checkpoint=tmp_path / "m",
        engine=Engine(workers=Several(2)),
        limits=Limits(memory=50),
    )
    assert found.limit is LimitKind.MEMORY


def test_states_of_another_number_of_words(tmp_path: Path) -> None:
    TableWriter.open(tmp_path, {}, words=2).close()
    with pytest.raises(UsageError, match="holds states of 2 words, and here they have 1"):
        TableWriter.open(tmp_path, {})
    explore(ring(), checkpoint=tmp_path / "table", limits=Limits(cost=3))
    table = Table.open(tmp_path / "table", ring())
    assert table.distance((ring().start, 0)) is None


def test_workers_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="give one as the checkpoint"):
        explore(ring(), engine=Engine(workers=2))
    for wrong in (0, -1, True, 1.5, "all"):
        with pytest.raises(UsageError, match="it must be 1 or more, an Executor, or None"):
            explore(ring(), engine=Engine(workers=wrong), checkpoint=tmp_path)  # type: ignore[arg-type]


def rows(words: int) -> Any:
    """Sets of states: near each other, far apart, with the same first words."""
    word = st.integers(0, 7) | WORD | st.integers(2**63 - 3, 2**63 + 3)
    if words > 1:
        return st.sets(st.tuples(*[word] * words), min_size=1, max_size=80)
    close = st.integers(2**63 - 50, 2**63 + 90) | st.integers(0, 150)
    return st.sets(word, min_size=1, max_size=80) | st.sets(close, min_size=60)


@pytest.mark.slow_variants("1")
@pytest.mark.parametrize("words", [1, 2])
def test_states_are_read_as_they_were_written(words: int, new_folder: Callable[[], Any]) -> None:
    """By machine code, and by numpy, which shares nothing with it; from any place to any other."""

    @settings(max_examples=30, deadline=None)
    @given(rows(words), st.data())
    def compare(states: Any, data: Any) -> None:
        listed = sorted(states)
        with new_folder() as folder:
            folder.mkdir()
            file = KeyFile.open(written(folder, listed, words)[0], len(listed), words)
            assert list(file) == listed == machine_read(file)
            begin = data.draw(st.integers(0, len(listed)))
            end = data.draw(st.integers(begin, len(listed)))
            assert machine_read(file, begin, end) == listed[begin:end]
            blocks = -(-len(listed) // file.block)
            first = data.draw(st.integers(0, blocks))
            last = data.draw(st.integers(first, blocks))
            some = file.some(first, last)
            assert list(some) == listed[first * file.block : last * file.block]
            assert machine_read(some) == list(some)
            for state in [*listed[:3], data.draw(rows(words)).pop()]:
                assert file.holds(state) == (state in states)

    compare()


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(WORD, WORD), min_size=1, max_size=70))
def test_rows_are_sorted_digit_by_digit(states: list[tuple[int, int]]) -> None:
    some = state_array([state for state in states for _ in range(2)], 2)
    assert python_states(sorted_rows(key_module(2), some)) == sorted(set(states))


@pytest.mark.slow_variants("1")
@pytest.mark.parametrize("words", [1, 2])
def test_stretches_of_runs_are_the_whole(words: int, new_folder: Callable[[], Any]) -> None:
    """What several runs have, in stretches, windows, and combined before."""

    @settings(max_examples=30, deadline=None)
    @given(st.lists(rows(words), min_size=1, max_size=5), st.integers(1, 6), st.integers(1, 9))
    def compare(sets: Any, parts: int, most: int) -> None:
        wanted = sorted(set().union(*sets))
        with new_folder() as folder:
            folder.mkdir()
            runs = [run_of(folder, each, words) for each in sets]
            assert [run.count for run in runs] == list(map(len, sets))
            found = stretches(runs, parts)
            assert 1 <= len(found) <= parts
            assert found[0].begin is None
            assert found[-1].end is None
            listed = [taken(folder, runs, words, each, most) for each in found]
            assert [state for part in listed for state in part] == wanted
            for each, part in zip(found, listed, strict=True):
                for state in part:
                    key = state if words > 1 else (state,)
                    assert each.begin is None or each.begin <= key
                    assert each.end is None or key < each.end

    compare()


def run_of(folder: Path, states: Any, words: int) -> StoredRun:
    writer = RunWriter(FolderFiles(folder), words, len(states))
    listed = state_array(sorted(states), words)
    writer.write(listed[:5])
    writer.write(listed[5:])
    return writer.finish()


def taken(
    folder: Path, runs: list[StoredRun], words: int, stretch: Stretch, most: int
) -> list[Any]:
    windows = Windows.of(FolderFiles(folder), runs, words, stretch, most)
    found = []
    while not windows.is_done:
        listed, end = windows.take()
        found += (states := python_states(listed))
        assert end is None or not states or (states[-1],) < tuple(python_states(end))
    return found


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(1, 100), min_size=1, max_size=60), st.integers(2, 9), st.integers(1, 9))
def test_runs_are_combined_until_few_are_left(counts: list[int], most: int, workers: int) -> None:
    runs = [StoredRun(str(number), count, np.zeros(1)) for number, count in enumerate(counts)]
    read = 0
    while len(runs) > most:
        groups, rest = groups_of(runs, most, workers)
        assert all(2 <= len(each) <= most for each in groups)
        assert sorted(run.name for each in [*groups, rest] for run in each) == sorted(
            run.name for run in runs
        )
        made = [
            StoredRun(each[0].name, sum(run.count for run in each), np.zeros(1)) for each in groups
        ]
        read += sum(run.count for run in made)
        runs = rest + made
        assert len(runs) >= min(most, len(counts)) - workers
    assert sum(run.count for run in runs) == sum(counts)


@pytest.mark.spread("2")
@pytest.mark.parametrize("workers", [None, 1, 2])
def test_few_files_are_merged_at_once(
    workers: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are many more runs than two; what was combined is gone."""
    merged, made = [], []
    windows_of, combined = Windows.of, Combination.finish

    def watched(files: Any, runs: Any, *arguments: Any) -> Windows:
        merged.append(len(runs))
        return windows_of(files, runs, *arguments)

    def finished(combination: Combination) -> StoredRun:
        made.append(found := combined(combination))
        return found

    monkeypatch.setattr(Windows, "of", watched)
    monkeypatch.setattr(Combination, "finish", finished)
    executor = None if workers is None else Several(workers)
    found = explore(ring(10), checkpoint=tmp_path, engine=Engine(workers=executor))
    assert found.states == 1000
    assert max(merged) == 2
    assert len(made) > 100
    assert not list(tmp_path.glob("run-*"))


def test_parts_are_of_one_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in a layer whose states crowd in one place."""
    crowd = [set(range(0, 3000, step)) | {2**63 + step, 2**64 - step} for step in (1, 2, 3)]
    runs = [run_of(tmp_path, each, 1) for each in crowd]
    listed = [taken(tmp_path, runs, 1, each, 64) for each in stretches(runs, 7)]
    sizes = list(map(len, listed))
    assert len(sizes) == 7
    assert max(sizes) <= 1.1 * 3006 / 7


def test_states_close_together_take_a_bit_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("searchkit.tables.keys.BLOCK", 4096)
    for every, bits in ((1, 1), (2, 2), (3, 3), (9, 6)):
        states = range(0, 4096 * every, every)
        path, words = written(tmp_path, states)
        assert len(words) <= 1 + 1 + 4096 * bits // 64 + 2 + 3 + 5
        assert list(KeyFile.open(path, len(states), 1)) == list(states)
