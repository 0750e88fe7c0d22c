import pytest

from searchkit import Problem, Step
from searchkit.capabilities import Symmetry
from searchkit.symmetry import orbits, stabiliser
from searchkit.transforms import fix_first_step


def test_orbits_keep_the_order_of_the_items():
    assert orbits(list("abcd"), []) == [["a"], ["b"], ["c"], ["d"]]
    assert orbits([3, 1, 2, 0], [lambda i: 3 - i]) == [[3, 0], [1, 2]]
    assert orbits([0, 1, 2, 3], [{0: 1, 1: 0, 2: 2, 3: 3}.get, {0: 0, 1: 2, 2: 1, 3: 3}.get]) == [
        [0, 1, 2],
        [3],
    ]
    assert orbits([[1], [2]], [lambda item: [3 - item[0]]]) == [[[1], [2]]]
    assert orbits([], [lambda item: item]) == []


MOVES = {"up": (-1, 0), "left": (0, -1), "right": (0, 1), "down": (1, 0)}


class Grid(Problem):
    """A walker on a square grid of side 5, from the middle to the corners or to one of them."""

    undirected = True

    def __init__(self, start=(2, 2), goals=((0, 0), (0, 4), (4, 0), (4, 4)), toll=1):
        self.start, self.goals, self.toll = start, goals, toll

    def initial_states(self):
        return [self.start]

    def is_goal(self, state):
        return state in self.goals

    def successors(self, state):
        for name, (down, right) in MOVES.items():
            after = (state[0] + down, state[1] + right)
            if min(after) >= 0 and max(after) <= 4:
                yield Step(name, after, self.toll)

    def with_start(self, state):
        return Grid(state, self.goals)

    def with_goal(self, state):
        return Grid(self.start, (state,))

    def symmetries(self):
        turns = [(1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0)]
        mirrors = [(1, 0, 0, -1), (-1, 0, 0, 1), (0, 1, 1, 0), (0, -1, -1, 0)]
        for matrix in turns + mirrors:
            symmetry = make_symmetry(*matrix)
            if {symmetry.state_map(goal) for goal in self.goals} == set(self.goals):
                yield symmetry


class DirectedGrid(Grid):
    undirected = False

    def predecessors(self, state):
        for name, (down, right) in MOVES.items():
            before = (state[0] - down, state[1] - right)
            if min(before) >= 0 and max(before) <= 4:
                yield Step(name, before)


def make_symmetry(a, b, c, d):
    def turn(row, column):
        return a * row + b * column, c * row + d * column

    def state_map(state):
        row, column = turn(state[0] - 2, state[1] - 2)
        return row + 2, column + 2

    def action_map(name):
        image = turn(*MOVES[name])
        return next(other for other, step in MOVES.items() if step == image)

    return Symmetry(str((a, b, c, d)), state_map, action_map)


def paths(problem, length):
    """All goal-ending action sequences of exactly `length` that meet no goal before."""
    found = []

    def go_on(state, actions):
        if problem.is_goal(state):
            if len(actions) == length:
                found.append(actions)
        elif len(actions) < length:
            for step in problem.successors(state):
                go_on(step.state, (*actions, step.action))

    for start in problem.initial_states():
        go_on(start, ())
    return found


def test_stabiliser():
    assert len(stabiliser(Grid(), [(2, 2)])) == 8
    assert len(stabiliser(Grid(), [(2, 1)])) == 2
    assert len(stabiliser(Grid(), [(1, 0)])) == 1
    assert stabiliser(object.__new__(NoSymmetries), [0]) == []


class NoSymmetries(Problem):
    def initial_states(self):
        return [0]

    def successors(self, state):
        return [Step("a", 1), Step("b", 1)]

    def is_goal(self, state):
        return state == 1


@pytest.mark.parametrize(
    ("problem", "length", "sizes"),
    [
        (Grid(), 4, {"up": 4}),
        (Grid(goals=((0, 0),)), 4, {"up": 2, "right": 2}),
        (Grid(goals=((2, 4), (2, 0))), 2, {"up": 2, "left": 2}),
        (Grid(start=(2, 1)), 3, {"up": 2, "left": 1, "right": 1}),
        (DirectedGrid(), 4, {"up": 4}),
    ],
)
def test_the_solutions_kept_stand_for_all(problem, length, sizes):
    fixed = fix_first_step(problem)
    (start,) = fixed.initial_states()
    kept = [step.action for step in fixed.successors(start)]
    assert {action: fixed.orbit_size(action) for action in kept} == sizes
    found = paths(fixed, length)
    assert sum(fixed.orbit_size(path[0]) for path in found) == len(paths(problem, length))
    assert len(found) < len(paths(problem, length))


def test_nothing_to_reduce():
    assert fix_first_step(Grid(start=(1, 0))) is None
    assert fix_first_step(NoSymmetries()) is None
    assert fix_first_step(Grid(goals=((2, 2),))) is None

    class TwoStarts(Grid):
        def initial_states(self):
            return [(2, 2), (2, 1)]

    assert fix_first_step(TwoStarts()) is None


def test_an_action_that_was_not_kept_has_no_size():
    with pytest.raises(KeyError):
        fix_first_step(Grid()).orbit_size("down")


def test_the_reduced_graph_of_an_undirected_problem_is_undirected():
    fixed = fix_first_step(Grid())
    assert fixed.undirected
    edges = {
        (state, step.state)
        for state in [(row, column) for row in range(5) for column in range(5)]
        for step in fixed.successors(state)
    }
    assert edges == {(after, before) for before, after in edges}
    assert {after for before, after in edges if before == (2, 2)} == {(1, 2)}


def test_predecessors_are_those_of_the_kept_steps():
    fixed = fix_first_step(DirectedGrid())
    states = [(row, column) for row in range(5) for column in range(5)]
    forward = {(state, *step) for state in states for step in fixed.successors(state)}
    backward = {
        (step.state, step.action, state, step.cost)
        for state in states
        for step in fixed.predecessors(state)
    }
    assert forward == backward


def test_a_new_start_or_goal_is_fixed_again():
    fixed = fix_first_step(Grid())
    assert fixed.with_start((2, 1)).orbit_size("up") == 2
    assert isinstance(fixed.with_start((1, 0)), Grid)
    assert fixed.with_goal((0, 0)).orbit_size("up") == 2


def test_only_what_the_base_can_do_is_offered():
    assert not hasattr(fix_first_step(Grid()), "predecessors")
    assert not hasattr(fix_first_step(Grid()), "parse")
    assert fix_first_step(Grid(toll=3)).with_start((2, 2)).heuristic((0, 0)) == 0
