"""Estimates, and sums of costs with them: numbers, or the words of floats where one may be a float.

Words of floats are compared as the floats are, for none of them is negative.
"""

from searchkit.compiled.specialise.names import (
    float_add,
    float_floor,
    float_multiply,
    float_of,
    heuristic,
    inlined,
    whole,
)
from searchkit.kernel_language.floats import ENDLESS
from searchkit.packed import DEAD_END, PackedStep

NEVER = ENDLESS if heuristic.FLOATS else DEAD_END
"""The estimate where there is no way to a goal. What is larger, as a word without a sign, is none.
"""
HALF = 0x3FE << 52
CARRIED = heuristic.MEMORY if heuristic.FOLLOWED else 0
"""The words that are carried from a state to its children."""


@inlined
def begin(H, memo, row, state):
    """Put the words of a state into a row, if any are carried."""
    if CARRIED:
        heuristic.begin(H, memo, row * CARRIED, state)


@inlined
def of_child(H, memo, row, after, h, step: PackedStep):
    """The estimate of the child of a step from a state whose estimate is `h`.

    If words are carried, those of the state are in `row`, and those of the child come to `after`.
    """
    if CARRIED:
        return whole(heuristic.follow(H, memo, row * CARRIED, after * CARRIED, step, DEAD_END))
    if heuristic.INCREMENTAL:
        return h + whole(heuristic.change(H, step.state, step.control, step.operator, step.child))
    return heuristic.estimate_of(H, step.child)


@inlined
def of_whole(number):
    """A whole number as the sums are."""
    if heuristic.FLOATS:
        return float_of(number)
    return number


@inlined
def weighed_sum(g_weight, g, h_weight, h):
    """The sum of a cost and an estimate, each times its weight."""
    if heuristic.FLOATS:
        return float_add(float_of(g_weight * g), float_multiply(float_of(h_weight), h))
    return g_weight * g + h_weight * h


@inlined
def sum_of(g, h):
    """The sum of a cost and an estimate."""
    if heuristic.FLOATS:
        return float_add(float_of(g), h)
    return g + h


@inlined
def nearest(number):
    """The whole number that is nearest to a float of 0 or more, as a number."""
    return float_floor(float_add(number, HALF))
