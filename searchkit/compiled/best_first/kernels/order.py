"""The order of the open list.

ORDER says what comes first: the smallest f = g + h (BY_F); the smallest sum of g and h times the
weights in `info`, of which only states with g + h below info[UPPER] are kept (BY_WEIGHT); or the
smallest h, by the first path that is found (BY_H).
"""

from searchkit.compiled.specialise.names import inlined, parameter

ORDER = parameter()
BY_F, BY_WEIGHT, BY_H = range(3)
G_WEIGHT, H_WEIGHT, UPPER = range(18, 21)
"""Places in `info`."""


@inlined
def order_of(info, g, h):
    """The order of an entry."""
    if ORDER == BY_F:
        return g + h
    if ORDER == BY_WEIGHT:
        return info[G_WEIGHT] * g + info[H_WEIGHT] * h
    return h


@inlined
def g_within(info, order, h):
    """The g of an entry, not BY_H."""
    if ORDER == BY_WEIGHT:
        return (order - info[H_WEIGHT] * h) // info[G_WEIGHT]
    return order - h
