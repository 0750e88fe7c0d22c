"""What best-first search does with a child: it goes into both lists unless it is no better."""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.best_first.kernels import closed_list, open_list, order
from searchkit.compiled.best_first.kernels.closed_list import Table
from searchkit.compiled.best_first.kernels.open_list import Info, OpenTables
from searchkit.compiled.best_first.kernels.order import Order
from searchkit.compiled.specialise.kernels import estimates, words
from searchkit.compiled.specialise.names import heuristic, inlined, parameter, problem
from searchkit.packed import PackedStep

MOST_ORDER = parameter()
"""The largest order of an entry."""
Ended = IntEnum(
    "Ended",
    "DONE FOUND OUT_OF_BUDGET TABLE_FULL OPEN_FULL BUCKETS_FULL TOO_FAR TOO_HEAVY WRONG_ESTIMATE "
    "TOO_WIDE",
    start=0,
)
"""Why a search stops, or what is wrong with a child; or why successors cannot be listed."""


class Lists(NamedTuple):
    """The closed list, the open list, and the counts.

    `memo` has the words of the state that is expanded, and room for those of a child.
    """

    closed: Table
    opened: OpenTables
    info: Any
    memo: Any


@inlined
def reach(P, H, lists: Lists, step: PackedStep, h, g, following):
    """Put the child of a step into the lists if `g` is less than before; DONE, or what is wrong.

    `h` is the estimate of its parent, `following` its node or -1. An error notes a state in the
    place of the entry that is expanded.
    """
    closed, opened, info, memo = lists
    child = step.child
    there = closed_list.find(closed, child)
    known = closed_list.mark_of(closed.marks, there)
    if known != 0 and (order.ORDER == Order.BY_H or g >= (known >> 1) - 1):
        return Ended.DONE
    child_h = estimates.of_child(H, memo, 0, 1, h, step)
    if np.uint64(child_h) >= np.uint64(estimates.NEVER):  # or negative
        if child_h == estimates.NEVER and not heuristic.INCREMENTAL:
            return Ended.DONE
        words.write(opened.waiting, info[Info.PLACE] * problem.WORDS, child)
        return Ended.WRONG_ESTIMATE
    f = estimates.sum_of(g, child_h)
    most_cost = info[Info.COST_LIMIT]
    if f > min(most_cost, MOST_ORDER):
        if f <= most_cost:
            return Ended.TOO_HEAVY
        info[Info.CUT] = 1
        return Ended.DONE
    if order.ORDER == Order.BY_WEIGHT and f >= estimates.of_whole(info[Info.UPPER]):
        return Ended.DONE
    child_order = order.order_of(info, g, child_h)
    if order.ORDER == Order.BY_WEIGHT and child_order > MOST_ORDER:
        return Ended.TOO_HEAVY
    if known != 0:
        info[Info.REOPENED] += known & 1
    else:
        words.write(closed.words, closed_list.word_at(there), child)
        info[Info.STORED] += 1
    closed.marks[closed_list.mark_at(there)] = (g + 1) << 1
    node = following
    if not problem.STATIC and node < 0:
        node = problem.control(P, child)
    open_list.push(opened, info, child_order, child_h, child, node)
    return Ended.DONE
