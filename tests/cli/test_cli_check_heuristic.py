"""`searchkit check-heuristic`: what it says, and with which exit code."""

from __future__ import annotations

import json

import pytest

from tests.support.cli_calls import HERE, Call, Outcome

BOUNDS = str(HERE / "plugins" / "bounds.py")


@pytest.fixture
def check(call: Call) -> Call:
    def run(*words: str) -> Outcome:
        named = [part for word in words if not word.startswith("-") for part in _named(word)]
        options = [part for word in words if word.startswith("-") for part in word.split()]
        return call("--plugin", BOUNDS, "check-heuristic", "row", *named, *options)

    return run


def _named(name: str) -> list[str]:
    return ["--heuristic", name]


def test_what_is_proved(check: Call) -> None:
    outcome = check("good")
    assert outcome.code == 0
    assert outcome.err == ""
    assert outcome.lines == [
        "good: all 20 states, 38 steps",
        "  admissible: proved for all 20 states",
        "  consistent: proved for all 38 steps",
        "  the same in all forms: after",
        "  quality: mean estimate 9.500, mean distance 9.500, mean ratio 1.000",
    ]


def test_what_is_not_consistent_is_no_error(check: Call) -> None:
    outcome = check("low")
    assert outcome.code == 0
    assert "  not consistent: 2 of 38 steps" in outcome.lines
    assert "    8 by down to 7: estimate 8, then 4, but the step costs 1" in outcome.lines


def test_what_is_too_large(check: Call) -> None:
    outcome = check("large")
    assert outcome.code == 1
    assert outcome.lines[1:3] == [
        "  NOT admissible: too large in 1 of 20 states, by up to 1",
        "    7: estimate 8, distance is 7",
    ]
    endless = check("endless")
    assert endless.code == 1
    assert "    7: estimate infinity, distance is 7" in endless.lines
    assert (
        "  dead ends: 0 of 0 recognised; a way is known from 1 state reported as one"
        in endless.lines
    )


def test_what_contradicts_itself(check: Call) -> None:
    outcome = check("torn")
    assert outcome.code == 1
    assert "  NOT the same in all forms: 38 disagreements" in outcome.lines
    assert "    19 by down: after gives 19, not 18" in outcome.lines


def test_one_bad_one_of_several(check: Call) -> None:
    outcome = check("good", "large", "good")
    assert outcome.code == 1
    assert [line for line in outcome.lines if not line.startswith(" ")] == [
        "good: all 20 states, 38 steps",
        "large: all 20 states, 38 steps",
    ]


def test_a_sample_claims_no_proof(check: Call) -> None:
    outcome = check("good", "--max-states 10", "--samples 50", "--seed 3")
    assert outcome.code == 0
    assert outcome.lines[0].startswith("good: a sample by seed 3: ")
    assert "proved" not in outcome.out
    again = check("good", "--max-states 10", "--samples 50", "--seed 3")
    assert again.out == outcome.out
    assert check("good", "--max-states 20").lines[0] == "good: all 20 states, 38 steps"


def test_json(check: Call) -> None:
    outcome = check("endless", "good", "--json")
    assert outcome.code == 1
    document = json.loads(outcome.out, parse_constant=pytest.fail)
    assert document["format"] == "searchkit-check-heuristic/1"
    bad, good = document["heuristics"]
    assert (bad["admissible"], bad["ok"], bad["overestimated"]) == (False, False, 1)
    assert bad["overestimates"][0] == {
        "state": "7", "estimate": None, "distance": 7, "exact": True
    }  # fmt: skip
    assert (good["admissible"], good["consistent"], good["ok"]) == (True, True, True)
    assert good["quality"]["histogram"]["7"] == 1


def test_histogram(check: Call) -> None:
    lines = check("good", "--histogram", "-p size=3").lines
    assert [line.split() for line in lines[-4:-1]] == [["0", "1"], ["1", "1"], ["2", "1"]]


def test_all_that_suit_are_checked(call: Call) -> None:
    outcome = call("check-heuristic", "6-puzzle")
    assert outcome.code == 0
    names = [line.partition(":")[0] for line in outcome.lines if not line.startswith(" ")]
    assert names == ["problem", "manhattan", "misplaced"]
    assert outcome.out.count("admissible: proved for all 5,040 states") == 3


def test_errors_are_one_line(check: Call, call: Call) -> None:
    for outcome, code, words in [
        (check("failing"), 1, "ZeroDivisionError: no bound"),
        (check("god"), 2, "did you mean 'good'"),
        (check("good", "--samples 0"), 2, "--samples"),
        (check("good", "--max-states some"), 2, "--max-states"),
        (call("check-heuristic", "nothing"), 2, "'nothing'"),
        (call("check-heuristics", "6-puzzle"), 2, "did you mean 'check-heuristic'"),
    ]:
        assert outcome.code == code
        assert len(outcome.err_lines) == 1
        assert words in outcome.err
        assert outcome.out == ""


def test_a_limit_of_time(call):
    outcome = call("check-heuristic", "8-puzzle", "--max-time", "0", "--heuristic", "problem")
    assert (outcome.code, outcome.out) == (23, "")
    assert outcome.err == "searchkit: note: the time is over; not checked: problem\n"
    assert call("check-heuristic", "6-puzzle", "--max-time", "1h").code == 0
