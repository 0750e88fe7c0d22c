"""The order of the open list.

ORDER says what comes first: the smallest f = g + h (BY_F); the smallest sum of g and h times the
weights in `info`, of which only states with g + h below info[UPPER] are kept (BY_WEIGHT); or the
smallest h, by the first path that is found (BY_H).
"""

from enum import IntEnum

from searchkit.compiled.best_first.kernels.open_list import Info
from searchkit.compiled.specialise.names import inlined, parameter

ORDER = parameter()
Order = IntEnum("Order", "BY_F BY_WEIGHT BY_H", start=0)


@inlined
def order_of(info, g, h):
    """The order of an entry."""
    if ORDER == Order.BY_F:
        return g + h
    if ORDER == Order.BY_WEIGHT:
        return info[Info.G_WEIGHT] * g + info[Info.H_WEIGHT] * h
    return h


@inlined
def g_within(info, order, h):
    """The g of an entry, not BY_H."""
    if ORDER == Order.BY_WEIGHT:
        return (order - info[Info.H_WEIGHT] * h) // info[Info.G_WEIGHT]
    return order - h
