"""`searchkit check`: what it says, and with which exit code."""

from __future__ import annotations

import json
from typing import Any

import pytest

from searchkit.checks.conformance import ConformanceReport, check_puzzle
from searchkit.cli.support.progress import ProgressLine
from tests.support.cli_calls import HERE, Call, Outcome

LIES = str(HERE / "plugins" / "lies.py")


@pytest.fixture
def check(call: Call) -> Call:
    def run(*words: str) -> Outcome:
        return call("--plugin", LIES, "check", *words)

    return run


def test_a_law_that_is_broken(check: Call) -> None:
    outcome = check("stairs", "--law", "undirected")
    assert outcome.code == 1
    assert outcome.err == ""
    assert outcome.lines == [
        "undirected: FAILS: every step can be taken back by one of the same cost",
        "  at        3",
        "  reached   from the start 0 by up 1, up 2",
        "  expected  after up 2: a step of cost 1 back from 5, as undirected = True promises",
        "  found     no step leads back",
        f"  see       {LIES}:9 in Stairs",
        f"  or        {LIES}:14 in successors",
        "1 law: 0 hold, 1 BROKEN",
    ]


def test_laws_that_hold_or_do_not_apply(check: Call) -> None:
    outcome = check("stairs", "--law", "costs", "--law", "grade", "--law", "costs")
    assert outcome.code == 0
    assert outcome.lines == [
        "costs: holds on the whole space of 7 states",
        "grade: does not apply: no method grade",
        "2 laws: 1 hold, 1 do not apply",
    ]


def test_code_that_fails_is_shown_by_its_own_line(check: Call) -> None:
    outcome = check("broken")
    assert outcome.code == 1
    assert outcome.err == ""
    text = "successors raises IndexError: list index out of range"
    assert f"  found     {text}" in outcome.lines
    assert f"  see       {LIES}:29 in successors" in outcome.lines
    assert "Traceback" not in outcome.out
    assert "searchkit/checks" not in outcome.out.replace(LIES, "")


def test_json(check: Call) -> None:
    outcome = check("stairs", "--json", "--engine", "reference", "--states", "5")
    assert outcome.code == 1
    document = json.loads(outcome.out)
    assert (document["format"], document["puzzle"]) == ("searchkit-check/1", "stairs")
    assert (document["ok"], document["states"], document["whole"]) == (False, 5, False)
    verdicts = {verdict["law"]: verdict for verdict in document["verdicts"]}
    assert len(verdicts) == 33
    assert verdicts["undirected"]["status"] == "fails"
    assert verdicts["undirected"]["counterexample"]["actions"] == ["up 1", "up 2"]
    assert verdicts["grade"]["status"] == "does not apply"
    assert verdicts["grade"]["counterexample"] is None


def test_the_time_may_be_over(check: Call) -> None:
    outcome = check("stairs", "--law", "costs", "--max-time", "0s")
    assert outcome.code == 23
    assert outcome.lines[0] == "costs: not checked: the time is over after 0 states"


def test_the_puzzle_is_that_of_the_options(call: Call) -> None:
    words = ["check", "sliding", "-p", "size=2x2", "--law", "undirected"]
    outcome = call(*words)
    assert outcome.lines[0] == "undirected: holds on the whole space of 12 states"
    assert call(*words, "--states", "7", "--seed", "2").lines[0] == "undirected: holds on 7 states"


def test_errors_are_one_line(check: Call) -> None:
    for outcome, words in [
        (check("stairs", "--law", "gravity"), "no law named 'gravity'; known: starts"),
        (check("stairs", "--states", "0"), "--states"),
        (check("stair"), "did you mean 'stairs'"),
        (check("stairs", "--engine", "fast"), "--engine"),
    ]:
        assert outcome.code == 2
        assert len(outcome.err_lines) == 1
        assert words in outcome.err


def test_the_time_is_limited_and_progress_shown(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    given: dict[str, Any] = {}

    def checked(*args: Any, **options: Any) -> ConformanceReport:
        given.update(options)
        return check_puzzle(*args, **options | {"listener": told.append})

    monkeypatch.setattr("searchkit.cli.commands.check.check_puzzle", checked)
    outcome = call("check", "6-puzzle", "--law", "keys", "--engine", "reference")
    assert outcome.code == 0
    assert given["max_time"] == 120
    assert told[-1].startswith("keys, ")


def test_progress_says_how_to_be_quicker(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(ProgressLine, "show", lambda line, text: shown.append(text))
    options = ("check", "6-puzzle", "--law", "successors", "--engine", "reference")
    assert call(*options).code == 0
    assert shown
    assert all(text.endswith("; --states 300 is quicker") for text in shown)
    shown.clear()
    assert call(*options, "--states", "300").code == 0
    assert not any("quicker" in text for text in shown)
