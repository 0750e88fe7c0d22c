"""Lies about the rules end as errors that name law and line, in every engine that takes them."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from searchkit import (
    IDDFS,
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
    WeightedAStar,
    WeightedIDAStar,
    solve,
)
from searchkit.certificates import Certificate
from searchkit.errors import EngineError, LawError
from searchkit.explore import explore
from searchkit.packed import PackedHeuristic
from searchkit.premises.reasons import FIRST, Premises
from searchkit_sliding import eight_puzzle

ALL = [
    BreadthFirst(), Bidirectional(), AStar(), UniformCost(), IDDFS(), IDAStar(),
    WeightedAStar(weight=2), WeightedIDAStar(weight=2), Anytime(), GreedyBestFirst(), BeamSearch(),
]  # fmt: skip
by_name = pytest.mark.parametrize("algorithm", ALL, ids=lambda algorithm: algorithm.name)
FEW = Limits(expansions=3000)


class Jugs(Problem):
    """Two jugs of 3 and 5 litres, of which one shall hold 4."""

    def initial_states(self):
        return [(0, 0)]

    def goal_states(self):
        return [(small, 4) for small in range(4)]

    def is_goal(self, state):
        return state[1] == 4

    def heuristic(self, state):
        return 0 if state[1] == 4 else 1

    def successors(self, state):
        small, large = state
        yield Step("fill 3", (3, large))
        yield Step("fill 5", (small, 5))
        yield Step("empty 3", (0, large))
        yield Step("empty 5", (small, 0))
        most = min(small, 5 - large)
        yield Step("3 to 5", (small - most, large + most))
        most = min(large, 3 - small)
        yield Step("5 to 3", (small + most, large - most))

    def predecessors(self, state):
        for before in itertools.product(range(4), range(6)):
            for step in Jugs.successors(self, before):
                if step.state == state:
                    yield Step(step.action, before)


def no_starts(self):
    return []


def none_for_starts(self):
    return None


def bare_start(self):
    return (0, 0)


def fickle_starts(self, count=itertools.count()):  # noqa: B008  (counts all calls)
    return [(next(count) % 4, 0)]


def list_for_start(self):
    return [[0, 0]]


def goal_without_return(self, state):
    state[1] == 4  # noqa: B015


def goal_with_yield(self, state):
    yield state[1] == 4


def goal_as_text(self, state):
    return "no"


def fickle_goal(self, state, count=itertools.count()):  # noqa: B008
    return next(count) % 2 == 0 and state == (3, 3)


def return_in_the_loop(self, state):
    for step in Jugs.successors(self, state):
        return step
    return None


def no_yield(self, state):
    Jugs.successors(self, state)


def states_alone(self, state):
    for step in Jugs.successors(self, state):
        yield step.state


def pairs(self, state):
    for step in Jugs.successors(self, state):
        yield step.action, step.state


def lists(self, state):
    for step in Jugs.successors(self, state):
        yield Step(step.action, list(step.state))


def exchanged(self, state):
    small, large = state  # fails for a label
    for step in Jugs.successors(self, (small, large)):
        yield Step(step.state, step.action)


def fickle_steps(self, state, count=itertools.count()):  # noqa: B008
    steps = list(Jugs.successors(self, state))
    return steps[: 3 if next(count) % 2 else 2]


def free_steps(self, state):
    for step in Jugs.successors(self, state):
        yield step._replace(cost=1.5)


def denied_goal(self):
    return [(0, 3), *Jugs.goal_states(self)]


def none_for_goals(self):
    return None


def changed(**members):
    return type("Jugs", (Jugs,), members | {"__module__": __name__})()


class Lists(Problem):
    """States that can be changed in place: coins are moved from pile to pile."""

    undirected = True

    def initial_states(self):
        return [[2, 0, 0]]

    def is_goal(self, state):
        return state == [0, 0, 2]

    def goal_states(self):
        return [[0, 0, 2]]

    def key(self, state):
        return tuple(state)

    def successors(self, state):
        for one, other in itertools.permutations(range(3), 2):
            if state[one]:
                after = list(state)
                after[one] -= 1
                after[other] += 1
                yield Step((one, other), after)


def moving_in_place(self, state):
    for one, other in itertools.permutations(range(3), 2):
        if state[one]:
            state[one] -= 1
            state[other] += 1
            yield Step((one, other), state)


def emptying(self, state):
    state[0], answer = 0, state == [0, 0, 2]
    return answer


def one_list_for_all(self, state):
    after = list(state)
    for step in Lists.successors(self, state):
        after[:] = step.state
        yield Step(step.action, after)


def key_as_list(self, state):
    return state


def lists_changed(**members):
    return type("Lists", (Lists,), members | {"__module__": __name__})()


LIES = [
    (changed(initial_states=no_starts), "starts", "gives no state", "no_starts"),
    (changed(initial_states=none_for_starts), "starts", "lack a return", "none_for_starts"),
    (changed(initial_states=bare_start), "starts", r"put it in a list: \[\(0, 0\)\]", "bare_start"),
    (changed(initial_states=fickle_starts), "starts", "when asked again", "fickle_starts"),
    (changed(initial_states=list_for_start), "keys", "make it a tuple", "list_for_start"),
    (changed(is_goal=goal_without_return), "goals", "lack a return", "goal_without_return"),
    (changed(is_goal=goal_with_yield), "goals", "must give True or False", "goal_with_yield"),
    (changed(is_goal=goal_as_text), "goals", "must give True or False", "goal_as_text"),
    (changed(is_goal=fickle_goal, goal_states=None), "goals", "that it is none", "fickle_goal"),
    (changed(successors=return_in_the_loop), "successors", "returns one step", "return_in"),
    (changed(successors=no_yield), "successors", "lack a return or a yield", "no_yield"),
    (changed(successors=states_alone), "successors", r"must be a Step\(action, ", "states_alone"),
    (changed(successors=pairs), "successors", r"write Step\('fill 3', \(3, 0\)\)", "pairs"),
    (changed(successors=lists), "keys", r"state \[3, 0\] .*make it a tuple", "lists"),
    (changed(successors=exchanged), "successors", "state before the action", "exchanged"),
    (changed(successors=fickle_steps), "successors", "asked again", "fickle_steps"),
    (lists_changed(successors=moving_in_place), "mutation", "make a copy", "moving_in_place"),
    (lists_changed(successors=one_list_for_all), "mutation", "copy for each", "one_list_for_all"),
    (lists_changed(is_goal=emptying), "mutation", "is_goal has changed", "emptying"),
    (lists_changed(key=key_as_list), "keys", r"key gives \[2, 0, 0\]", "key_as_list"),
]  # fmt: skip


def name_of(value):
    return value if isinstance(value, str) else None


@by_name
@pytest.mark.parametrize(("problem", "law", "told", "blamed"), LIES, ids=name_of)
def test_lies_about_the_rules(problem, law, told, blamed, algorithm):
    if algorithm.name == "bidirectional" and problem.goal_states is None:
        pytest.skip("there are no listed goals to begin at")
    with pytest.raises(LawError, match=told) as caught:
        solve(problem, algorithm, limits=FEW)
    assert caught.value.law == law
    message = str(caught.value)
    assert f"breaks the law {law}: " in message
    assert f"{__file__}:" in message
    line = int(message.split(f"{__file__}:")[1].split(maxsplit=1)[0])
    assert blamed in Path(__file__).read_text().splitlines()[line - 1]
    assert "\n" not in message


@by_name
def test_the_truth_is_searched(algorithm):
    for problem, cost in (Jugs(), 6), (Lists(), 2):
        result = solve(problem, algorithm)
        assert result.status is Status.SOLVED
        assert result.cost == cost or not algorithm.optimal


# Goals that are listed


@pytest.mark.parametrize(
    ("method", "told"),
    [(denied_goal, r"lists \(0, 3\), which is_goal denies"), (none_for_goals, "lack a return")],
)
def test_listed_goals_are_asked_before_the_search(method, told):
    with pytest.raises(LawError, match=told) as caught:
        solve(changed(goal_states=method), Bidirectional())
    assert caught.value.law == "goal-states"


def test_a_goal_that_is_not_listed():
    problem = changed(goal_states=lambda self: [(1, 4), (2, 4)])
    with pytest.raises(LawError, match=r"is true of \(0, 4\)|is true of \(3, 4\)"):
        solve(problem, Bidirectional())
    nothing = changed(goal_states=lambda self: [])
    with pytest.raises(LawError, match="which goal_states does not list"):
        solve(nothing, Bidirectional())


def test_no_goals_at_all_are_proved_by_trying_every_state():
    problem = changed(goal_states=lambda self: [], is_goal=lambda self, state: False)
    result = solve(problem, Bidirectional())
    assert result.status is Status.UNSOLVABLE
    assert result.statistics.expanded == 16


def test_predecessors_are_asked():
    def too_few(self, state):
        return [step for step in Jugs.predecessors(self, state) if step.state != (0, 0)]

    def too_many(self, state):
        return [*Jugs.predecessors(self, state), Step("leap", (0, 0))]

    for method, told in (too_few, "lacks"), (too_many, "from which no step leads"):
        with pytest.raises(LawError, match=told) as caught:
            solve(changed(predecessors=method), Bidirectional())
        assert caught.value.law == "predecessors"


def test_predecessors_that_are_no_steps_where_a_way_is_traced_back():
    """They are asked where a goal was found, by algorithms that rest on none of what they say."""

    def nothing(self, state):
        return None

    def bare(self, state):
        return [step.state for step in Jugs.predecessors(self, state)]

    for method, told in (nothing, "returns None, .*lack a return"), (bare, "must be a Step"):
        with pytest.raises(LawError, match=f"predecessors .*{told}.* in predecessors"):
            solve(changed(predecessors=method), AStar(), engine="reference")


@by_name
def test_steps_that_cannot_be_taken_back(algorithm):
    with pytest.raises(LawError, match="undirected is True, but no step of cost 1 leads back"):
        solve(changed(undirected=True), algorithm)


# What the proof rests on


@by_name
def test_a_certificate_for_what_has_a_solution(algorithm):
    def certificate(self, state):
        return Certificate("mine", "for sure")

    with pytest.raises(LawError, match=r"says of \(0, 0\) that it is unsolvable") as caught:
        solve(changed(certificate=certificate), algorithm)
    assert caught.value.law == "certificates"


@pytest.mark.parametrize(
    "algorithm", [each for each in ALL if each.uses_heuristic], ids=lambda each: each.name
)
def test_a_dead_end_that_is_none(algorithm):
    def heuristic(self, state):
        return INFINITY if state == (0, 5) or state[0] == 3 else 0

    with pytest.raises(LawError, match=r"gives INFINITY for \(.*, but the goal \(.*steps away"):
        solve(changed(heuristic=heuristic), algorithm)


@pytest.mark.parametrize(
    "algorithm", [each for each in ALL if each.uses_heuristic], ids=lambda each: each.name
)
@pytest.mark.parametrize(
    ("value", "told"),
    [(None, "lack a return"), ("1", "gives '1'"), (-1, "gives -1"), (float("nan"), "gives nan")],
)
def test_estimates_that_are_none(algorithm, value, told):
    with pytest.raises(LawError, match=told) as caught:
        solve(changed(heuristic=lambda self, state: value), algorithm)
    assert caught.value.law == "heuristics"


def test_costs_are_told_as_ever():
    for algorithm in ALL:
        with pytest.raises(Exception, match=r"costs 1.5, but the problem promises unit costs"):
            solve(changed(successors=free_steps), algorithm)


def test_nothing_is_proved_by_nothing():
    problem = changed(is_goal=lambda self, state: False)
    with pytest.raises(EngineError, match="it has tried nothing"):
        Premises(problem=problem, starts=[(0, 0)]).check_no_solution(by="mine")


def test_states_and_labels_may_be_of_any_kinds():
    class Mixed(Problem):
        """The start is a text, as labels are; the others are numbers."""

        costs = Costs.INTEGER

        def initial_states(self):
            return ["start"]

        def successors(self, state):
            if state == "start":
                return [Step("one", 1), Step("two", 2)]
            return [Step("on", state + 1)] if state < 9 else []

        def is_goal(self, state):
            return state == 10

    assert solve(Mixed(), AStar()).status is Status.UNSOLVABLE
    assert solve(Mixed(), AStar()).statistics.expanded == 10


# Exploring


EXPLORED = [lie for lie in LIES if lie[1] != "starts" or lie[3] != "bare_start"]


@pytest.mark.parametrize(("problem", "law", "told", "blamed"), EXPLORED, ids=name_of)
def test_lies_to_an_exploration(problem, law, told, blamed):
    with pytest.raises(LawError, match=told) as caught:
        explore(problem, backward=False)
    assert caught.value.law == law
    assert f"{__file__}:" in str(caught.value)


def test_one_state_for_a_list_to_an_exploration():
    with pytest.raises(LawError, match="put it in a list"):
        explore(changed(initial_states=bare_start))


class Mirrored(Problem):
    """Its rules would make something of a list, too."""

    def initial_states(self):
        return [("a", "b")]

    def successors(self, state):
        yield Step("turn", state[::-1])

    def is_goal(self, state):
        return False


def test_rules_that_make_something_of_the_list_of_starts_are_no_lie():
    assert solve(Mirrored(), BreadthFirst()).status is Status.UNSOLVABLE


def test_exploring_backwards():
    assert explore(Jugs(), backward=True).complete

    def leaping(self, state):
        return [*Jugs.predecessors(self, state), Step("leap", (0, 0))]

    with pytest.raises(LawError, match="from which no step leads there"):
        explore(changed(predecessors=leaping), backward=True)
    with pytest.raises(LawError, match=r"lists \(0, 3\), which is_goal denies"):
        explore(changed(goal_states=denied_goal), backward=True)
    with pytest.raises(LawError, match="goal_states gives no state"):
        explore(changed(goal_states=lambda self: []), backward=True)


class Coarse(Problem[int, str]):
    """From 0 to 5 and back; `kind` says what is wrong with its key."""

    def __init__(self, kind):
        self.kind = kind

    def initial_states(self):
        return [0]

    def successors(self, state):
        if state < 5:
            yield Step("up", state + 1)
        if state > 0:
            yield Step("down", state - 1)

    def is_goal(self, state):
        return state == 5

    def key(self, state):
        return {"none": None, "constant": 7, "half": state // 2}[self.kind]


@pytest.mark.parametrize("kind", ["none", "constant", "half"])
def test_a_key_that_does_not_tell_states_apart_proves_nothing(kind):
    with pytest.raises(LawError, match=r"key gives .* for 0 and 1, from which other steps lead"):
        solve(Coarse(kind), BreadthFirst())


def test_a_packed_heuristic_is_asked_of_few_states_before_an_answer(monkeypatch):
    puzzle = eight_puzzle()
    asked = []

    def noting(self, state):
        asked.append(state)
        return PackedHeuristic.__call__(self, state)

    monkeypatch.setattr(type(puzzle.default_heuristic()), "__call__", noting, raising=False)
    result = solve(puzzle, IDAStar(), engine="compiled")
    # Those of the first look, of the start, and of the states on the solution.
    assert len(asked) <= FIRST.states + 1 + result.cost + 1
