"""Layers made by processes, which are killed, have no room, meet errors, and are interrupted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from searchkit import Limits, ProblemError, SearchkitError
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.engine import Engine
from searchkit.executors.processes import Processes
from searchkit.explore import explore
from searchkit.tables import Table
from searchkit.tables.manifest import NAME, Manifest
from tests.support import part_faults
from tests.support.resuming import check_files
from tests.support.table_spaces import ring

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks /proc")


@pytest.fixture(autouse=True)
def shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Layers of more than 20 states are made by the workers, a few states a task."""
    monkeypatch.setattr("searchkit.compiled.layers.sorted_files.ALONE", 20)
    monkeypatch.setattr("searchkit.compiled.layers.sorted_files.FEWEST", 8)


def assert_whole(folder: Path, found: Any) -> None:
    assert found.complete
    assert found.layers == explore(ring(), engine="reference").layers
    assert not list(folder.glob("*.part"))
    check_files(folder)
    assert Table.open(folder, ring()).layers == found.layers


def test_a_worker_is_killed_in_the_middle(
    two_workers: Processes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "table"
    tasks = "searchkit.compiled.layers.sorted_files.expand_part"
    monkeypatch.setattr(tasks, part_faults.killed_once)
    found = explore(ring(), checkpoint=folder, engine=Engine(workers=two_workers), symmetry="none")
    assert (tmp_path / part_faults.MARK).exists()
    assert found.statistics.expanded == 216
    assert_whole(folder, found)


@pytest.mark.slow_variants("expand_part-without_room_for_runs")
@pytest.mark.parametrize(
    ("task", "faulty"),
    [
        ("merge_files", part_faults.without_room),
        ("expand_part", part_faults.without_room_for_runs),
    ],
)
def test_no_room_for_a_worker(
    task: str, faulty: Any, two_workers: Processes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patches:
        patches.setattr(f"searchkit.compiled.layers.sorted_files.{task}", faulty)
        with pytest.raises(SearchkitError, match="File too large; make room and give") as said:
            explore(ring(), checkpoint=tmp_path, engine=Engine(workers=two_workers))
    assert "\n" not in str(said.value)
    assert not list(tmp_path.glob("*.part"))
    kept = Manifest.read(tmp_path).layers
    assert len(kept) >= 2
    found = explore(ring(), checkpoint=tmp_path, engine=Engine(workers=two_workers))
    assert Manifest.read(tmp_path).layers[: len(kept)] == kept
    assert_whole(tmp_path, found)


def test_an_error_of_the_problem(
    two_workers: Processes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("searchkit.compiled.layers.sorted_files.ALONE", 0)
    with pytest.raises(ProblemError, match="costs 2, but the problem promises unit costs"):
        explore(part_faults.dear(), checkpoint=tmp_path, engine=Engine(workers=two_workers))
    assert len(Manifest.read(tmp_path).layers) == 10
    assert not list(tmp_path.glob("*.part"))


def test_what_cannot_travel_is_one_line(two_workers: Processes, tmp_path: Path) -> None:
    problem = ring()
    problem.note = lambda: None  # type: ignore[attr-defined]
    with pytest.raises(SearchkitError, match="cannot be sent to another process") as said:
        explore(problem, checkpoint=tmp_path, engine=Engine(workers=two_workers))
    assert "\n" not in str(said.value)


def test_a_limit_in_the_middle_of_a_layer(two_workers: Processes, tmp_path: Path) -> None:
    for most in (70, 150):
        found = explore(
            ring(),
            checkpoint=tmp_path,
            engine=Engine(workers=two_workers),
            limits=Limits(expansions=most),
        )
        assert not found.complete
    assert_whole(tmp_path, explore(ring(), checkpoint=tmp_path, engine=Engine(workers=two_workers)))


def children(of: int) -> list[int]:
    """The processes that a process has begun."""
    found = []
    for task in Path(f"/proc/{of}/task").iterdir():
        found += map(int, (task / "children").read_text().split())
    return found


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_nobody_is_left_behind(number: int, tmp_path: Path) -> None:
    """Ctrl-C in the middle of a layer, or the command is killed; then it goes on."""
    folder = tmp_path / "table"
    command = [
        sys.executable, "-m", "searchkit", "explore", "15-puzzle", "--checkpoint", str(folder),
        "--workers", "2", "--quiet", "--limit", "0",
    ]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        while not (folder / NAME).exists() or len(Manifest.read(folder).layers) < 21:
            assert process.poll() is None
            time.sleep(0.05)
        while not (workers := children(process.pid)):
            time.sleep(0.01)
        process.send_signal(number)
        process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == (
        ExitCode.INTERRUPTED if number == signal.SIGINT else -signal.SIGKILL
    )
    until = time.monotonic() + 300
    while any(_runs(each) for each in workers):
        assert time.monotonic() < until
        time.sleep(0.05)
    if number == signal.SIGINT:
        assert not list(folder.glob("*.part"))
    kept = len(Manifest.read(folder).layers)
    again = subprocess.run(
        [*command, "--max-depth", str(kept)], capture_output=True, text=True, check=False
    )
    assert again.returncode == ExitCode.GAVE_UP
    assert not list(folder.glob("*.part"))
    assert len(Manifest.read(folder).layers) == kept + 1
    assert [entry.states for entry in Manifest.read(folder).layers[17:21]] == [
        231844, 447342, 859744, 1637383
    ]  # fmt: skip


def _runs(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z" and os.getpid() != process
