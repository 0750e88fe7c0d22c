"""Numbers with a decimal point in kernels: as words of the same 64 bits (IEEE 754, binary64).

Kernels calculate with words alone. A float is one by its bits, and what is done with it is a
function of words: the same in plain Python as in machine code, which rounds each result once, as
Python does. Of floats from 0 upwards, the larger one is the larger word, and infinity is `ENDLESS`.
"""

from __future__ import annotations

import math
import struct

_FLOAT, _WORD = struct.Struct("<d"), struct.Struct("<q")
ENDLESS = 0x7FF << 52
"""The word of infinity. Those above it are no numbers."""
WITHOUT_SIGN = (1 << 63) - 1
"""The bits of a float but for its sign."""


def word_of(number: float) -> int:
    """The word of a float: a whole number with a sign.

    >>> word_of(0.0), hex(word_of(1.5))
    (0, '0x3ff8000000000000')
    """
    word: int = _WORD.unpack(_FLOAT.pack(number))[0]
    return word


def number_of(word: int) -> float:
    """The float of a word.

    >>> number_of(word_of(0.1))
    0.1
    """
    number: float = _FLOAT.unpack(_WORD.pack(int(word)))[0]
    return number


def float_of(number: int) -> int:
    """The float that is nearest to a whole number."""
    return word_of(float(int(number)))


def float_add(left: int, right: int) -> int:
    """The sum of two floats."""
    return word_of(number_of(left) + number_of(right))


def float_subtract(left: int, right: int) -> int:
    """The difference of two floats."""
    return word_of(number_of(left) - number_of(right))


def float_multiply(left: int, right: int) -> int:
    """The product of two floats."""
    return word_of(number_of(left) * number_of(right))


def float_divide(left: int, right: int) -> int:
    """The quotient of two floats, of which the second is not 0."""
    return word_of(number_of(left) / number_of(right))


def float_power(number: int, exponent: int) -> int:
    """A float to the power of another: if it is negative, to that of a whole number from 1 on."""
    try:
        return word_of(math.pow(number_of(number), number_of(exponent)))
    except OverflowError:  # as processors do
        return ENDLESS


def float_root(number: int) -> int:
    """The square root of a float that is not negative."""
    return word_of(math.sqrt(number_of(number)))


def float_floor(number: int) -> int:
    """The largest whole number up to a float, as a number; below 2**62, without its sign."""
    return math.floor(number_of(number))


def float_less(left: int, right: int) -> bool:
    """Whether a float is less than another."""
    return number_of(left) < number_of(right)


def float_equal(left: int, right: int) -> bool:
    """Whether two floats are equal, as 0.0 and -0.0 are."""
    return number_of(left) == number_of(right)
