"""Commands on three nodes of a Ray cluster, of which workers, nodes, and the head are lost.

`pytest -m slow tests/cli/test_cli_cluster_losses.py` takes some minutes.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import chain
from math import comb
from pathlib import Path
from typing import Any

import pytest

import searchkit
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.tables import Table
from searchkit.tables.manifest import NAME, Manifest
from tests.executors.clusters import Cluster, seconds_of
from tests.executors.test_processes import wait_for_end_of
from tests.support.cli_calls import HERE, Call, Outcome, start_process

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed"),
]
SECONDS = 300.0
"""So long whatever is waited for may take."""
KILLED_AT = 20
"""The layers that an exploration has when something is killed."""
DEEPEST = 22
EXPLORE = ["explore", "15-puzzle", "--max-depth", str(DEEPEST), "--json", "--limit", "0"]
KNOWN = [1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948, 3938, 7808, 15544, 30821, 60842, 119000,
         231844, 447342, 859744, 1637383, 3098270, 5802411]  # fmt: skip
"""R. E. Korf and P. Schultze, Large-Scale Parallel Breadth-First Search, 2005."""
HARD = ["run", "15-puzzle", "--algo", "idastar", "--heuristic", "misplaced", "--scramble", "80",
        "--seed", "16", "--json"]  # fmt: skip
BUSY_SECONDS = 0.5
"""More than a worker takes to start and to load machine code."""

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("data")
    with Cluster(3, SEARCHKIT_DATA_DIR=str(folder)) as cluster:
        yield cluster


@pytest.fixture
def cluster(made: Cluster) -> Cluster:
    """All nodes run."""
    made.mend()
    return made


def starter(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> Start:
    for name, value in cluster.environment.items():
        monkeypatch.setenv(name, value)
    return lambda *words: start_process(*words, "--cluster", cluster.address)


@pytest.fixture
def start(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> Start:
    return starter(cluster, monkeypatch)


def ended(process: subprocess.Popen[str]) -> Outcome:
    out, err = process.communicate(timeout=SECONDS)
    return Outcome(process.returncode, out, err)


def until(process: subprocess.Popen[str], holds: Callable[[], Any]) -> Any:
    """What is found, once it is; the process goes on until then."""
    latest = time.monotonic() + SECONDS
    while not (found := holds()):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < latest
        time.sleep(0.02)
    return found


def depth(folder: Path) -> int:
    return len(Manifest.read(folder).layers) if (folder / NAME).exists() else 0


def a_busy_worker(cluster: Cluster, least: float = BUSY_SECONDS) -> int:
    """A process that does tasks, and has done something by now; 0 if there is none."""
    for pid in cluster.workers():
        try:
            if seconds_of(pid) > least:
                return pid
        except OSError:
            continue
    return 0


def assert_known(outcome: Outcome, folder: Path) -> None:
    assert outcome.code == ExitCode.GAVE_UP, outcome.err
    assert json.loads(outcome.out)["layers"] == KNOWN
    assert not [path.name for path in folder.iterdir() if path.name.endswith(".part")]
    problem = searchkit.puzzle("15-puzzle")
    assert list(Table.open(folder, problem).check())


def states_of(folder: Path, name: str) -> list[list[Any]]:
    """All states of a table, layer by layer."""
    parameters = Manifest.read(folder).identity["parameters"]
    table = Table.open(folder, searchkit.puzzle(name, **parameters))
    return [sorted(chain.from_iterable(files)) for files in table._layers.files]


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("15-puzzle", ["--max-depth", "19"]),
        ("peg", ["-p", "model=jumps", "--symmetry", "auto", "--max-depth", "12"]),
        ("cube2", ["--max-depth", "8"]),
    ],
)
def test_counts_and_tables_are_those_of_one_process(
    name: str, more: list[str], call: Call, start: Start, cluster: Cluster, tmp_path: Path
) -> None:
    command = ["explore", name, *more, "--json", "--limit", "0"]
    alone = call(*command, "--checkpoint", str(tmp_path / "alone"))
    process = start(*command, "--checkpoint", str(tmp_path / "there"))
    until(process, cluster.workers)
    there = ended(process)
    assert there.code == alone.code == ExitCode.GAVE_UP, there.err
    mine, theirs = (json.loads(each.out) for each in (alone, there))
    assert (theirs["layers"], theirs["canonical_layers"]) == (
        mine["layers"], mine["canonical_layers"]
    )  # fmt: skip
    if name != "peg":  # whose toggles one process follows in another way
        assert theirs["statistics"]["generated"] == mine["statistics"]["generated"]
    assert states_of(tmp_path / "there", name) == states_of(tmp_path / "alone", name)


def test_a_node_is_lost_in_the_middle_of_a_layer(
    cluster: Cluster, start: Start, tmp_path: Path
) -> None:
    folder = tmp_path / "table"
    process = start(*EXPLORE, "--checkpoint", str(folder))
    until(process, lambda: depth(folder) >= KILLED_AT)
    until(process, lambda: cluster.workers(2))
    cluster.kill(2)
    assert_known(ended(process), folder)


def test_a_worker_is_lost_in_the_middle_of_a_layer(
    cluster: Cluster, start: Start, tmp_path: Path
) -> None:
    folder = tmp_path / "table"
    process = start(*EXPLORE, "--checkpoint", str(folder))
    for layers in (KILLED_AT - 1, KILLED_AT):
        until(process, lambda layers=layers: depth(folder) >= layers)
        os.kill(until(process, lambda: a_busy_worker(cluster)), signal.SIGKILL)
    assert_known(ended(process), folder)


def test_workers_without_a_folder_in_common(cluster: Cluster, start: Start, tmp_path: Path) -> None:
    """A URL, a node that is lost, and a command that is killed and given again."""
    folder = tmp_path / "table"
    explore = [*EXPLORE, "--checkpoint", f"file://{folder}"]
    process = start(*explore)
    until(process, lambda: depth(folder) >= KILLED_AT - 1)
    process.kill()
    process.communicate()
    kept = Manifest.read(folder).layers
    process = start(*explore)
    until(process, lambda: depth(folder) >= KILLED_AT)
    until(process, lambda: cluster.workers(2))
    cluster.kill(2)
    outcome = ended(process)
    assert outcome.code == ExitCode.GAVE_UP, outcome.err
    assert json.loads(outcome.out)["layers"] == KNOWN
    manifest = Manifest.read(folder)
    assert manifest.layers[: len(kept)] == kept
    assert {path.name for path in folder.iterdir()} == {NAME, *manifest.names()}


def test_another_token_is_refused(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    run = ["run", "8-puzzle", "--boards", "-", "--cluster", cluster.address]
    for token in ("0" * 64, None):
        monkeypatch.setenv("RAY_AUTH_MODE", "token")
        if token is None:
            monkeypatch.setenv("HOME", "/nonexistent")
            monkeypatch.delenv("RAY_AUTH_TOKEN")
        else:
            monkeypatch.setenv("RAY_AUTH_TOKEN", token)
        process = start_process(*run, stdin=subprocess.PIPE)
        out, err = process.communicate("123450786\n" * 40, timeout=SECONDS)
        assert (process.returncode, out) == (ExitCode.BAD_INPUT, "")
        assert "cannot join the cluster" in err
        assert len(err.splitlines()) == 1


def test_a_head_is_lost_and_another_one_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "table"
    with Cluster(2) as first:
        process = starter(first, monkeypatch)(*EXPLORE, "--checkpoint", str(folder))
        until(process, lambda: depth(folder) >= KILLED_AT)
        workers = until(process, first.workers)
        first.kill(0)
        outcome = ended(process)
        assert outcome.code == ExitCode.BUG
        assert outcome.out == ""
        assert len(outcome.err_lines) <= 1
        if outcome.err:  # Ray ends this process at once if it notices first: its node is the head
            assert "is lost" in outcome.err
            assert "go on from what is on disk" in outcome.err
        wait_for_end_of(workers)
    kept = Manifest.read(folder).layers
    assert KILLED_AT <= len(kept) < len(KNOWN)
    with Cluster(1) as second:
        process = starter(second, monkeypatch)(*EXPLORE, "--checkpoint", str(folder))
        assert_known(ended(process), folder)
    assert Manifest.read(folder).layers[: len(kept)] == kept


def test_ctrl_c_leaves_no_process_on_any_node(
    cluster: Cluster, start: Start, tmp_path: Path
) -> None:
    folder = tmp_path / "table"
    process = start(*EXPLORE, "--checkpoint", str(folder))
    until(process, lambda: depth(folder) >= KILLED_AT)
    workers = until(process, cluster.workers)
    process.send_signal(signal.SIGINT)
    assert ended(process).code == ExitCode.INTERRUPTED
    wait_for_end_of(workers)
    assert cluster.workers() == []
    assert not list(folder.glob("*.part"))
    assert_known(ended(start(*EXPLORE, "--checkpoint", str(folder))), folder)


def test_a_command_that_is_killed_leaves_no_process_on_any_node(
    cluster: Cluster, start: Start, tmp_path: Path
) -> None:
    folder = tmp_path / "table"
    process = start(*EXPLORE, "--checkpoint", str(folder))
    until(process, lambda: depth(folder) >= KILLED_AT)
    workers = until(process, cluster.workers)
    process.kill()
    process.communicate()
    wait_for_end_of(workers)
    assert_known(ended(start(*EXPLORE, "--checkpoint", str(folder))), folder)


HEAPS_FILE = HERE / "plugins" / "heaps.py"


def heaps(name: str, folder: Path) -> list[str]:
    words = ["explore", name, "--plugin", str(HEAPS_FILE), "--max-depth", "26", "--limit", "0"]
    return [*words, "--checkpoint", str(folder)]


def test_a_disk_is_full(start: Start, call: Call, tmp_path: Path) -> None:
    folder = tmp_path / "table"
    outcome = ended(start(*heaps("tight-heaps", folder)))
    assert outcome.code == ExitCode.BUG
    (line,) = outcome.err_lines
    assert "File too large; make room and give the same command again" in line
    kept = Manifest.read(folder).layers
    assert len(kept) > 10
    outcome = call(*heaps("tight-heaps", folder), "--json")
    assert json.loads(outcome.out)["layers"] == [comb(d + 5, 5) for d in range(27)]
    assert Manifest.read(folder).layers[: len(kept)] == kept


def test_errors_of_the_author(start: Start, call: Call, tmp_path: Path) -> None:
    outcome = ended(start(*heaps("wrong-heaps", tmp_path / "wrong")))
    assert outcome.code == ExitCode.BUG
    (said,) = outcome.err_lines
    text = '            raise RuntimeError("six heaps are too many")'
    line = 1 + HEAPS_FILE.read_text().splitlines().index(text)
    assert "six heaps are too many" in said
    assert f"heaps.py:{line}" in said
    outcome = ended(start(*heaps("dear-heaps", tmp_path / "dear")))
    alone = call(*heaps("dear-heaps", tmp_path / "alone"))
    assert outcome.code == alone.code == ExitCode.BUG
    assert outcome.err_lines == alone.err_lines
    assert "costs 2, but the problem promises unit costs" in outcome.err


def counts(outcome: Outcome) -> tuple[Any, ...]:
    found = json.loads(outcome.out)
    rows = [
        (row["bound"], row["expanded"], row["generated"])
        for row in found["statistics"]["iterations"]
    ]
    return found["status"], found["cost"], rows


def test_a_worker_of_a_hard_search_is_lost(cluster: Cluster, call: Call, start: Start) -> None:
    process = start(*HARD)
    os.kill(until(process, lambda: a_busy_worker(cluster)), signal.SIGKILL)
    outcome = ended(process)
    assert outcome.code == ExitCode.OK, outcome.err
    assert counts(outcome) == counts(call(*HARD))


def test_a_node_of_a_hard_search_is_lost(cluster: Cluster, call: Call, start: Start) -> None:
    process = start(*HARD)
    until(process, lambda: a_busy_worker(cluster))
    cluster.kill(3)
    outcome = ended(process)
    assert outcome.code == ExitCode.OK, outcome.err
    assert counts(outcome) == counts(call(*HARD))


def test_a_worker_of_boards_is_lost(cluster: Cluster, start: Start, tmp_path: Path) -> None:
    """The board that it was at is told, and all others are solved."""
    rng, boards = random.Random(1), []
    puzzle: Any = searchkit.puzzle("15-puzzle")
    while len(boards) < 60:
        state = puzzle.random_state(rng)
        boards.append(puzzle.format_state(state))
    file = tmp_path / "boards.txt"
    file.write_text("\n".join(boards))
    process = start("run", "15-puzzle", "--algo", "idastar", "--boards", str(file), "--quiet")
    os.kill(until(process, lambda: a_busy_worker(cluster)), signal.SIGKILL)
    outcome = ended(process)
    lost = [line for line in outcome.err_lines if "was ended by SIGKILL" in line]
    assert len(lost) <= 1
    assert len(outcome.lines) + len(lost) == len(boards)
    assert outcome.code == (ExitCode.BUG if lost else ExitCode.OK)


def test_a_worker_of_a_comparison_is_lost(cluster: Cluster, start: Start) -> None:
    process = start(
        "compare", "15-puzzle", "--random", "6", "--seed", "1", "--algo", "idastar",
        "--heuristic", "misplaced", "--max-time", "12s", "--json",
    )  # fmt: skip
    # More than it takes to load a contestant: one that cannot be loaded has crashed in all runs.
    os.kill(until(process, lambda: a_busy_worker(cluster, 2.0)), signal.SIGKILL)
    found = json.loads(ended(process).out)
    statuses = sorted(run["status"] for run in found["runs"])
    assert statuses.count("crashed") <= 1
    assert set(statuses) <= {"limit reached", "solved", "crashed"}


def test_a_worker_that_builds_a_database_is_lost(
    cluster: Cluster, start: Start, tmp_path: Path
) -> None:
    build = ["pdb", "build", "15-puzzle", "6-6-3"]
    process = start(*build)
    os.kill(until(process, lambda: a_busy_worker(cluster)), signal.SIGKILL)
    outcome = ended(process)
    assert outcome.code == ExitCode.OK, outcome.err
