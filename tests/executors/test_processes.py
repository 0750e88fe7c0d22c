"""Processes of this machine as workers: when they end, and what is said of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import searchkit
from searchkit.errors import OverdueError, ProblemError, UsageError, WorkerLostError
from searchkit.executors import scratch
from searchkit.executors.executor import Job
from searchkit.executors.processes import Processes
from tests.executors import tasks

LINUX = pytest.mark.skipif(not Path("/proc").exists(), reason="processes are looked up in /proc")


def wait_for(file: Path, lines: int = 1) -> list[int]:
    while not file.exists() or len(file.read_text().splitlines()) < lines:
        time.sleep(0.01)
    return [int(line) for line in file.read_text().split()]


def wait_for_end_of(pids: list[int]) -> None:
    for pid in pids:
        while Path(f"/proc/{pid}").exists():  # for ever, if it is left behind
            time.sleep(0.01)


def test_a_task_that_always_loses_its_worker_is_given_up(tmp_path: Path) -> None:
    with Processes(1, attempts=2) as executor:
        job: Job[str] = executor.submit(tasks.die, str(tmp_path / "deaths"), 100)
        with pytest.raises(WorkerLostError, match=r"ended by SIGKILL .*, 2 times"):
            executor.gather([job])
        assert executor.gather([executor.submit(tasks.square, 3)]) == [9]
    assert len((tmp_path / "deaths").read_text().splitlines()) == 2


def test_ctrl_c_while_a_thread_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(thread: threading.Thread) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt), Processes(1) as executor:
        executor.submit(tasks.square, 3)


def test_each_task_may_have_a_process_of_its_own() -> None:
    with Processes(1, fresh=True) as executor:
        found = executor.gather([executor.submit(tasks.process) for _ in range(3)])
    assert len(set(found)) == 3


def test_a_task_says_how_long_it_may_take() -> None:
    with Processes(2) as executor:
        late = executor.submit(tasks.be_late)
        in_time = executor.submit(tasks.be_in_time)
        with pytest.raises(OverdueError, match="it took too long"):
            executor.gather([late])
        assert executor.gather([in_time]) == ["in time"]


@LINUX
def test_memory_has_a_limit() -> None:
    with Processes(1, memory=100_000_000) as executor:
        assert executor.gather([executor.submit(tasks.take, 50_000_000)]) == [50_000_000]
        with pytest.raises(MemoryError):
            executor.gather([executor.submit(tasks.take, 200_000_000)])
        assert executor.gather([executor.submit(tasks.take, 50_000_000)]) == [50_000_000]


@LINUX
def test_cancel_and_close_leave_no_process(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    with Processes(2) as executor:
        jobs = [executor.submit(tasks.sleep, 1000, str(file)) for _ in range(3)]
        pids = wait_for(file, 2)
        executor.cancel(jobs[:1])
        with pytest.raises(CancelledError):
            executor.gather(jobs[:1])
        pids = wait_for(file, 3)  # the third has begun, in a new process
    wait_for_end_of(pids)
    with pytest.raises(UsageError, match="closed"):
        executor.submit(tasks.square, 3)


@LINUX
def test_an_idle_worker_that_is_lost_is_replaced() -> None:
    with Processes(1, attempts=1) as executor:
        (pid,) = executor.gather([executor.submit(tasks.process)])
        os.kill(pid, signal.SIGKILL)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)  # until it is a zombie
        (other,) = executor.gather([executor.submit(tasks.process)])
        assert other != pid


def test_what_is_shared_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with Processes(1) as executor:
        small, large = (executor.share({"large": np.zeros(size)}) for size in (10, 200_000))
        jobs = [executor.submit(tasks.add_up, parcel) for parcel in (small, large)]
        assert executor.gather(jobs) == [(0, True)] * 2
        assert [path.name for path in tmp_path.glob("*/*")] == [large.digest]
    assert list(tmp_path.iterdir()) == []


@LINUX
def test_scratch_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of workers that are killed, that end with their executor, and whose parent is killed."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "own"))
    (tmp_path / "own").mkdir()
    with Processes(1) as executor:
        jobs = [executor.submit(tasks.leave_scratch, str(tmp_path / "deaths")) for _ in range(2)]
        assert executor.gather(jobs) == [1, 1]
        assert len(list((tmp_path / "own").glob("*/left*"))) == 2
    assert list((tmp_path / "own").iterdir()) == []
    code = (
        "import numpy, pathlib\n"
        "from searchkit.executors.processes import Processes\n"
        "from tests.executors import tasks\n"
        "executor = Processes(2)\n"
        "parcel = executor.share({'large': numpy.zeros(200_000)})\n"
        "executor.gather([executor.submit(tasks.add_up, parcel)])\n"
        f"file = {str(tmp_path / 'pids')!r}\n"
        "executor.gather([executor.submit(tasks.sleep, 1000, file) for _ in range(2)])\n"
    )
    environment = os.environ | {"TMPDIR": str(tmp_path / "own")}
    run = [sys.executable, "-c", code]
    parent = subprocess.Popen(run, cwd=Path(__file__).parents[2], env=environment)
    pids = wait_for(tmp_path / "pids", 2)
    assert len(list((tmp_path / "own").iterdir())) == 3
    parent.kill()
    parent.wait()
    wait_for_end_of(pids)
    assert list((tmp_path / "own").iterdir()) == []


@LINUX
def test_scratch_of_nobody_is_swept(tmp_path: Path) -> None:
    """But not that of workers that run, nor what is young or of others."""
    names = [f"searchkit-{'ab' * 16}-{number}" for number in range(3)]
    for name in [*names, "searchkit-notes", f"searchkit-{'ab' * 16}"]:
        (tmp_path / name).mkdir()
        (tmp_path / name / "large").write_text("x")
        os.utime(tmp_path / name, (0, 0))
    os.utime(tmp_path / names[1])
    handle = scratch._lock(tmp_path / names[2])
    assert handle is not None
    scratch.sweep(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [*names[1:], "searchkit-notes", f"searchkit-{'ab' * 16}"]
    )
    os.close(handle)
    scratch.sweep(tmp_path)
    assert not (tmp_path / names[2]).exists()


@LINUX
def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    code = (
        "from searchkit.executors.processes import Processes\n"
        "from tests.executors import tasks\n"
        "executor = Processes(1)\n"
        f"executor.gather([executor.submit(tasks.sleep, 1000, {str(tmp_path / 'pids')!r})])\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parents[2])
    pids = wait_for(tmp_path / "pids")
    parent.kill()
    parent.wait()
    wait_for_end_of(pids)


SCRIPT = """
from pathlib import Path

from searchkit.executors.processes import Processes

class Board:
    def __init__(self, size):
        self.size = size

def doubled(board):
    return Board(2 * board.size)

{guard}
    with Processes(1) as executor:
        print(executor.gather([executor.submit(doubled, Board(4))])[0].size)
"""


def test_what_a_script_defines_can_be_sent(tmp_path: Path) -> None:
    file = tmp_path / "script.py"
    file.write_text(SCRIPT.format(guard='if __name__ == "__main__":'))
    run = [sys.executable, str(file)]
    done = subprocess.run(run, capture_output=True, text=True, check=False, timeout=120)
    assert (done.stdout, done.stderr) == ("8\n", "")
    there = SCRIPT.format(guard='if __name__ == "__main__":')
    file.write_text(there.replace("as executor:", "as executor:\n        Path(__file__).unlink()"))
    assert "unlink" in file.read_text()
    done = subprocess.run(run, capture_output=True, text=True, check=False, timeout=120)
    assert (done.stdout, done.stderr, file.exists()) == ("8\n", "", False)
    file.write_text(SCRIPT.format(guard="if True:"))
    done = subprocess.run(run, capture_output=True, text=True, check=False, timeout=120)
    assert "a worker cannot have workers" in done.stderr


PLUGIN = """
from searchkit import Problem, Step, hookimpl

class Down(Problem):
    def __init__(self):
        self.start = 3

    def initial_states(self):
        return [self.start]

    def successors(self, state):
        return [Step("down", state - 1)]

    def is_goal(self, state):
        return state == 0

@hookimpl
def searchkit_register_puzzles(register):
    register("down", Down)
"""


def test_what_a_plugin_file_defines_can_be_sent(tmp_path: Path) -> None:
    file = tmp_path / "down.py"
    file.write_text(PLUGIN)
    problem: Any = searchkit.puzzle("down", plugins=[file])
    with Processes(1) as executor:
        jobs = [executor.submit(tasks.solved, executor.share(problem)) for _ in range(2)]
        for cost, same in executor.gather(jobs):
            assert cost == 3
            assert type(same) is type(problem)


def test_a_plugin_file_need_not_be_where_workers_are(tmp_path: Path) -> None:
    """A machine of a cluster may not have it, or have another one."""
    file = tmp_path / "down.py"
    file.write_text(PLUGIN.replace("state - 1", "state - 1 + 0 // (state - 2)"))
    problem: Any = searchkit.puzzle("down", plugins=[file])
    for change in (lambda: file.write_text("x = 1\n"), file.unlink):
        change()
        with Processes(1) as executor, pytest.raises(ProblemError) as caught:
            executor.gather([executor.submit(tasks.solved, executor.share(problem))])
        assert "ZeroDivisionError" in str(caught.value)
        assert f"{file}:12 in successors" in str(caught.value)
        assert "0 // (state - 2)" in str(caught.value.__notes__)


def test_a_prompt_has_no_file() -> None:
    code = (
        "from searchkit.executors.processes import Processes\n"
        "def own(): pass\n"
        "executor = Processes(1)\n"
        "executor.gather([executor.submit(own)])\n"
    )
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, capture_output=True, text=True, check=False, timeout=120)
    assert "own is defined at the prompt; put it into a file" in done.stderr


def test_there_is_at_least_one_worker() -> None:
    with pytest.raises(UsageError, match="workers=0"):
        Processes(0)
