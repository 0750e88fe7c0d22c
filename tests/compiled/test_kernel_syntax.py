"""What kernels may hold: what is not on the list is refused at its line, with advice."""

from __future__ import annotations

import inspect
import math
from typing import NamedTuple

import numpy as np
import pytest

from searchkit import IDDFS, BreadthFirst, bits, solve
from searchkit.compiled.specialise.dialect import machine_dialect
from searchkit.errors import CompilationError
from searchkit.kernel_language.collector import Collector
from searchkit.kernel_language.program import Program
from searchkit.packed import PackedProblem

HIGH = 1 << 63
MASKS = (1, 2, 4)
RAGGED = ((1, 2), (3,))
MIXED = (1, "b")
COLOURS = {"red": 1}


class Table(NamedTuple):
    moves: tuple


class Walk(PackedProblem[int]):
    """States 0 to 5 in a row; the kernel `apply` is the one that is tried."""

    tables = Table((1, 2))

    def initial_states(self):
        return [0]

    def operators(self, control):
        return range(2)

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return state == 5


def twice(state):
    return twice(state) if state else 0


def with_default(state, step=1):
    return state + step


class Refused:
    """Kernels, each with the mistake in the line that the mark `# here` is in."""

    def division(self, state, control, operator):
        return state / 2  # here: use //

    def in_place_division(self, state, control, operator):
        state /= 2  # here: use //
        return state

    def power(self, state, control, operator):
        return state**operator  # here: use <<

    def real(self, state, control, operator):
        return int(state * 1.0)  # here: 1.0, a float; kernels calculate with integers

    def method(self, state, control, operator):
        return state.bit_count()  # here: use searchkit.bits.count_ones

    def binary(self, state, control, operator):
        return len(bin(state))  # here: calls bin; use searchkit.bits.count_ones

    def text(self, state, control, operator):
        return int(str(state))  # here: calls str

    def formatted(self, state, control, operator):
        return len(f"{state}")  # here: holds a text

    def tried(self, state, control, operator):
        try:  # here: holds try
            return state
        except ValueError:
            return 0

    def raised(self, state, control, operator):
        if state > 7:
            raise ValueError(state)  # here: raises an error
        return state

    def starred(self, state, control, operator):
        first, *_ = self.tables.moves  # here: unpacks by a star
        return first

    def imports(self, state, control, operator):
        import math  # noqa: PLC0415  # here: imports

        return math.gcd(state, 2)

    def sliced(self, state, control, operator):
        return self.tables.moves[0:1][0]  # here: holds a slice

    def comprehension(self, state, control, operator):
        return max([each for each in self.tables.moves])  # noqa: C416  # here: comprehension

    def generator(self, state, control, operator):
        return max(each for each in self.tables.moves)  # here: generator

    def anonymous(self, state, control, operator):
        step = lambda: 1  # noqa: E731  # here: lambda
        return step()

    def inner(self, state, control, operator):
        def step():  # here: holds a function
            return 1

        return step()

    def listed(self, state, control, operator):
        steps = [1, 2]  # here: holds a list
        return steps[operator]

    def dictionary(self, state, control, operator):
        return {0: 1, 1: 2}[operator]  # here: holds a dict

    def a_set(self, state, control, operator):
        return int(state in {1, 2})  # here: holds a set

    def matched(self, state, control, operator):
        match operator:  # here: use if and elif
            case 0:
                return 1
        return 2

    def printed(self, state, control, operator):
        print(state)  # here: calls print
        return state

    def walrus(self, state, control, operator):
        return step if (step := state) else 1  # here: by := within an expression

    def identity(self, state, control, operator):
        return 1 if state is operator else 2  # here: use ==

    def nothing(self, state, control, operator):
        step = None  # here: None
        return state if step else 0

    def falls_off(self, state, control, operator):  # noqa: RET503
        if state:  # here: can come to its end without a return
            return 1

    def unknown(self, state, control, operator):
        return state + step_size  # noqa: F821  # here: uses step_size, which is not defined

    def changes(self, state, control, operator):
        self.tables.moves[0] = 1  # here: changes self
        return state

    def a_field(self, state, control, operator):
        return self.tables.moved[0]  # here: there is no such table

    def a_range(self, state, control, operator):
        steps = range(2)  # here: only `for` may do so
        return steps[0]

    def of_numpy(self, state, control, operator):
        return np.zeros(3)[0]  # here: uses np.zeros, which is not a function written in Python

    def of_math(self, state, control, operator):
        return math.gcd(state, 2)  # here: uses math.gcd, which is not a function written in Python

    def of_a_module(self, state, control, operator):
        return COLOURS["red"]  # here: holds 'red'

    def a_dictionary_of_the_module(self, state, control, operator):
        return COLOURS[state]  # here: uses COLOURS, which is dict

    def ragged(self, state, control, operator):
        return RAGGED[0][0]  # here: rows of different lengths

    def mixed(self, state, control, operator):
        return MIXED[0]  # here: a tuple that holds 'b'

    def by_size(self, state, control, operator):
        return 1 if state < 1 << 63 else 2  # here: negative as a machine word

    def by_the_size_of_a_name(self, state, control, operator):
        return 1 if state >= HIGH else 2  # here: negative as a machine word

    def right(self, state, control, operator):
        return HIGH >> operator  # here: use searchkit.bits.shift_right

    def shifted_too_far(self, state, control, operator):
        return state >> 64  # here: a word can be shifted by 0 to 63

    def shifted_backwards(self, state, control, operator):
        state <<= -1  # here: a word can be shifted by 0 to 63
        return state

    def by_nothing(self, state, control, operator):
        return state // (2 - 2)  # here: divides by 0

    def too_large(self, state, control, operator):
        return state & (1 << 64)  # here: more than 64 bits


REFUSED = [name for name in vars(Refused) if not name.startswith("_")]


def refusal(name, kernel):
    kind = type("Mine", (Walk,), {"apply": kernel})
    with pytest.raises(CompilationError) as caught:
        Collector(machine_dialect).add(Program.of(kind()), "problem", "apply")
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("name", REFUSED)
def test_the_line_and_the_advice(name):
    kernel = vars(Refused)[name]
    lines, first = inspect.getsourcelines(kernel)
    marked = next(i for i, line in enumerate(lines) if "# here: " in line)
    advice = lines[marked].partition("# here: ")[2].strip()
    told = refusal(name, kernel)
    assert told.startswith(f"Mine: kernel apply, {__file__}:{first + marked}: ")
    assert advice in told


def calls_itself(self, state, control, operator):
    return twice(state)


def calls_with_default(self, state, control, operator):
    return with_default(state)


def takes_less(self, state, operator):
    return state + operator


@pytest.mark.parametrize(
    ("kernel", "told"),
    [
        (calls_itself, "function twice.*calls itself, by itself or by others; use a loop"),
        (calls_with_default, "function with_default.*has default arguments; give all arguments"),
        (takes_less, r"takes \(self, state, operator\); write def apply\(self, state, control, op"),
    ],
)
def test_functions_and_arguments(kernel, told):
    with pytest.raises(AssertionError):
        assert refusal("apply", kernel) == ""
    assert __import__("re").search(told, refusal("apply", kernel))


class Allowed(Walk):
    """One kernel with all that is on the list, run by both engines."""

    tables = Table(((1, 2, 3), (4, 5, 6)))

    def at_goal(self, state):
        return state >= 40

    def apply(self, state, control, operator):
        """Adds a number that is the same for equal states."""
        assert operator >= 0, "never"
        total: int = 0
        first, last = divmod(state, 7)
        for i, mask in enumerate(MASKS):
            total += mask * i if state & mask else -1
        for row in self.tables.moves:
            total += row[0]
        for left, right in zip(MASKS, self.tables.moves[operator]):  # noqa: B905
            total ^= left + right
        while total > 5:
            total -= 3
            if total == 4:
                break
        else:
            total += bits.count_ones(state)
        found = min(first, last, 3)
        if (found > 1 and total != 9) or last in MASKS:
            total += found
        elif state in (1, 2, 3):
            pass
        total += abs(-3) + max(1, 2) + int(state > 5) + len(MASKS) + bool(last)
        return state + (total & 3) + self.step(operator=operator, state=state) + NESTED[1][operator]

    def step(self, state, operator):
        return ~-operator & 1 if state % 2 else +operator


NESTED = ((1, 2), (0, 1))


def test_all_that_is_on_the_list_means_the_same_in_both_engines():
    found = [solve(Allowed(), IDDFS(), engine=engine) for engine in ("reference", "compiled")]
    assert found[0].solution == found[1].solution
    assert found[0].solution is not None
    assert found[0].statistics.expanded == found[1].statistics.expanded


@pytest.mark.parametrize(
    ("moves", "told"),
    [
        (
            (1 << 70,),
            r"Walk: table moves holds 1180591620717411303424, which has more than 64 bits",
        ),
        (((1, 2), (3,)), "Walk: table moves has rows of different lengths; fill them up"),
        (("a", "b"), "Walk: table moves holds 'a'; use integers, nested tuples of integers"),
        (np.array([0.5]), "Walk: table moves is an array of float64; use one of integers"),
        ({1}, r"Walk: table moves holds \{1\}; use integers, nested tuples of integers"),
    ],
)
def test_tables(moves, told):
    walk = Allowed()
    walk.tables = Table(moves)
    type(walk).__name__ = "Walk"
    with pytest.raises(CompilationError, match=told):
        solve(walk, IDDFS(), engine="compiled")


class Types(Allowed):
    """What only the compiler finds out."""

    def at_goal(self, state):
        return state == 5


def gives_a_tuple(self, state, control, operator):
    if state > 1000:
        return (state, 1)  # here: which is an integer (words is 1), but returns a tuple
    return state + 1


def gives_a_row(self, state, control, operator):
    if state > 1000:
        return self.tables.moves[operator]  # here: but returns a row of a table
    return state + 1


def adds_a_row(self, state, control, operator):
    if state > 1000:
        return state + self.tables.moves[operator]  # here: uses + with a row of a table
    return state + 1


def calculates_with_a_tuple(self, state, control, operator):
    both = (state, operator)
    if state > 1000:
        return both - 1  # here: uses - with a tuple of 2
    return state + 1


@pytest.mark.slow_variants("gives_a_row", "calculates_with_a_tuple")
@pytest.mark.parametrize(
    "kernel", [gives_a_tuple, gives_a_row, adds_a_row, calculates_with_a_tuple]
)
def test_what_the_compiler_refuses_has_the_author_s_line(kernel):
    lines, first = inspect.getsourcelines(kernel)
    marked = next(i for i, line in enumerate(lines) if "# here: " in line)
    told = lines[marked].partition("# here: ")[2].strip()
    kind = type("Mine", (Types,), {"apply": kernel})
    with pytest.raises(CompilationError) as caught:
        solve(kind(), BreadthFirst(), engine="compiled")
    message = str(caught.value)
    assert message.startswith(f"Mine: kernel apply, {__file__}:{first + marked}: "), message
    assert told in message
    assert "\n" not in message


PAIRS = ((0, 1), (0, 2), (1, 3))


class Odd(Walk):
    """Targets within targets, and operators of numpy's."""

    def operators(self, control):
        return np.arange(2)

    def apply(self, state, control, operator):
        found = operator + 1
        for place, (first, second) in enumerate(PAIRS):
            found += place * first * second
        return (state + found) % 6


def test_tuples_within_targets_and_operators_of_numpy():
    engines = ("reference", "checked", "compiled")
    found = [solve(Odd(), BreadthFirst(), engine=engine) for engine in engines]
    assert [(each.cost, each.statistics.expanded) for each in found] == [(3, 4)] * 3
    assert len({each.solution for each in found}) == 1
