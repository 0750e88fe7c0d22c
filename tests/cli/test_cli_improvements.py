"""The solutions of an anytime search as JSON, and what is left where it is stopped."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from searchkit import Anytime, puzzle, solve
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.running import driver
from tests.support.cli_calls import Call

SCRIPT = str(Path(sys.executable).with_name("searchkit"))
PLUGIN = ("--plugin", "tests/cli/plugins/pressing.py")
RING = (*PLUGIN, "ring", "--algo", "cabs", "-o", "width=1", "--engine", "reference")


def check_best(call: Call, out: str) -> dict[str, Any]:
    """The document is whole and verified, and has the best solution that it tells of."""
    document: dict[str, Any] = json.loads(out)
    costs = [each["cost"] for each in document.get("improvements", ())]
    assert costs == sorted(set(costs), reverse=True)
    assert costs[-1:] == ([] if document["cost"] is None else [document["cost"]])
    if document["cost"] is not None:
        assert len(document["solutions"]) == 1
        assert document["lower_bound"] >= document["improvements"][-1]["lower_bound"]
        verified = call("verify", "-", *PLUGIN, stdin=out)
        assert (verified.code, verified.err) == (0, "")
        assert "which solutions were found before, and when" in verified.out
    return document


def test_all_solutions_are_in_the_document(call: Call) -> None:
    written = call("run", "8-puzzle", "--algo", "anytime", "--json")
    document = check_best(call, written.out)
    expected = solve(puzzle("8-puzzle"), Anytime()).improvements
    names = ("cost", "lower_bound", "expanded")
    assert [tuple(each[name] for name in names) for each in document["improvements"]] == [
        tuple(getattr(each, name) for name in names) for each in expected
    ]
    assert [each["weight"] for each in document["improvements"]] == [
        str(each.weight) for each in expected
    ]
    assert "improvements" not in json.loads(
        call("run", "8-puzzle", "--algo", "astar", "--json").out
    )


def pressed(at: str, *more: str) -> subprocess.CompletedProcess[str]:
    """Search in another process, in which Ctrl-C is pressed at that call of a rule."""
    return subprocess.run(
        [SCRIPT, "run", *RING, *more], env=os.environ | {"PRESSED": at, "COLUMNS": "120"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.slow_variants("14000", "1500", "8000")
@pytest.mark.parametrize("call_number", [1500, 5000, 8000, 14_000])
def test_ctrl_c_while_it_is_searched(call: Call, call_number: int) -> None:
    done = pressed(f"successors:{call_number}", "--json")
    assert (done.returncode, done.stderr) == (ExitCode.INTERRUPTED, "")
    document = check_best(call, done.stdout)
    assert document["status"] == "interrupted"
    assert (document["cost"] is None) == (call_number == 1500)
    assert document["lower_bound"] >= (call_number > 1500)


def test_ctrl_c_while_it_is_printed(call: Call) -> None:
    done = pressed("format_action:2", "--json")
    assert done.returncode == ExitCode.INTERRUPTED
    assert check_best(call, done.stdout)["optimal"]


def test_ctrl_c_on_the_terminal() -> None:
    done = pressed("successors:8000")
    assert done.returncode == ExitCode.INTERRUPTED
    assert " moves, within " in done.stdout
    assert "; interrupted; no solution costs less than " in done.stdout


def test_at_the_limit_of_time(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on when it is asked."""
    asked: Counter[str] = Counter()

    def clock() -> float:
        asked["clock"] += 1
        return asked["clock"] / 1000

    for name in ("search_clock", "monotonic"):
        monkeypatch.setattr(driver, name, clock)
    codes = set()
    for time in ("10ms", "30ms", "35ms"):
        written = call("run", *RING, "--max-time", time, "--json")
        codes.add((written.code, check_best(call, written.out)["cost"] is None))
    assert codes >= {(ExitCode.OUT_OF_TIME, True), (ExitCode.OUT_OF_TIME, False)}


@pytest.mark.parametrize(
    ("number", "name", "value", "told"),
    [
        (-1, "cost", 1, "but the cost of the document is"),
        (0, "lower_bound", 99, "but the lower bound of the document is"),
        (0, "within", 1.5, "so that its field 'within' must be"),
        (0, "seconds", 1e9, "field 'seconds' falls from one improvement to the next"),
        (0, "cost", 31, "so that its field 'within' must be"),
        (0, "weight", 3, "field 'weight' of improvement 1 must be a text or null, not 3"),
        (0, "expanded", -1, "field 'expanded' of improvement 1 is -1; it must be 0 or more"),
        (0, "width", None, ""),
    ],
)
def test_what_cannot_be_is_refused(
    call: Call, number: int, name: str, value: Any, told: str
) -> None:
    document = json.loads(call("run", "8-puzzle", "--algo", "anytime", "--json").out)
    assert len(document["improvements"]) > 1
    document["improvements"][number][name] = value
    refused = call("verify", "-", "-q", stdin=json.dumps(document))
    assert told in refused.err
    assert (refused.code, len(refused.err_lines)) == ((2, 1) if told else (0, 0))


def test_costs_that_do_not_fall_are_refused(call: Call) -> None:
    document = json.loads(call("run", "8-puzzle", "--algo", "anytime", "--json").out)
    document["improvements"] *= 2
    for each in document["improvements"]:
        each["seconds"] = 1
        each["lower_bound"], each["within"] = 0, None
    refused = call("verify", "-", "-q", stdin=json.dumps(document))
    assert "the costs of its improvements do not fall" in refused.err
    del document["cost"], document["improvements"][0]["cost"]
    assert call("verify", "-", "-q", stdin=json.dumps(document)).code == ExitCode.BAD_INPUT
