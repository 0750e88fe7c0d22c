"""Commands on a Ray cluster of two nodes: the results of one process, whatever is lost."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from searchkit.cli.support.exit_codes import ExitCode
from searchkit.compiled.layers.sorted_files import TASKS_A_WORKER
from searchkit.tables.manifest import Manifest
from tests.cli.test_cli_boards_at_once import CRASHES, EIGHT, SLEEPS, TROUBLE, documents
from tests.executors.clusters import Cluster
from tests.executors.test_processes import wait_for_end_of
from tests.support.cli_calls import Call, Outcome, start_process

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed"),
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with Cluster(2) as made:
        yield made


@pytest.fixture
def start(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., subprocess.Popen[str]]:
    for name, value in cluster.environment.items():
        monkeypatch.setenv(name, value)
    return lambda *words: start_process(*words, "--cluster", cluster.address)


@pytest.fixture
def call_there(start: Callable[..., subprocess.Popen[str]]) -> Call:
    """Call the command line, on the cluster."""

    def called(*words: str, **more: Any) -> Outcome:
        process = start(*words)
        out, err = process.communicate(timeout=300)
        return Outcome(process.returncode, out, err)

    return called


def test_boards_have_the_results_of_one_process(
    call: Call, call_there: Call, tmp_path: Path
) -> None:
    file = tmp_path / "boards.txt"
    file.write_text("\n".join(EIGHT))
    run = ["run", "8-puzzle", "--engine", "reference", "--json", "--boards", str(file)]
    alone, there = call(*run, "--jobs", "1"), call_there(*run)
    assert documents(there) == documents(alone)
    assert there.code == alone.code == ExitCode.NO_BOARD
    assert there.err_lines[:-1] == alone.err_lines[:-1]


def test_runs_are_compared(call_there: Call) -> None:
    compare = ["compare", "8-puzzle", "--random", "3", "--seed", "1", "--engine", "reference"]
    outcome = call_there(*compare, "--algo", "astar", "--algo", "idastar", "--json")
    found = json.loads(outcome.out)
    assert outcome.code == ExitCode.OK
    assert [run["status"] for run in found["runs"]] == ["solved"] * 6
    assert found["settings"]["jobs"] == 2


def test_crashes_and_late_boards_are_told(call_there: Call, tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text("\n".join(["2", CRASHES, "4", SLEEPS, "5"]))
    outcome = call_there("run", *TROUBLE, "--boards", str(file), "--max-time", "1s")
    assert [line.split(":")[0] for line in outcome.lines] == ["1", "3", "5"]
    assert "line 2: its process was ended by SIGKILL" in outcome.err_lines[0]
    assert "line 4: it did not stop by itself at the time limit" in outcome.err_lines[1]
    assert outcome.code == ExitCode.BUG


def test_ctrl_c_leaves_no_process(
    cluster: Cluster, start: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    file = tmp_path / "boards.txt"
    file.write_text("\n".join(["2", "1", SLEEPS, SLEEPS]))
    process = start("run", *TROUBLE, "--boards", str(file))
    assert process.stdout is not None
    assert [process.stdout.readline()[:2] for _ in range(2)] == ["1:", "2:"]
    workers = cluster.workers()
    assert workers
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=300)
    assert process.returncode == ExitCode.INTERRUPTED
    assert "interrupted" in err
    wait_for_end_of(workers)


def test_one_search_is_shared(cluster: Cluster, call: Call, start: Callable[..., Any]) -> None:
    run = ["run", "15-puzzle", "--algo", "idastar", "--random", "--seed", "1", "--json"]
    alone = json.loads(call(*run).out)
    wait_for_end_of(cluster.workers())
    process = start(*run)
    while process.poll() is None and not (shared_by := cluster.workers()):
        time.sleep(0.02)
    out, err = process.communicate(timeout=300)
    assert process.returncode == ExitCode.OK, err
    assert shared_by
    assert _counts(json.loads(out)) == _counts(alone)


def test_an_exploration_is_shared(call: Call, call_there: Call, tmp_path: Path) -> None:
    def explored(name: str, caller: Call) -> tuple[Any, ...]:
        command = ["explore", "15-puzzle", "--max-depth", "17", "--json"]
        outcome = caller(*command, "--checkpoint", str(tmp_path / name))
        assert outcome.code == ExitCode.GAVE_UP, outcome.err
        found = json.loads(outcome.out)
        return found["layers"], sorted(found["farthest"]), found["statistics"]["generated"]

    assert explored("there", call_there) == explored("alone", call)
    assert len(Manifest.read(tmp_path / "there").layers[-1].parts) == 2 * TASKS_A_WORKER


def _counts(found: dict[str, Any]) -> tuple[Any, ...]:
    rows = [
        (row["bound"], row["expanded"], row["generated"])
        for row in found["statistics"]["iterations"]
    ]
    return found["status"], found["cost"], found["solutions"], rows
