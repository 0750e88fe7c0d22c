"""Lies far from the start: a claim is refused, or right."""

import pytest

from searchkit import (
    Anytime,
    AStar,
    Bidirectional,
    BreadthFirst,
    Costs,
    IDAStar,
    Problem,
    Status,
    Step,
    UniformCost,
    solve,
)
from searchkit.certificates import Certificate
from searchkit.errors import LawError
from searchkit.premises import reasons
from tests.support.lies import ALGORITHMS, LIES, Grid, depth, outcome

FAST = ("bfs", "astar", "bidirectional")


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Time decides nothing here."""
    for name in ("LEAST_SECONDS", "LEAST_OF_PROOF", "LEAST_BESIDE"):
        monkeypatch.setattr(reasons, name, 20.0)
    monkeypatch.setattr(reasons, "EXHAUSTIVE", reasons.EXHAUSTIVE._replace(seconds=20.0))


def cells():
    for lie in LIES:
        for algorithm in ALGORITHMS:
            slow = () if algorithm.name in FAST else pytest.mark.slow
            yield pytest.param(lie, algorithm, id=f"{lie.name}-{algorithm.name}", marks=slow)


@pytest.mark.parametrize(("lie", "algorithm"), list(cells()))
def test_a_lie_far_away_is_no_answer(lie, algorithm):
    assert outcome(lie, algorithm) != "false"


class Misled(Problem):
    """A published example: the estimate at B keeps A* from the shortest way, A-B-D-E.

    M. Hiroi, "Puzzle DE Programming": the costs are in a picture there, and chosen here.
    """

    costs = Costs.INTEGER
    steps = {"A": {"B": 1, "C": 3}, "B": {"D": 1}, "C": {"D": 2}, "D": {"E": 1}, "E": {}}  # noqa: RUF012

    def initial_states(self):
        return ["A"]

    def is_goal(self, state):
        return state == "E"

    def successors(self, state):
        return [Step(state + to, to, cost) for to, cost in self.steps[state].items()]

    def heuristic(self, state):
        return 10000 if state == "B" else 0


@pytest.mark.parametrize("algorithm", [AStar(), IDAStar()], ids=lambda each: each.name)
def test_an_estimate_beside_the_path_that_is_too_large(algorithm):
    result = solve(Misled(), algorithm, engine="reference")
    assert result.cost == 6
    assert not result.optimal
    assert result.lower_bound == 0
    assert result.quality == (
        "not proved optimal: the heuristic overestimates: 10000 at B, 2 from a goal"
    )


def test_sound_estimates_leave_no_doubt():
    class Sound(Misled):
        def heuristic(self, state):
            return {"A": 3, "B": 2, "D": 1}.get(state, 0)

    for algorithm in (AStar(), IDAStar()):
        result = solve(Sound(), algorithm)
        assert (result.cost, result.optimal, result.status) == (3, True, Status.SOLVED)


def test_counters_of_an_author_are_no_breach():
    class Counting(Misled):
        calls = 0

        def is_goal(self, state):
            type(self).calls += 1
            return state == "Z"

    assert solve(Counting(), AStar()).status is Status.UNSOLVABLE


@pytest.mark.parametrize("algorithm", [AStar(), IDAStar(), Anytime()], ids=lambda each: each.name)
def test_searches_by_machine_code_made_of_rules_are_asked_again(algorithm):
    """The author's rules are asked of the states that kernels have stored, in few slices or one."""
    lie = next(each for each in LIES if each.name == "too large")
    assert outcome(lie, algorithm, engine="compiled") == "no claim"


class BothDirections(Grid):
    """Other kernels list the steps back."""

    undirected = False

    def predecessors(self, state):
        return self.successors(state)


def test_states_of_machine_code_made_of_rules_are_drawn_from_both_ends(monkeypatch):
    drawn = []

    def noting(self, reservoir, *given):
        drawn.extend(reservoir.states)
        return asked(self, reservoir, *given)

    asked = reasons.Premises.check_again
    monkeypatch.setattr(reasons.Premises, "check_again", noting)
    assert solve(BothDirections(), Bidirectional(), engine="compiled").cost == 78
    assert len(drawn) > 64
    assert all(x in range(40) and y in range(40) for x, y in drawn)
    assert {depth(state) < 39 for state in drawn} == {True, False}


class Line(Problem):
    """More states than are tried again, and the goal at the far end."""

    undirected = True
    end = 6000

    def __init__(self):
        self.asked = 0

    def initial_states(self):
        return [0]

    def goal_states(self):
        return [self.end]

    def is_goal(self, state):
        return state == self.end

    def successors(self, state):
        near = {"on": state + 1, "back": state - 1}
        return [Step(name, to) for name, to in near.items() if 0 <= to <= self.end]


class SeenLate(Line):
    def is_goal(self, state):
        self.asked += state == self.end
        return state == self.end and self.asked > 1


@pytest.mark.parametrize(
    "algorithm", [BreadthFirst(), AStar(), UniformCost()], ids=lambda each: each.name
)
def test_a_listed_goal_that_was_expanded(algorithm):
    with pytest.raises(LawError, match="says once that 6000 is a goal, and once that it is none"):
        solve(SeenLate(), algorithm, engine="reference")


@pytest.mark.parametrize(
    ("solvable", "told"),
    [
        ((), r"of 6000 that it is unsolvable, but it is a goal"),
        ((6000, 5999), r"of 5998 that it is unsolvable, but a goal is 2 steps away"),
    ],
)
def test_a_certificate_is_asked_of_states_near_the_listed_goals(solvable, told):
    class Certified(Line):
        def certificate(self, state):
            return None if state in solvable else Certificate("mine", "for sure", {})

    with pytest.raises(LawError, match=f"no solution found, but .*{told}") as caught:
        solve(Certified(), BreadthFirst())
    assert caught.value.law == "certificates"


def test_certificates_and_goals_that_are_sound_are_believed():
    class Parity(Line):
        def successors(self, state):
            return [Step(d, state + d) for d in (2, -2) if 0 <= state + d <= self.end + 1]

        def goal_states(self):
            return [self.end + 1]

        def is_goal(self, state):
            return state == self.end + 1

    class Certified(Parity):
        def certificate(self, state):
            return Certificate("parity", "even", {}) if state % 2 == 0 else None

    class Unlisted(Parity):
        def goal_states(self):
            raise NotImplementedError

    for problem in (Parity(), Certified(), Unlisted()):
        assert solve(problem, BreadthFirst()).status is Status.UNSOLVABLE
