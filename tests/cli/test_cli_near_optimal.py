"""`run --within` with several solutions, and `run --best`."""

import json
from pathlib import Path

import pytest

from tests.support.cli_calls import Call

RUN = ("run", "8-puzzle", "--scramble", "20", "--seed", "1")


def test_all_within_a_slack_are_listed_by_their_cost(call: Call) -> None:
    found = call(*RUN, "--all", "--within", "+2", "--moves")
    lengths = [len(line.split()) for line in found.out.splitlines()]
    assert lengths == [14] + [16] * 2
    counted = call(*RUN, "--count", "--within", "1.15")
    assert counted.out == "3\n"
    assert "3 solutions within 23/20, the cheapest of 14 moves, optimal" in counted.err


def test_the_best_are_the_cheapest(call: Call) -> None:
    found = call(*RUN, "--best", "5")
    assert "5 solutions, the cheapest of 14 moves, optimal; there may be more" in found.out
    best = call(*RUN, "--best", "5", "--moves").out
    assert call(*RUN, "--limit", "5", "--within", "any", "--moves").out == best


def test_what_stops_a_list_is_said_beside_the_moves(call: Call) -> None:
    found = call(*RUN, "--best", "50", "--moves", "--max-expansions", "9000")
    assert found.code == 12
    assert 1 < len(found.out.splitlines()) < 50
    assert "gave up at the expansion limit" in found.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--all --within any", "within=any has no end"),
        ("--all --within 0.9", "within is '0.9'"),
        ("--all --within +1 --algo wastar", "wastar finds one solution"),
        ("--best 3 --all", "--all and --best exclude each other"),
        ("--best 0", "--best"),
    ],
)
def test_wrong_calls(call: Call, options: str, said: str) -> None:
    found = call(*RUN, *options.split())
    assert found.code == 2
    assert said in found.err
    assert len(found.err_lines) == 1


@pytest.mark.slow_variants("--best 6 --algo idastar", "--limit 3 --within 1.15")
@pytest.mark.parametrize(
    "options",
    ["--all --within +2", "--best 5", "--limit 3 --within 1.15", "--best 6 --algo idastar"],
)
def test_documents_hold_them_and_are_verified(call: Call, options: str) -> None:
    text = call(*RUN, *options.split(), "--json").out
    content = json.loads(text)
    costs = [each["cost"] for each in content["solutions"]]
    assert costs == [14, 16, 16, 18, 18, 18][: len(costs)]
    assert content["count"] == len(costs) > 2
    found = call("verify", "-", stdin=text)
    assert f"ok: {len(costs)} solutions verified ({costs[0]} to {costs[-1]} moves)" in found.out
    assert "not checked: " in found.out


def test_that_a_count_of_them_was_not_checked_is_said(call: Call) -> None:
    text = call("run", "hoppers", "--count", "--within", "+1", "--algo", "idastar", "--json").out
    content = json.loads(text)
    assert content["count"] == 904
    found = call("verify", "-", "--search", stdin=text)
    assert found.code == 0
    assert found.out.splitlines()[0].endswith("that there are 904 was not checked")
    content["statistics"]["iterations"][0]["expanded"] += 10_000
    content["statistics"]["iterations"][0]["generated"] += 10_000
    found = call("verify", "-", "--search", stdin=json.dumps(content))
    assert "its iterations expanded" in found.err


def test_a_proof_beside_them_counts_them(call: Call, tmp_path: Path) -> None:
    path = str(tmp_path / "answer.proof")
    assert call(*RUN, "--all", "--within", "+2", "--proof", path, "-q").code == 0
    found = call("verify", path)
    assert "less than 14; the solution of 14 steps is optimal, one of 3 up to 16; " in found.out


def test_compare_ends_each_where_it_is_good_enough(call: Call) -> None:
    found = call("compare", "8-puzzle", "--algo", "cabs", "--within", "+4")
    assert " 31, within 1.1482 " in found.out
    wrong = call("compare", "8-puzzle", "--algo", "wastar", "--within", "1.1")
    assert wrong.code == 2
    assert "use cabs, anytime or an algorithm that is optimal" in wrong.err
