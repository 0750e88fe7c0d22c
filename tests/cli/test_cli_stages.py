"""Solving in stages on the command line."""

from __future__ import annotations

import json

from tests.support.cli_calls import Call
from tests.support.compared_rows import compared_rows

RANDOM = ["15-puzzle", "--random", "--seed", "3", "--algo", "stages"]


def test_a_random_board_is_solved_in_stages(call: Call) -> None:
    outcome = call("run", *RANDOM)
    assert (outcome.code, outcome.err) == (0, "")
    assert "67 moves, within" in outcome.out
    assert "algorithm  stages (compiled engine)" in outcome.out


def test_what_is_found_is_verified(call: Call) -> None:
    outcome = call("run", *RANDOM, "-o", "plans=2", "-o", "beam=4", "-o", "effort=5000", "--json")
    document = json.loads(outcome.out)
    assert document["algorithm"] == "stages"
    assert document["cost"] < 67
    assert not document["optimal"]
    checked = call("verify", "-", "-q", stdin=outcome.out)
    assert (checked.code, checked.out) == (
        0,
        f"ok: 1 solution verified ({document['cost']} moves)\n",
    )


def test_what_is_refused_is_refused_in_one_line(call: Call) -> None:
    for args, words in [
        ([*RANDOM, "--all"], "stages finds one solution"),
        (["hoppers", "--algo", "stages"], "needs stage_plans()"),
        (["sliding", "-p", "size=9x9", "--algo", "stages"], "stages has no plan for this problem"),
        ([*RANDOM, "-o", "effort=-1"], "effort"),
        ([*RANDOM, "-o", "window=3"], "its options are plans, states, beam, effort"),
    ]:
        outcome = call("run", *args)
        assert (outcome.code, outcome.out, len(outcome.err_lines)) == (2, "", 1), args
        assert words in outcome.err


def test_a_start_that_cannot_be_solved_is_proved_to_be_so(call: Call) -> None:
    outcome = call("run", "8-puzzle", "--start", "123456870", "--algo", "stages", "--json")
    assert outcome.code == 11
    assert json.loads(outcome.out)["certificate"]["kind"] == "parity"


def test_it_is_listed_and_told_whether_it_suits(call: Call) -> None:
    assert "sub-goals one after the other" in call("list").out
    assert " stages          yes" in call("info", "15-puzzle").out
    assert " stages          no: stages needs stage_plans()" in call("info", "hoppers").out


def test_it_is_compared_if_it_is_named(call: Call) -> None:
    outcome = call("compare", "8-puzzle", "--algo", "stages", "--algo", "astar", "--json")
    rows = {row["algorithm"]: row for row in compared_rows(outcome.out)}
    assert (rows["stages"]["cost"], rows["stages"]["optimal"]) == (35, False)
    assert (rows["astar"]["cost"], rows["astar"]["optimal"]) == (31, True)
