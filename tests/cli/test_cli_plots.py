"""`--plot` and `--html` of the commands: what is written, and what is told before any work."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from searchkit.cli.commands.comparing.worker import Runner
from searchkit.executors.inline import Inline
from tests.support.cli_calls import Call


def is_svg(path: Path) -> bool:
    return ElementTree.fromstring(path.read_bytes()).tag.endswith("}svg")


def test_explore_draws_and_reports(toys: Call, tmp_path: Path) -> None:
    plot, report = tmp_path / "layers.SVG", tmp_path / "layers.html"
    outcome = toys("explore", "jugs", "--plot", str(plot), "--html", str(report))
    assert (outcome.code, outcome.err) == (0, "")
    assert "16 states" in outcome.out
    assert is_svg(plot)
    text = report.read_text(encoding="utf-8")
    assert "16 states, the farthest 7 moves away" in text
    assert "searchkit --plugin" in text
    assert "explore jugs --plot" in text


def test_run_draws_iterations(toys: Call, tmp_path: Path) -> None:
    plot = tmp_path / "iterations.png"
    outcome = toys("run", "jugs", "--algo", "iddfs", "--plot", str(plot), "--moves")
    assert (outcome.code, len(outcome.lines)) == (0, 1)
    assert plot.read_bytes().startswith(b"\x89PNG")
    proved = tmp_path / "proved.svg"
    outcome = toys("run", "line", "--start", "-1", "--algo", "idastar", "--plot", str(proved))
    assert outcome.code == 11
    assert is_svg(proved)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("run jugs --algo bfs --plot x.svg", "bfs no iterations --plot iddfs"),
        ("run jugs --algo iddfs --plot x.jpg", "--plot x.jpg .svg"),
        ("run jugs --algo iddfs --plot nowhere/x.svg", "--plot nowhere/x.svg cannot be written"),
        ("explore jugs --html x.pdf", "--html x.pdf .html"),
        ("explore jugs --html nowhere/x.html", "nowhere/x.html cannot be written"),
    ],
)
def test_wrong_calls(
    toys: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = toys(*line.split())
    assert (outcome.code, outcome.out, len(outcome.err_lines)) == (2, "", 1)
    for word in words.split():
        assert word in outcome.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "line",
    [
        "run jugs --algo iddfs --plot x.svg",
        "explore jugs --html x.html",
        "compare jugs --plot x.svg",
    ],
)
def test_a_missing_library_is_told_first(
    toys: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("searchkit.plots.find_spec", lambda name: None)
    outcome = toys(*line.split())
    assert (outcome.code, outcome.out, len(outcome.err_lines)) == (2, "", 1)
    assert "needs matplotlib, which is not installed: pip install matplotlib" in outcome.err


def test_a_file_that_is_there_is_kept_until_there_is_another(toys: Call, tmp_path: Path) -> None:
    file = tmp_path / "old.csv"
    file.write_text("old")
    outcome = toys("compare", "line", "--algo", "nothing", "--output", str(file))
    assert (outcome.code, file.read_text()) == (2, "old")


def test_a_run_in_which_machine_code_was_made_is_done_again(monkeypatch: Any) -> None:
    told = [{"status": "solved", "code_made": 2, "cost": 1}, {"status": "solved", "code_made": 0}]
    monkeypatch.setattr("searchkit.cli.commands.comparing.worker.run", lambda job: told.pop(0))
    runner, job = Runner(Inline(), lambda text: None), {"limits": {"time": None}}
    assert runner.end(job, runner.begin(job)) == {"status": "solved"}
    assert told == []
