"""Comparisons of many runs: which boards, each run in a process, what is told of them."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from searchkit.cli.commands.comparing import worker
from searchkit.cli.commands.comparing.worker import Runner
from searchkit.running.making import making_code
from searchkit.solving.solver import LATE, LOADING_SECONDS, MAKING_SECONDS
from tests.support.cli_calls import TOYS, Call, Outcome, start_process

ENDS = str(Path(TOYS).with_name("ends.py"))


def rows(outcome: Outcome) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(outcome.out)))


def document(outcome: Outcome) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(outcome.out)
    return found


@pytest.fixture
def ends(call: Call) -> Call:
    """Compare the puzzles that end badly."""
    return lambda *args, **more: call("--plugin", ENDS, "compare", *args, **more)


def test_boards_of_a_file_are_run_by_all(toys: Call, here: None, tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text("\ufeff# two boards\n3  \n\n  -1\n", encoding="utf-8")
    outcome = toys(
        "compare", "line", "--boards", str(file), "--algo", "bfs", "--algo", "astar",
        "--repeat", "2", "--json",
    )  # fmt: skip
    assert (outcome.code, outcome.err) == (0, "")
    found = document(outcome)
    assert found["complete"] is True
    assert [each["text"] for each in found["boards"]] == ["3", "-1"]
    assert [each["name"] for each in found["boards"]] == ["line 2", "line 4"]
    # Turns are taken: all on one board, then on the next, then all once more.
    order = [(run["repeat"], run["board"], run["contestant"]) for run in found["runs"]]
    labels = ["bfs", "astar (problem)"]
    assert order == [(r, b, who) for r in (1, 2) for b in (1, 2) for who in labels]
    costs = [(run["status"], run["cost"]) for run in found["runs"]]
    once = [("solved", 3)] * 2 + [("unsolvable", None)] * 2
    assert costs == 2 * once
    for run in found["runs"]:
        if run["status"] == "solved":
            assert 0 < run["seconds"] <= run["call_seconds"] < 5
            assert run["setup_seconds"] > 0
            assert run["engine"] == "reference"
    astar = found["summaries"][1]
    assert astar["outcomes"] == {"solved": 2, "unsolvable": 2}
    assert (astar["own"]["cost"]["median"], astar["common"]["expanded"]["median"]) == (3, 3)


def test_runs_at_a_time_are_told_in_the_same_order(toys: Call) -> None:
    compare = ["compare", "line", "--boards", "-", "--algo", "bfs", "--algo", "astar"]
    outcome = toys(*compare, "--jobs", "2", "--json", stdin="3\n-1\n")
    found = document(outcome)
    assert found["settings"]["jobs"] == 2
    told = [(run["board"], run["contestant"], run["status"], run["cost"]) for run in found["runs"]]
    labels = ["bfs", "astar (problem)"]
    assert told[:2] == [(1, who, "solved", 3) for who in labels]
    assert told[2:] == [(2, who, "unsolvable", None) for who in labels]
    outcome = toys(*compare[:6], "--jobs", "2", stdin="3\n")
    assert outcome.lines[-1] == "medians over one board, one run each, 2 at a time"


@pytest.mark.slow
def test_boards_of_stdin_stream_as_csv(toys: Call) -> None:
    outcome = toys(
        "compare", "line", "--boards", "-", "--algo", "astar", "--format", "csv", stdin="4\n2"
    )
    assert outcome.code == 0
    assert [(row["start"], row["cost"], row["status"]) for row in rows(outcome)] == [
        ("4", "4", "solved"),
        ("2", "2", "solved"),
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3\nabc\n4\nx\n", "stdin line 2: 'abc' also bad: line 4"),
        ("# nothing\n\n", "stdin no boards"),
        ("", "stdin no boards"),
        (b"\xff\xfe", "UTF-8"),
    ],
)
def test_bad_boards_are_named_before_any_search(toys: Call, text: Any, words: str) -> None:
    outcome = toys("compare", "line", "--boards", "-", "--algo", "bfs", stdin=text)
    assert (outcome.code, outcome.out) == (2, "")
    assert len(outcome.err_lines) == 1
    for word in words.split():
        assert word in outcome.err


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("line --boards nowhere.txt", "nowhere.txt cannot be read none"),
        ("15-puzzle --boards korf10", "korf10 korf100"),
        ("line --boards - --start 3", "--start --boards exclude"),
        ("line --boards - --random 3", "--boards --random exclude"),
        ("line --boards - --scramble 3", "--boards --scramble exclude"),
        ("line --seed 3 --repeat 2", "--seed needs"),
        ("line --repeat 0", "--repeat"),
        ("line --random 0", "--random"),
        ("jugs --random 3", "jugs fixed start"),
        ("jugs --boards -", "jugs fixed start"),
        ("line --json --format csv", "--json --format csv exclude"),
        ("line --output out.txt", "out.txt .csv .json .md --format"),
        ("line --output nowhere/out.csv", "--output nowhere/out.csv cannot be written"),
        ("line --plot nowhere/out.svg", "--plot nowhere/out.svg cannot be written"),
        ("line --plot out.pdf", "--plot out.pdf .svg .png"),
        ("line --algo bfs,astar", "names several algorithms; repeat the option: --algo bfs"),
        ("line --html out.svg", "--html out.svg .html"),
        ("line --output . --format csv", "--output"),
        ("line --algo nothing --repeat 2", "'nothing'"),
    ],
)
def test_wrong_calls(toys: Call, monkeypatch: Any, line: str, words: str) -> None:
    monkeypatch.setattr(Runner, "begin", lambda *_: pytest.fail("a search was begun"))
    outcome = toys("compare", *line.split())
    assert (outcome.code, outcome.out) == (2, "")
    assert len(outcome.err_lines) == 1
    for word in words.split():
        assert word in outcome.err


def test_random_boards_are_the_same_for_a_seed(toys: Call, monkeypatch: Any) -> None:
    def boards(*options: str) -> list[str]:
        found = document(toys("compare", "line", *options, "--algo", "bfs", "--json"))
        return [each["text"] for each in found["boards"]]

    monkeypatch.setattr(Runner, "begin", lambda self, job: None)
    monkeypatch.setattr(
        Runner, "end", lambda self, job, begun: {"status": "crashed", "reason": "not run"}
    )
    three = boards("--random", "3", "--seed", "5")
    assert len(three) == 3
    assert three == boards("--random", "3", "--seed", "5")
    assert three[:2] == boards("--random", "2", "--seed", "5")
    assert three != boards("--random", "3", "--seed", "6")
    assert len(boards("--scramble", "4", "--random", "3", "--seed", "1")) == 3
    one = document(toys("compare", "line", "--random", "--seed", "5", "--algo", "bfs", "--json"))
    assert one["boards"][0]["text"] == three[0]
    noted = toys("compare", "line", "--random", "2", "--algo", "bfs")
    assert "--seed" in noted.err


def test_runs_that_end_badly_are_told_apart(ends: Call) -> None:
    for end, status, reason in [
        ("kill", "crashed", "SIGKILL (the system may have run out of memory)"),
        ("exit", "crashed", "exited with 7: this is the end"),
    ]:
        outcome = ends(
            "walk", "-p", f"end={end}", "--boards", "-", "--algo", "bfs", "--json", stdin="13\n2"
        )
        bad, good = document(outcome)["runs"]
        assert (bad["status"], bad["seconds"]) == (status, None)
        assert reason in bad["reason"]
        assert (good["status"], good["cost"]) == ("solved", 2)
        assert outcome.code == 1
        assert "1 of 2 runs crashed" in outcome.err
        assert len(outcome.err_lines) == 1


def test_a_search_that_does_not_stop_is_killed(ends: Call, monkeypatch: Any) -> None:
    monkeypatch.setattr("searchkit.solving.solver.GRACE_SECONDS", 0.3)
    outcome = ends(
        "walk", "-p", "end=sleep", "--start", "13", "--algo", "bfs", "--repeat", "1",
        "--max-time", "200ms", "--json",
    )  # fmt: skip
    (run,) = document(outcome)["runs"]
    assert (outcome.code, run["status"], run["limit"]) == (23, "limit reached", "time")
    assert "was killed" in run["reason"]


def test_an_error_of_the_puzzle_is_told(ends: Call) -> None:
    outcome = ends("walk", "-p", "end=fail", "--start", "13", "--algo", "bfs", "--repeat", "1")
    assert outcome.code == 1
    assert "puzzle walk: Walk failed: IndexError: the end" in outcome.err
    assert "1 crashed" in outcome.out


def test_what_a_puzzle_prints_is_not_taken_for_figures(ends: Call) -> None:
    outcome = ends("walk", "-p", "end=talk", "--start", "13", "--algo", "bfs", "--repeat", "1",
                   "--format", "csv")  # fmt: skip
    assert outcome.code == 0
    assert [row["cost"] for row in rows(outcome)] == ["13"]


@pytest.mark.slow
def test_limits_are_kept(toys: Call) -> None:
    endless = ("compare", "endless", "--algo", "bfs", "--format", "csv", "--repeat", "1")
    for option, value, code, limit in [
        ("--max-expansions", "100", 12, "expansions"),
        ("--max-memory", "200kB", 22, "memory"),
    ]:
        outcome = toys(*endless, option, value)
        (row,) = rows(outcome)
        assert (outcome.code, row["status"], row["limit"]) == (code, "limit reached", limit)


def test_known_sets_and_wrong_costs(ends: Call, here: None) -> None:
    right = ends("walk", "--boards", "known", "--algo", "bfs", "--format", "csv")
    assert right.code == 0
    shown = [(row["board_name"], row["known_cost"], row["cost"]) for row in rows(right)]
    assert shown == [("no. 2", "2", "2"), ("no. 4", "4", "4")]
    wrong = ends("walk", "--boards", "wrong", "--algo", "bfs")
    assert wrong.code == 3
    for words in ["bfs says 2", "3 is known to be optimal", "no. 2: 2", "1 more board"]:
        assert words in wrong.err


def test_engines_that_disagree_are_an_error_of_its_own(
    ends: Call, here: None, tmp_path: Path
) -> None:
    file = tmp_path / "out.json"
    outcome = ends(
        "detour", "--algo", "astar", "--algo", "bfs", "--start", "3", "--output", str(file)
    )
    assert outcome.code == 3
    for words in ["bfs says 3", "astar (problem) says 6, optimal", "(start: 3)"]:
        assert words in outcome.err
    assert len(json.loads(file.read_text())["disagreements"]) == 1
    assert "medians over one board" in outcome.out


def test_several_starts_at_once_and_integer_costs(toys: Call, here: None) -> None:
    outcome = toys("compare", "costly", "--algo", "ucs", "--repeat", "2", "--format", "markdown")
    assert outcome.code == 0
    assert "| algorithm | heuristic | solved | cost |" in outcome.out
    assert "| ucs |  | 2/2 | 7 |" in outcome.out


def test_a_compiled_engine_is_ready_before_it_is_measured(call: Call) -> None:
    outcome = call(
        "compare", "8-puzzle", "--algo", "astar", "--start", "123405786", "--repeat", "2", "--json"
    )
    found = document(outcome)
    assert found["contestants"][0]["ready_seconds"] > 0.1
    for run in found["runs"]:
        assert (run["engine"], run["cost"]) == ("compiled", 2)
        assert run["cpu_seconds"] < run["setup_seconds"]  # that of loading before
        assert run["peak_bytes"] < 2 * 10**6 < run["loaded_bytes"]


def test_ctrl_c_leaves_what_is_known(tmp_path: Path) -> None:
    file, asleep = tmp_path / "out.csv", tmp_path / "asleep"
    process = start_process(
        "--plugin", ENDS, "compare", "walk", "-p", f"end=sleep:{asleep}", "--boards", "-",
        "--algo", "bfs", "--output", str(file), "--max-time", "100s", stdin=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    process.stdin.write("2\n13\n")
    process.stdin.close()
    process.stdin = None
    while process.poll() is None and not asleep.exists():
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (130, "")
    assert "stopped after 1 of 2 runs" in out
    assert [row["cost"] for row in csv.DictReader(io.StringIO(file.read_text()))] == ["2"]


def test_ctrl_c_ends_all_runs_at_a_time(tmp_path: Path) -> None:
    asleep = tmp_path / "asleep"
    boards = tmp_path / "boards.txt"
    boards.write_text("13\n13\n")
    process = start_process(
        "--plugin", ENDS, "compare", "walk", "-p", f"end=sleep:{asleep}", "--boards", str(boards),
        "--algo", "bfs", "--max-time", "1000s", "--jobs", "2",
    )  # fmt: skip
    while process.poll() is None and not asleep.exists():
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "stopped after 0 of 2 runs" in out


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="processes are asked for by POSIX")
def test_a_worker_does_not_outlive_who_has_started_it(tmp_path: Path) -> None:
    mark = tmp_path / "begun"
    process = start_process(
        "--plugin", TOYS, "compare", "endless", "-p", f"mark={mark}", "-p", "pause=0.01",
        "--algo", "bfs", "--repeat", "1",
    )  # fmt: skip
    while process.poll() is None and not mark.exists():
        time.sleep(0.05)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    workers = [int(pid) for pid in children.read_text().split()] if children.exists() else []
    process.kill()
    process.communicate(timeout=300)
    for pid in workers:
        while _is_running(pid):  # for ever, if it outlives us
            time.sleep(0.05)


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[:1]


def test_a_run_says_how_long_it_may_take(monkeypatch: pytest.MonkeyPatch) -> None:
    """To load, to search, and, with machine code to be made in the middle of it, longer."""
    given: list[tuple[float | None, str]] = []
    monkeypatch.setattr(worker, "allow", lambda *how: given.append(how))

    def searching(*_: Any) -> dict[str, Any]:
        with making_code():
            return {"status": "solved"}

    monkeypatch.setattr(worker, "_search", searching)
    options = {"puzzle": "8-puzzle", "param": [], "start": None, "goal": None, "plugin": []}
    job = {
        "problem": options | {"quiet": True},
        "algorithm": "bfs", "heuristic": None, "engine": "reference", "threads": 1,
        "limits": {"time": 2.0}, "allowed": 7.5, "only_ready": False,
    }  # fmt: skip
    assert worker.run(job)["status"] == "solved"
    assert given == [
        (LOADING_SECONDS, worker.NOT_READY), (7.5, LATE), (7.5 + MAKING_SECONDS, LATE)
    ]  # fmt: skip


def test_the_puzzle_of_a_file_is_found_by_each_process(call: Call) -> None:
    plain = ("--repeat", "1", "--algo", "bfs", "--engine", "reference", "--json")
    outcome = call("compare", "examples/hanoi.py", *plain)
    assert (outcome.code, outcome.err) == (0, "")
    found = document(outcome)
    assert found["puzzle"] == "hanoi"
    assert [run["status"] for run in found["runs"]] == ["solved"]
