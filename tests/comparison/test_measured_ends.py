"""How a measured comparison ends: its exit code, and the notes of its processes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from searchkit.cli.app import app
from searchkit.cli.commands.comparing import measure
from searchkit.cli.commands.comparing.worker import Runner
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.errors import SearchkitWarning
from tests.support.cli_calls import runner
from tests.support.comparisons import ASTAR, comparison, run

WARNING = """
import warnings

from searchkit import Problem, Step, hookimpl
from searchkit.errors import SearchkitWarning


class Line(Problem):
    def initial_states(self):
        warnings.warn("the line is short", SearchkitWarning)
        return [2]

    def successors(self, state):
        return [Step("down", state - 1)]

    def is_goal(self, state):
        return state == 0


@hookimpl
def searchkit_register_puzzles(register):
    register("line", Line)
"""


def crashed(board: int) -> Any:
    return run(board, cost=None, status="crashed", optimal=False, reason="it broke")


@pytest.mark.parametrize("interrupted", [False, True])
@pytest.mark.parametrize(
    ("runs", "code", "told"),
    [
        ([run(1), run(1, ASTAR, 7)], ExitCode.DISAGREEMENT, "the engines disagree"),
        ([run(1), crashed(2)], ExitCode.BUG, "1 of 2 runs crashed; bfs: it broke"),
        ([run(1)], ExitCode.OK, ""),
    ],
)
def test_after_ctrl_c(
    capsys: pytest.CaptureFixture[str],
    runs: list[Any],
    code: ExitCode,
    told: str,
    interrupted: bool,
) -> None:
    """A contradiction counts for more than Ctrl-C, and a crash is told in any case."""
    if interrupted and code is not ExitCode.DISAGREEMENT:
        code = ExitCode.INTERRUPTED
    assert measure.exit_code(comparison(runs), interrupted) is code
    err = capsys.readouterr().err
    assert (told in err) if told else not err


@pytest.mark.slow_variants("True")
@pytest.mark.parametrize("quiet", [False, True])
def test_each_note_of_processes_is_said_once(tmp_path: Path, quiet: bool) -> None:
    (tmp_path / "line.py").write_text(WARNING)
    command = ["compare", "--plugin", str(tmp_path / "line.py"), "line", "--algo", "bfs"]
    options = ["--repeat", "2", "--format", "json", *(["--quiet"] if quiet else [])]
    outcome = runner().invoke(app, [*command, *options])
    assert outcome.exit_code == 0, outcome.output
    assert len(json.loads(outcome.stdout)["runs"]) == 2
    assert outcome.stderr.count("the line is short") == (0 if quiet else 1)


def test_notes_are_said_after_ctrl_c(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def end(self: Runner, job: Any, begun: Any) -> Iterator[Any]:
        self.note("cannot be kept")
        self.note("cannot be kept")
        raise KeyboardInterrupt

    monkeypatch.setattr(Runner, "begin", lambda self, job: None)
    monkeypatch.setattr(Runner, "end", end)
    job: dict[str, Any] = {"problem": {}}
    options = {"quiet": False, "cluster": None}
    with pytest.warns(SearchkitWarning, match="cannot be kept") as warned:
        assert measure._run_all(
            comparison([]), {"bfs": job, "astar (m)": job}, {}, options, "table"
        )
    assert len(warned) == 1
