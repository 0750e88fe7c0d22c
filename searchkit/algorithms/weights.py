"""Weights of heuristics, and proved ratios: rational numbers, so that nothing is rounded."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable
from itertools import pairwise
from numbers import Rational
from typing import TYPE_CHECKING, Any

from searchkit.errors import UsageError

if TYPE_CHECKING:
    from fractions import Fraction

MOST_PART = 10**6
"""Numerator and denominator of a weight are at most this: sums of machine words must hold them."""

NUMBER = r"(\d{1,20}(?:\.\d{1,20})?)(?:/(0*[1-9]\d{,20}))?"

DIGITS = 10**4
"""Ratios are shown with four digits after the point."""


def exact_weight(value: Any) -> Fraction:
    """`value` as a weight: a rational number from 1 upwards.

    Takes integers, fractions, decimals, and texts like "1.5" and "3/2". A float is the decimal
    number that it prints as: 1.1 is 11/10. Raises `UsageError` for anything else.
    """
    from decimal import Decimal  # noqa: PLC0415  (few searches have weights)
    from fractions import Fraction  # noqa: PLC0415

    is_text = isinstance(value, (str, float, Decimal))
    weight = Fraction(0)
    if isinstance(value, Rational) and not isinstance(value, bool):
        weight = Fraction(value)
    elif is_text and (match := re.fullmatch(NUMBER, str(value).strip(), re.ASCII)):
        weight = Fraction(match[1]) / int(match[2] or 1)
    if weight < 1:
        raise UsageError(
            f"weight is {value!r}; it must be a number from 1 upwards, like 1.5 or 3/2"
        )
    if max(weight.numerator, weight.denominator) > MOST_PART:
        raise UsageError(
            f"weight is {value!r}; as a fraction, its parts must be {MOST_PART:,} at most"
        )
    return weight


def falling_weights(value: Any) -> tuple[Fraction, ...]:
    """`value`, a list of weights or a text like "3,2,1.5,1", as weights that fall to 1.

    Raises `UsageError` if they do not.
    """
    if isinstance(value, str):
        value = value.split(",")
    given = tuple(value) if isinstance(value, Iterable) else (value,)
    weights = tuple(exact_weight(each.strip() if isinstance(each, str) else each) for each in given)
    falls = all(after < before for before, after in pairwise(weights))
    if not weights or not falls or weights[-1] != 1:
        shown = ",".join(map(str, weights))
        raise UsageError(f"weights are {shown or 'none'}; they must fall and end with 1: 3,2,1.5,1")
    return weights


def ratio(cost: int, lower_bound: float) -> Fraction | None:
    """The smallest proved r with cost <= r x optimal cost; None if there is no such number."""
    from fractions import Fraction  # noqa: PLC0415  (for what is not optimal)

    if cost <= lower_bound:
        return Fraction(1)
    if lower_bound <= 0:
        return None
    exact = lower_bound if isinstance(lower_bound, Rational) else float(lower_bound)
    return Fraction(cost) / Fraction(exact)


def weighing(weight: Fraction) -> Callable[[int, float], float]:
    """What gives g + weight x h, times the denominator of the weight: an integer where h is one."""
    numerator, denominator = weight.numerator, weight.denominator
    if numerator == denominator:
        return operator.add
    return lambda g, h: denominator * g + numerator * h


def least_cost(order: float, weight: Fraction) -> float:
    """A bound on the cost of every solution on whose way a state of this `order` is still open.

    The order is that of `weighing`: at most weight.numerator x (g + h). Costs are integers, so that
    a whole number is rounded up, also one that a float has come to by rounding: what it stands for
    is less than a part of it away. Another float is not, for it may be above what it stands for.
    """
    if order < math.inf and order == math.floor(order):
        return -(-int(order) // weight.numerator)
    return order / weight.numerator


def rounded_up(number: Fraction) -> str:
    """`number` as a decimal number of four digits after the point at most, and not below it."""
    whole, part = divmod(math.ceil(number * DIGITS), DIGITS)
    return f"{whole}.{part:04d}".rstrip("0").rstrip(".")


def shown_ratio(number: Fraction | None) -> float | None:
    """`rounded_up` as a number for JSON: what is written is that decimal number."""
    return None if number is None else float(rounded_up(number))
