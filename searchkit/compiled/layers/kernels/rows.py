"""Rows of states in lexicographic order, as words without a sign: sorted and merged.

All rows are those of one number of words; nothing here asks the problem.
"""

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import entry, inlined, problem, shift_right

SIGN = -1 << 63
DIGITS = 256


@inlined
def is_before(a, i, b, j):
    """Whether row `i` of `a` comes before row `j` of `b`."""
    if problem.WORDS == 1:
        return (a[i] ^ SIGN) < (b[j] ^ SIGN)
    for w in range(problem.WORDS):
        if a[i, w] != b[j, w]:
            return (a[i, w] ^ SIGN) < (b[j, w] ^ SIGN)
    return False


@inlined
def is_same(a, i, b, j):
    """Whether row `i` of `a` is row `j` of `b`."""
    if problem.WORDS == 1:
        return a[i] == b[j]
    for w in range(problem.WORDS):
        if a[i, w] != b[j, w]:
            return False
    return True


@entry
def are_rising(rows, begin, end):
    """Whether each row from `begin` to before `end` comes before the next of them."""
    wrong = 0
    for i in range(begin + 1, end):
        wrong |= not is_before(rows, i - 1, rows, i)
    return wrong == 0


@entry
def drop_duplicates(rows):
    """Keep one each of rising rows, in front; how many there are."""
    count = 0
    for i in range(len(rows)):
        if i == 0 or not is_same(rows, i, rows, count - 1):
            words.store(rows, count, words.load(rows, i))
            count += 1
    return count


@entry
def drop_known(rows, known):
    """Keep those of rising rows that are not among the rising rows `known`; how many."""
    count, at = 0, 0
    for i in range(len(rows)):
        while at < len(known) and is_before(known, at, rows, i):
            at += 1
        if at == len(known) or not is_same(known, at, rows, i):
            words.store(rows, count, words.load(rows, i))
            count += 1
    return count


@entry
def count_before(rows, row):
    """How many of rising rows come before that of the array `row`."""
    begin, end = 0, len(rows)
    while begin < end:
        middle = (begin + end) // 2
        if is_before(rows, middle, row, 0):
            begin = middle + 1
        else:
            end = middle
    return begin


@entry
def sort_by_digits(rows, other, counts):
    """Sort rows of several words byte by byte, the last first; whether the result is in `other`.

    `counts` has a row of DIGITS zeros for each byte. Bytes that are the same in all rows cost
    nothing. (H. H. Seward, 1954.)
    """
    for i in range(len(rows)):
        for w in range(problem.WORDS):
            word = rows[i, w]
            for byte in range(8):
                counts[8 * w + byte, word & 255] += 1
                word = shift_right(word, 8)
    is_in_other = False
    for w in range(problem.WORDS - 1, -1, -1):
        for byte in range(8):
            places = counts[8 * w + byte]
            if places[shift_right(rows[0, w], 8 * byte) & 255] == len(rows):
                continue
            total = 0
            for digit in range(DIGITS):
                total += places[digit]
                places[digit] = total - places[digit]
            for i in range(len(rows)):
                digit = shift_right(rows[i, w], 8 * byte) & 255
                words.store(other, places[digit], words.load(rows, i))
                places[digit] += 1
            rows, other = other, rows
            is_in_other = not is_in_other
    return is_in_other
