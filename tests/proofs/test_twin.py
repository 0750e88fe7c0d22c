"""The twin says of a proof what the checker says, and refuses what that refuses."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import AStar, Limits, UniformCost, solve
from searchkit.errors import SearchkitError, UnsuitableError, UsageError
from searchkit.packed import ZeroHeuristic
from searchkit.proofs import listing, reading, twin
from searchkit.proofs.checker import read
from searchkit.proofs.distances import prove_distances
from searchkit.proofs.judging import verify_proof
from searchkit.proofs.twin import BELIEVED, verify_by_twin
from searchkit.proofs.writing import Proof, prove
from searchkit.scramble import scramble
from searchkit_peg import hoppers
from searchkit_sliding import Board, Manhattan, Misplaced, SlidingPuzzle, eight_puzzle
from tests.support.packed_graphs import Graph, TableEstimate, estimates, graphs
from tests.support.plain_puzzles import Jugs, RushHour
from tests.support.proof_files import written
from tests.support.random_proofs import change_header, change_list

ZERO = ZeroHeuristic()
NAMED = {"Manhattan": Manhattan, "Misplaced": Misplaced}
SMALL = SlidingPuzzle.read(Board.rectangle(2, 3), "345120", "123450", "tile")
LATE = 7614
"""Hoppers after two moves; a third as many states follow as from the start."""
BOARD = "GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo"


@pytest.fixture(params=[3, 1 << 14], ids=["in bulk", "one by one"])
def many(request, monkeypatch):
    """Longer lists are read in bulk."""
    for module in twin, listing:
        monkeypatch.setattr(module, "MANY", request.param)


def said(check: Any, path: Any, problem: Any, **named: Any) -> Any:
    """What a check proves, or that it refuses."""
    try:
        verdict = check(path, problem, **named)
    except SearchkitError:
        return "refused"
    return verdict.kind, verdict.text


def scrambled(steps: int) -> SlidingPuzzle:
    puzzle = eight_puzzle()
    return puzzle.with_start(scramble(puzzle, steps, random.Random(1)))


def both(path: Any, problem: Any, **named: Any) -> tuple[Any, Any]:
    return said(verify_proof, path, problem, **named), said(verify_by_twin, path, problem, **named)


@pytest.mark.slow_variants("one by one-chains", "one by one-sets")
@pytest.mark.parametrize(
    "problem",
    [
        Jugs((8, 5, 3), (4, 4, 0)),
        hoppers().with_start(LATE),
        hoppers("jumps").with_start(LATE),
        SMALL,
        pytest.param(hoppers(), marks=pytest.mark.slow),
        pytest.param(hoppers("jumps"), marks=pytest.mark.slow),
    ],
    ids=["plain", "chains", "sets", "packed", "all chains", "all sets"],
)
@pytest.mark.usefixtures("many")
def test_it_says_what_the_checker_says(problem, tmp_path):
    path = tmp_path / "answer.proof"
    for want, within in ("one", None), ("count", None), ("count", "+1"), ("count", "+2"):
        limits = Limits(within=within)
        prove(solve(problem, UniformCost(), want=want, limits=limits), Proof(path=path))
        plain, by_twin = both(path, problem)
        assert plain == by_twin != "refused"
    assert verify_by_twin(path, problem).rests_on.startswith(BELIEVED)


@pytest.mark.slow_variants("one by one-late")
@pytest.mark.parametrize(
    "problem",
    [hoppers().with_start(LATE), pytest.param(hoppers(), marks=pytest.mark.slow)],
    ids=["late", "all"],
)
@pytest.mark.usefixtures("many")
def test_distances(problem, tmp_path):
    path = tmp_path / "answer.proof"
    prove_distances(problem, Proof(path=path))
    plain, by_twin = both(path, problem)
    assert plain == by_twin != "refused"


def test_a_heuristic_is_left_to_believe(tmp_path):
    path, problem = tmp_path / "answer.proof", scrambled(20)
    prove(solve(problem, AStar()), Proof(path=path))
    plain, by_twin = verify_proof(path, problem), verify_by_twin(path, problem)
    assert by_twin == plain._replace(rests_on=f"{BELIEVED}; {plain.rests_on}")


@given(graphs(), st.data())
def test_random_problems_and_forged_proofs(tmp_path_factory, given_graph, data):
    tables, starts = given_graph
    path = tmp_path_factory.mktemp("proofs") / "graph.proof"
    problem = Graph(tables, starts)
    heuristic = TableEstimate(data.draw(estimates(tables)))
    choose = random.Random(data.draw(st.integers(0, 1 << 30)))
    by = choose.choice([heuristic, ZERO])
    named: Any = {"named": lambda name: heuristic}
    if all(map(all, tables.costs)) and choose.random() < 0.4:
        prove_distances(problem, Proof(path=path))
    else:
        want = choose.choice(["one", "count"])
        limits = Limits(within=choose.choice([None, "+1", "+2"]) if want == "count" else None)
        result = solve(
            problem, AStar(heuristic=heuristic), engine="compiled", want=want, limits=limits
        )
        if result.cost is None:
            return
        prove(result, Proof(path=path, heuristic=by), engine="compiled")
    plain, by_twin = both(path, problem, **named)
    assert plain == by_twin != "refused"
    header, listed = read(path)
    entries = list(listed)
    texts = [str(state) for state in range(len(tables.goals))]
    for _ in range(4):
        forged, rows = dict(header), list(entries)
        for _ in range(choose.choice([1, 1, 2])):
            if choose.random() < 0.6 or header["claim"] == "distances":
                change_list(rows, texts, choose)
            else:
                change_header(forged, texts, choose)
        forged["heuristic"] = header["heuristic"]
        plain, by_twin = both(written(path, forged, rows), problem, **named)
        assert plain == by_twin, (forged, rows)


@pytest.mark.usefixtures("many")
def test_states_to_which_no_way_leads(tmp_path):
    problem, path = (
        SlidingPuzzle.read(Board.rectangle(3, 3), "123450786", "123456780", "tile"),
        tmp_path / "answer.proof",
    )
    prove(solve(problem, AStar(), want="count"), Proof(path=path, heuristic=ZERO))
    header, listed = read(path)
    entries = dict(listed)
    written(
        path, header, sorted((entries | {"876543210": 2}).items())
    )  # all that it leads to is late
    assert both(path, problem)[0] == both(path, problem)[1] != "refused"
    written(path, header, sorted((entries | {"876543210": 0}).items()))
    assert both(path, problem) == ("refused", "refused")
    for wrong in "876543211", "87654321", "1 2 3 4 5 0 7 8 6", "x":
        written(path, header, sorted((entries | {wrong: 2}).items()))
        assert both(path, problem) == ("refused", "refused")


def test_rules_without_machine_code(tmp_path):
    class Lists(Jugs):
        def key(self, state):
            return sum(state), state

    problem, path = Lists((8, 5, 3), (4, 4, 0)), tmp_path / "answer.proof"
    prove(solve(problem, UniformCost(), engine="reference"), Proof(path=path), engine="reference")
    with pytest.raises(UnsuitableError):
        verify_by_twin(path, problem)


def test_lists_are_read_in_bulk(tmp_path, monkeypatch):
    for module in twin, listing:
        monkeypatch.setattr(module, "MANY", 3)
    monkeypatch.setattr(twin.Listed, "read", None)  # one by one
    path = tmp_path / "answer.proof"
    for problem in SMALL, hoppers():
        prove_distances(problem, Proof(path=path))
        assert verify_by_twin(path, problem).kind == "distances"


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("Manhattan", "540136287"),
        ("Misplaced", "150486273"),
        pytest.param("Manhattan", "867254301", marks=pytest.mark.slow),
        pytest.param("Misplaced", "578301624", marks=pytest.mark.slow),
    ],
)
def test_bulk_learns_words_late(name, start, tmp_path, monkeypatch):
    learnt, learns = [], reading._learns
    monkeypatch.setattr(reading, "_learns", lambda *it: learnt.append(learns(*it)) or learnt[-1])
    monkeypatch.setattr(reading, "SAMPLES", 12)
    monkeypatch.setattr(reading, "MOST_NEW", 3)
    monkeypatch.setattr(twin.Listed, "read", None)  # one by one
    path, puzzle = tmp_path / "answer.gz", eight_puzzle()
    problem = puzzle.with_start(puzzle.parse(start))
    prove(solve(problem, AStar(heuristic=NAMED[name](problem))), Proof(path=path))
    plain, by_twin = both(path, problem, named=lambda name: NAMED[name.title()](puzzle))
    assert plain == by_twin != "refused"
    assert True in learnt


def test_damaged_files(tmp_path):
    path, problem = tmp_path / "answer.gz", scrambled(30)
    prove(solve(problem, AStar()), Proof(path=path))
    data = path.read_bytes()
    half = len(data) // 2
    assert half > 300
    for wrong in data[:-9], data[:-half], data + b"x", data[:half] + data[half + 1 :]:
        path.write_bytes(wrong)
        assert both(path, problem) == ("refused", "refused")
    path.write_bytes(data + bytes(8))  # which gzip allows
    assert both(path, problem)[0] == both(path, problem)[1] != "refused"


@pytest.mark.slow_variants("True-hoppers", "False-hoppers", "False-sliding")
@pytest.mark.parametrize("problem", [hoppers(), SMALL], ids=["hoppers", "sliding"])
@pytest.mark.parametrize("in_bulk", [True, False])
def test_forged_lists(problem, in_bulk, tmp_path, monkeypatch):
    for module in twin, listing:
        monkeypatch.setattr(module, "MANY", 3 if in_bulk else 1 << 14)
    path, choose = tmp_path / "answer.proof", random.Random(1)
    for claim in "cost", "distances":
        if claim == "distances":
            prove_distances(problem, Proof(path=path))
        else:
            prove(solve(problem, AStar(), want="count"), Proof(path=path, heuristic=ZERO))
        header, listed = read(path)
        entries = list(listed)
        texts = [text for text, _ in entries[:40]] + [entries[0][0][::-1]]
        for _ in range(8):
            forged, rows = dict(header), list(entries)
            if choose.random() < 0.7 or claim == "distances":
                change_list(rows, texts, choose)
            else:
                change_header(forged, texts, choose)
            plain, by_twin = both(written(path, forged, rows), problem)
            assert plain == by_twin
        data = bytearray(written(path, header, entries, packed=False).read_bytes())
        for at in range(len(data) - 40, len(data), 3):
            path.write_bytes(bytes(data[:at]) + bytes([data[at] ^ 1]) + bytes(data[at + 1 :]))
            assert both(path, problem) == ("refused", "refused")


def test_too_little_memory_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(twin, "default_memory", lambda: 1000)
    path = tmp_path / "answer.proof"
    prove(solve(SMALL, UniformCost()), Proof(path=path))
    with pytest.raises(UsageError, match="the list take more memory than is allowed"):
        verify_by_twin(path, SMALL)


@pytest.mark.slow
def test_rush_hour(tmp_path):
    path, problem = tmp_path / "answer.proof", RushHour(BOARD)
    prove(solve(problem, UniformCost(), want="count"), Proof(path=path))
    plain, by_twin = both(path, problem)
    assert plain == by_twin != "refused"
