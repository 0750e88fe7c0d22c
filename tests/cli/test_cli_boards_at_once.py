"""`run --boards` in several processes: the results of one, in order, whatever happens to some."""

from __future__ import annotations

import json
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from searchkit.cli.commands.running import boards
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.solving import in_order
from tests.support.cli_calls import HERE, Call, Outcome, start_process

EIGHT = ["123450786", "867254301", "x", "123456780", "123456870", "536407182", "12345678_"]
AMID = "150426783"
"""14 moves from the goal."""
TROUBLE = ["--plugin", str(HERE / "plugins" / "trouble.py"), "trouble"]
CRASHES, FAILS, SLEEPS, WARNS = "13", "17", "19", "23"
MEASURES = ("seconds", "setup_seconds", "bytes")


def documents(outcome: Outcome) -> list[dict[str, Any]]:
    """The documents that were printed, without times and sizes."""
    found = [json.loads(line) for line in outcome.lines]
    for document in found:
        for each in (document["statistics"], *document["statistics"]["iterations"]):
            for name in MEASURES:
                each.pop(name, None)
    return found


@pytest.mark.spread("idastar")
@pytest.mark.parametrize("algorithm", ["idastar", "astar"])
def test_results_are_those_of_one_process_in_order(call: Call, algorithm: str) -> None:
    run = ["run", "8-puzzle", "--algo", algorithm, "--engine", "reference", "--boards", "-"]
    alone, together = (
        call(*run, "--json", "--jobs", jobs, stdin="\n".join(EIGHT)) for jobs in ("1", "2")
    )
    assert documents(together) == documents(alone)
    assert [each["line"] for each in documents(alone)] == [1, 2, 4, 5, 6, 7]
    assert together.code == alone.code == ExitCode.NO_BOARD
    assert together.err_lines[:-1] == alone.err_lines[:-1]


def test_the_same_engine_solves_each_board(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """What depends on the work of all boards before is done by one process."""
    monkeypatch.setattr("searchkit.solving.plan.TRIAL_NODES", 7000)
    told = [EIGHT[1], EIGHT[0], EIGHT[1], EIGHT[0], EIGHT[5]]
    run = ["run", "8-puzzle", "--algo", "astar", "--json", "--boards", "-", "--jobs", "2"]
    found = [each["engine"] for each in documents(call(*run, stdin="\n".join(told)))]
    assert found == ["reference"] * 3 + ["compiled"] * 2


def test_boards_are_solved_here_at_first(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []
    start = boards.executor_of

    def counted(options: Any, at_once: int) -> Any:
        begun.append(at_once)
        return start(options, at_once)

    monkeypatch.setattr(boards, "executor_of", counted)
    monkeypatch.setattr(boards, "processors", lambda: 5)
    monkeypatch.setattr(boards, "PATIENCE", 1e9)
    run = ["run", *TROUBLE, "--boards", "-"]
    assert call(*run, stdin="3\n4\n").code == ExitCode.OK
    monkeypatch.setattr(boards, "PATIENCE", 0.0)
    assert begun == []
    assert call(*run, stdin="3\n4\n").code == ExitCode.OK
    assert begun == [5]


@pytest.mark.parametrize(("processors", "threads", "at_once"), [(8, 1, 8), (8, 3, 2), (2, 4, 1)])
def test_each_search_has_processors_for_its_threads(
    monkeypatch: pytest.MonkeyPatch, processors: int, threads: int, at_once: int
) -> None:
    monkeypatch.setattr(boards, "processors", lambda: processors)
    assert boards.number_at_once({"jobs": None, "threads": threads}) == at_once
    assert boards.number_at_once({"jobs": 3, "threads": threads}) == 3


def test_a_crash_is_told_of_at_its_board_and_the_others_go_on(call: Call) -> None:
    told = ["2", "1", CRASHES, "4", WARNS, "5", CRASHES, "1"]
    outcome = call("run", *TROUBLE, "--boards", "-", "--jobs", "2", stdin="\n".join(told))
    assert [line.split(":")[0] for line in outcome.lines] == ["1", "2", "4", "5", "6", "8"]
    crash = "its process was ended by SIGKILL (the system may have run out of memory)"
    assert outcome.err_lines[:3] == [
        f"searchkit: error: stdin, line 3: {crash}",
        f"searchkit: error: stdin, line 7: {crash}",
        "searchkit: note: twenty-three",
    ]
    assert outcome.err_lines[3].endswith("6 solved, 2 crashed")
    assert outcome.code == ExitCode.BUG


def test_what_fails_ends_the_command_after_the_boards_before(call: Call) -> None:
    told = "\n".join(["2", "1", FAILS, "4"])
    alone, together = (
        call("run", *TROUBLE, "--boards", "-", "--jobs", jobs, stdin=told) for jobs in ("1", "2")
    )
    assert alone.err.startswith("searchkit: error: puzzle trouble")
    assert (together.code, together.out, together.err) == (alone.code, alone.out, alone.err)


def test_what_does_not_stop_at_the_time_limit_is_killed(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("searchkit.solving.solver.GRACE_SECONDS", 0.0)
    run = ["run", *TROUBLE, "--boards", "-", "--jobs", "2", "--max-time", "3s"]
    outcome = call(*run, stdin=f"2\n{SLEEPS}\n1\n")
    assert [line.split(":")[0] for line in outcome.lines] == ["1", "3"]
    assert "line 2: it did not stop by itself at the time limit" in outcome.err_lines[0]
    assert outcome.code == ExitCode.OUT_OF_TIME


def test_a_board_that_needs_more_than_its_share_of_memory_gets_all(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ["run", "8-puzzle", "--algo", "bfs", "--engine", "reference", "--json", "--boards", "-"]
    told = "\n".join([EIGHT[0], AMID, EIGHT[0], AMID])
    alone = call(*run, "--jobs", "1", "--max-memory", "1GB", stdin=told)
    most = max(json.loads(line)["statistics"]["bytes"] for line in alone.lines)
    monkeypatch.setattr(in_order, "default_memory", lambda: most)  # half of that for each
    together = call(*run, "--jobs", "2", "--max-memory", "1GB", stdin=told)
    assert documents(together) == documents(alone)
    assert together.code == alone.code == ExitCode.OK
    short = call(*run, "--jobs", "2", "--max-memory", str(most // 2), stdin=told)
    found = [each["status"] for each in documents(short)]
    assert found == ["solved", "limit reached", "solved", "limit reached"]
    assert short.code == ExitCode.OUT_OF_MEMORY


def test_ctrl_c_tells_what_is_solved_and_leaves_no_process(tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text("\n".join(["2", "1", SLEEPS, "4", "5"]))
    run = ["run", *TROUBLE, "--boards", str(file), "--jobs", "2"]
    process = start_process(*run)
    assert process.stdout is not None
    assert [process.stdout.readline()[:2] for _ in range(2)] == ["1:", "2:"]
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    pids = [int(pid) for pid in children.read_text().split()] if children.exists() else []
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == ExitCode.INTERRUPTED
    assert [line[:2] for line in out.splitlines()] in ([], ["4:"], ["4:", "5:"])
    assert "interrupted" in err
    for pid in pids:
        while Path(f"/proc/{pid}").exists():  # for ever, if it outlives the command
            time.sleep(0.05)


@pytest.mark.slow_variants("1")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_tells_what_is_known_of_the_boards_at_hand(
    tmp_path: Path, jobs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOLDER", str(tmp_path))
    file = tmp_path / "boards.txt"
    file.write_text("1000\n2000\n3000\n")
    run = ["run", "--plugin", TROUBLE[1], "endless", "--algo", "bfs", "--boards", str(file)]
    process = start_process(*run, "--json", "--jobs", jobs)
    itself = f".{process.pid}"
    at_hand = {(board, jobs == "1") for board in ("1000", "2000")[: int(jobs)]}
    while not at_hand <= {(file.stem, file.suffix == itself) for file in tmp_path.iterdir()}:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    found = [json.loads(line) for line in out.splitlines()]
    assert process.returncode == ExitCode.INTERRUPTED
    assert [each["line"] for each in found] == [1, 2][: int(jobs)]
    for each in found:
        assert each["status"] == "interrupted"
        assert 90 < each["lower_bound"] <= each["statistics"]["expanded"] + 1
    assert f"{jobs} interrupted" in err


def test_results_come_before_the_next_board_is_there() -> None:
    process = start_process("run", *TROUBLE, "--boards", "-", "--jobs", "2", stdin=-1)
    assert process.stdin is not None
    assert process.stdout is not None
    for number in range(1, 4):
        process.stdin.write(f"{number}\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith(f"{number}:")
    process.send_signal(signal.SIGINT)  # while a thread waits for a line
    assert process.wait(300) == ExitCode.INTERRUPTED
    out, err = process.communicate(timeout=300)
    assert out == ""
    assert "Traceback" not in err
    assert "Fatal" not in err


def test_jobs_are_for_boards(call: Call) -> None:
    outcome = call("run", "8-puzzle", "--jobs", "2")
    assert outcome.err == "searchkit: error: --jobs is for --boards; give both\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--workers", "2"], ("--workers and --cluster share the iterations of a deepening "
         "search; give --algo idastar or iddfs, too")),
        (["--workers", "2", "--boards", "-"],
         "--workers share one search; with --boards, use --jobs"),
        (["--workers", "2", "--cluster", "auto", "--algo", "idastar"],
         "--workers is for this machine; a --cluster has its own number"),
        (["--workers", "2", "--algo", "bfs"],
         "workers cannot share the work of bfs; use idastar or iddfs, or leave workers out"),
    ],
)  # fmt: skip
def test_workers_share_one_deepening_search(call: Call, options: list[str], message: str) -> None:
    outcome = call("run", "8-puzzle", *options)
    assert outcome.code == ExitCode.BAD_INPUT
    assert outcome.err == f"searchkit: error: {message}\n"


def test_a_search_with_workers_says_what_one_process_says(call: Call) -> None:
    alone, shared = (
        call("run", "8-puzzle", "--algo", "idastar", "--engine", "compiled", *more)
        for more in ([], ["--workers", "2"])
    )
    assert shared.code == 0
    same = [outcome.out.partition("\ntime ")[0] for outcome in (alone, shared)]
    assert same[0] == same[1]


@pytest.mark.parametrize("command", ["run", "compare"])
def test_a_cluster_has_its_own_number(call: Call, command: str) -> None:
    outcome = call(command, "8-puzzle", "--boards", "-", "--jobs", "2", "--cluster", "auto")
    assert outcome.code == ExitCode.BAD_INPUT
    assert outcome.err == (
        "searchkit: error: --jobs is for this machine; a --cluster has its own number\n"
    )


def test_a_cluster_needs_ray(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    outcome = call("run", *TROUBLE, "--boards", "-", "--cluster", "auto", stdin="3\n")
    assert outcome.code == ExitCode.BAD_INPUT
    assert outcome.err_lines == [
        "searchkit: error: a cluster needs Ray; pip install 'searchkit-statespace[cluster]'"
    ]
