"""Texts as runs of cells, a code point in each: what is in them, and where.

A text has `count` cells from `cells[at]` on, and one that is looked for `width` from `part[begin]`
on.
"""

WRONG, OTHER = 1 << 60, 1 << 61
"""What stands for a number that cannot be read."""


def is_at(cells, at, count, part, begin, width, place):
    """Whether a text has another at a place, in front of which it may begin."""
    if place < 0 or place + width > count:
        return False
    for i in range(width):
        if cells[at + place + i] != part[begin + i]:
            return False
    return True


def place_of(cells, at, count, part, begin, width, first):
    """The first place of a text in another from somewhere on, or -1."""
    for place in range(first, count - width + 1):
        if is_at(cells, at, count, part, begin, width, place):
            return place
    return -1


def last_place_of(cells, at, count, part, begin, width):
    """The last place of a text in another, or -1."""
    for place in range(count - width, -1, -1):
        if is_at(cells, at, count, part, begin, width, place):
            return place
    return -1


def times_of(cells, at, count, part, begin, width):
    """How often a text that is not empty is in another, one behind the other."""
    times = place = 0
    while place + width <= count:
        if is_at(cells, at, count, part, begin, width, place):
            times += 1
            place += width
        else:
            place += 1
    return times


def whole_number(cells, at, count, base):
    """The number that is written in a base up to 10; `WRONG` where Python raises an error.

    `OTHER` where that is not known: other writings have digits of their own, and other bases
    prefixes.
    """
    total, sign = 0, 1
    for i in range(count):
        code = cells[at + i]
        if 48 <= code < 48 + base:
            total = total * base + code - 48
        elif code == 45 and i == 0 and count > 1:
            sign = -1
        elif base == 10 and 33 <= code <= 126 and code != 95 and not (code == 43 and i == 0):
            return WRONG
        else:
            return OTHER
    return sign * total
