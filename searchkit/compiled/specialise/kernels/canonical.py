"""Canonical states: the smallest among the images of a state under symmetries.

A word of an image is the sum (exclusive or) of what the parts of the state contribute to it, which
tables hold for all images at once. States of several words are compared word by word.
"""

from typing import Any, NamedTuple

from searchkit.compiled.specialise.names import (
    add_eight,
    borrowed,
    count_ones,
    entry,
    equal_among_eight,
    inlined,
    lowest_one,
    parameter,
    problem,
    shift_right,
    smallest_of_eight,
)

IMAGES = parameter()
"""How many images under symmetries a state has, itself among them."""
LANES = (IMAGES + 7) // 8 * 8
"""How many there is room for: they are made eight at a time."""
SIGN = -1 << 63


class ImageTables(NamedTuple):
    """What is looked up to map a state under symmetries; `count` is how many there are.

    Word `w` of the images has the parts from `first[w]` to before `first[w + 1]`. Part `p` is of
    word `source[p]` of the state, from bit `shift[p]` on, as many bits as `mask[p]` has; what its
    value `v` contributes to the images is in `rows` from `start[p] + v * LANES` on, where the first
    eight are 0. The sums have their sign bits turned over, so that they compare as words without a
    sign do; images that there are not are the largest. `room` has three rows of as many words as
    LANES or a state.
    """

    count: Any
    first: Any
    source: Any
    shift: Any
    mask: Any
    start: Any
    rows: Any
    room: Any


@inlined
def less(a, b):
    """Whether a < b as unsigned words, as 1 or 0."""
    return 1 if (a ^ SIGN) < (b ^ SIGN) else 0


@inlined
def row_of(images: ImageTables, part, word):
    """Where the contributions of a part begin, whose value is in `word`."""
    value = shift_right(word, images.shift[part]) & images.mask[part]
    return images.start[part] + value * LANES


@inlined
def row_at(images: ImageTables, part, states, i):
    """The same for the state at `i`."""
    if problem.WORDS == 1:
        return row_of(images, part, states[i])
    return row_of(images, part, states[i, images.source[part]])


@inlined
def word_of_image(images: ImageTables, states, i, word, k):
    """A word of image `k` of the state at `i`, its sign bit turned over."""
    total = 0
    for part in range(images.first[word], images.first[word + 1]):
        total ^= images.rows[row_at(images, part, states, i) + k]
    return total


@inlined
def smallest_in(images: ImageTables, row):
    """The smallest word of a row."""
    best = smallest_of_eight(row, 0, images.rows, 0)
    for k in range(8, LANES, 8):
        best = min(best, smallest_of_eight(row, k, images.rows, 0))
    return best


@inlined
def canonical_word(images: ImageTables, state):
    """The smallest of the images of a state of one word."""
    row = images.room[0]
    at = row_of(images, 0, state)
    for k in range(0, LANES, 8):
        add_eight(images.rows, 0, images.rows, at + k, row, k)
    for part in range(1, images.first[1]):
        at = row_of(images, part, state)
        for k in range(0, LANES, 8):
            add_eight(row, k, images.rows, at + k, row, k)
    return smallest_in(images, row) ^ SIGN


@inlined
def fold(images: ImageTables, states, i):
    """Replace the state at `i` by the smallest of its images; how many of them that is."""
    row = images.room[0]
    at = row_at(images, 0, states, i)
    for k in range(0, LANES, 8):
        add_eight(images.rows, 0, images.rows, at + k, row, k)
    for part in range(1, images.first[1]):
        at = row_at(images, part, states, i)
        for k in range(0, LANES, 8):
            add_eight(row, k, images.rows, at + k, row, k)
    best = smallest_in(images, row)
    same = 0
    for k in range(0, LANES, 8):
        same += count_ones(equal_among_eight(row, k, best))
    if problem.WORDS == 1:
        states[i] = best ^ SIGN
        return same
    # Few images agree in the first word, and only of those the others are made.
    smallest, other = images.room[1], images.room[2]
    same = 0
    for k in range(0, LANES, 8):
        left = equal_among_eight(row, k, best)
        while left != 0:
            order = -1 if same == 0 else 0
            for word in range(1, problem.WORDS):
                other[word] = word_of_image(images, states, i, word, k + lowest_one(left))
                if order == 0 and other[word] != smallest[word]:
                    order = -1 if other[word] < smallest[word] else 1
            if order < 0:
                for word in range(1, problem.WORDS):
                    smallest[word] = other[word]
                same = 0
            same += order <= 0
            left &= left - 1
    states[i, 0] = best ^ SIGN
    for word in range(1, problem.WORDS):
        states[i, word] = smallest[word] ^ SIGN
    return same


@entry
def canonical_states(images: ImageTables, states):
    """Replace each state by its canonical one; how many states they all stand for."""
    images = borrowed(images)
    count = 0
    for i in range(len(states)):
        count += IMAGES // fold(images, states, i)
    return count
