"""The order of the open list.

ORDER says what comes first: the smallest f = g + h (BY_F); the smallest sum of g and h times the
weights in `info`, of which only states with g + h below info[UPPER] are kept (BY_WEIGHT); or the
smallest h, by the first path that is found (BY_H).
"""

from enum import IntEnum

from searchkit.compiled.best_first.kernels.open_list import Info
from searchkit.compiled.specialise.kernels import estimates
from searchkit.compiled.specialise.names import (
    float_divide,
    float_multiply,
    float_of,
    float_subtract,
    heuristic,
    inlined,
    parameter,
)

ORDER = parameter()
Order = IntEnum("Order", "BY_F BY_WEIGHT BY_H", start=0)


@inlined
def order_of(info, g, h):
    """The order of an entry."""
    if ORDER == Order.BY_F:
        return estimates.sum_of(g, h)
    if ORDER == Order.BY_WEIGHT:
        return estimates.weighed_sum(info[Info.G_WEIGHT], g, info[Info.H_WEIGHT], h)
    return h


@inlined
def g_within(info, order, h):
    """The g of an entry, not BY_H. Floats have rounded it away by far less than a half."""
    if heuristic.FLOATS:
        if ORDER == Order.BY_WEIGHT:
            rest = float_subtract(order, float_multiply(float_of(info[Info.H_WEIGHT]), h))
            return estimates.nearest(float_divide(rest, float_of(info[Info.G_WEIGHT])))
        return estimates.nearest(float_subtract(order, h))
    if ORDER == Order.BY_WEIGHT:
        return (order - info[Info.H_WEIGHT] * h) // info[Info.G_WEIGHT]
    return order - h
