"""How the reference engines ask for steps, when they pause, and what they let go."""

import gc
from weakref import WeakSet

import attrs
import pytest

from searchkit import (
    IDDFS,
    AStar,
    BeamSearch,
    Bidirectional,
    BreadthFirst,
    IDAStar,
    Problem,
    Step,
    UniformCost,
    solve,
)
from searchkit.heuristic import ProblemHeuristic
from searchkit.running.task import Task
from searchkit.solving.engines import engine_of

ALL = [
    BreadthFirst(),
    Bidirectional(),
    AStar(),
    UniformCost(),
    IDDFS(),
    IDAStar(),
    BeamSearch(),
]
by_name = pytest.mark.parametrize("algorithm", ALL, ids=lambda algorithm: algorithm.name)


class Line(Problem):
    """Steps along a line, to a goal that is far away."""

    undirected = True
    far = 20

    def initial_states(self):
        return [0]

    def goal_states(self):
        return [self.far]

    def is_goal(self, state):
        return state == self.far

    def successors(self, state):
        yield from (Step(step, state + step) for step in (-2, -1, 1, 2))

    def heuristic(self, state):
        return abs(state - self.far) // 2


@by_name
def test_engines_pause_where_they_are_asked_to(algorithm):
    problem = Line()
    task = Task(
        problem=problem, algorithm=algorithm, heuristic=ProblemHeuristic(problem), starts=(0,)
    )
    running = engine_of(type(algorithm), "reference")(task)
    for pause in (0, 3, 4, 9):
        task.pause_at = pause
        next(running)
        assert task.counters.expanded == pause


class Many(Line):
    """As many steps as there are before the limits are looked at, in what is not a list."""

    far = 6

    def __init__(self, kind):
        self.kind = kind

    def successors(self, state):
        return self.kind(Step(step, state + step) for step in (-2, -1, 1, 2))


@by_name
@pytest.mark.parametrize("kind", [tuple, iter, dict.fromkeys], ids=lambda kind: kind.__name__)
def test_steps_that_come_one_by_one_are_the_same(algorithm, kind, monkeypatch):
    def figures(problem):
        result = solve(problem, algorithm, engine="reference", want="one")
        counts = result.statistics
        return result.actions, counts.expanded, counts.generated, counts.stored

    expected = figures(Many(list))
    monkeypatch.setattr("searchkit.running.task.LOOK_EVERY", 3)
    assert figures(Many(kind)) == expected


@attrs.frozen(eq=False, slots=False)
class Place:
    """A state that is its own garbage."""

    number: int

    def __eq__(self, other):
        return self.number == other.number

    def __hash__(self):
        return self.number


class Places(Problem):
    """A ring of states, of which it knows those that are alive."""

    undirected = True

    def __init__(self):
        self.alive = WeakSet()

    def place(self, number):
        made = Place(number % 1000)
        self.alive.add(made)
        return made

    def initial_states(self):
        return [self.place(0)]

    def goal_states(self):
        return [self.place(500)]

    def is_goal(self, state):
        return state.number == 500

    def successors(self, state):
        return [Step(step, self.place(state.number + step)) for step in (-17, -1, 1, 17)]


@pytest.mark.parametrize(
    "algorithm", [BreadthFirst(), AStar(), Bidirectional()], ids=lambda each: each.name
)
def test_states_are_let_go_without_the_garbage_collector(algorithm):
    problem = Places()
    gc.collect()
    gc.disable()
    try:
        stored = solve(problem, algorithm, engine="reference").statistics.stored
        assert stored > 400
        assert len(problem.alive) < stored / 2  # what the result holds, and what was asked about
    finally:
        gc.enable()


class Ends(Problem):
    """Two starts that lead nowhere."""

    def initial_states(self):
        return [0, 1]

    def successors(self, state):
        return []

    def is_goal(self, state):
        return False


def test_starts_count_for_the_largest_frontier():
    assert solve(Ends(), BreadthFirst(), engine="reference").statistics.max_frontier == 2
