"""Whole searches of ordinary problems: equal costs, counts and solutions, whatever the engine."""

import importlib

import pytest

from searchkit import (
    IDDFS,
    AStar,
    BreadthFirst,
    Costs,
    Limits,
    Problem,
    Step,
    UniformCost,
    UnsuitableError,
    explore,
    solve,
)
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import CompilationError, ProblemError
from searchkit.translation import sampling, watch
from searchkit.translation.problem import Translated

MODULES = ("pouring", "crossing", "sliding", "stacks", "boards", "others")


def kinds():
    modules = [importlib.import_module(f"tests.translation.corpus.{name}") for name in MODULES]
    return {
        name: each
        for module in modules
        for name, each in vars(module).items()
        if isinstance(each, type) and each.__module__ == module.__name__
    }


def told(found):
    work = found.statistics
    solution = found.solution and [(step.action, step.state) for step in found.solution.steps]
    counts = work.expanded, work.generated
    return found.status, found.cost, solution, found.count, found.limit, counts


@pytest.mark.slow_variants("Sokoban", "Ferries")
@pytest.mark.parametrize("name", ["Jugs", "Farmer", "Ferries", "Actions", "Queens", "Sokoban"])
def test_the_same_by_translated_rules(name, monkeypatch):
    monkeypatch.setattr(watch, "FIRST", 20)
    problem = kinds()[name]()
    algorithms = [BreadthFirst(), IDDFS(), AStar()]
    limits = Limits(expansions=60)
    for algorithm in algorithms:
        expected = solve(problem, algorithm, engine="reference", limits=limits)
        with plainly():
            found = solve(problem, algorithm, engine="compiled", limits=limits)
        assert told(found) == told(expected)
        assert (found.engine, found.problem) == ("compiled", problem)


class Counter(Problem):
    """Numbers that grow beyond what is seen at first, up and down."""

    costs = Costs.INTEGER
    grows_by = 3

    def initial_states(self):
        return [(0, 0)]

    def successors(self, state):
        up, down = state
        if up < 40_000:
            yield Step("up", (up * self.grows_by + 1, down), 2)
            yield Step("down", (up, down * 2 - up - 1), 1)

    def is_goal(self, state):
        return state[0] == 40_000


class Trail(Problem):
    """States that get longer without end."""

    def initial_states(self):
        return [()]

    def successors(self, state):
        for digit in range(3):
            yield Step(digit, (*state, digit))

    def is_goal(self, state):
        return len(state) == 7 and sum(state) == 0


def test_fields_get_wider_on_the_way(monkeypatch):
    monkeypatch.setattr(watch, "FIRST", 6)
    monkeypatch.setattr(sampling, "NEAR", 5)
    monkeypatch.setattr(sampling, "WALKS", 0)
    limits = Limits(expansions=150)
    for problem, algorithm in ((Counter(), UniformCost()), (Trail(), BreadthFirst())):
        expected = solve(problem, algorithm, engine="reference", limits=limits)
        with plainly():
            found = solve(problem, algorithm, engine="compiled", limits=limits)
        assert told(found) == told(expected)


class Doubling(Problem):
    """Numbers that are soon beyond all bounds, but not where the search comes."""

    def initial_states(self):
        return [(3, 1)]

    def successors(self, state):
        one, other = state
        yield Step("twice", (one * 2, other))
        yield Step("add", (one, other + one))
        yield Step("times", (one * other, other))

    def is_goal(self, state):
        return state == (6, 91)


class Strings(Problem):
    """The MIU system (D. Hofstadter, Gödel, Escher, Bach, 1979), whose texts double in length."""

    def initial_states(self):
        return ["MI"]

    def successors(self, state):
        if state[-1] == "I":
            yield Step("append", state + "U")
        yield Step("double", state + state[1:])
        for i in range(1, len(state) - 2):
            if state[i : i + 3] == "III":
                yield Step(f"III at {i}", state[:i] + "U" + state[i + 3 :])
        for i in range(1, len(state) - 1):
            if state[i : i + 2] == "UU":
                yield Step(f"UU at {i}", state[:i] + state[i + 2 :])

    def is_goal(self, state):
        return state == "MUIIU"


def test_walks_may_lead_to_states_that_are_too_large(monkeypatch):
    monkeypatch.setattr(watch, "FIRST", 6)
    for problem in (Doubling(), Strings()):
        expected = solve(problem, BreadthFirst(), engine="reference", limits=Limits(expansions=60))
        with plainly():
            found = solve(problem, BreadthFirst(), engine="compiled", limits=Limits(expansions=60))
        assert told(found) == told(expected)


def test_all_solutions_and_whole_spaces(monkeypatch):
    monkeypatch.setattr(watch, "FIRST", 6)
    problem = kinds()["Ferries"]()
    expected = solve(problem, BreadthFirst(), want="all", engine="reference")
    space = explore(problem, engine="reference")
    with plainly():
        found = solve(problem, BreadthFirst(), want="all", engine="compiled")
        explored = explore(problem, engine="compiled")
    assert told(found) == told(expected)
    assert list(found.solutions) == list(expected.solutions)
    assert explored.layers == space.layers
    assert explored.farthest == list(space.farthest)
    assert explored.engine == "compiled"


def test_a_difference_is_no_answer(monkeypatch):
    monkeypatch.setattr(watch, "FIRST", 6)
    problem = kinds()["Jugs"]()
    honest = Translated.packed_states
    seen = []

    def wrong(self, values):
        seen.append(values)
        return honest(self, [(b, a, c) for a, b, c in values] if len(seen) == 2 else values)

    monkeypatch.setattr(Translated, "packed_states", wrong)
    with plainly(), pytest.raises(CompilationError, match="machine code gives"):
        solve(problem, BreadthFirst(), engine="compiled")


def test_what_cannot_be_translated_is_said():
    problem = Trail()
    problem.is_goal = lambda state: False
    with pytest.raises(UnsuitableError, match="no compiled engine for this problem"):
        solve(problem, BreadthFirst(), engine="compiled")


class Around(Problem):
    """A walk on a board with many holes, which are taken out of the neighbours."""

    holes = frozenset((x, y) for x in range(-98, 200, 3) for y in range(-98, 200, 3))

    def initial_states(self):
        return [(0, 0)]

    def successors(self, state):
        x, y = state
        for to in sorted({(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} - self.holes):
            if 0 <= to[0] < 100 and 0 <= to[1] < 100:
                yield Step(to, to)

    def is_goal(self, state):
        return False


class Asked(Around):
    def successors(self, state):
        x, y = state
        for to in ((x - 1, y), (x, y - 1), (x, y + 1), (x + 1, y)):
            if to not in self.holes and 0 <= to[0] < 100 and 0 <= to[1] < 100:
                yield Step(to, to)


def test_a_large_set_is_taken_away_by_looking_members_up():
    taken, asked = (solve(kind(), BreadthFirst(), engine="compiled") for kind in (Around, Asked))
    assert taken.statistics.expanded == asked.statistics.expanded > 3000


class Static(Problem):
    """Rules that need no object, and one that asks its class."""

    goal = 44

    def initial_states(self):
        return [0]

    @staticmethod
    def successors(state):
        yield Step("on", (state + 3) % 50)
        yield Step("times", state * 7 % 50)

    @staticmethod
    def heuristic(state):
        return int(state < 40)

    @classmethod
    def is_goal(cls, state):
        return state == cls.goal


def test_rules_may_be_static_or_of_the_class():
    expected = told(solve(Static(), AStar(), want="count", engine="reference"))
    with plainly():
        assert told(solve(Static(), AStar(), want="count", engine="compiled")) == expected


class Dear(Problem):
    costs = Costs.INTEGER

    def initial_states(self):
        return [0]

    def successors(self, state):
        yield Step("cheap", (state + 3) % 50, 2)
        yield Step("dear", state * 7 % 50, 1 << 30)

    def is_goal(self, state):
        return state == 44


@pytest.mark.spread(
    "UniformCost()", "IDDFS(table=0, symmetry='none', cycles='auto', operator_pruning=0)"
)
@pytest.mark.parametrize("algorithm", [UniformCost(), IDDFS(), IDDFS(table="1MB")], ids=str)
def test_a_cost_that_is_too_large_for_machine_code_is_the_one_that_is_named(algorithm):
    with plainly(), pytest.raises(ProblemError, match="'dear' costs 1073741824; the compiled"):
        solve(Dear(), algorithm, engine="compiled")
