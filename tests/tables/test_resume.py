"""However an exploration is stopped, going on makes the files that one go makes."""

from __future__ import annotations

import itertools
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest

from searchkit import LimitKind, Limits, SearchkitError, UsageError
from searchkit.compiled.layers.part_tasks import Expansion
from searchkit.engine import Engine
from searchkit.explore import explore
from searchkit.tables import Table
from searchkit.tables.keys import KeyWriter
from searchkit.tables.manifest import Manifest
from tests.support.resuming import (
    BITMAPS,
    FILES,
    JOBS,
    SMALL,
    Job,
    assert_same,
    check_files,
    manifest,
)
from tests.support.table_spaces import ring

pytestmark = pytest.mark.usefixtures("in_little_memory", "brief_looks")


@pytest.fixture(params=JOBS)
def job(request: pytest.FixtureRequest) -> Job:
    return JOBS[request.param]


@pytest.fixture(scope="module")
def wholes(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Any, Path]]:
    """By the names of jobs, the explorations that are not stopped, and their folders."""
    made: dict[str, tuple[Any, Path]] = {}

    def whole(name: str) -> tuple[Any, Path]:
        if name not in made:
            job, folder = JOBS[name], tmp_path_factory.mktemp("whole")
            found = job.into(folder)
            assert found.complete
            assert_same(job, folder, manifest(folder))
            made[name] = found, folder
        return made[name]

    return whole


@pytest.fixture
def whole(job: Job, wholes: Any, request: pytest.FixtureRequest) -> Any:
    """The exploration that is not stopped."""
    return wholes(request.node.callspec.params["job"])[0]


@pytest.fixture
def expected(job: Job, wholes: Any, request: pytest.FixtureRequest) -> str:
    return manifest(wholes(request.node.callspec.params["job"])[1])


def assert_equal(found: Any, whole: Any) -> None:
    assert found.layers == whole.layers
    assert found.canonical_layers == whole.canonical_layers
    assert found.complete
    assert found.limit is None
    assert list(found.farthest) == list(whole.farthest)


@pytest.mark.slow_variants(
    "ring",
    "jumps",
    "one way",
    "jumps, symmetric",
    "chains, symmetric",
    "one way, symmetric",
    "sliding",
    "ring, symmetric",
)
def test_cost_limits(job: Job, whole: Any, expected: str, tmp_path: Path) -> None:
    for depth in range(0, whole.depth, max(1, whole.depth // 4)):
        found = job.into(tmp_path / "steps", Limits(cost=depth))
        assert found.layers == whole.layers[: depth + 1]
        assert found.limit is LimitKind.COST
        job.into(tmp_path / f"{depth}", Limits(cost=depth))
        assert_equal(job.into(tmp_path / f"{depth}"), whole)
        assert_same(job, tmp_path / f"{depth}", expected)
    assert_equal(job.into(tmp_path / "steps"), whole)
    assert_same(job, tmp_path / "steps", expected)


@pytest.mark.slow_variants(
    "sliding",
    "ring",
    "jumps",
    "one way, symmetric",
    "one way",
    "jumps, symmetric",
    "chains, symmetric",
    "ring, symmetric",
)
def test_expansion_limits_around_every_layer(
    job: Job, whole: Any, expected: str, tmp_path: Path
) -> None:
    sizes = whole.canonical_layers or whole.layers
    for number, reached in enumerate(itertools.accumulate(sizes)):
        nodes = max(1, reached + number % 3 - 1)  # one before, or all of the layer, or one more
        folder = tmp_path / f"{number}"
        found = job.into(folder, Limits(expansions=nodes))
        assert found.statistics.expanded == min(nodes, sum(sizes))
        there = [entry.states for entry in Manifest.read(folder).layers]
        assert sum(sizes[: len(there)]) >= found.statistics.expanded
        assert there == list(whole.layers[: len(there)]) == list(found.layers[: len(there)])
        assert_equal(job.into(folder), whole)
        assert_same(job, folder, expected)


@pytest.mark.slow_variants("ring", "jumps", "sliding", "jumps, symmetric", "chains, symmetric")
def test_many_expansion_limits_in_a_row(
    job: Job, whole: Any, expected: str, tmp_path: Path
) -> None:
    nodes = max(whole.canonical_layers or whole.layers) + 1
    for _ in range(4 * len(whole.layers)):
        found = job.into(tmp_path / "table", Limits(expansions=nodes))
        if found.complete:
            break
        assert found.limit is LimitKind.EXPANSIONS
    assert_same(job, tmp_path / "table", expected)


@pytest.fixture
def slow_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the clock takes a second; slices are as short as they can be."""
    seconds = itertools.count()
    monkeypatch.setattr("searchkit.running.driver.FIRST_BUDGET", 1)
    monkeypatch.setattr("searchkit.running.making.monotonic", lambda: next(seconds))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["one way", "ring, symmetric", "triangle"])
def test_time_limits(name: str, slow_clock: None, tmp_path: Path) -> None:
    job = JOBS[name]
    whole = job.into(tmp_path / "whole")
    depths = set()
    for seconds in range(0, 10_000, 3):
        folder = tmp_path / f"{seconds}"
        found = job.into(folder, Limits(time=seconds))
        if found.complete:
            break
        assert found.limit is LimitKind.TIME
        depths.add(len(Manifest.read(folder).layers))
        assert_equal(job.into(folder), whole)
        assert_same(job, folder, manifest(tmp_path / "whole"))
    assert found.complete
    assert len(depths) >= len(whole.layers) - 1


@pytest.mark.slow_variants(
    "ring", "sliding", "jumps", "jumps, symmetric", "chains, symmetric", "one way, symmetric"
)
def test_memory_limit_too_small_for_anything(job: Job, expected: str, tmp_path: Path) -> None:
    folder = tmp_path / "table"
    for depth in (None, 3):
        job.into(folder, Limits(cost=depth)) if depth else None
        before = {path.name: path.read_bytes() for path in folder.glob("*")}
        found = job.into(folder, Limits(memory=50))
        assert found.limit is LimitKind.MEMORY
        assert before.items() <= {path.name: path.read_bytes() for path in folder.iterdir()}.items()
    job.into(folder)
    assert_same(job, folder, expected)


@pytest.mark.slow_variants(
    "jumps", "chains, symmetric", "jumps, symmetric", "ring", "sliding", "ring, symmetric"
)
def test_a_complete_table_is_not_made_again(job: Job, whole: Any, tmp_path: Path) -> None:
    folder = tmp_path / "whole"
    assert_equal(job.into(folder), whole)
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    for limits in (Limits(), Limits(expansions=1), Limits(cost=1), Limits(time=0)):
        assert_equal(job.into(folder, limits), whole)
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before


def test_a_smaller_cost_limit_takes_nothing_away(job: Job, whole: Any, tmp_path: Path) -> None:
    job.into(tmp_path / "table", Limits(cost=4))
    before = manifest(tmp_path / "table")
    found = job.into(tmp_path / "table", Limits(cost=2))
    assert found.layers == whole.layers[:5]
    assert (found.complete, found.limit) == (False, LimitKind.COST)
    assert manifest(tmp_path / "table") == before


def test_ctrl_c(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = FILES["ring, symmetric"]
    job.into(tmp_path / "whole")
    step, calls = Expansion.step, itertools.count()

    def interrupted(expansion: Expansion, most: int) -> Any:
        if next(calls) == 10:
            signal.raise_signal(signal.SIGINT)
        return step(expansion, most)

    monkeypatch.setattr(Expansion, "step", interrupted)
    found = job.into(tmp_path / "table")
    assert (found.complete, found.limit) == (False, None)
    assert len(found.layers) > 2
    assert sorted((tmp_path / "table").glob("*.part")) == []
    job.into(tmp_path / "table")
    assert_same(job, tmp_path / "table", manifest(tmp_path / "whole"))


class Steps:
    """Counts what is done to the disk, and does something else at one of the steps."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at: int, instead: Callable[[], None]):
        self.done, self.at, self.instead = 0, at, instead
        self._watch(monkeypatch, Path, "open")
        self._watch(monkeypatch, Path, "replace")
        self._watch(monkeypatch, Path, "unlink")
        self._watch(monkeypatch, Expansion, "step")
        self._watch(monkeypatch, os, "fsync")
        self._watch(monkeypatch, KeyWriter, "_put", self._write_half)

    def _watch(
        self, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, first: Any = None
    ) -> None:
        function = getattr(owner, name)

        def watched(*arguments: Any, **options: Any) -> Any:
            self.done += 1
            if self.done == self.at:
                if first is not None:
                    first(*arguments)
                self.instead()
            return function(*arguments, **options)

        monkeypatch.setattr(owner, name, watched)

    @staticmethod
    def _write_half(file: KeyWriter, words: Any) -> None:
        file._file.write(words.tobytes()[: 4 * len(words) + 3])
        file._file.flush()


def outcomes_of_children(
    child: Callable[[int], None], stride: int = 1
) -> Iterator[tuple[int, int]]:
    """Steps, and how the processes ended that did `child(step)`, until one has come to its end."""
    for step in itertools.count(1, stride):
        process = os.fork()
        if process == 0:
            code = 3
            try:
                child(step)
                code = 0
            finally:
                os._exit(code)
        _, status = os.waitpid(process, 0)
        yield step, status
        if status == 0:
            return


@pytest.mark.slow_variants("triangle-5", "one way-61")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize(
    ("name", "stride"),
    [
        ("one way", 61),
        ("triangle", 5),
        pytest.param("one way", 5, marks=pytest.mark.slow),
        pytest.param("ring, symmetric", 4, marks=pytest.mark.slow),
        pytest.param("triangle", 1, marks=pytest.mark.slow),
    ],
)
def test_killed_before_every_step(
    name: str, stride: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed without warning before any file operation, in a write, and before an expansion."""
    job = JOBS[name]
    job.into(tmp_path / "whole")
    spilled, steps = 0, 0

    def child(step: int) -> None:
        Steps(monkeypatch, step, lambda: os.kill(os.getpid(), signal.SIGKILL))
        job.into(tmp_path / f"{step}")

    for step, status in outcomes_of_children(child, stride):
        if status == 0:
            break
        assert os.WTERMSIG(status) == signal.SIGKILL
        folder = tmp_path / f"{step}"
        if folder.exists():
            spilled += any(path.name.startswith("run-") for path in folder.iterdir())
        job.into(folder)
        assert_same(job, folder, manifest(tmp_path / "whole"))
        steps = step
    assert steps > 5 * len(Manifest.read(tmp_path / "whole").layers)
    assert name not in FILES or spilled > 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_again_and_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process gets a few steps farther than it takes to begin, and is killed."""
    job, folder = FILES["ring, symmetric"], tmp_path / "table"
    job.into(tmp_path / "whole")

    def child(step: int) -> None:
        Steps(monkeypatch, 40 + step, lambda: os.kill(os.getpid(), signal.SIGKILL))
        job.into(folder)

    depths = []
    for _ in outcomes_of_children(child, 3):
        manifest_now = Manifest.read(folder)
        depths.append(len(manifest_now.layers))
        check_files(folder)
    assert depths == sorted(depths)
    assert len(set(depths)) > 4
    assert_same(job, folder, manifest(tmp_path / "whole"))


@pytest.mark.slow_variants("one way, symmetric-17")
@pytest.mark.parametrize(
    ("name", "stride"),
    [
        ("one way, symmetric", 17),
        ("triangle", 3),
        pytest.param("one way, symmetric", 7, marks=pytest.mark.slow),
        pytest.param("one way, symmetric", 1, marks=pytest.mark.slow),
        pytest.param("triangle", 1, marks=pytest.mark.slow),
    ],
)
def test_a_full_disk_at_every_step(
    name: str, stride: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = JOBS[name]
    job.into(tmp_path / "whole")

    def fail() -> None:
        raise OSError(28, "No space left on device")

    for step in range(1, 10_000, stride):
        folder = tmp_path / f"{step}"
        with monkeypatch.context() as patches:
            steps = DiskSteps(patches, step, fail)
            found, said = None, ""
            try:
                found = job.into(folder)
            except SearchkitError as error:
                said = str(error)
        if found is not None:
            assert found.complete
            assert steps.done < step
            break
        assert said == (
            f"{folder}: No space left on device; make room and give the same command again: "
            "complete layers are kept"
        )
        before = Manifest.read(folder).layers if (folder / "manifest.json").exists() else ()
        job.into(folder)
        assert Manifest.read(folder).layers[: len(before)] == before
        assert_same(job, folder, manifest(tmp_path / "whole"))
    assert step > 4 * len(Manifest.read(tmp_path / "whole").layers)


class DiskSteps(Steps):
    """Only what can need room on the disk."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at: int, instead: Callable[[], None]):
        self.done, self.at, self.instead = 0, at, instead
        self._watch(monkeypatch, Path, "replace")
        self._watch(monkeypatch, os, "fsync")
        self._watch(monkeypatch, KeyWriter, "_put", self._write_half)


def test_two_commands_at_once_do_not_write_into_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one begins in the middle of a layer of the first one."""
    job, folder = BITMAPS["triangle"], tmp_path / "table"
    job.into(tmp_path / "whole")
    put, calls, refused = KeyWriter._put, itertools.count(), []

    def interrupted(file: KeyWriter, words: Any) -> None:
        put(file, words[: len(words) // 2])
        if next(calls) == 3:
            with pytest.raises(UsageError, match="is being explored into by process"):
                job.into(folder)
            refused.append(True)
        put(file, words[len(words) // 2 :])

    with monkeypatch.context() as patches:
        patches.setattr(KeyWriter, "_put", interrupted)
        assert job.into(folder).complete
    assert refused
    assert_same(job, folder, manifest(tmp_path / "whole"))


def test_constants_for_little_memory_are_in_force(tmp_path: Path) -> None:
    """Else the tests above would test less than they say."""
    assert {name: resolve_name(f"searchkit.{name}") for name in SMALL} == SMALL


def test_other_limits_and_engines_make_no_other_table(tmp_path: Path) -> None:
    problem = ring(6)
    explore(problem, checkpoint=tmp_path / "a", limits=Limits(cost=2))
    explore(problem, checkpoint=tmp_path / "a", engine=Engine("compiled", threads=2))
    explore(problem, checkpoint=tmp_path / "b", progress=lambda _: None)
    assert manifest(tmp_path / "a") == manifest(tmp_path / "b")
    assert Table.open(tmp_path / "a", problem).layers == Table.open(tmp_path / "b", problem).layers
