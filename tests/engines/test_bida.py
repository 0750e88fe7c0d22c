"""BIDA*: what its perimeter says is never too much, whatever falls into one slot of its table."""

import random
from types import SimpleNamespace

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    INFINITY,
    BIDAStar,
    Bidirectional,
    LimitKind,
    Limits,
    Problem,
    Status,
    Step,
    UnsuitableError,
    UsageError,
    solve,
)
from searchkit.compiled import bida
from searchkit.compiled.specialise.plain import plainly
from searchkit.packed import ZeroHeuristic
from searchkit_pancakes import Pancakes
from tests.support.graphs import Costs, graphs

UNIT = graphs(costs=Costs.UNIT)


class Wheels(Problem):
    """Turn wheels to 0, each alone, or neighbours together; plain, directed and of two words."""

    def __init__(self, start, letters="abcd"):
        self.start, self.letters = start, letters

    def initial_states(self):
        return [self.start]

    def is_goal(self, state):
        return state == "a" * len(self.start)

    def goal_states(self):
        return ["a" * len(self.start)]

    def turned(self, state, way):
        for i in range(len(state)):
            for width in (1, 2):
                middle = ""
                for letter in state[i : i + width]:
                    middle += self.letters[(self.letters.index(letter) + way) % len(self.letters)]
                if i + width <= len(state):
                    yield Step((i, width), state[:i] + middle + state[i + width :])

    def successors(self, state):
        yield from self.turned(state, 1)

    def predecessors(self, state):
        yield from self.turned(state, -1)


def stack(size, seed):
    return Pancakes.read(" ".join(map(str, random.Random(seed).sample(range(1, size + 1), size))))


@pytest.fixture
def crowded(monkeypatch):
    """Tables with four slots for every three states, of which few are stored: most collide."""
    monkeypatch.setattr(bida, "SLOTS_PER_STATE", 1)
    monkeypatch.setattr(bida, "LEAST_SLOTS", 0)
    monkeypatch.setattr(bida, "LEAST_BYTES", 64)
    has_room = property(lambda self: not self.is_full and self.depth < 2)
    monkeypatch.setattr(bida._HashedPerimeter, "_has_room", has_room)


@settings(deadline=None, max_examples=60)
@given(UNIT, st.integers(0, 2000))
def test_as_bidirectional_search(graph, perimeter):
    expected = solve(graph, Bidirectional(), engine="reference")
    found = solve(graph, BIDAStar(perimeter=perimeter), engine="reference")
    assert (found.status, found.cost) == (expected.status, expected.cost)
    counted = solve(graph, BIDAStar(perimeter=perimeter), engine="reference", want="count")
    assert counted.count == solve(graph, Bidirectional(), engine="reference", want="count").count


@pytest.mark.spread("problem0-0", "problem1-1MB", "problem2-2000")
@pytest.mark.parametrize("perimeter", [0, 2_000, "1MB"])
@pytest.mark.parametrize("problem", [stack(6, 1), stack(6, 2), Wheels("bdc")])
def test_engines_agree(problem, perimeter):
    expected = solve(problem, Bidirectional(), want="count", engine="reference")
    for heuristic in [ZeroHeuristic(), None][problem.undirected - 1 :]:
        algorithm = BIDAStar(heuristic=heuristic, perimeter=perimeter)
        for engine in ("reference", "compiled"):
            with plainly():
                found = solve(problem, algorithm, want="count", engine=engine)
            assert found.engine == engine
            assert (found.cost, found.count) == (expected.cost, expected.count)


@pytest.mark.usefixtures("crowded")
@pytest.mark.parametrize("perimeter", [400, 2_000])
@pytest.mark.parametrize("seed", [1, 2])
def test_states_that_fall_into_one_slot_take_no_solution_away(seed, perimeter):
    problem = stack(5, seed)
    expected = solve(problem, Bidirectional(), want="count", engine="reference")
    algorithm = BIDAStar(heuristic=ZeroHeuristic(), perimeter=perimeter)
    with plainly():
        found = solve(problem, algorithm, want="count", engine="compiled")
    assert (found.cost, found.count) == (expected.cost, expected.count)


def perimeters_of(problem, perimeter, monkeypatch):
    """The perimeter of a compiled search, as it is whenever it was filled."""
    seen = []
    mark = bida._HashedPerimeter._mark

    def marked(self, expected):
        yield from mark(self, expected)
        seen.append((self.depth, self.is_full, self.is_whole, self.bounds, self))
        check(self)

    def check(self):
        bounds = {state: self.bounds(state) for state in distances}
        for state, distance in distances.items():
            assert bounds[state] <= distance
            if distance == self.depth or self.is_whole:
                assert bounds[state] in (0, self.depth - 1, self.depth, INFINITY)

    distances = distances_of(problem)
    monkeypatch.setattr(bida._HashedPerimeter, "_mark", marked)
    with plainly():
        solve(problem, BIDAStar(heuristic=ZeroHeuristic(), perimeter=perimeter), engine="compiled")
    return seen


def distances_of(problem):
    distances = {problem.goal: 0}
    queue = [problem.goal]
    for state in queue:
        for _, child, _ in problem.successors(state):
            if child not in distances:
                distances[child] = distances[state] + 1
                queue.append(child)
    return distances


@pytest.mark.parametrize("perimeter", [500, 4_000, "1MB"])
def test_no_bound_is_too_large(perimeter, monkeypatch):
    seen = perimeters_of(stack(6, 1), perimeter, monkeypatch)
    assert seen


def test_a_layer_after_one_that_filled_no_slot_has_a_growth():
    assert bida._HashedPerimeter.growth.fget(SimpleNamespace(sizes=[1, 3, 0, 5])) == 5


@pytest.mark.usefixtures("crowded")
def test_no_bound_is_too_large_where_states_fall_into_one_slot(monkeypatch):
    seen = perimeters_of(stack(6, 2), 2_000, monkeypatch)
    assert any(is_full for _, is_full, *_ in seen)
    assert max(depth for depth, *_ in seen) > 3


@pytest.mark.parametrize("depth", [0, 2])
def test_a_layer_that_does_not_fit_is_marked_all_the_same(depth, monkeypatch):
    stored = bida._HashedPerimeter._stored

    def short(self):
        found = yield from stored(self)
        if self.depth == depth:
            self.layers.starts.pop()
            self.layers.sizes.pop()
            raise MemoryError
        return found

    monkeypatch.setattr(bida._HashedPerimeter, "_stored", short)
    seen = perimeters_of(stack(6, 1), "1MB", monkeypatch)
    assert any(is_full for _, is_full, *_ in seen)


def test_all_states_beyond_a_whole_perimeter_are_dead_ends():
    class Apart(Problem):
        """Two rings, with the start on one, and the goal on the other."""

        def initial_states(self):
            return [7]

        def is_goal(self, state):
            return state == 0

        def goal_states(self):
            return [0]

        def successors(self, state):
            yield Step("on", state // 5 * 5 + (state + 1) % 5)

        def predecessors(self, state):
            yield Step("on", state // 5 * 5 + (state + 4) % 5)

    for engine in ("reference", "compiled"):
        with plainly():
            found = solve(Apart(), BIDAStar(), engine=engine)
        assert found.status is Status.UNSOLVABLE
        assert found.statistics.expanded <= 6


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_layers_that_do_not_grow_come_to_an_end(engine):
    class Line(Problem):
        """Two more states lie at each distance, and so without end."""

        undirected = True

        def initial_states(self):
            return [3]

        def is_goal(self, state):
            return state == 0

        def goal_states(self):
            return [0]

        def successors(self, state):
            yield Step("left", state - 1)
            yield Step("right", state + 1)

    with plainly():
        found = solve(Line(), BIDAStar(), engine=engine, limits=Limits(expansions=300))
    assert (found.status, found.cost) == (Status.SOLVED, 3)


def test_memory_is_a_limit():
    problem = stack(9, 3)
    with plainly():
        found = solve(
            problem, BIDAStar(heuristic=ZeroHeuristic(), perimeter="1GB"), engine="compiled",
            limits=Limits(memory=2_000_000, expansions=20_000),
        )  # fmt: skip
    assert found.statistics.bytes <= 2_000_000
    assert found.limit is not LimitKind.MEMORY


def test_what_it_does_not_suit():
    class NoGoals(Problem):
        undirected = True

        def initial_states(self):
            return [0]

        def is_goal(self, state):
            return state == 1

        def successors(self, state):
            yield Step("on", 1 - state)

    with pytest.raises(UnsuitableError, match="bida needs goal_states"):
        solve(NoGoals(), BIDAStar())
    with pytest.raises(UnsuitableError, match="takes a perimeter and no table"):
        solve(stack(4, 1), BIDAStar(table="1MB"))
    with pytest.raises(UsageError, match="not an amount of memory"):
        BIDAStar(perimeter="much")


class Letters(Problem):
    """Turn blocks of four in a square of nine letters; states are texts, so they have no tables."""

    undirected = True
    goal = "abcdefghi"

    def initial_states(self):
        return ["ihgfedcba"]

    def is_goal(self, state):
        return state == self.goal

    def goal_states(self):
        return [self.goal]

    def successors(self, s):
        for b in (0, 1, 3, 4):
            on = s[:b] + s[b + 3] + s[b] + s[b + 2] + s[b + 4] + s[b + 1] + s[b + 5 :]
            back = s[:b] + s[b + 1] + s[b + 4] + s[b + 2] + s[b] + s[b + 3] + s[b + 5 :]
            yield Step((b, 1), on)
            yield Step((b, -1), back)


def test_a_search_from_both_ends_that_uses_up_its_memory_has_a_perimeter():
    limits = Limits(memory=1_000_000)
    short = solve(Letters(), limits=limits, engine="reference")
    assert (short.status, short.limit) == (Status.LIMIT, LimitKind.MEMORY)
    found = solve(Letters(), limits=attrs.evolve(limits, tables=10**9), engine="reference")
    assert isinstance(found.algorithm, BIDAStar)
    assert found.optimal
    assert found.cost == solve(Letters(), engine="reference").cost == 10
    at_ease = solve(Letters(), limits=Limits(tables=10**9), engine="reference")
    assert isinstance(at_ease.algorithm, Bidirectional)
