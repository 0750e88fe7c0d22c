"""Names that are nearly those of the protocol, and laws that there was nothing to try on."""

from __future__ import annotations

import pytest

from searchkit import PackedHeuristic, Problem, Step
from searchkit.checks import check_problem
from searchkit.checks.verdicts import Status
from searchkit.premises.near_misses import near_misses
from tests.support.honest import Lamps, Row


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("sucessors", "successors"),
        ("goal_state", "goal_states"),
        ("inital_states", "initial_states"),
        ("is_gaol", "is_goal"),
        ("heuristics", "heuristic"),
        ("predecesors", "predecessors"),
        ("default_heuristics", "default_heuristic"),
        ("symmetry", "symmetries"),
    ],
)
def test_near_misses(name, meant):
    problem = type("Mine", (Row,), {name: lambda self: None, "__module__": __name__})()
    found = dict(near_misses(type(problem)))
    assert found == ({name: meant} if name != "symmetry" else {})
    report = check_problem(problem, laws=["names"])
    assert report.ok is (name == "symmetry")
    if not report.ok:
        (verdict,) = report.verdicts
        assert f"{name}, which searchkit never calls" in verdict.counterexample.found
        assert __file__ in verdict.counterexample.place


def test_kernels_are_known_of_packed_problems_alone():
    members = {"nxt_control": lambda self: 0, "nextcontrol": lambda self: 0}
    packed = type("Mine", (Lamps,), {**members, "__module__": __name__})()
    plain = type("Mine", (Row,), {**members, "__module__": __name__})()
    assert dict(near_misses(type(packed))) == dict.fromkeys(members, "next_control")
    assert dict(near_misses(type(plain))) == {}


def test_methods_of_heuristics():
    class Mine(PackedHeuristic):
        def estimate(self, state):
            return 0

        def estimates(self, state):
            return 0

        def changed(self, state):
            return 0

    assert dict(near_misses(Mine)) == {"estimates": "estimate", "changed": "change"}


@pytest.mark.parametrize(
    ("base", "name", "value", "meant"),
    [
        (Lamps, "raks", 64, "ranks"),
        (Lamps, "rnk", lambda self, state: state, "rank"),
        (Lamps, "aply", lambda self, state, control, operator: state, "apply"),
        (Lamps, "keys", lambda self: [], None),
        (Lamps, "word", 0, None),
        (Row, "undirectd", True, "undirected"),
        (Row, "goal_state", 9, None),
        (PackedHeuristic, "estimat", lambda self, state: 0, "estimate"),
        (PackedHeuristic, "chnge", lambda self, state: 0, "change"),
    ],
)
def test_kernels_and_attributes(base, name, value, meant):
    members = {"estimate": lambda self, state: 0, name: value, "__module__": __name__}
    found = near_misses(type("Mine", (base,), members))
    assert dict(found) == ({} if meant is None else {name: meant})


def test_other_names_are_nobodys_business():
    class Mine(Row):
        starts = moves = board = cells = legal_moves = goal = size = lambda self: None

        def _successor(self, state):
            return state

    assert dict(near_misses(Mine)) == {}


class Endless(Problem):
    """No goal is met, and no algorithm comes to an end."""

    def initial_states(self):
        return [0]

    def successors(self, state):
        return [Step("on", state + 1), Step("far", 2 * state + 10**6)]

    def is_goal(self, state):
        return False

    def goal_states(self):
        return []

    def heuristic(self, state):
        return 1


@pytest.mark.parametrize(
    ("law", "scope"),
    [
        ("engines", "no start was solved, or proved unsolvable, within the limits"),
        ("goals", "there is no goal among 50 states"),
        ("goal-states", "no goal is listed, and there is none among"),
        ("heuristics", "no way to a goal is known from any state of problem: a sample"),
        ("heuristics", "try more states (--states), a start near a goal (--start), or goal_states"),
    ],
)
def test_nothing_to_try_a_law_on_is_not_checked(law, scope):
    report = check_problem(Endless(), states=50, laws=[law])
    (verdict,) = report.verdicts
    assert verdict.status is Status.UNKNOWN, str(verdict)
    assert scope in verdict.scope
    assert str(verdict).startswith(f"{law}: not checked: ")


def test_estimates_below_zero_break_the_law():
    class Mine(Row):
        def heuristic(self, state):
            return -1 if state == 6 else 0

    (verdict,) = check_problem(Mine(), laws=["heuristics"]).verdicts
    assert verdict.status is Status.FAILS
    assert "-1" in verdict.counterexample.found
