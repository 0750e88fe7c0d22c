"""Whole numbers below 2**40: what Python's functions say of them."""

from searchkit.bits import count_ones


def from_the_front(index, count):
    """An index of Python's as one from 0 on, or -1 where there is no such item."""
    place = index + count if index < 0 else index
    return place if 0 <= place < count else -1


def gcd(one, other):
    """The greatest common divisor, by Euclid's algorithm."""
    a, b = abs(one), abs(other)
    while b != 0:
        rest = a % b
        a = b
        b = rest
    return a


def lcm(one, other):
    """The least common multiple, or -1 where it may be beyond 2**62."""
    part = abs(one) // max(1, gcd(one, other))
    if part >= 1 << 31 or abs(other) > 1 << 31:
        return -1
    return part * abs(other)


def ceiling(one, other):
    """The least whole number that is not below a quotient."""
    return -((0 - one) // other)


def whole_part(one, other):
    """A quotient without what is behind its point."""
    return one // other if (one >= 0) == (other > 0) else ceiling(one, other)


def nearest(one, other):
    """The whole number next to a quotient; of two the even one."""
    down = one // other
    rest = 2 * abs(one - down * other)
    is_up = rest > abs(other) or (rest == abs(other) and down % 2 == 1)
    return down + int(is_up)


def binomial(n, k):
    """How many choices of `k` out of `n` there are, or -1 where numbers on the way are large.

    Each factor leaves no rest.
    """
    if k > n:
        return 0
    total = 1
    for i in range(min(k, n - k)):
        if total >= 1 << 20 or n >= 1 << 20:
            return -1
        total = total * (n - i) // (i + 1)
    return total


def bit_length(number):
    """How many bits a number from 0 on has: all below the highest are set, and counted."""
    bits, shift = number, 1
    while shift < 64:
        bits |= bits >> shift
        shift *= 2
    return count_ones(bits)


def write_digits(number, base, least, cells, at):
    """Put the digits of a number from 0 on into cells, at least some; how many there are."""
    count, rest = 0, number
    while rest != 0 or count < least:
        rest = rest // base
        count += 1
    rest = number
    for i in range(count):
        cells[at + count - 1 - i] = 48 + rest % base
        rest = rest // base
    return count
