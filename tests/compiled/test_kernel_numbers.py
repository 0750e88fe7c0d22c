"""Numbers in machine code are Python's numbers as far as 64 bits go: constants, sums, operators."""

from __future__ import annotations

import ast
import importlib.util
import random
import sys
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import IDDFS, BreadthFirst, IDAStar, solve
from searchkit.bits import lowest_one, shift_right
from searchkit.checks.machine_code.kernel_calls import KernelCalls
from searchkit.errors import CompilationError
from searchkit.kernel_language.constants import check_words, fold
from searchkit.kernel_language.site import Site
from searchkit.packed import PackedProblem, ZeroHeuristic

SITE = Site("K: kernel k", "k.py")
TOP = 63
WORD = 1 << 64
pytestmark = pytest.mark.filterwarnings("ignore:Bitwise inversion:DeprecationWarning")
"""From Python 3.12 on, `~` of a truth value is advised against."""
VALUES = (
    0, 1, 2, 5, 63, 64, 255, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32, 0x5555555555555555,
    0xAAAAAAAAAAAAAAAA, (1 << 62) - 1, 1 << 62, (1 << 63) - 1, 1 << 63, (1 << 63) + 1,
    WORD - 2, WORD - 1,
)  # fmt: skip
CONSTANTS = (
    "1 << 63", "(1 << 64) - 1", "~0 & (1 << 64) - 1", "-1", "~0", "-(1 << 63)", "1 << TOP",
    "-5 // 3",
    "-5 % 3", "2**40", "(1 << 70) >> 7", "1 if 1 << 63 > 5 else 2", "3 * (1 << 62) // 3",
    "True + 1",
    "~True", "not 5", "0x8000000000000000 - 1", "-(-7)", "5 and 9", "(1 << 63 > 7) + 1",
    "0 or 1 << 63",
)  # fmt: skip
BITWISE = ("+", "-", "*", "&", "|", "^")


def expression(rng, depth=2):
    """Sums, products and bits of constants and the arguments: their low 64 bits are defined."""
    if depth == 0 or rng.random() < 0.15:
        leaf = rng.choice(("state", "state", "operator", *CONSTANTS, str(rng.choice(VALUES))))
        return f"({leaf})"
    left, right = expression(rng, depth - 1), expression(rng, depth - 1)
    kind = rng.random()
    if kind < 0.08:
        return f"(-{left})"
    if kind < 0.16:
        return f"(~{left})"
    if kind < 0.24:
        return f"({left} << {rng.randrange(64)})"
    if kind < 0.30:
        return f"(~({left} == {right}))"
    if kind < 0.36:
        return f"({left} if state & {1 << rng.randrange(64)} else {right})"
    if kind < 0.40:
        return f"(({left} >> {rng.randrange(1, 33)}) & {(1 << 31) - 1})"
    return f"({left} {rng.choice(BITWISE)} {right})"


def imported(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def is_within_words(text):
    """Whether the constants of an expression are, once they are folded."""
    try:
        check_words(folded(text), SITE)
    except CompilationError:
        return False
    return True


def folded(text):
    tree = ast.parse(text.replace("TOP", "63"), mode="eval")
    fold(tree, SITE)
    return tree.body


def test_words_are_those_of_python_under_a_mask(tmp_path):
    rng = random.Random(5)
    drawn = [expression(rng) for _ in range(200)]
    made = [*CONSTANTS, *[each for each in drawn if is_within_words(each)][:14]]
    assert len(made) == len(CONSTANTS) + 14
    body = "".join(
        f"        if operator == {i}:\n            value = {each}\n" for i, each in enumerate(made)
    )
    text = (
        "from searchkit.packed import PackedProblem\nTOP = 63\n\n\nclass Words(PackedProblem):\n"
        "    def initial_states(self):\n        return [0]\n\n"
        f"    def operators(self, control):\n        return range({len(made)})\n\n"
        "    def action(self, state, operator):\n        return operator\n\n"
        "    def at_goal(self, state):\n        return state == 1 << 63\n\n"
        "    def apply(self, state, control, operator):\n        value = 0\n"
        f"{body}        return value\n"
    )
    path = tmp_path / "words_of_kernels.py"
    path.write_text(text, encoding="utf-8")
    problem = imported(path, path.stem).Words()
    calls = KernelCalls.of(problem, ZeroHeuristic(), [0])
    for state, found in zip(VALUES, calls.on_steps(VALUES), strict=True):
        assert len(found) == len(made)
        for operator, (cost, child) in found.items():
            assert cost == 1
            wanted = problem.apply(state, 0, operator) % WORD
            assert child == wanted, (made[operator], hex(state))
    assert [goal for goal, _, _ in calls.on_states(VALUES)] == [v == 1 << 63 for v in VALUES]


NUMBERS = st.one_of(st.integers(-70, 70), st.sampled_from(VALUES), st.booleans())


@given(
    st.recursive(
        NUMBERS.map(lambda n: f"({n})"),
        lambda inner: st.one_of(
            st.tuples(
                inner, st.sampled_from(["+", "-", "*", "&", "|", "^", "==", "<", ">="]), inner
            ),
            st.tuples(inner, st.sampled_from(["//", "%"]), st.just("(-7)")),
            st.tuples(inner, st.sampled_from(["<<", ">>"]), st.integers(0, 70).map(str)),
            st.tuples(st.sampled_from(["-", "~", "+", "not "]), inner),
            st.tuples(inner, st.sampled_from([" and ", " or "]), inner),
            st.tuples(inner, st.just(" if "), inner, st.just(" else "), inner),
        ).map(lambda parts: f"({''.join(map(str, parts))})"),
        max_leaves=12,
    )
)
def test_constants_are_folded_as_python_does(text):
    found = folded(text)
    assert isinstance(found, ast.Constant)
    wanted = eval(text)
    assert (found.value, type(found.value)) == (wanted, type(wanted))


class Lowest(PackedProblem[int]):
    """Its steps lead to the place of the lowest one."""

    def initial_states(self):
        return [0]

    def operators(self, control):
        return range(1)

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return lowest_one(state) == 64

    def apply(self, state, control, operator):
        return lowest_one(state)


def test_the_lowest_one_of_0_is_64_in_machine_code_too():
    calls = KernelCalls.of(Lowest(), ZeroHeuristic(), [0])
    children = [found[0][1] for found in calls.on_steps(VALUES)]
    assert children == [lowest_one(each) for each in VALUES]
    assert [goal for goal, _, _ in calls.on_states(VALUES)] == [each == 0 for each in VALUES]


class HighBit(PackedProblem[int]):
    """One lamp after the other, the last of which is the highest bit."""

    def initial_states(self):
        return [1]

    def operators(self, control):
        return (1,)

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return state == 1 << 63

    def legal(self, state, control, operator):
        return state != 1 << 63

    def apply(self, state, control, operator):
        return state << operator


@pytest.mark.parametrize("algorithm", [BreadthFirst(), IDDFS()])
def test_the_highest_bit_as_an_expression(algorithm):
    result = solve(HighBit(), algorithm, engine="compiled")
    assert result.cost == 63


class Bytes(NamedTuple):
    small: object
    large: object


class Differences(PackedProblem[int]):
    """Differences of operators, control states and bytes, and sums that reach the highest bit."""

    controls = 8
    tables = Bytes(np.array([3, 200], np.uint8), np.array([5, WORD - 1], np.uint64))

    def initial_states(self):
        return [0]

    def operators(self, control):
        return (0, 6)

    def action(self, state, operator):
        return operator

    def next_control(self, control, operator):
        return (control + 3) % 8

    def control(self, state):
        return state * 3 % 8 & 7

    def at_goal(self, state):
        return state >= 12

    def legal(self, state, control, operator):
        left = (state | 1 << 62) & 0x7FFFFFFFFFFFFFFF
        right = (state + 5 | 1 << 62) & 0x7FFFFFFFFFFFFFFF
        is_high = (left + right) & 1 << 63 != 0
        of_bytes = int(self.tables.small[0]) - int(self.tables.small[1]) < 0
        of_words = int(self.tables.large[1]) + 1 & (1 << 64) - 1 == 0
        return control - operator < 2 and is_high and of_bytes and of_words and ~(state == 3) < 0

    def apply(self, state, control, operator):
        return state + (control - operator) * 0 + 1


def test_differences_of_operators_have_a_sign():
    """Engines keep operators and control states in 32 bits without a sign."""
    for algorithm in (IDDFS(), IDAStar(), BreadthFirst()):
        found = [
            solve(Differences(), algorithm, engine=engine) for engine in ("reference", "compiled")
        ]
        assert found[0].cost == found[1].cost == 12
        assert found[0].solution == found[1].solution


def test_a_shift_of_a_constant_by_an_operator_is_that_of_a_word():
    assert shift_right(1 << 63, 62) == 2
