"""Lines of a list, put together from the texts of parts of states; nothing here asks the problem.

Row `f` of `fields` says where part `f` of a text is: the word, its first bit, the mask of its bits,
and the first of the numbers of its values.
"""

from searchkit.compiled.specialise.names import entry, inlined, shift_right
from searchkit.proofs.listing import FIRST, MOST_SHARED

NEW_LINE = 10


@inlined
def number_of(rows, i, fields, f):
    """The number of the value that part `f` has in a row."""
    return (shift_right(rows[i, fields[f, 0]], fields[f, 1]) & fields[f, 2]) + fields[f, 3]


@entry
def first_doubtful(rows, fields, known, fixed, begin):
    """The first row from `begin` on of which a value is not known, or a bit was always the same."""
    for i in range(begin, len(rows)):
        wrong = 0
        for w in range(rows.shape[1]):
            wrong |= (rows[i, w] ^ fixed[0, w]) & fixed[1, w]
        for f in range(len(fields)):
            wrong |= known[number_of(rows, i, fields, f)] ^ 1
        if wrong != 0:
            return i
    return len(rows)


@entry
def rank_rows(rows, fields, ranks, places, keys):
    """Fill keys that are in the order of the texts: where `places` says, the ranks of values."""
    for i in range(len(rows)):
        for k in range(keys.shape[1]):
            keys[i, k] = 0
        for f in range(len(fields)):
            keys[i, places[f, 0]] |= ranks[number_of(rows, i, fields, f)] << places[f, 1]


@entry
def write_lines(rows, costs, fields, codes, ends, last, out):
    """Write the lines of rows that are in order; how many bytes.

    `codes` are those of the texts of values, and `last` has those of the line before, or -1. `ends`
    is the code of the first word of numbers, and whether that is a tab, and digits follow it.
    """
    at = 0
    for i in range(len(rows)):
        same = 0
        while same < len(fields) and codes[number_of(rows, i, fields, same)] == last[same]:
            same += 1
        same = min(same, MOST_SHARED)
        out[at] = FIRST + same
        at += 1
        for f in range(same, len(fields)):
            last[f] = codes[number_of(rows, i, fields, f)]
            out[at] = last[f]
            at += 1
        cost = costs[i]
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
