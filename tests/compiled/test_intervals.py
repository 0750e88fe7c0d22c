"""Bounds on the results of operations: they hold, and are met where an operation has its ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit.kernel_language.constants import BINARY
from searchkit.kernel_language.intervals import of_operation

NUMBERS = st.integers(-(1 << 34), 1 << 34) | st.integers(-9, 9)
ENDS = st.tuples(NUMBERS, NUMBERS).map(sorted).map(tuple)
PLACES = st.integers(-2, 66)
SIGNS = ["+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>"]


@st.composite
def operands(draw, sign):
    """Two intervals, and a number of each."""
    left = draw(ENDS)
    right = draw(st.tuples(PLACES, PLACES).map(sorted).map(tuple) if sign in ("<<", ">>") else ENDS)
    return left, right, draw(st.integers(*left)), draw(st.integers(*right))


@pytest.mark.parametrize("sign", SIGNS)
@given(data=st.data())
def test_results_are_within_their_bounds(sign, data):
    left, right, a, b = data.draw(operands(sign))
    low, high = of_operation(sign, left, right)
    raises = b == 0 if sign in ("//", "%") else sign in ("<<", ">>") and b < 0
    if not raises and not (sign == ">>" and b > 63):
        assert low <= BINARY[sign](a, b) <= high


@pytest.mark.parametrize("sign", SIGNS)
def test_results_of_small_numbers_come_near_to_their_bounds(sign):
    numbers = range(-3, 5) if sign not in ("<<", ">>") else range(4)
    pairs = [(a, b) for a in numbers for b in numbers if a <= b]
    for left in pairs:
        for right in pairs:
            if sign in ("//", "%") and right[0] <= 0 <= right[1]:
                continue
            found = [
                BINARY[sign](a, b)
                for a in range(left[0], left[1] + 1)
                for b in range(right[0], right[1] + 1)
            ]
            low, high = of_operation(sign, left, right)
            assert low <= min(found) <= max(found) <= high
            if sign in ("+", "-", "*", "//", "<<", ">>"):
                assert (low, high) == (min(found), max(found))
