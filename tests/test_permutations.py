"""Permutations and their numbers."""

import math
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from searchkit.permutations import rank_permutation, unrank_permutation


def packed(items, bits):
    return sum(item << bits * i for i, item in enumerate(items))


def test_the_order_is_lexicographic():
    for bits, count in ((4, 1), (3, 4), (5, 5), (4, 6)):
        for place, items in enumerate(permutations(range(count))):
            word = packed(items, bits)
            assert rank_permutation(word, bits, count) == place
            assert unrank_permutation(place, bits, count) == word


@given(st.permutations(range(16)))
def test_sixteen_items_fill_a_word(items):
    rank = rank_permutation(packed(items, 4), 4, 16)
    assert 0 <= rank < math.factorial(16)
    assert unrank_permutation(rank, 4, 16) == packed(items, 4)


@given(st.permutations(range(12)), st.integers(0, 15))
def test_what_is_above_the_items_does_not_matter(items, above):
    word = packed(items, 5)
    assert rank_permutation(word | above << 60, 5, 12) == rank_permutation(word, 5, 12)
