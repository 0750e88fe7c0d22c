"""Numbers with a decimal point: the same floats as Python's, and the same searches by them."""

import importlib
import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import (
    Anytime,
    AStar,
    BeamSearch,
    GreedyBestFirst,
    IDAStar,
    Limits,
    Problem,
    Step,
    WeightedAStar,
    WeightedIDAStar,
    solve,
)
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import CompilationError, Trapped
from searchkit.heuristic import ProblemHeuristic
from searchkit.kernel_language import floats
from searchkit.kernel_language.floats import number_of, word_of
from searchkit.packed import DEAD_END
from searchkit.translation import watch
from searchkit.translation.rules import translate
from searchkit.translation.types import Atoms, Int, Seq
from tests.translation.test_rules import Cells

STATES = [(0, 0, 0), (1, 2, 3), (4, 3, 2), (-1, 7, -2), (100, -90, 5), (2, 2, 2)]
STATES += [tuple(random.Random(seed).choices(range(-9, 40), k=3)) for seed in range(20)]
GOAL = (9, 4, 1)
PRICES = [0.5, 1.25, 7.1]
MOVES = [(1, 0, 1.0), (0, 1, 1.4142135623730951), (2, 2, 0.1)]
SIDE = 10


def halves(s):
    return (abs(s[0]) + abs(s[1])) / 2


def thirds(s):
    return abs(s[0]) / 3 + s[1] * s[1] * 0.1 + 0.2


def hypot(s):
    return math.hypot(s[0] - 9, s[1] - 4)


def dist(s):
    return 1.5 * math.dist(s, GOAL)


def root_by_power(s):
    return ((s[0] - 9) ** 2 + (s[1] - 4) ** 2) ** 0.5


def root_of_a_large_square(s):
    return ((2921 * abs(s[0]) + 427) ** 2 + (1 << 33)) ** 0.5


def powers_of_floats(s):
    return (s[0] / 3) ** 2 + abs(s[1] / 7) ** 1.5 + (s[2] ** 2 / 5) ** 0.25


def root(s):
    return math.sqrt(abs(s[0] - s[1]) / 7)


def summed(s):
    return sum(abs(a - b) / 3 for a, b in zip(s, GOAL, strict=True))


def summed_in_a_loop(s):
    total = 0
    for i, x in enumerate(s):
        total += abs(x) * PRICES[i]
    return total


def least(s):
    best = float("inf")
    for x in s:
        best = min(best, abs(x - 3) * 1.5)
    return best


def least_whole(s):
    best = math.inf
    for x in s:
        if x > 1:
            best = min(best, x)
    return best


def one_or_the_other(s):
    if s[0] == 0:
        return 0
    return 2 if s[1] > 3 else 2.5


def rounded(s):
    x = (s[0] - s[1] * 0.5) / 1.5
    return 1000 + math.floor(x) + 3 * math.ceil(x) + 5 * int(x) + 7 * round(x) + 11 * math.trunc(-x)


def compared(s):
    x, y = s[0] / 2, s[1] * 0.5
    return (x < y) + 2 * (x <= y) + 4 * (x == y) + 8 * (x > 1) + 16 * (y != 2) + 32 * (1 <= x < 5.5)


def pairs(s):
    return sum(cost for dx, dy, cost in MOVES if s[0] + dx > s[1] - dy)


def keyed(s):
    return abs(min(s, key=lambda x: (x - 2.5) * (x - 2.5))) + max(x / 4 for x in (*s, 1))


def sorted_floats(s):
    return abs(sorted(x * 0.5 for x in s)[1])


def octile(s):
    dx, dy = abs(s[0] - 9), abs(s[1] - 4)
    return max(dx, dy) + (math.sqrt(2) - 1) * min(dx, dy)


def by_a_whole(s):
    return 10 / s[0] if s[0] else -0.0


def below_zero(s):
    return s[0] / 2


def endless(s):
    return math.inf if s[0] > s[1] else abs(s[0]) / 2


RULES = [halves, thirds, hypot, dist, root_by_power, root_of_a_large_square,
         powers_of_floats, root, summed, summed_in_a_loop, least,
         least_whole, one_or_the_other, rounded, compared, pairs, keyed, sorted_floats, octile,
         by_a_whole, below_zero, endless]  # fmt: skip


class Plain(Problem):
    def __init__(self, rule):
        self.rule = rule

    def initial_states(self):
        return STATES

    def successors(self, state):
        return []

    def is_goal(self, state):
        return False

    def heuristic(self, state):
        return self.rule(state)


def estimates(rule, states):
    """What Python says and what the kernel says; None for errors and what is no estimate."""
    problem, atoms, kind = Plain(rule), Atoms(), Seq(Int(), 3, 3)
    rules = translate(problem, kind, atoms, ProblemHeuristic(problem))
    own = Cells(kind, atoms, rules)
    for state in states:
        expected = problem.heuristic(state)
        try:
            word = rules.estimate(own, state)
        except Trapped:
            found = None
        else:
            found = number_of(word) if rules.gives_floats else word
            found = math.inf if not rules.gives_floats and word == DEAD_END else found
        yield state, expected if expected >= 0 else None, found


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_kernels_say_what_python_says(rule):
    for state, expected, found in estimates(rule, STATES):
        assert found == expected, f"of {state}"


def test_infinity_among_whole_numbers_makes_no_floats():
    problem = Plain(least_whole)
    heuristic = ProblemHeuristic(problem)
    assert not translate(problem, Seq(Int(), 3, 3), Atoms(), heuristic).gives_floats


numbers = st.floats(min_value=-1e300, max_value=1e300)


@given(numbers, numbers)
def test_words_are_ordered_as_their_floats(one, other):
    assert number_of(word_of(one)) == one
    if one >= 0 and other >= 0:
        assert (word_of(one + 0.0) < word_of(other + 0.0)) is (one < other)


def test_machine_code_calculates_as_python_does():
    njit = pytest.importorskip("numba").njit
    machine = importlib.import_module("searchkit.compiled.specialise.kernels.floats")
    add, subtract, multiply, divide = (
        machine.float_add, machine.float_subtract, machine.float_multiply, machine.float_divide
    )  # fmt: skip
    root, floor, of, less, power = (
        machine.float_root, machine.float_floor, machine.float_of, machine.float_less,
        machine.float_power,
    )  # fmt: skip
    half = np.array([word_of(0.5)])

    @njit(error_model="numpy")
    def calculated(left, right, half, found):
        for i in range(len(left)):
            a, b = left[i], right[i]
            found[i, 0] = add(a, b)
            found[i, 1] = subtract(a, b)
            found[i, 2] = multiply(a, b)
            found[i, 3] = divide(a, b)
            found[i, 4] = add(multiply(a, b), a)  # no fused operation
            found[i, 5] = root(a & floats.WITHOUT_SIGN)
            found[i, 6] = floor(a)
            found[i, 7] = of(a >> 3)
            found[i, 8] = less(a, b)
            found[i, 9] = power(a & floats.WITHOUT_SIGN, half[0])
            found[i, 10] = power(of(i), half[0])

    rng = random.Random(5)
    pairs = [
        [rng.choice([-1, 1]) * rng.random() * 10.0 ** rng.randrange(-3, 8) for _ in range(2)]
        for _ in range(3000)
    ] + [[0.0, 1.0], [-0.0, -2.5], [1e308, 0.1], [2.5, 2.5]]
    words = np.array([[word_of(each) for each in pair] for pair in pairs])
    found = np.zeros((len(pairs), 11), dtype=np.int64)
    usable = np.abs(np.array(pairs)[:, 0]) < 1e300
    calculated(words[:, 0].copy(), words[:, 1].copy(), half, found)
    rows = zip(words.tolist(), found.tolist(), usable, strict=True)
    for i, ((a, b), row, is_usable) in enumerate(rows):
        expected = [
            floats.float_add(a, b), floats.float_subtract(a, b), floats.float_multiply(a, b),
            floats.float_divide(a, b), floats.float_add(floats.float_multiply(a, b), a),
            floats.float_root(a & floats.WITHOUT_SIGN),
            floats.float_floor(a) if is_usable else row[6],
            floats.float_of(a >> 3), int(floats.float_less(a, b)),
            word_of(number_of(a & floats.WITHOUT_SIGN) ** 0.5), word_of(i**0.5),
        ]  # fmt: skip
        assert row == expected


def test_roots_of_squares_are_those_of_hypot():
    """What `MOST_SQUARES` says, on a sample."""
    rng = random.Random(3)
    for _ in range(20_000):
        x, y = (rng.randrange(1 << rng.randrange(1, 16)) for _ in range(2))
        assert math.hypot(x, y) == math.sqrt(x * x + y * y) == math.dist((x, 0), (0, y))


class Board(Problem):
    """A walk on a board with holes, where a step along a diagonal costs no more than another."""

    def initial_states(self):
        return [(0, 0)]

    def successors(self, state):
        x, y = state
        for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1)):
            a, b = x + dx, y + dy
            if 0 <= a < SIDE and 0 <= b < SIDE and (a * 7 + b * 3) % 5:
                yield Step((dx, dy), (a, b))

    def is_goal(self, state):
        return state == (SIDE - 1, SIDE - 2)


class ByHypot(Board):
    def heuristic(self, state):
        return math.hypot(state[0] - SIDE + 1, state[1] - SIDE + 2) / 1.5


class ByHalves(Board):
    """Both whole numbers and floats, and more than the cost of a way on some states."""

    def heuristic(self, state):
        if self.is_goal(state):
            return 0
        return (abs(state[0] - SIDE) + abs(state[1] - SIDE)) * 0.5


class WithDeadEnds(Board):
    def successors(self, state):
        for step in super().successors(state):
            if state[0] != 5 or state[1] == 4:
                yield step

    def heuristic(self, state):
        if state[0] == 5 and state[1] != 4:
            return math.inf
        return math.sqrt((state[0] - SIDE + 1) ** 2) * 0.3


def told(found):
    work = found.statistics
    solution = found.solution and [step.state for step in found.solution.steps]
    iterations = [(each.bound, each.expanded, each.generated) for each in work.iterations]
    return (
        found.status, found.cost, found.lower_bound, found.optimal, solution, found.count,
        work.expanded, work.generated, work.max_frontier, iterations,
    )  # fmt: skip


ALGORITHMS = [AStar(), GreedyBestFirst(), WeightedAStar(weight="3/2"), Anytime(weights="3,2,1"),
              IDAStar(), WeightedIDAStar(weight="3/2"), BeamSearch(width=6)]  # fmt: skip


@pytest.mark.slow_variants("ByHypot-anytime", "ByHypot-widastar", "ByHypot-beam")
@pytest.mark.spread
@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda each: each.name)
@pytest.mark.parametrize("kind", [ByHypot, ByHalves, WithDeadEnds])
def test_searches_are_the_same(kind, algorithm, monkeypatch):
    monkeypatch.setattr(watch, "FIRST", 10)
    problem = kind()
    for limits in (Limits(expansions=400), Limits(expansions=17), Limits(cost=8, expansions=400)):
        for want in ("one", "all") if isinstance(algorithm, AStar) else ("one",):
            asked = {"want": want, "limits": limits}
            expected = solve(problem, algorithm, engine="reference", **asked)
            with plainly():
                found = solve(problem, algorithm, engine="compiled", **asked)
            assert told(found) == told(expected)
            assert found.engine == "compiled"


def test_machine_code_searches_as_the_reference_does(monkeypatch):
    monkeypatch.setattr(watch, "FIRST", 10)
    expected = solve(ByHypot(), AStar(), engine="reference")
    assert told(solve(ByHypot(), AStar(), engine="compiled")) == told(expected)


def hypot_of_floats(s):
    return math.hypot(s[0] / 2, s[1])


def power_by_a_state(s):
    return (s[0] / 2) ** s[1]


def rounded_to_digits(s):
    return round(s[0] / 3, 2)


def logarithm(s):
    return math.log(s[0])


REFUSED = {
    hypot_of_floats: "use math.sqrt",
    power_by_a_state: r"x \* x for a square",
    rounded_to_digits: "rounds to digits",
    logarithm: "calls log",
}


@pytest.mark.parametrize("rule", REFUSED, ids=lambda rule: rule.__name__)
def test_what_may_be_another_float_is_refused(rule):
    problem = Plain(rule)
    with pytest.raises(CompilationError, match=REFUSED[rule]):
        translate(problem, Seq(Int(), 3, 3), Atoms(), ProblemHeuristic(problem))


def test_floats_in_states_are_refused():
    class Halving(Board):
        def successors(self, state):
            yield Step("halve", (state[0] / 2, state[1]))

    with pytest.raises(CompilationError, match="number with a decimal point"):
        translate(Halving(), Seq(Int(), 2, 2), Atoms())
