"""Successors of packed problems as engines ask for them, against the kernels one by one."""

import random

import pytest

from searchkit import ProblemError, Step
from searchkit.bits import lowest_one
from searchkit.packed import PackedProblem, successors_of
from searchkit.registry import Registry

REGISTRY = Registry.load()


def one_by_one(problem, state):
    control = problem.control(state)
    return [
        Step(
            problem.action(state, operator),
            problem.apply(state, control, operator),
            problem.cost(state, control, operator),
        )
        for operator in problem.operators(control)
        if problem.legal(state, control, operator)
    ]


def walked(problem, rng, steps=60):
    (state, *_) = problem.initial_states()
    for _ in range(steps):
        yield state
        onward = list(problem.successors(state))
        if not onward:
            return
        state = rng.choice(onward)[1]


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("6-puzzle", {}),
        ("15-puzzle", {}),
        ("24-puzzle", {}),
        ("sliding", {"size": "9x8"}),
        ("hoppers", {"model": "jumps"}),
        ("peg", {"model": "jumps"}),
        ("cube2", {"metric": "quarter"}),
        ("pancakes", {}),
        ("pancakes", {"size": 20}),
        ("burnt-pancakes", {}),
        ("topspin", {}),
    ],
)
def test_bundled_puzzles(name, parameters):
    problem = REGISTRY.puzzles.get(name).create(**parameters)
    steps = successors_of(problem)
    for state in walked(problem, random.Random(name)):
        given = steps(state)
        assert given == one_by_one(problem, state) == list(problem.successors(state))
        assert all(type(step) is Step for step in given)


class Odd(PackedProblem[int]):
    """Kernels with all that functions may hold, and names that hide one another."""

    controls = 4

    def initial_states(self):
        return [5]

    def operators(self, control):
        return range(control, 6)

    def action(self, state, operator):
        return f"{operator} at {state}" and operator  # not a kernel

    def at_goal(self, state):
        return state == 0

    def control(self, state):
        steps = state & 3
        return 3 if steps > 3 else steps

    def legal(self, state, control, operator):
        if operator == 4 and control == 1:
            return False
        return state < 1 << 30 or self.spread(state) > operator

    def spread(self, state):
        found = 0
        while state != 0:
            state ^= 1 << lowest_one(state)
            found += 1
        return found

    def cost(self, state, control, operator):
        child = operator  # as the caller calls another thing
        return child + 1

    def apply(self, state, control, operator):
        operators = self.doubled(self.doubled(state) + operator)
        for step in range(3):
            if step == control:
                operators ^= self.doubled(step) + 1
            else:
                operators += self.doubled(operators) & 7
        state = operators & 0xFFFFFFFFF
        return state + 0

    def doubled(self, state):
        control = 2 * state
        return control + 0


def test_kernels_of_all_kinds():
    problem = Odd()
    steps = successors_of(problem)
    for state in (*range(300), *walked(problem, random.Random(3), 300)):
        assert steps(state) == one_by_one(problem, state) == problem.successors(state)


def test_errors_are_those_of_the_method():
    class Lost(Odd):
        def apply(self, state, control, operator):
            return state - 6

        def control(self, state):
            return 7 if state == 9 else 0

    steps = successors_of(Lost())
    with pytest.raises(ProblemError, match=r"state -1: words are ints from 0"):
        steps(5)
    with pytest.raises(ProblemError, match=r"control\(9\) is 7; it must be from 0"):
        steps(9)
    with pytest.raises(TypeError):
        steps("no state")


def test_what_is_not_inherited_or_no_kernel_is_called():
    class Own(Odd):
        def successors(self, state):
            return list(super().successors(state))[:1]

    class Printing(Odd):
        def apply(self, state, control, operator):
            print(end="")
            return state

    own = Own()
    assert successors_of(own)(5) == own.successors(5)
    printing = Printing()
    assert successors_of(printing)(5) == printing.successors(5)
    changed = Odd()
    changed.apply = lambda state, control, operator: 0
    assert successors_of(changed)(5) == changed.successors(5)


def test_tables_are_those_of_the_problem():
    one, other = (REGISTRY.puzzles.get("pancakes").create(size=size) for size in (5, 7))
    for problem in (one, other, one):
        for state in walked(problem, random.Random(1), 20):
            assert successors_of(problem)(state) == one_by_one(problem, state)
