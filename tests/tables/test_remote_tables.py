"""Explorations into a place behind a URL: the counts and states of those into a folder."""

from __future__ import annotations

import gc
import shutil
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from searchkit import Limits, SearchkitError, UsageError
from searchkit.engine import Engine
from searchkit.executors.processes import Processes
from searchkit.explore import explore
from searchkit.tables import Table, remote_lock
from searchkit.tables.keys import BLOCK
from searchkit.tables.lock import NAME as LOCK
from searchkit.tables.manifest import NAME, Manifest
from searchkit.tables.remote import Remote
from searchkit.tables.store import StoreError
from tests.support.resuming import JOBS, Job
from tests.support.table_spaces import ring

pytestmark = pytest.mark.skipif(find_spec("fsspec") is None, reason="fsspec is not installed")


@pytest.fixture(autouse=True)
def quick_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long for an owner that is gone."""
    for name in ("LOOK_SECONDS", "SETTLE_SECONDS", "GONE_SECONDS"):
        monkeypatch.setattr(remote_lock, name, 0.01)


@pytest.fixture
def memory() -> str:
    return f"memory://{uuid.uuid4().hex}"


@pytest.fixture
def fetching(monkeypatch: pytest.MonkeyPatch) -> None:
    """All but the smallest files are fetched by blocks."""
    monkeypatch.setattr("searchkit.tables.remote_files.MAPPED_BYTES", 64)
    monkeypatch.setattr("searchkit.tables.remote_files.AHEAD_BYTES", 64)


def states_of(place: Any, problem: Any) -> list[list[Any]]:
    layers = Table.open(place, problem)._layers
    return [list(chain.from_iterable(files)) for files in layers.files]


def names(url: str) -> set[str]:
    return set(Remote(url).sizes())


def assert_clean(url: str) -> None:
    """Nothing is there but what the manifest names."""
    assert names(url) == {NAME, *Manifest.read(url).names()}


@pytest.mark.parametrize("name", JOBS)
def test_states_are_those_in_a_folder(
    name: str, in_little_memory: None, fetching: None, memory: str, tmp_path: Path
) -> None:
    job = JOBS[name]
    here = job.into(tmp_path / "table")
    there = job.into(memory)
    assert (there.layers, there.canonical_layers) == (here.layers, here.canonical_layers)
    assert list(there.farthest) == list(here.farthest)
    problem = job.problem
    assert states_of(memory, problem) == states_of(tmp_path / "table", problem)
    assert_clean(memory)
    assert list(Table.open(memory, problem).check()) == Manifest.read(memory).names()
    again = job.into(memory)
    assert (again.layers, again.statistics.expanded) == (there.layers, 0)


def test_it_goes_on_after_each_layer(
    in_little_memory: None, fetching: None, memory: str, tmp_path: Path
) -> None:
    job = JOBS["ring, symmetric"]
    whole = job.into(tmp_path / "whole")
    for depth in range(len(whole.layers)):
        found = job.into(memory, Limits(cost=depth))
        assert found.layers == whole.layers[: depth + 1]
        assert_clean(memory)
    assert job.into(memory).complete
    assert states_of(memory, job.problem) == states_of(tmp_path / "whole", job.problem)


CALLS = ("write", "put", "range", "whole", "sizes")


@pytest.mark.parametrize("call", CALLS)
def test_it_goes_on_after_any_error(
    call: str, in_little_memory: None, fetching: None, memory: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The place cannot be reached any more, at every moment one after the other."""
    job = JOBS["one way"]
    real: Callable[..., Any] = getattr(Remote, call)
    for moment in range(0, 400, 13):
        left = iter(range(moment))

        def failing(self: Remote, *arguments: Any, left: Iterator[int] = left) -> Any:
            if next(left, None) is None:
                raise StoreError(5, "the line is dead")
            return real(self, *arguments)

        with monkeypatch.context() as patches:
            patches.setattr(Remote, call, failing)
            try:
                job.into(memory)
                break
            except SearchkitError as error:
                said = str(error)
        assert "the line is dead" in said
        assert "\n" not in said
    else:
        raise AssertionError("it never ends")
    found = job.into(memory)
    expected = explore(job.problem, backward=False, engine="reference")
    assert found.complete
    assert found.layers == expected.layers
    assert_clean(memory)


@pytest.mark.parametrize("name", ["ring", "one way"])
def test_farthest_states_are_fetched_when_they_are_asked_for(
    name: str, fetching: None, memory: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = list(JOBS[name].into(tmp_path / "table").farthest)
    monkeypatch.setattr("searchkit.tables.layers.LISTED", 0)
    for _ in range(2):
        found = JOBS[name].into(memory)
        gc.collect()
        assert list(found.farthest) == expected


def test_what_is_missing_or_foreign_is_no_fresh_start(memory: str) -> None:
    job = JOBS["ring"]
    job.into(memory, Limits(cost=5))
    place = Remote(memory)
    manifest = place.read(NAME, 1 << 20)
    with pytest.raises(UsageError, match="holds another exploration: symmetry = 'none' there"):
        JOBS["ring, symmetric"].into(memory)
    place.write(NAME, manifest[:-50])
    for use in (job.into, lambda url: Table.open(url, ring(6))):
        with pytest.raises(UsageError, match="cannot be read as the manifest"):
            use(memory)
    place.delete([NAME])
    with pytest.raises(UsageError, match=r"holds other files \(layer-0000-000\..*give an empty"):
        job.into(memory)
    place.write(NAME, manifest)
    lost = Manifest.read(memory).layers[3].parts[0].file
    content = place.whole(lost)
    place.delete([lost])
    with pytest.raises(UsageError, match=r"layer-0003-000.* is not there"):
        job.into(memory)
    with pytest.raises(UsageError, match=r"layer-0003-000.* a file is not there"):
        list(Table.open(memory, ring(6)).check())
    last = Manifest.read(memory).layers[-1].parts[0].file
    place.write(lost, content)
    content = place.whole(last)
    place.write(last, content[:20] + b"\x01" + content[21:])
    with pytest.raises(SearchkitError, match=r"has another checksum"):
        job.into(memory)
    place.write(last, content)
    assert job.into(memory).complete


def test_two_at_once(memory: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_lock, "SIGN_SECONDS", 0.01)
    for name in ("GONE_SECONDS", "TELL_SECONDS"):
        monkeypatch.setattr(remote_lock, name, 60.0)
    JOBS["ring"].into(memory, Limits(cost=2))
    lock = remote_lock.RemoteLock.take(Remote(memory))
    with pytest.raises(UsageError, match="is being explored into by process"):
        JOBS["ring"].into(memory)
    lock.release()
    assert JOBS["ring"].into(memory).complete


def test_who_was_thought_to_be_gone_adds_nothing(
    memory: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process takes the lock between two layers."""
    place, real = Remote(memory), Manifest.write

    def taken(self: Manifest, where: Any) -> None:
        real(self, where)
        if len(self.layers) == 3:
            place.write(LOCK, b'{"id": "other", "pid": 7, "host": "moon"}')

    with monkeypatch.context() as patches:
        patches.setattr(Manifest, "write", taken)
        with pytest.raises(SearchkitError, match=r"process 7 on moon, .* has taken over"):
            JOBS["ring"].into(memory)
    assert len(Manifest.read(memory).layers) == 3
    assert LOCK in names(memory)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="scratch is looked for in /tmp")
def test_workers_share_no_folder(
    two_workers: Processes,
    in_little_memory: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Workers write blocks of the usual size; whoever reads a file finds its index by that size.
    monkeypatch.setattr("searchkit.tables.keys.BLOCK", BLOCK)
    monkeypatch.setattr("searchkit.compiled.layers.sorted_files.ALONE", 20)
    monkeypatch.setattr("searchkit.compiled.layers.sorted_files.FEWEST", 8)
    url, problem = f"file://{tmp_path}/there", ring()
    found = explore(problem, checkpoint=url, engine=Engine(workers=two_workers))
    here = explore(problem, checkpoint=tmp_path / "here")
    assert found.complete
    assert found.layers == here.layers
    assert states_of(url, problem) == states_of(tmp_path / "here", problem)
    assert_clean(url)
    table = Table.open(url, problem)
    for state in here.farthest:
        solution = table.solution(state)
        assert solution is not None
        assert len(solution.actions) == len(here.layers) - 1


def test_scratch_goes_away(memory: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    made = []
    real = tempfile.mkdtemp

    def noted(**options: Any) -> str:
        made.append(real(**options))
        return made[-1]

    monkeypatch.setattr("tempfile.mkdtemp", noted)
    found = JOBS["ring"].into(memory)
    assert found.complete
    assert made
    del found
    assert list(tmp_path.iterdir()) == []
    made.clear()
    table = Table.open(memory, JOBS["ring"].problem)  # whose files are small, and in memory alone
    assert table.distance(JOBS["ring"].problem.start) == 0
    assert made == []


def test_no_room_for_what_is_fetched(
    memory: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder that is full is the one that is told."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    job: Job = JOBS["ring"]

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patches:
        patches.setattr("searchkit.tables.keys.KeyWriter._put", full)
        with pytest.raises(SearchkitError, match=f"{tmp_path}: No space left on device; make room"):
            job.into(memory)
    assert job.into(memory).complete
    shutil.rmtree(tmp_path)
