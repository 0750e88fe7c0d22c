"""What laws are about, and which they rely on."""

from __future__ import annotations

import pytest

from searchkit import Costs, Problem, Step, solve
from searchkit.checks import check_problem
from searchkit.checks.verdicts import Status
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import NoRoomError
from searchkit.pieces import Pieces
from searchkit_sliding import Board, SlidingPuzzle
from tests.support.piece_puzzles import cube2


def test_states_that_are_certified_unsolvable_need_no_ranks():
    puzzle = SlidingPuzzle.read(Board.rectangle(3, 3), "123456870", "123456780")
    report = check_problem(puzzle, states=60, engine="reference", laws=["ranks"])
    assert report.ok, str(report)


@pytest.mark.parametrize("law", ["machine-code", "patterns"])
def test_states_that_are_certified_unsolvable_are_in_no_table(law):
    puzzle = Pieces.of(cube2())
    rows = [[(piece, 0) for piece in range(orbit.places)] for orbit in puzzle.definition.orbits]
    rows[0][0] = (0, 1)
    twisted = puzzle.with_start(puzzle.pack(tuple(map(tuple, rows))))
    assert twisted.certificate(twisted.start) is not None
    with plainly():
        report = check_problem(twisted, states=20, laws=[law])
    assert report.ok, str(report)
    assert report.verdicts[-1].status is Status.HOLDS


class Nothing(Problem[int, str]):
    undirected = True

    def initial_states(self):
        return [3]

    def successors(self, state):
        return None

    def is_goal(self, state):
        return state == 0

    def heuristic(self, state):
        return state


class Alternating(Nothing):
    """Gives other steps when it is asked again; changes nothing."""

    asked = 0

    def successors(self, state):
        self.asked += 1
        return [Step("left", state - 1)] if self.asked % 2 else [Step("right", state + 1)]


def broken(problem):
    report = check_problem(problem, states=20, engine="reference")
    return [verdict.law for verdict in report.verdicts if verdict.breaches]


def test_wrong_successors_are_not_put_down_to_heuristics():
    assert broken(Nothing()) == ["successors"]


def test_laws_that_no_state_was_left_for_are_not_checked():
    report = check_problem(Nothing(), engine="reference")
    tried = {verdict.law: verdict for verdict in report.verdicts}
    for law in ("mutation", "keys", "actions", "costs", "goals", "texts", "pictures"):
        assert str(tried[law]) == f"{law}: not checked: the steps out of no state are known"
    assert [each.law for each in report.verdicts if each.status is Status.HOLDS] == [
        "starts", "names",
    ]  # fmt: skip
    assert not report.whole


def test_a_space_with_a_state_that_fails_is_not_whole():
    class Mine(Nothing):
        undirected = False

        def successors(self, state):
            return [Step("left", state - 1)] if state else None

    report = check_problem(Mine(), laws=["keys", "mutation"])
    assert [each.scope for each in report.verdicts] == ["3 states", "3 states"]
    assert not report.whole


def test_what_differs_from_call_to_call_is_no_change_of_a_state():
    found = broken(Alternating())
    assert "successors" in found
    assert "mutation" not in found


class Large(Problem[int, str]):
    """Sound rules, with numbers that machine code has no room for."""

    costs = Costs.INTEGER

    def __init__(self, cost=1):
        self.cost = cost

    def initial_states(self):
        return [0]

    def successors(self, state):
        yield Step("on", (state + state * 10**12 * 10**12 + 1) % 50, self.cost)
        yield Step("twice", state * 2 % 50, self.cost)

    def is_goal(self, state):
        return state == 44


class Dear(Large):
    def successors(self, state):
        yield Step("on", (state + 1) % 50, self.cost)


@pytest.mark.parametrize("problem", [Large(), Dear(1 << 40)], ids=["numbers", "costs"])
def test_what_machine_code_has_no_room_for_breaks_no_law(problem):
    with plainly(), pytest.raises(NoRoomError):
        solve(problem, engine="compiled")
    for engine in ("reference", "auto", "compiled"):
        with plainly():
            report = check_problem(problem, engine=engine)
        assert report.ok, str(report)


def test_a_cost_that_is_too_large_for_every_engine_is_told_as_such():
    report = check_problem(Dear(1 << 60), laws=["costs"])
    assert "a whole number from 0 to 2**53, as costs = Costs.INTEGER promises" in str(report)
