"""Lines of a list, put together from the texts of parts of states; nothing here asks the problem.

Row `f` of `fields` says where part `f` of a text is: the word, its first bit, the mask of its bits,
and the first of the numbers of its values.
"""

from searchkit.compiled.specialise.names import entry, inlined, shift_right

TAB, NEW_LINE, ZERO = 9, 10, 48


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


@inlined
def put_number(out, at, number):
    """Write a number in decimal; what is behind it."""
    digits = 1
    left = number // 10
    while left > 0:
        digits += 1
        left //= 10
    for i in range(digits):
        out[at + digits - 1 - i] = ZERO + number % 10
        number //= 10
    return at + digits


@entry
def write_lines(rows, costs, fields, starts, letters, numbers, out):
    """Write the lines of rows that are in order; how many bytes.

    `numbers` are those of the state before, or negative, and then those of the last.
    """
    at = 0
    for i in range(len(rows)):
        same, f = 0, 0
        while f < len(fields) and number_of(rows, i, fields, f) == numbers[f]:
            same += starts[numbers[f] + 1] - starts[numbers[f]]
            f += 1
        place = 0
        if f < len(fields):
            number, before = number_of(rows, i, fields, f), numbers[f]
            place, end = starts[number], starts[number + 1]
            if before >= 0:
                other = starts[before]
                while (
                    place < end and other < starts[before + 1] and letters[place] == letters[other]
                ):
                    place += 1
                    other += 1
                    same += 1
        if same > 0:
            at = put_number(out, at, same)
            out[at] = TAB
            at += 1
        while f < len(fields):
            for each in range(place, starts[number_of(rows, i, fields, f) + 1]):
                out[at] = letters[each]
                at += 1
            numbers[f] = number_of(rows, i, fields, f)
            f += 1
            if f < len(fields):
                place = starts[number_of(rows, i, fields, f)]
        out[at] = TAB
        at = put_number(out, at + 1, costs[i])
        out[at] = NEW_LINE
        at += 1
    return at
