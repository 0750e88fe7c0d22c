"""The numbering of states by linear algebra, against sums that are simply listed."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit.linear_index import LinearIndex, moved_bits, reduced_basis

words = st.integers(0, 2**64 - 1) | st.integers(0, 15) | st.just(1 << 63)


@st.composite
def few_words(draw, most):
    """Words that are sums of few, so that their rank is often below their number."""
    some = draw(st.lists(words, min_size=1, max_size=6))
    picks = draw(st.lists(st.integers(0, 2 ** len(some) - 1), max_size=most))
    made = []
    for pick in picks:
        word = 0
        for place, each in enumerate(some):
            word ^= each * (pick >> place & 1)
        made.append(word)
    return made


def all_sums(vectors):
    sums = {0}
    for vector in vectors:
        sums |= {each ^ vector for each in sums}
    return sums


def hull(roots, toggles):
    """What is reached from one root by toggles and differences of roots: states with the
    parities of the numbers of toggles.
    """
    first = roots[0]
    found = {(first, 0)}
    waiting = list(found)
    while waiting:
        state, parity = waiting.pop()
        steps = [(toggle, 1) for toggle in toggles] + [(root ^ first, 0) for root in roots]
        for flipped, odd in steps:
            after = state ^ flipped, parity ^ odd
            if after not in found:
                found.add(after)
                waiting.append(after)
    parities = {}
    for state, parity in found:
        parities.setdefault(state, set()).add(parity)
    return parities


@given(few_words(9))
def test_the_basis_is_reduced_and_spans_what_the_vectors_span(vectors):
    basis = reduced_basis(vectors)
    sums = all_sums(vectors)
    assert 2 ** len(basis) == len(sums)
    assert all_sums(basis.values()) == sums
    for pivot, vector in basis.items():
        assert [each >> pivot & 1 for each in basis.values()].count(1) == 1
        assert vector >> pivot & 1


@given(words, few_words(2), few_words(7), st.booleans())
def test_numbers_are_a_bijection_with_all_that_can_be_reached(first, more, toggles, alternating):
    roots = [first, *(first ^ each for each in more)]
    index = LinearIndex.of(roots, toggles, alternating=alternating)
    parities = hull(roots, toggles)
    told = alternating and toggles and all(len(each) == 1 for each in parities.values())
    assert len(index.origins) == (2 if told else 1)
    assert len(parities) == len(index.origins) << index.dimension
    numbers = set()
    for state, its in parities.items():
        side, number = index.rank(state)
        assert index.unrank(side, number) == state
        assert side == (min(its) if told else 0)
        assert 0 <= number < 1 << index.dimension
        numbers.add((side, number))
    assert len(numbers) == len(parities)
    assert index.origins[0] == first
    assert all(index.rank(root)[0] == 0 for root in roots)


@given(words, few_words(7), words)
def test_other_states_have_no_number(first, toggles, other):
    index = LinearIndex.of([first], toggles)
    states = hull([first], toggles)
    assert (index.rank(other) is not None) == (other in states)
    for bit in range(64):
        assert (index.rank(first ^ 1 << bit) is not None) == (first ^ 1 << bit in states)


@given(words, few_words(7), st.booleans())
def test_coordinates_are_linear(first, toggles, alternating):
    index = LinearIndex.of([first], toggles, alternating=alternating)
    for side, origin in enumerate(index.origins):
        for place, vector in enumerate(index.basis):
            assert index.rank(origin ^ vector) == (side, 1 << place)
        for number in range(1 << index.dimension):
            assert index.coordinates(index.unrank(side, number) ^ origin) == number
            assert index.rest(index.unrank(side, number) ^ origin) == 0


@pytest.mark.parametrize("bits", [1, 5, 63, 64])
def test_all_words_of_some_width(bits):
    single = LinearIndex.of([0], [1 << bit for bit in range(bits)])
    assert (len(single.origins), single.dimension) == (2, bits - 1)
    zero = LinearIndex.of([0], [*(1 << bit for bit in range(bits)), 0])
    assert (len(zero.origins), zero.dimension) == (1, bits)
    wide = LinearIndex.of([0], [1 << bit for bit in range(bits)], alternating=False)
    assert (len(wide.origins), wide.dimension) == (1, bits)
    rng = random.Random(bits)
    for _ in range(50):
        state = rng.getrandbits(bits)
        assert single.rank(state)[0] == state.bit_count() % 2
        assert wide.rank(state) == (0, state)
        assert single.unrank(*single.rank(state)) == zero.unrank(*zero.rank(state)) == state
    assert wide.rank(1 << bits) is None


def test_without_toggles_there_are_the_roots():
    index = LinearIndex.of([6], [])
    assert (index.origins, index.dimension, index.rank(6), index.rank(7)) == ((6,), 0, (0, 0), None)
    two = LinearIndex.of([6, 9], [])
    assert (len(two.origins), two.dimension) == (1, 1)
    assert {two.rank(6), two.rank(9)} == {(0, 0), (0, 1)}


def test_one_toggle_makes_two_sides_of_one_state():
    index = LinearIndex.of([6], [1 << 63])
    assert (index.origins, index.dimension) == ((6, 6 | 1 << 63), 0)
    both = LinearIndex.of([6, 7], [1])
    assert (len(both.origins), both.dimension) == (1, 1)


@given(words, st.permutations(range(64)))
def test_bits_move(word, places):
    image = moved_bits(word, places)
    assert all((image >> target & 1) == (word >> bit & 1) for bit, target in enumerate(places))
    back = [places.index(bit) for bit in range(64)]
    assert moved_bits(image, back) == word
    assert moved_bits(word, places[:3]) == moved_bits(word & 7, places)
