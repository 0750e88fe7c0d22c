"""Lines of a list, put together from the texts of parts of states; nothing here asks the problem.

Row `f` of `fields` says where part `f` of a text is: the word, its first bit, the mask of its bits,
and the first of the numbers of its values.
"""

import numpy as np

from searchkit.compiled.specialise.names import apart, entry, inlined, shift_right
from searchkit.proofs.listing import FIRST, MOST_SHARED

NEW_LINE = 10


BLOCK = 256
"""So many rows are looked at at a time, part by part, by vectors of machine words."""


@apart
def doubt(words, shift, mask, doubted):
    """Whether any value of a part is doubted."""
    wrong = np.int64(0)
    for i in range(len(words)):
        wrong |= doubted[shift_right(words[i], shift) & mask]
    return wrong != 0


@apart
def take_ranks(words, shift, mask, ranks, place, found):
    """Put the ranks of a part in their place beside those that were found."""
    for i in range(len(words)):
        found[i] |= ranks[shift_right(words[i], shift) & mask] << place


@inlined
def number_of(rows, i, fields, f):
    """The number of the value that part `f` has in a row."""
    return (shift_right(rows[i, fields[f, 0]], fields[f, 1]) & fields[f, 2]) + fields[f, 3]


@entry
def first_doubtful(rows, fields, doubted, fixed, begin):
    """The first row from `begin` on of which a value is doubted, or a bit was always the same."""
    words = np.empty(BLOCK, np.int64)
    for start in range(begin, len(rows), BLOCK):
        size, own = min(BLOCK, len(rows) - start), -1
        wrong = False
        for w in range(rows.shape[1]):
            differs = np.int64(0)
            for i in range(start, start + size):
                differs |= rows[i, w] ^ fixed[0, w]
            wrong |= differs & fixed[1, w] != 0
        for f in range(len(fields)):
            if fields[f, 0] != own:
                own = fields[f, 0]
                for i in range(size):
                    words[i] = rows[start + i, own]
            wrong |= doubt(words[:size], fields[f, 1], fields[f, 2], doubted[fields[f, 3] :])
        if wrong:
            for i in range(start, start + size):
                for w in range(rows.shape[1]):
                    if (rows[i, w] ^ fixed[0, w]) & fixed[1, w] != 0:
                        return i
                for f in range(len(fields)):
                    if doubted[number_of(rows, i, fields, f)] != 0:
                        return i
    return len(rows)


@entry
def rank_rows(rows, fields, ranks, places, keys):
    """Fill keys that are in the order of the texts: where `places` says, the ranks of values.

    The last word of a key is left for its cost.
    """
    words, found = np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64)
    for start in range(0, len(rows), BLOCK):
        size, own, f = min(BLOCK, len(rows) - start), -1, 0
        for k in range(keys.shape[1] - 1):
            found[:] = 0
            while f < len(fields) and places[f, 0] == k:
                if fields[f, 0] != own:
                    own = fields[f, 0]
                    for i in range(size):
                        words[i] = rows[start + i, own]
                of_part = ranks[fields[f, 3] :]
                take_ranks(
                    words[:size], fields[f, 1], fields[f, 2], of_part, places[f, 1], found[:size]
                )
                f += 1
            for i in range(size):
                keys[start + i, k] = found[i]


@entry
def deal(keys, low, shift, ends, heaps):
    """Put keys into heaps by their first words; the ends of heaps move on."""
    for i in range(len(keys)):
        heap = shift_right(keys[i, 0] - low, shift)
        for w in range(keys.shape[1]):
            heaps[ends[heap], w] = keys[i, w]
        ends[heap] += 1


@entry
def write_lines(keys, places, codes, ends, last, out):
    """Write the lines of keys that are in order, of which `last` is the one before; how many bytes.

    If a key is that of the line before, nothing but -1 less its place.

    Row `f` of `places` says where the rank of part `f` is: the word, its first bit, the mask of its
    bits, and the first of the `codes` of its texts. `ends` is the code of the first word of
    numbers, and whether that is a tab, and digits follow it.
    """
    at, parts = 0, len(places)
    for i in range(len(keys)):
        same = 0
        while same < parts:
            word, shift = places[same, 0], places[same, 1]
            if shift_right(keys[i, word] ^ last[word], shift) != 0:
                break
            same += 1
        if same == parts:
            return -1 - i
        same = min(same, MOST_SHARED)
        for w in range(keys.shape[1]):
            last[w] = keys[i, w]
        out[at] = FIRST + same
        at += 1
        for f in range(same, parts):
            out[at] = codes[number_of(keys, i, places, f)]
            at += 1
        cost = keys[i, keys.shape[1] - 1]
        if ends[1] == 0:
            out[at] = ends[0] + cost
        else:
            out[at] = ends[0]
            digits, left = 1, cost // 10
            while left > 0:
                digits += 1
                left //= 10
            for digit in range(digits):
                out[at + digits - digit] = ends[0] + 1 + cost % 10
                cost //= 10
            at += digits
        at += 1
        out[at] = NEW_LINE
        at += 1
    return at
