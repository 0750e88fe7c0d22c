"""Searches that need not be optimal, on the command line: options, claims and exit codes."""

from __future__ import annotations

import json

import pytest

from searchkit.cli.support.exit_codes import ExitCode
from searchkit.compiled.specialise.plain import plainly
from searchkit.engines import incumbents
from searchkit.engines.incumbents import Share
from tests.support.cli_calls import Call
from tests.support.compared_rows import compared_rows

START = ["8-puzzle", "--start", "647850321"]  # 31 moves away, as far as any
BOUNDED = [
    ["wastar", "-o", "weight=1.5"],
    ["wastar", "-o", "weight=3/2"],
    ["widastar", "-o", "weight=2"],
    ["greedy"],
    ["beam", "-o", "width=20"],
    ["anytime"],
    ["anytime", "-o", "weights=3,1"],
]


@pytest.mark.slow_variants("wastar -o weight=3/2", "anytime -o weights=3,1")
@pytest.mark.parametrize("algorithm", BOUNDED, ids=" ".join)
def test_what_is_claimed_is_written_and_verified(call: Call, algorithm: list[str]) -> None:
    told = call("run", *START, "--algo", *algorithm)
    written = call("run", *START, "--algo", *algorithm, "--json")
    assert (told.code, written.code) == (0, 0)
    document = json.loads(written.out)
    assert document["algorithm"] == algorithm[0]
    assert 31 <= document["cost"] <= document["within"] * 31
    assert document["optimal"] == (document["within"] == 1) == (document["lower_bound"] == 31)
    if "weight=2" not in algorithm and "wastar" in algorithm:
        assert document["within"] <= 1.5
    claim = "optimal" if document["optimal"] else f"within {document['within']} of optimal"
    assert f"{document['cost']} moves, {claim}\n" in told.out
    verified = call("verify", "-", "-q", stdin=written.out)
    assert verified.out == f"ok: 1 solution verified ({document['cost']} moves)\n"


@pytest.mark.parametrize("within", [1.0, 1.01, None, -1, 0, 99])
def test_a_false_claim_does_not_verify(call: Call, within: float | None) -> None:
    written = call("run", *START, "--algo", "wastar", "--json")
    document = json.loads(written.out)
    proved = document["within"]
    assert proved not in (within, 1.0)
    document["within"] = within
    refused = call("verify", "-", stdin=json.dumps(document))
    assert refused.code == ExitCode.BAD_INPUT
    why = f"by its cost and its lower bound it must be {proved}"
    assert ("it must be 0 or more" if within == -1 else why) in refused.err
    assert len(refused.err_lines) == 1


def test_an_anytime_search_that_is_stopped_has_its_best_solution(call: Call) -> None:
    line = "--algo anytime --max-expansions 2000 --engine reference"
    arguments = ("run", *START, *line.split())
    stopped = call(*arguments, "-v")
    assert stopped.code == ExitCode.GAVE_UP
    document = json.loads(call(*arguments, "--json").out)
    assert document["status"] == "limit reached"
    assert 1 < document["within"] <= 1.5
    assert (
        f"{document['cost']} moves, within {document['within']} of optimal; gave up at the "
        f"expansion limit; no solution costs less than {document['lower_bound']}; "
        "raise the limit to go on"
    ) in stopped.out
    assert " weight   moves   within   expanded" in stopped.out
    moves = call(*arguments, "--moves")
    assert moves.code == ExitCode.GAVE_UP
    assert len(moves.out.split()) == document["cost"]
    assert call("verify", "-", stdin=json.dumps(document)).code == 0


def test_a_beam_that_is_too_narrow_has_proved_nothing(call: Call) -> None:
    narrow = call(
        "run", "hoppers", "--goal", "pegs 1", "--algo", "beam", "-o", "width=2", "--moves"
    )
    assert narrow.code == ExitCode.GAVE_UP
    assert narrow.err.startswith("gave up at the width limit; no solution costs less than ")
    wide = call(
        "run", "hoppers", "--goal", "pegs 1", "--algo", "beam", "-o", "width=9999", "--json"
    )
    assert wide.code == ExitCode.UNSOLVABLE
    assert call("verify", "-", stdin=wide.out).out.startswith("ok: no solution; ")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["wastar", "--all"], "wastar finds one solution and cannot list or count"),
        (["greedy", "--count"], "greedy finds one solution and cannot list or count"),
        (["wastar", "-o", "weight=0.9"], "weight is '0.9'; it must be a number from 1"),
        (["wastar", "-o", "weight=1e9"], "weight is '1e9'; it must be a number from 1"),
        (["wastar", "-o", "weight=1.00000001"], "its parts must be 1,000,000 at most"),
        (["wastar", "-o", "width=3"], "wastar has no option 'width'; its options are weight"),
        (["anytime", "-o", "weights=2,3,1"], "they must fall and end with 1"),
        (["anytime", "-o", "weights=5"], "they must fall and end with 1"),
        (["beam", "-o", "width=0"], "width"),
    ],
)
def test_wrong_calls_are_one_line(call: Call, arguments: list[str], words: str) -> None:
    outcome = call("run", *START, "--algo", *arguments)
    assert outcome.code == ExitCode.BAD_INPUT
    assert outcome.out == ""
    assert len(outcome.err_lines) == 1
    assert words in outcome.err


def test_compare_tells_what_is_proved(call: Call) -> None:
    names = ["astar", "wastar", "greedy"]
    chosen = [part for name in names for part in ("--algo", name)]
    rows = compared_rows(call("compare", *START, *chosen, "--json").out)
    assert [row["algorithm"] for row in rows] == names
    assert [row["optimal"] for row in rows] == [True, False, False]
    assert rows[0]["within"] == 1
    table = call("compare", *START, *chosen).out
    for row in rows[1:]:
        assert row["within"] > 1
        assert f" {row['cost']}, within {row['within']} " in table
    near = ("8-puzzle", "--start", "123405786")
    by_default = compared_rows(call("compare", *near, "--json").out)
    assert {row["optimal"] for row in by_default} == {True}


def test_they_are_listed(call: Call) -> None:
    listed, info = call("list").out, call("info", "8-puzzle").out
    for name in ("wastar", "widastar", "greedy", "beam", "anytime"):
        assert f" {name} " in listed
        assert f" {name} " in info


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_path_that_passed_a_state_twice(call, engine):
    """A loose bound may let one pass; it was then said that the solution cannot be replayed."""
    board = ("sliding", "-p", "size=3x2", "--start", "324015", "--goal", "230451")
    with plainly():
        outcome = call("run", *board, "--algo", "widastar", "--heuristic",
                       "pdb:2.1.4.5.3", "--engine", engine, "--moves")  # fmt: skip
    assert outcome.code == 0


@pytest.mark.slow_variants("1.001-optimal")
@pytest.mark.parametrize(("within", "verdict"), [("+40", "within"), ("1.001", "optimal")])
def test_good_enough_is_verified(call, tmp_path, monkeypatch, within, verdict):
    share = Share(start=0, burst=100_000, rate=1)
    monkeypatch.setattr(incumbents, "SHARES", dict.fromkeys(incumbents.SHARES, share))
    result = call("run", "8-puzzle", "--algo", "astar", "--within", within, "--json")
    assert result.code == 0, result.err
    document = json.loads(result.out)
    assert document["optimal"] == (verdict == "optimal")
    path = tmp_path / "found.json"
    path.write_text(result.out)
    verified = call("verify", str(path))
    assert (verified.code, verified.err) == (0, "")
