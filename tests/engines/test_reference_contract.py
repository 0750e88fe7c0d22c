"""Corners of the contract that every engine keeps."""

import attrs
import pytest

from searchkit import (
    IDDFS,
    AStar,
    Bidirectional,
    BreadthFirst,
    IDAStar,
    Problem,
    Solution,
    Status,
    Step,
    UniformCost,
    solve,
)
from searchkit.algorithms import cycle_pruning
from searchkit.errors import LawError, VerificationError
from searchkit.explore import explore
from searchkit.verify import ambiguous_step, replay_texts, verify_solution

ALL = [BreadthFirst(), Bidirectional(), AStar(), UniformCost(), IDDFS(), IDAStar()]
by_name = pytest.mark.parametrize("algorithm", ALL, ids=lambda algorithm: algorithm.name)


@attrs.frozen
class Ring(Problem):
    """Steps both ways round a ring of `size` cells; states are wrapped, so keys differ."""

    size: int = 9
    starts: tuple[int, ...] = (0,)
    goals: tuple[int, ...] = (3,)
    undirected = True

    def initial_states(self):
        return [[start] for start in self.starts]

    def goal_states(self):
        return [[goal] for goal in self.goals]

    def is_goal(self, state):
        return state[0] in self.goals

    def successors(self, state):
        yield Step("+", [(state[0] + 1) % self.size])
        yield Step("-", [(state[0] - 1) % self.size])

    def key(self, state):
        return state[0]


@by_name
def test_unhashable_states_with_a_key(algorithm):
    result = solve(Ring(), algorithm, want="all")
    assert [solution.actions for solution in result.solutions] == [("+", "+", "+")]
    assert result.solution.states == ([0], [1], [2], [3])


@by_name
def test_both_ways_round(algorithm):
    result = solve(Ring(size=8, goals=(4,)), algorithm, want="all")
    assert [solution.actions for solution in result.solutions] == [("+",) * 4, ("-",) * 4]


@by_name
def test_start_is_goal(algorithm):
    result = solve(Ring(goals=(0, 5)), algorithm, want="all")
    assert result.status is Status.SOLVED
    assert result.cost == 0
    assert [solution.steps for solution in result.solutions] == [()]


@by_name
def test_several_starts_and_goals(algorithm):
    result = solve(Ring(size=20, starts=(0, 10), goals=(7, 13)), algorithm, want="all")
    assert [(each.start, each.actions) for each in result.solutions] == [
        ([10], ("+",) * 3),
        ([10], ("-",) * 3),
    ]


@by_name
def test_no_goal_is_proved_unsolvable(algorithm):
    result = solve(Ring(goals=()), algorithm)
    assert result.status is Status.UNSOLVABLE
    assert "tried" in result.reason


@by_name
def test_no_start_is_an_error(algorithm):
    with pytest.raises(LawError, match="law starts: initial_states gives no state"):
        solve(Ring(starts=()), algorithm)


@by_name
def test_lower_bound_and_statistics_after_success(algorithm):
    result = solve(Ring(), algorithm)
    assert result.lower_bound == result.cost == 3
    assert result.optimal
    assert result.count is None
    assert not result.complete
    assert result.statistics.generated >= result.statistics.expanded > 0
    assert result.statistics.stored > 0
    assert result.statistics.bytes > 0


def test_many_solutions_are_counted_exactly_without_listing():
    @attrs.frozen
    class Grid(Problem):
        side: int

        def initial_states(self):
            return [(0, 0)]

        def is_goal(self, state):
            return state == (self.side, self.side)

        def successors(self, state):
            x, y = state
            if x < self.side:
                yield Step("right", (x + 1, y))
            if y < self.side:
                yield Step("up", (x, y + 1))

    result = solve(Grid(80), BreadthFirst(), want="count")
    assert result.count == 92045125813734238026462263037378063990076729140  # C(160, 80)
    first = next(iter(result.solutions))
    assert first.actions == ("right",) * 80 + ("up",) * 80


def test_iterations_of_deepening():
    rows = solve(Ring(), IDDFS()).statistics.iterations
    assert [row.bound for row in rows] == [0, 1, 2, 3]
    assert [row.expanded for row in rows] == [1, 3, 5, 3]


def test_parent_pruning_walks_longer_cycles_again():
    by_path = solve(Ring(size=3, goals=(), starts=(0,)), IDDFS())
    assert by_path.status is Status.UNSOLVABLE
    by_parent = solve(Ring(size=5), IDDFS(cycles="parent"))
    assert by_parent.cost == 2


class Solvable(Ring):
    """Every state can be solved, so that there is nothing to certify."""

    complete_certificates = True


class OneWay(Solvable):
    undirected = False


def test_cycles_need_no_guard_where_every_state_can_be_solved():
    assert cycle_pruning(Solvable(), "auto") == "parent"
    for ring in (Ring, OneWay):
        assert cycle_pruning(ring(), "auto") == "path"
    for cycles in ("auto", "parent", "path"):
        assert solve(Solvable(), IDDFS(cycles=cycles)).cost == 3


def test_explore_both_directions():
    found = explore(Ring(size=9))
    assert found.origin == "goal"
    assert found.layers == (1, 2, 2, 2, 2)
    assert sorted(state[0] for state in found.farthest) == [7, 8]
    assert found.complete
    assert (found.states, found.depth) == (9, 4)
    assert found.mean == pytest.approx(20 / 9)
    assert found.statistics.stored == 6  # three layers of two suffice
    assert explore(Ring(size=9), backward=False).farthest == ([4], [5])


def test_verification_catches_wrong_solutions():
    good = solve(Ring(), BreadthFirst()).solution
    verify_solution(Ring(), good)
    steps = good.steps
    wrong = [
        (Solution([1], steps), "no initial state"),
        (Solution([0], steps[:2]), "not a goal"),
        (Solution([0], steps[:1] + steps[2:]), "step 2"),
        (Solution([0], (*steps, Step("+", [4]))), "before step 4"),
        (Solution([0], (Step("+", [1], 2), *steps[1:])), "step 1"),
        (Solution([0], (Step("-", [1]), *steps[1:])), "step 1"),
    ]
    for solution, words in wrong:
        with pytest.raises(VerificationError, match=words):
            verify_solution(Ring(), solution)


def test_replay_of_texts():
    ring = Ring()
    replayed = replay_texts(ring, "[0]", ["+", "+", "+"], ["[0]", "[1]", "[2]", "[3]"])
    assert replayed.cost == 3
    for start, actions, states, words in [
        ("[7]", ["+"], None, "initial"),
        ("[0]", ["+", "x"], None, "step 2"),
        ("[0]", ["+"], None, "not a goal"),
        ("[0]", ["+"] * 4, None, "before step 4"),
        ("[0]", ["+"] * 3, ["[0]", "[1]", "[2]"], "states"),
        ("[0]", ["+"] * 3, ["[0]", "[1]", "[9]", "[3]"], "step 2"),
        ("[0]", ["+"] * 3, ["[1]", "[1]", "[2]", "[3]"], "start"),
    ]:
        with pytest.raises(VerificationError, match=words):
            replay_texts(ring, start, actions, states)


class AnyWay(Ring):
    """A ring whose steps have one text."""

    def format_action(self, action):
        return "on"


def test_texts_of_several_steps_are_replayed_by_the_states():
    ring, found = AnyWay(), solve(AnyWay(), BreadthFirst()).solution
    assert ambiguous_step(ring, found) == 1
    assert ambiguous_step(Ring(), solve(Ring(), BreadthFirst()).solution) is None
    texts = [ring.format_state(state) for state in found.states]
    assert replay_texts(ring, "[0]", ["on"] * 3, texts).states == found.states
    with pytest.raises(VerificationError, match="step 1, on, is that of several steps"):
        replay_texts(ring, "[0]", ["on"] * 3)
