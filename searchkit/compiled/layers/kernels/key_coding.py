"""Rising rows as differences from one to the next, in as few bits as they take.

A block of up to BLOCK rows has, after its first row (which is kept elsewhere), a stream of numbers
for each word of a row: the difference to the word above where all words before are those of the
row above, less 1 for the last word, and otherwise the word itself. A stream begins with a word of
four widths, of 8 bits each, and how many words of numbers there are; then come classes, of two
bits, for each number; then the numbers, each in as many bits as the width of its class. The widths
are those that make the block shortest, as far as a sample tells.

Where rows are numbers that lie close together, that takes more than a bit for each number from the
first row to the last, set if it is a row. A block of one word that is shorter so is such bits,
behind a word of BITS and how many words they take.
(After variable-byte coding with a separate stream of lengths: J. Dean, Challenges in Building
Large-Scale Information Retrieval Systems, 2009; bits where they are shorter: S. Chambi, D. Lemire,
O. Kaser and R. Godin, Better Bitmap Performance with Roaring Bitmaps, 2016.)
"""

from searchkit.compiled.specialise.names import (
    count_ones,
    entry,
    inlined,
    lowest_one,
    problem,
    shift_right,
    wrapping_add,
    wrapping_subtract,
)
from searchkit.tables.keys import BITS, CLASSES_A_WORD

SAMPLED = 512
"""At least so many numbers of a block are looked at to choose widths."""
LENGTHS = 65
EVEN_BITS = 0x5555555555555555


@inlined
def length_of(number):
    """How many bits a number takes."""
    number |= shift_right(number, 1)
    number |= shift_right(number, 2)
    number |= shift_right(number, 4)
    number |= shift_right(number, 8)
    number |= shift_right(number, 16)
    number |= shift_right(number, 32)
    return count_ones(number)


@inlined
def number_of(rows, i, w):
    """The number for word `w` of row `i`, which is not the first."""
    if problem.WORDS == 1:
        return wrapping_subtract(wrapping_subtract(rows[i], rows[i - 1]), 1)
    for before in range(w):
        if rows[i, before] != rows[i - 1, before]:
            return rows[i, w]
    less = wrapping_subtract(rows[i, w], rows[i - 1, w])
    return wrapping_subtract(less, 1) if w == problem.WORDS - 1 else less


@inlined
def choose_widths(numbers, count, longest, room):
    """The three smaller widths for some numbers, the longest of which has `longest` bits.

    By what each choice of one, two and three classes costs: O(longest^2).
    """
    upto, one, two, three = room[0], room[1], room[2], room[3]
    for length in range(LENGTHS):
        upto[length] = 0
    every = max(1, count // SAMPLED)
    total = 0
    for i in range(0, count, every):
        upto[length_of(numbers[i])] += 1
        total += 1
    for length in range(1, longest + 1):
        upto[length] += upto[length - 1]
    for length in range(longest + 1):
        one[length] = upto[length] * length
        two[length], three[length] = one[length], 0
        for shorter in range(length):
            cost = one[shorter] + (upto[length] - upto[shorter]) * length
            if cost < two[length]:
                two[length], three[length] = cost, shorter
    best, second, third = total * longest, longest, longest
    # Of three: `second` is the largest of the smaller widths but one.
    for length in range(longest + 1):
        for shorter in range(length + 1):
            cost = (
                two[shorter]
                + (upto[length] - upto[shorter]) * length
                + (total - upto[length]) * longest
            )
            if cost < best:
                best, second, third = cost, shorter, length
    return three[second], second, third


@entry
def encode(rows, begin, count, out, at, numbers, room):
    """Put a block of `count` rows from `begin` on into `out`, from `at` on; where it ends.

    `numbers` has room for as many, and `room` four rows of LENGTHS.
    """
    bits = words_of_bits(rows, begin, count)
    least = count // CLASSES_A_WORD
    if problem.WORDS == 1 and 0 <= bits <= least:
        return put_bits(rows, begin, count, out, at, bits)
    end = at
    for w in range(problem.WORDS):
        every = 0
        for i in range(1, count):
            number = number_of(rows, begin + i, w)
            numbers[i - 1] = number
            every |= number
        end = put(numbers, count - 1, length_of(every), out, end, room)
    if problem.WORDS == 1 and 0 <= bits < end - at - 1:
        return put_bits(rows, begin, count, out, at, bits)
    return end


@inlined
def words_of_bits(rows, begin, count):
    """How many words a block takes as bits; -1 if far more than otherwise."""
    if problem.WORDS > 1:
        return -1
    last = wrapping_subtract(rows[begin + count - 1], rows[begin])
    if shift_right(last, 6) > count:
        return -1
    return (last + 63) >> 6


@inlined
def put_bits(rows, begin, count, out, at, bits):
    """Put a block of one word into `out` as bits, from `at` on; where it ends."""
    out[at] = BITS | bits << 32
    at += 1
    for i in range(bits):
        out[at + i] = 0
    for i in range(1, count):
        place = wrapping_subtract(wrapping_subtract(rows[begin + i], rows[begin]), 1)
        out[at + (place >> 6)] |= 1 << (place & 63)
    return at + bits


@inlined
def put(numbers, count, longest, out, at, room):
    """Put a stream of numbers into `out`, from `at` on; where it ends."""
    first, second, third = choose_widths(numbers, count, longest, room)
    widths = room[0]
    widths[0], widths[1], widths[2], widths[3] = first, second, third, longest
    head = at
    at += 1
    begin = at + (count + 31) // 32
    place = 64 * begin
    out[begin] = 0
    for i in range(0, count, 32):
        classes = 0
        for j in range(i, min(count, i + 32)):
            number = numbers[j]
            # No width but the last is 64, by which a word cannot be shifted.
            kind = 0
            if longest > first:
                kind += shift_right(number, first) != 0
            if longest > second:
                kind += shift_right(number, second) != 0
            if longest > third:
                kind += shift_right(number, third) != 0
            classes |= kind << (2 * (j - i))
            here, bits = place >> 6, place & 63
            out[here] |= number << bits
            out[here + 1] = shift_right(shift_right(number, 1), 63 - bits)
            place += widths[kind]
        out[at] = classes
        at += 1
    end = (place + 63) >> 6
    out[head] = first | second << 8 | third << 16 | longest << 24 | (end - begin) << 32
    return end


@entry
def decode(coded, at, end, first, rows, begin, count, room):
    """Put the block in `coded` from `at` to before `end` into `rows`, from `begin` on.

    `first` is its first row, as an array; `room` has two rows of LENGTHS. Gives whether that is
    what it holds, and touches nothing else if it is not. One word behind `end` is read.
    """
    for w in range(problem.WORDS):
        if problem.WORDS == 1:
            rows[begin] = first[0]
        else:
            rows[begin, w] = first[0, w]
    for w in range(problem.WORDS):
        at = take(coded, at, end, rows, begin, count, w, room)
        if at < 0:
            return False
    return at == end


@inlined
def take(coded, at, end, rows, begin, count, w, room):
    """Put the numbers of one stream into word `w` of rows; where it ends, or -1 if it is wrong."""
    widths, masks = room[0], room[1]
    numbers = count - 1
    if problem.WORDS == 1 and coded[at] & 255 == BITS:
        return take_bits(coded, at, end, rows, begin, count)
    payload = at + 1 + (numbers + 31) // 32
    if payload > end:
        return -1
    head = coded[at]
    total, last = 0, 0
    for kind in range(4):
        widths[kind] = shift_right(head, 8 * kind) & 255
        if widths[kind] > 64:
            return -1
        masks[kind] = shift_right(-1, 64 - widths[kind]) if widths[kind] > 0 else 0
    for i in range(numbers // 32):
        classes = coded[at + 1 + i]
        low, high = classes & EVEN_BITS, shift_right(classes, 1) & EVEN_BITS
        both = count_ones(low & high)
        ones, twos = count_ones(low) - both, count_ones(high) - both
        total += widths[3] * both + widths[2] * twos + widths[1] * ones
        total += widths[0] * (32 - both - ones - twos)
    last = coded[payload - 1]
    for i in range(numbers & 31):
        total += widths[shift_right(last, 2 * i) & 3]
    after = payload + ((total + 63) >> 6)
    if after > end or after - payload != shift_right(head, 32):
        return -1
    place = 64 * payload
    for i in range(0, numbers, 32):
        classes = coded[at + 1 + i // 32]
        for j in range(i, min(numbers, i + 32)):
            kind = classes & 3
            classes = shift_right(classes, 2)
            here, bits = place >> 6, place & 63
            number = shift_right(coded[here], bits) | ((coded[here + 1] << 1) << (63 - bits))
            number &= masks[kind]
            place += widths[kind]
            row = begin + 1 + j
            if problem.WORDS == 1:
                rows[row] = wrapping_add(wrapping_add(rows[row - 1], number), 1)
            else:
                is_same = True
                for before in range(w):
                    is_same &= rows[row, before] == rows[row - 1, before]
                if is_same:
                    number = wrapping_add(number, rows[row - 1, w])
                    if w == problem.WORDS - 1:
                        number = wrapping_add(number, 1)
                rows[row, w] = number
    return after


@inlined
def take_bits(coded, at, end, rows, begin, count):
    """Put the rows behind the first of a block of bits; where it ends, or -1 if it is wrong."""
    bits = shift_right(coded[at], 32)
    at += 1
    if at + bits > end:
        return -1
    found = 1
    for i in range(bits):
        found += count_ones(coded[at + i])
    if found != count:
        return -1
    row, first = begin + 1, rows[begin]
    for i in range(bits):
        left = coded[at + i]
        before = wrapping_add(first, 64 * i + 1)
        while left != 0:
            rows[row] = wrapping_add(before, lowest_one(left))
            row += 1
            left &= left - 1
    return at + bits
