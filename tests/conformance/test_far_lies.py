"""Lies far from the start: a claim is refused, or right."""

from array import array
from dataclasses import dataclass, field
from random import Random

import pytest

from searchkit import (
    INFINITY,
    Anytime,
    AStar,
    BeamSearch,
    Bidirectional,
    BreadthFirst,
    Costs,
    GreedyBestFirst,
    IDAStar,
    Limits,
    Problem,
    Status,
    Step,
    UniformCost,
    solve,
)
from searchkit.certificates import Certificate
from searchkit.errors import CompilationError, LawError
from searchkit.premises import reasons
from tests.support.lies import ALGORITHMS, DIRECTIONS, LAST, LIES, Grid, Lie, depth, outcome

FAST = ("bfs", "astar", "bidirectional")


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Time decides nothing here."""
    for name in ("LEAST_SECONDS", "LEAST_OF_PROOF", "LEAST_BESIDE", "LEAST_OF_BOUND"):
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


@pytest.mark.slow_variants("anytime")
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

    def noting(self, reservoir, *given, **named):
        drawn.extend(reservoir.states)
        return asked(self, reservoir, *given, **named)

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
        ((6000, 5999), r"of 5998 that it is unsolvable, but a way to a goal costs 2"),
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


FAR_SIDE = 80
"""More states than are looked at next to the start."""


class Wide(Problem):
    """A walk from one corner of a larger square to the other."""

    undirected = True
    goal = (FAR_SIDE - 1, FAR_SIDE - 1)
    cost = 2 * (FAR_SIDE - 1)

    def initial_states(self):
        return [(0, 0)]

    def goal_states(self):
        return [self.goal]

    def is_goal(self, state):
        return state == self.goal

    def near(self, state):
        return [
            (name, (state[0] + dx, state[1] + dy)) for name, dx, dy in DIRECTIONS
            if 0 <= state[0] + dx < FAR_SIDE and 0 <= state[1] + dy < FAR_SIDE
        ]  # fmt: skip

    def successors(self, state):
        return [Step(name, after) for name, after in self.near(state)]

    def heuristic(self, state):
        return self.cost - state[0] - state[1]


class WideCut(Wide):
    def heuristic(self, state):
        return INFINITY if depth(state) == 50 else super().heuristic(state)


class WideOneWay(Wide):
    def successors(self, state):
        return [
            step for step in super().successors(state)
            if not depth(state) == 120 > depth(step.state)
        ]  # fmt: skip


class WideMerged(Wide):
    door = (56, 66)

    def successors(self, state):
        return [
            step for step in super().successors(state)
            if step.state[0] != 56 or step.state == self.door
        ]  # fmt: skip

    def key(self, state):
        return (6, 30) if state == self.door else state


class WideFuel(Wide):
    """The key drops the fuel from a pump, which a toll far away takes."""

    undirected = False

    def initial_states(self):
        return [(0, 0, 0)]

    def goal_states(self):
        return [(*self.goal, 1)]

    def is_goal(self, state):
        return state[:2] == self.goal

    def successors(self, state):
        for name, after in self.near(state[:2]):
            if depth(after) != 128 or depth(state) != 127 or state[2]:
                yield Step(name, (*after, 1 if after == (1, 3) else state[2]))

    def key(self, state):
        return state[:2]


class WideShy(Wide):
    """No steps are given when a far state is asked first."""

    def __init__(self):
        self.asked = set()

    def successors(self, state):
        if depth(state) < 120 or state in self.asked:
            return super().successors(state)
        self.asked.add(state)
        return []


class WideUnlisted(Wide):
    """A near goal is not listed."""

    cost = 30

    def is_goal(self, state):
        return state in (self.goal, (15, 15))

    def heuristic(self, state):
        return 0


WIDE = [Lie(each.__name__, each, each.cost) for each in (
    WideCut, WideOneWay, WideMerged, WideFuel, WideShy, WideUnlisted,
)]  # fmt: skip


@pytest.mark.spread
@pytest.mark.parametrize("lie", WIDE, ids=lambda each: each.name)
@pytest.mark.parametrize(
    "algorithm",
    [BreadthFirst(), Bidirectional(), AStar(), GreedyBestFirst(), BeamSearch(width=1000)],
    ids=lambda each: each.name,
)
def test_a_lie_beyond_the_states_next_to_the_start(lie, algorithm):
    assert outcome(lie, algorithm) != "false"


def test_the_way_that_a_search_has_missed_is_told():
    with pytest.raises(LawError, match=r"INFINITY for \(.*goal \(79, 79\) is 108 steps away"):
        solve(WideCut(), AStar())
    with pytest.raises(LawError, match=r"successors of .* lacks .* from which a step leads") as law:
        solve(WideOneWay(), Bidirectional())
    assert law.value.law == "undirected"
    with pytest.raises(LawError, match=r"\(15, 15\), which goal_states does not list"):
        solve(WideUnlisted(), Bidirectional())


@dataclass(frozen=True)
class Car:
    """Where it is; the fuel is no part of what it is equal by."""

    x: int
    y: int
    fuel: int = field(default=0, compare=False)


class EqualCars(Grid):
    """States are equal, and other steps lead from them."""

    undirected = False
    toll = 64

    def initial_states(self):
        return [Car(0, 0)]

    def goal_states(self):
        return [Car(*self.goal, 1)]

    def is_goal(self, state):
        return (state.x, state.y) == self.goal

    def heuristic(self, state):
        return 78 - state.x - state.y

    def successors(self, state):
        for name, after in self.near((state.x, state.y)):
            if depth(after) != self.toll or state.x + state.y != self.toll - 1 or state.fuel:
                yield Step(name, Car(*after, 1 if after == (1, 3) else state.fuel))


class Harmless(EqualCars):
    toll = 1000


@pytest.mark.parametrize("algorithm", [BreadthFirst(), AStar()], ids=lambda each: each.name)
def test_states_that_are_equal_but_not_interchangeable(algorithm):
    with pytest.raises(LawError, match=r"fuel=.* are equal by __eq__") as law:
        solve(EqualCars(), algorithm)
    assert law.value.law == "keys"
    assert solve(Harmless(), algorithm).cost == 78


def test_a_goal_test_that_depends_on_what_was_expanded_last():
    class Last(Wide):
        last = None

        def successors(self, state):
            self.last = state
            return super().successors(state)

        def is_goal(self, state):
            return state == self.last == self.goal

    for algorithm in (BreadthFirst(), AStar()):
        with pytest.raises(LawError, match=r"once that .* is a goal, and once that it is none"):
            solve(Last(), algorithm)


class Doubled(Grid):
    def heuristic(self, state):
        return 2 * super().heuristic(state)


class Unlisted(Doubled):
    """Nothing is known of the goals, and nothing but a search shows where one is."""

    undirected = False
    goal_states = property()


@pytest.mark.parametrize("problem", [Doubled, Unlisted])
@pytest.mark.parametrize("algorithm", [AStar(), IDAStar()], ids=lambda each: each.name)
def test_bounds_of_a_search_that_was_stopped_rest_on_the_estimates(problem, algorithm):
    stopped = Limits(expansions=30)
    result = solve(problem(), algorithm, limits=stopped)
    assert (result.status, result.lower_bound) == (Status.LIMIT, 0)
    assert "; nothing is proved: the heuristic overestimates: " in result.advice
    assert solve(Grid(), algorithm, limits=stopped).lower_bound == 78


WALL = [False]


class ByGlobal(Wide):
    def __init__(self):
        WALL[0] = False

    def successors(self, state):
        steps = super().successors(state)
        return [step for step in steps if depth(step.state) != 124] if WALL[0] else steps

    def is_goal(self, state):
        WALL[0] |= depth(state) >= 90
        return super().is_goal(state)


def by_closure():
    walls = []

    class Walled(Wide):
        def successors(self, state):
            steps = super().successors(state)
            return [step for step in steps if depth(step.state) != 124] if walls else steps

        def is_goal(self, state):
            if depth(state) >= 90:
                walls.append(1)
            return super().is_goal(state)

    return Walled()


@pytest.mark.spread
@pytest.mark.parametrize("make", [ByGlobal, by_closure], ids=lambda each: each.__name__)
@pytest.mark.parametrize("algorithm", [BreadthFirst(), AStar()], ids=lambda each: each.name)
def test_rules_that_change_by_a_global_or_a_closure(make, algorithm):
    with pytest.raises(LawError, match=r"(WALL|walls) has changed while searching, from \["):
        solve(make(), algorithm)


def test_what_is_remembered_may_be_drawn_at_random_or_be_numbers_of_states():
    number, boards, walls, draw = {}, [], {}, Random(1)

    class Remembering(Wide):
        undirected = False

        def numbered(self, state):
            if state not in number:
                number[state] = len(boards)
                boards.append(state)
            return number[state]

        def initial_states(self):
            return [self.numbered((0, 0))]

        def goal_states(self):
            return [self.numbered((200, 0))]

        def is_goal(self, state):
            return boards[state] == (200, 0)

        def successors(self, state):
            return [
                Step(name, self.numbered(after)) for name, after in self.near(boards[state])
                if max(after) < 40 and walls.setdefault(after, draw.random() > 0.2)
            ]  # fmt: skip

        def heuristic(self, state):
            return 0

    assert solve(Remembering(), BreadthFirst()).status is Status.UNSOLVABLE


class Ring(Problem):
    """One state of a large ring is said to be neither a goal nor none."""

    def initial_states(self):
        return [0]

    def successors(self, state):
        return [Step(by, (state + by) % 60_000) for by in (1, 7)]

    def is_goal(self, state):
        if state == 55_555:
            return None
        return state < 0


class Falling(Ring):
    def is_goal(self, state):  # noqa: RET503
        if state != 55_555:
            return state < 0


@pytest.mark.parametrize("problem", [Ring, Falling])
def test_machine_code_of_a_goal_test_that_returns_nothing(problem):
    with pytest.raises(LawError, match="is_goal gives None for 55555"):
        solve(problem(), BreadthFirst())
    with pytest.raises(CompilationError, match=r"judge the state 55555.* is a goal: None"):
        solve(problem(), BreadthFirst(), engine="compiled")


def test_what_others_put_where_rules_look_is_not_taken_away():
    told, asked = [], array("q")

    class Waiting(Wide):
        def is_goal(self, state):
            asked.append(len(told))
            if len(asked) == 300:  # a warning, say
                told.append(object())
            return super().is_goal(state)

    assert solve(Waiting(), BreadthFirst()).cost == Wide.cost
    assert list(asked) == sorted(asked)


class Place(tuple):
    """A tuple with an attribute, its fuel, which comparisons ignore."""

    fuel = 0

    @classmethod
    def at(cls, where, fuel):
        place = cls(where)
        place.fuel = fuel
        return place


class Places(Grid):
    """States are equal by their class's base, and other steps lead from them."""

    undirected = False
    toll = 64

    def initial_states(self):
        return [Place.at((0, 0), 0)]

    def successors(self, state):
        for name, after in self.near(state):
            if depth(after) != self.toll or depth(state) != self.toll - 1 or state.fuel:
                yield Step(name, Place.at(after, 1 if after == (1, 3) else state.fuel))


class EndlessPlaces(Places):
    toll = 1000


@pytest.mark.parametrize("algorithm", [BreadthFirst(), AStar()], ids=lambda each: each.name)
def test_states_that_are_equal_as_tuples_but_not_interchangeable(algorithm):
    with pytest.raises(LawError, match=r"are equal by __eq__"):
        solve(Places(), algorithm)
    assert solve(EndlessPlaces(), algorithm).cost == 78


def undrawn(monkeypatch):
    """None of the states is among those that are drawn."""
    monkeypatch.setattr(reasons.Again, "ask", lambda *given, **named: None)


class DearDoor(Grid):
    """The only door in a wall is dear when it is first asked for."""

    costs = Costs.INTEGER
    door = (30, 20)
    undirected = True

    def __init__(self):
        self.first = iter([7])

    def successors(self, state):
        for name, after in self.near(state):
            if after[0] == 30 != state[0] and after != self.door:
                continue
            is_door = name == "R" and after == self.door
            yield Step(name, after, next(self.first, 1) if is_door else 1)


@pytest.mark.parametrize("algorithm", [UniformCost(), AStar()], ids=lambda each: each.name)
def test_one_step_that_costs_less_when_asked_again(algorithm, monkeypatch):
    undrawn(monkeypatch)
    with pytest.raises(LawError, match=r"to \(29, 20\) costs 49, and 55 by the solution"):
        solve(DearDoor(), algorithm, engine="reference")


class HighNearGoal(Grid):
    """The last step from one side is dear; on the other, one estimate is too large."""

    costs = Costs.INTEGER

    def successors(self, state):
        for name, after in self.near(state):
            is_dear = self.goal in (state, after) and LAST - 1 in (state[0], after[0])
            yield Step(name, after, 5 if is_dear else 1)

    def heuristic(self, state):
        return 100 if state == (LAST, LAST - 1) else super().heuristic(state)


class HighUnlisted(HighNearGoal):
    undirected = False
    goal_states = property()


class HighMidway(Grid):
    """A wall has one door that is cheap, before which an estimate is a little too large."""

    costs = Costs.INTEGER
    undirected = False
    goal_states = property()

    def successors(self, state):
        for name, after in self.near(state):
            is_dear = after[0] == 20 != state[0] and after[1] != 20
            yield Step(name, after, 3 if is_dear else 1)

    def heuristic(self, state):
        return super().heuristic(state) + 10 * (state == (19, 20))


@pytest.mark.parametrize("algorithm", [AStar(), Anytime()], ids=lambda each: each.name)
def test_an_estimate_near_the_goal_that_is_too_large(algorithm, monkeypatch):
    undrawn(monkeypatch)
    result = solve(HighNearGoal(), algorithm, engine="reference")
    assert (result.cost, result.optimal, result.lower_bound) == (82, False, 0)
    assert "the heuristic overestimates: 100 at (39, 38), 1 from a goal" in result.quality


@pytest.mark.parametrize("problem", [HighUnlisted, HighMidway])
def test_open_states_that_stand_out(problem, monkeypatch):
    undrawn(monkeypatch)
    result = solve(problem(), AStar(), engine="reference")
    assert result.cost in (80, 82)
    assert not result.optimal
    assert "the heuristic overestimates" in result.quality


class WideUnaided(WideShy):
    """Nothing is known of the goals, nor where they are."""

    undirected = False
    goal_states = property()

    def heuristic(self, state):
        return 0


@pytest.mark.parametrize(
    "algorithm",
    [BreadthFirst(), AStar(), GreedyBestFirst(), BeamSearch(width=1000)],
    ids=lambda each: each.name,
)
def test_all_states_of_a_search_without_a_solution_are_asked(algorithm, monkeypatch):
    monkeypatch.setattr(reasons.Reservoir, "shuffled", lambda reservoir: [])
    monkeypatch.setattr(reasons.Premises, "_greedy", lambda premises, seconds: (None, []))
    assert outcome(Lie("unaided", WideUnaided, Wide.cost), algorithm, engine="reference") in (
        "noticed", "right",
    )  # fmt: skip
