"""Depth-first search over cosets that notes how many steps lead to each entry of two tables.

Entries have two bits: 3 and less say that `deepest - 2` steps or fewer lead there, one more, and so
on; 0 that nothing was noted. Each call notes what sequences of one length lead to, shorter ones
first. What is noted waits until the memory asked for has come.
"""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.specialise.names import (
    borrowed,
    cosets,
    entry,
    inlined,
    lowest_one,
    natural,
    or_atomically,
    prefetch,
)
from searchkit.pieces.cosets.coordinates import MOST_SYMMETRIES, SPOTS, SYMMETRY_BITS

WAITING = 64
IN_BYTE = 4
"""Entries of two bits."""
CODES = 4
CODE = CODES - 1


class MarkedTable(NamedTuple):
    """The bytes of a table; how many flips it looks at; what is noted now, 0 for nothing."""

    values: Any
    flips: Any
    code: Any


class Roots(NamedTuple):
    """Cosets to begin at, with the operators that may come first, as the bits of a word."""

    words: Any
    firsts: Any


@inlined
def note(values, number, code):
    """Note a code, unless there is one."""
    if values[number >> 2] >> 2 * (number & 3) & CODE == 0:
        or_atomically(values, number >> 2, code << 2 * (number & 3))


@entry
def mark(T, follows, roots: Roots, begin, end, length, fine: MarkedTable, coarse: MarkedTable):
    """Note what sequences of `length` steps lead to from the roots from `begin` to before `end`.

    `follows[o]` has the operators that may come after `o`, as the bits of a word.
    """
    T = borrowed(T)
    follows, roots = borrowed(follows), borrowed(roots)
    values, others = borrowed(fine.values), borrowed(coarse.values)
    waiting = np.zeros(WAITING, dtype=np.int64)
    held = 0
    words = np.zeros(length + 1, dtype=np.int64)
    left = np.zeros(length + 1, dtype=np.int64)
    noted = 0
    for root in range(begin, end):
        depth = 0
        words[0] = roots.words[root]
        left[0] = roots.firsts[root]
        while depth >= 0:
            depth = natural(depth)
            if left[depth] == 0 and depth < length:
                depth -= 1
                continue
            word = words[depth]
            if depth < length - 1:
                operator = lowest_one(left[depth])
                left[depth] &= left[depth] - 1
                words[depth + 1] = cosets.after(T, word, operator)
                left[depth + 1] = follows[operator]
                depth += 1
                continue
            operators = left[depth] if depth < length else np.int64(1)
            while operators != 0:
                child = word
                if depth < length:
                    child = cosets.after(T, word, lowest_one(operators))
                operators &= operators - 1
                reduced = cosets.reduction(T, child)
                kind = reduced >> SYMMETRY_BITS
                seconds = cosets.image(T, child >> SPOTS, reduced & (MOST_SYMMETRIES - 1))
                for i in range(T.begins[kind], T.begins[kind + 1]):
                    other = seconds
                    if i > T.begins[kind]:
                        other = cosets.image(T, seconds, np.int64(T.keeping[i]))
                    if fine.code > 0:
                        number = cosets.number(T, kind, other, fine.flips)
                        prefetch(values, number >> 2)
                        if noted >= WAITING:
                            note(values, waiting[held], fine.code)
                        waiting[held] = number
                        held = (held + 1) & (WAITING - 1)
                        noted += 1
                    if coarse.code > 0:
                        note(others, cosets.number(T, kind, other, coarse.flips), coarse.code)
            depth -= 1
    for i in range(min(noted, WAITING)):
        note(values, waiting[i], fine.code)
    return noted


@entry
def expand(T, operators, words, begin, end, children, numbers):
    """What all operators make of some cosets, with the least entries of these."""
    T = borrowed(T)
    for at in range(begin, end):
        for operator in range(operators):
            child = cosets.after(T, words[at], operator)
            children[at * operators + operator] = child
            numbers[at * operators + operator] = cosets.least(T, child)


@entry
def count_codes(values, begin, end, counts):
    """How many entries of some bytes have each code."""
    for at in range(begin, end):
        byte = values[at]
        for place in range(IN_BYTE):
            counts[byte >> 2 * place & CODE] += 1
