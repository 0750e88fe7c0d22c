"""The main job: the published solutions of Hoppers, line by line."""

from __future__ import annotations

import json

import pytest

from tests.support.cli_calls import HERE, Call

PUBLISHED = (HERE / "data" / "hoppers_18.txt").read_text().splitlines()


def test_the_18_published_solutions(call: Call) -> None:
    assert len(PUBLISHED) == 18
    in_order = call("run", "hoppers", "--algo", "iddfs", "--all").listed
    for algorithm in ("bfs", "bidirectional", "astar", "iddfs", "idastar", "ucs"):
        outcome = call("run", "hoppers", "--algo", algorithm, "--all")
        assert outcome.code == 0
        assert outcome.listed == in_order, algorithm
        assert sorted(outcome.listed) == sorted(PUBLISHED)
        assert "fixed by symmetry: 18 × 4 = 72 optimal solutions in all" in outcome.out
        assert "--symmetry none lists them all" in outcome.out
        assert "18 solutions, 7 moves, optimal" in outcome.out


@pytest.mark.parametrize("algorithm", ["bfs", "iddfs"])
def test_all_72(call: Call, algorithm: str) -> None:
    outcome = call("run", "hoppers", "--algo", algorithm, "--all", "--symmetry", "none")
    assert outcome.code == 0
    assert len(outcome.listed) == len(set(outcome.listed)) == 72
    assert set(PUBLISHED) <= set(outcome.listed)
    assert "fixed by symmetry" not in outcome.out


def test_moves_alone(call: Call) -> None:
    outcome = call("run", "hoppers", "--all", "--moves")
    assert sorted(outcome.lines) == sorted(PUBLISHED)
    assert len(outcome.err_lines) == 1  # the note on symmetry
    assert call("run", "hoppers", "--all", "--moves", "--quiet").err == ""
    one = call("run", "hoppers", "--moves", "--algo", "iddfs")
    assert one.err == ""
    assert one.lines == PUBLISHED[:1] or len(one.lines) == 1


def test_count(call: Call) -> None:
    outcome = call("run", "hoppers", "--count")
    assert outcome.lines == ["18"]
    assert "18 × 4 = 72" in outcome.err
    assert call("run", "hoppers", "--count", "--symmetry", "none").lines == ["72"]


def test_limit(call: Call) -> None:
    outcome = call("run", "hoppers", "--limit", "5", "--algo", "iddfs")
    assert set(outcome.listed) <= set(PUBLISHED)
    assert len(outcome.listed) == 5
    assert "there may be more" in outcome.out
    assert "72 optimal" not in outcome.out


def test_json_tells_the_total(call: Call) -> None:
    document = json.loads(call("run", "hoppers", "--all", "--json").out)
    assert document["count"] == len(document["solutions"]) == 18
    assert document["symmetry"] == {"fixed": "first step", "total": 72}
    assert document["complete"] is document["optimal"] is True


def test_unequal_classes_are_summed(toys: Call) -> None:
    outcome = toys("run", "star", "--all")
    assert outcome.listed == ["a a1", "a a2", "c c1", "c c2"]
    assert "2 × 1 + 2 × 2 = 6 optimal solutions" in outcome.out
    assert "2 × 1 + 2 × 2 = 6 optimal solutions" in toys("run", "star", "--count").err
    assert toys("run", "star", "--count", "--symmetry", "none").lines == ["6"]
    assert json.loads(toys("run", "star", "--all", "--json").out)["symmetry"]["total"] == 6
