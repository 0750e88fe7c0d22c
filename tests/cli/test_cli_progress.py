"""What is told while an exploration goes on."""

from __future__ import annotations

from threading import Timer
from typing import Any

import pytest

from searchkit.cli.support.progress import ProgressLine
from searchkit.explore import explore
from searchkit.limits import Iteration, Progress
from searchkit.running import driver
from searchkit.running.building import building
from searchkit_sliding import eight_puzzle
from tests.support.cli_calls import TOYS, Call


@pytest.mark.slow_variants("reference")
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_how_far_a_layer_is(monkeypatch, engine):
    monkeypatch.setattr(driver, "PROGRESS_SECONDS", 0)
    told = []
    found = explore(eight_puzzle(), engine=engine, progress=told.append)
    seen = [each.layer for each in told if each.layer is not None]
    assert seen
    for depth, states, done in seen:
        assert states == found.layers[depth]
        assert 0 <= done <= states
    assert seen == sorted(seen, key=lambda each: (each[0], each[2]))
    lines = []
    monkeypatch.setattr(ProgressLine, "show", lambda self, text: lines.append(text))
    ProgressLine("explore")(told[-1])
    depth, states, done = seen[-1]
    assert lines[0].startswith(f"layer {depth}, {done:,} of {states:,} states expanded, about ")


def test_ctrl_c_while_a_timer_is_started(call: Call, monkeypatch) -> None:
    def interrupted(timer: Timer) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Timer, "start", interrupted)
    outcome = call("explore", "sliding", "-p", "size=2x3", "--engine", "compiled", "-q")
    assert outcome.code == 130
    assert "SlidingPuzzle" not in outcome.err


def test_a_table_that_is_given_up_is_not_said_to_be_built_later(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[Timer] = []
    monkeypatch.setattr(Timer, "start", lambda timer: waiting.extend([timer]))
    monkeypatch.setattr(Timer, "cancel", lambda timer: waiting.clear())

    def build(what: str) -> None:
        with building(what) as tell:
            tell("far")
            assert len(waiting) == 1
            if what == "one":
                raise ValueError(what)
            waiting[0].function(*waiting[0].args)

    with ProgressLine("ida"):
        with pytest.raises(ValueError, match="one"):
            build("one")
        assert waiting == []
        build("another")
    assert [each.partition(" in ")[0] for each in capsys.readouterr().err.splitlines()] == [
        "searchkit: note: building another",
        "searchkit: note: another was built",
    ]


def test_verbose_tells_the_engine_and_the_iterations(call: Call) -> None:
    run = ["run", "8-puzzle", "--start", "867254301", "--algo", "idastar", "-v"]
    outcome = call(*run)
    assert "engine     reference: it was done in the trial" in outcome.lines
    assert "engine     reference: as --engine says" in call(*run, "--engine", "reference").lines
    assert not [line for line in call(*run[:-1]).lines if line.startswith("engine ")]
    jugs = call("--plugin", TOYS, "run", "jugs", "-v").out
    assert "engine     reference: it was done in the trial" in jugs


def test_verbose_tells_of_iterations_as_they_end(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        Iteration(bound=bound, expanded=bound, generated=2 * bound, seconds=0.5)
        for bound in (1, 2, 3)
    ]
    counts: dict[str, Any] = {
        "expanded": 1,
        "generated": 1,
        "stored": 1,
        "frontier": 1,
        "seconds": 1.0,
    }
    with ProgressLine("ida", verbose=True) as line:
        for number in (1, 1, 3, 0, 1):  # a trial of three, then another search
            line(Progress(lower_bound=1, iterations=tuple(rows[:number]), **counts))
    told = capsys.readouterr().err.splitlines()
    assert [each.split(":")[1] for each in told] == [f" iteration {i}" for i in (1, 2, 3, 1)]
    assert told[0] == "ida: iteration 1: 1 expanded, 2 generated, 0.500 s"
    with ProgressLine("ida") as line:
        line(Progress(lower_bound=1, iterations=tuple(rows), **counts))
    assert capsys.readouterr().err == ""
