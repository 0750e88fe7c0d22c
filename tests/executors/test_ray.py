"""A Ray cluster as workers: what is lost with a worker, a node, the head; what does not fit."""

from __future__ import annotations

import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import attrs
import pytest

from searchkit.errors import ClusterError, UnsuitableError, UsageError
from searchkit.executors import on_node, travelling
from searchkit.executors.on_ray import HEAD_SECONDS, LOCAL, OnRay
from tests.executors import tasks
from tests.executors.clusters import Cluster
from tests.executors.test_processes import wait_for, wait_for_end_of

NEEDS_RAY = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed")


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(UnsuitableError, match=r"pip install 'searchkit-statespace\[cluster\]'"):
        OnRay()


def test_searchkit_does_not_import_ray() -> None:
    code = (
        "import sys, searchkit, searchkit.solve, searchkit.explore, searchkit.cli.commands.run\n"
        "import searchkit.tables, searchkit.cli.commands.explore, searchkit.executors.processes\n"
        "assert not {'ray', 'fsspec', 's3fs'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_versions_have_to_be_the_same() -> None:
    data = travelling.dumps(tasks.square, (3,))
    here = on_node.Origin.here(folder="searchkit-none")
    for fields, words in [
        ({"version": "0.0.1"}, r"has searchkit 0\..*, and this machine 0\.0\.1; install the same"),
        ({"python": "2.7"}, r"has Python 3\..*, and this machine 2\.7; install the same"),
    ]:
        value, failure = on_node.run(data, attrs.evolve(here, **fields), {})
        assert value is None
        assert failure is not None
        with pytest.raises(ClusterError, match=words):
            raise failure.error()


@NEEDS_RAY
@pytest.mark.slow
def test_a_cluster_that_is_not_there_is_told() -> None:
    with pytest.raises(UsageError, match=r"no cluster answers at 127\.0\.0\.1:1; give"):
        OnRay("127.0.0.1:1")


@NEEDS_RAY
@pytest.mark.slow
def test_a_cluster_without_room_for_a_task_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no node of the cluster 'local' has 2 processors"):
        OnRay(LOCAL, cpus=1, threads=2)


@NEEDS_RAY
@pytest.mark.slow
def test_cancel_and_close_leave_no_process(tmp_path: Path) -> None:
    with OnRay(LOCAL, cpus=2) as executor:
        jobs = [executor.submit(tasks.sleep, 1000.0, str(tmp_path / "pids")) for _ in range(3)]
        pids = wait_for(tmp_path / "pids", 2)
        executor.cancel(jobs)
        wait_for_end_of(pids)
        pids = executor.gather([executor.submit(tasks.process) for _ in range(9)], timeout=300)
    wait_for_end_of(pids)


@NEEDS_RAY
@pytest.mark.slow
def test_a_lost_node_costs_its_tasks_and_a_lost_head_is_told(tmp_path: Path) -> None:
    """So does a lost worker of Ray's."""
    program = [sys.executable, "-m", "tests.executors.on_cluster"]
    how: Any = {"stdout": subprocess.PIPE, "text": True, "cwd": Path(__file__).parents[2]}
    with Cluster(2) as cluster:
        file = tmp_path / "first"
        run = [*program, cluster.address, str(file), "3"]
        with subprocess.Popen(run, env=cluster.environment, **how) as process:
            wait_for(file, 2)
            cluster.kill(2)
            out, _ = process.communicate(timeout=300)
        assert out.splitlines() == ["2 well", "3.0 3.0 3.0 3.0"]
        assert len(wait_for(file)) == 5  # one began twice
        assert len((tmp_path / "first-deaths").read_text().splitlines()) == 2
        file = tmp_path / "second"
        run = [*program, cluster.address, str(file), "1000"]
        with subprocess.Popen(run, env=cluster.environment, **how) as process:
            pids = wait_for(file)
            cluster.kill(0)
            began = time.monotonic()
            out, _ = process.communicate(timeout=300)
        assert out.splitlines()[0].endswith(" well")  # the head may not know of the node yet
        assert "is lost: it does not answer; start it again, and go on from what is" in out
        assert len(out.splitlines()) == 2
        assert process.returncode == 0
        assert time.monotonic() - began < 5 * HEAD_SECONDS
    wait_for_end_of(pids)
