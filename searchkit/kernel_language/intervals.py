"""What the result of an operation on whole numbers can be, from what its operands can be.

(R. E. Moore, Interval Analysis, 1966.)
"""

from __future__ import annotations

from searchkit.kernel_language.constants import BINARY

Interval = tuple[int, int]
"""The least value and the greatest."""
_BITWISE = ("&", "|", "^")
_LAST_PLACE = 63


def of_operation(sign: str, left: Interval, right: Interval) -> Interval:
    """Bounds on the result of an operation, by its sign; `KeyError` for one that is not followed.

    Those that Python raises an error for are left out: divisors of 0, and shifts by less than 0; so
    are shifts to the right by more than a word has places. The result has as many bits as a shift
    to the left may give it.
    """
    if sign in _BITWISE:
        return _of_bits(sign, left, right)
    if sign == "%":
        return _of_remainder(left, right)
    if sign == "//" and right[0] <= 0 <= right[1]:
        most = max(map(abs, left))
        return -most, most
    if sign == "<<":
        right = max(right[0], 0), max(right[1], 0)
    elif sign == ">>":
        right = max(right[0], 0), max(min(right[1], _LAST_PLACE), 0)
    # It rises or falls with each operand, whatever the other is.
    ends = [BINARY[sign](a, b) for a in left for b in right]
    return min(ends), max(ends)


def _of_remainder(left: Interval, right: Interval) -> Interval:
    most = max(map(abs, right)) - 1
    low, high = (0 if right[0] >= 0 else -most), (0 if right[1] <= 0 else most)
    if left[0] >= 0 and right[0] > 0:
        high = min(high, left[1])
    return low, high


def _of_bits(sign: str, left: Interval, right: Interval) -> Interval:
    most = 1 << max(each.bit_length() for each in (*left, *right))
    known = [each[1] for each in (left, right) if each[0] >= 0]
    if sign == "&" and known:
        return 0, min(known)
    return (0 if len(known) == 2 else -most), most - 1
