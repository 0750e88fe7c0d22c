"""What kernels call over cells says what Python says, without machine code."""

import math
from fractions import Fraction
from itertools import combinations, islice, permutations

from hypothesis import given
from hypothesis import strategies as st

from searchkit.translation.kernels import numbers, rows, texts
from searchkit.translation.values import SMALL

SMALL_NUMBERS = st.integers(1 - SMALL, SMALL - 1)
TEXTS = st.text("ab", max_size=8)
BEFORE = [7, 7, 7]
"""What lies in front of a text."""


def cells_of(text):
    return BEFORE + list(map(ord, text)), len(BEFORE), len(text)


@given(SMALL_NUMBERS | st.integers(-50, 50), SMALL_NUMBERS | st.integers(-50, 50))
def test_divisors_and_multiples(one, other):
    assert numbers.gcd(one, other) == math.gcd(one, other)
    found = numbers.lcm(one, other)
    assert found == math.lcm(one, other) or (found == -1 and abs(other) >= 1 << 31) or (
        found == -1 and abs(one) >= 1 << 31
    )  # fmt: skip
    assert found < 1 << 62


@given(st.integers(0, 40) | st.integers(0, SMALL - 1), st.integers(0, 60))
def test_binomials(n, k):
    found = numbers.binomial(n, k)
    assert found == math.comb(n, k) or (found == -1 and math.comb(n, k) >= 1 << 20)


@given(st.integers(0, SMALL - 1))
def test_bits(number):
    assert numbers.bit_length(number) == number.bit_length()


@given(st.integers(0, SMALL - 1), st.sampled_from([2, 10]), st.integers(1, 50))
def test_digits(number, base, least):
    cells = [0] * 60
    count = numbers.write_digits(number, base, least, cells, 3)
    text = "".join(map(chr, cells[3 : 3 + count]))
    assert text == format(number, f"0{least}{'b' if base == 2 else 'd'}")
    assert set(cells[:3] + cells[3 + count :]) == {0}


@given(st.text("0123456789-+_ x٣", min_size=1, max_size=11), st.integers(2, 10))
def test_numbers_of_texts(text, base):
    found = texts.whole_number(*cells_of(text), base)
    try:
        expected = int(text, base)
    except ValueError:
        expected = None
    if found == texts.WRONG:
        assert expected is None
        assert base == 10
    elif found != texts.OTHER:
        assert found == expected
    if text.isascii() and text.isdigit():
        assert found != texts.OTHER or expected is None or base < 10


@given(st.integers(1 - SMALL, SMALL - 1))
def test_numbers_are_read_as_they_are_written(number):
    assert texts.whole_number(*cells_of(str(number)), 10) == number


@given(TEXTS, st.text("ab", max_size=3), st.integers(-2, 9))
def test_texts_within_texts(text, part, first):
    given = *cells_of(text), *cells_of(part)
    whole = (
        first >= 0 and text[first : first + len(part)] == part and first + len(part) <= len(text)
    )
    assert texts.is_at(*given, first) == whole
    assert texts.place_of(*given, max(0, first)) == text.find(part, max(0, first))
    if part:
        assert texts.times_of(*given) == text.count(part)


@given(st.integers(1, 3).flatmap(
    lambda size: st.lists(st.lists(st.integers(-2, 2), min_size=size, max_size=size)).map(
        lambda found: (size, found))))  # fmt: skip
def test_rows_in_order(case):
    size, found = case
    cells = BEFORE + [each for row in found for each in row] + BEFORE
    rows.sort_rows(cells, len(BEFORE), len(found), size)
    assert cells == BEFORE + [each for row in sorted(found) for each in row] + BEFORE


@given(st.integers(0, 5), st.integers(1, 5))
def test_combinations_and_permutations(more, size):
    count = size + more if size + more <= 6 else size
    cells, found = BEFORE + list(range(size)), []
    while True:
        found.append(tuple(cells[len(BEFORE) :]))
        if not rows.next_combination(cells, len(BEFORE), size, count):
            break
    assert found == list(combinations(range(count), size))
    cells, found = [*range(count), *(count - i for i in range(size))], []
    while True:
        found.append(tuple(cells[:size]))
        if not rows.next_permutation(cells, 0, count, size, count) or len(found) > 200:
            break
    assert found == list(islice(permutations(range(count), size), 201))


@given(st.integers(-99, 99) | SMALL_NUMBERS, (st.integers(-9, 9) | SMALL_NUMBERS).filter(bool))
def test_whole_numbers_of_quotients(one, other):
    exact = Fraction(one, other)
    assert numbers.ceiling(one, other) == math.ceil(exact)
    assert numbers.whole_part(one, other) == math.trunc(exact)
    assert numbers.nearest(one, other) == round(exact)


@given(st.lists(st.integers(), max_size=6), st.integers(-9, 9))
def test_indices_from_the_front(row, index):
    place = numbers.from_the_front(index, len(row))
    expected = range(len(row))[index] if -len(row) <= index < len(row) else -1
    assert place == expected
