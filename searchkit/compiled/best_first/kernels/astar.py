"""Best-first search in the order of f, then h, then the state generated last.

A state's mark in the table is (g + 1) << 1, plus 1 once it is closed: expanded, or a goal. An
entry of the open list whose g is not that of its state's mark, or whose state is closed, is
left from before the state was reached at a smaller cost.
"""

from enum import IntEnum

import numpy as np

from searchkit.compiled.best_first.kernels import closed_list, open_list, order, prefetching
from searchkit.compiled.best_first.kernels.closed_list import Table
from searchkit.compiled.best_first.kernels.open_list import Bucket, Info, OpenTables
from searchkit.compiled.best_first.kernels.order import Order
from searchkit.compiled.best_first.kernels.prefetching import Queue
from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import (
    borrowed,
    entry,
    heuristic,
    parameter,
    problem,
    whole,
)
from searchkit.compiled.specialise.operators import OperatorLists
from searchkit.packed import DEAD_END

WIDEST = parameter()
"""The most operators of a list."""
AHEAD_LINES = parameter()
"""With more lines than these the search looks ahead."""
MOST_ORDER = parameter()
"""The largest order of an entry."""
MOST_G = parameter()
"""The largest g of a state that is expanded."""
Ended = IntEnum(
    "Ended",
    "DONE FOUND OUT_OF_BUDGET TABLE_FULL OPEN_FULL BUCKETS_FULL TOO_FAR WRONG_COST TOO_HEAVY "
    "WRONG_ESTIMATE",
    start=0,
)


@entry
def insert(closed: Table, opened: OpenTables, info, state, estimate, node, is_open):
    """Add a start."""
    table, marks, _ = closed
    start = words.load(state, 0)
    place = closed_list.find(closed, start)
    words.write(table, closed_list.word_at(place), start)
    marks[closed_list.mark_at(place)] = 2
    info[Info.STORED] += 1
    info[Info.GENERATED] += 1
    if is_open:
        open_list.push(opened, info, order.order_of(info, 0, estimate), estimate, start, node)


@entry
def best_first(
    P, H, lists: OperatorLists, closed: Table, opened: OpenTables, queue: Queue, info, budget
):  # fmt: skip
    """Go on until a goal comes first, f is above `info[LAST_F]`, or `budget` states are expanded.

    Operators that a list leaves out because they lead straight back generate children in vain,
    which count.
    """
    P, H, lists, queue = borrowed(P), borrowed(H), borrowed(lists), borrowed(queue)
    closed, opened, info = borrowed(closed), borrowed(opened), borrowed(info)
    first = lists.first
    table, marks, lines = closed
    waiting, nodes, before, buckets, slots, heap, stack = opened
    most_cost, last_f = info[Info.COST_LIMIT], info[Info.LAST_F]
    most_f = min(most_cost, MOST_ORDER)
    limit = info[Info.EXPANDED] + budget
    chunks = len(before)
    bucket_count = len(buckets)
    result = Ended.DONE
    ahead_f, ahead_h, ahead = -1, -1, 0
    looks_ahead = lines > AHEAD_LINES
    while True:
        current = info[Info.CURRENT]
        if buckets[current, Bucket.TOP] < 0:
            current = open_list.best_bucket(buckets, slots, heap, stack, info)
            if current == 0:
                break
        f = buckets[current, Bucket.F]
        if f > last_f:
            break
        h = buckets[current, Bucket.H_VALUE]
        g = order.g_within(info, f, h)
        entry_at = buckets[current, Bucket.TOP]
        # Once for ROOTS entries: those that come before the next of them were met below the others.
        if looks_ahead:
            if f > ahead_f or (f == ahead_f and (h > ahead_h or (h == ahead_h and ahead == 0))):
                ahead_f, ahead_h = f, h
                ahead = prefetching.look_ahead(P, H, lists, closed, opened, info, queue)
            if f == ahead_f and h == ahead_h:
                ahead -= 1
        state = words.read(waiting, entry_at * problem.WORDS)
        own = closed_list.mark_at(closed_list.find(closed, state))
        if order.ORDER == Order.BY_H:  # entries do not have their g: the mark has the only one
            g = (np.int64(marks[own]) >> 1) - 1
        # Entries are not searched for when a better path is found, but left out here.
        if marks[own] != (g + 1) << 1 or (
            order.ORDER == Order.BY_WEIGHT and g + h >= info[Info.UPPER]
        ):
            open_list.drop_last(before, buckets, current, info)
            continue
        info[Info.BOUND] = max(info[Info.BOUND], f)
        if problem.at_goal(P, state):
            marks[own] |= 1
            info[Info.PLACE] = entry_at
            open_list.drop_last(before, buckets, current, info)
            if order.ORDER == Order.BY_WEIGHT:
                info[Info.UPPER] = g
            result = Ended.FOUND
            break
        # Nothing of this state is done before there is room for all its children: a call that
        # stops here is repeated as if it had not been made.
        if info[Info.EXPANDED] >= limit:
            result = Ended.OUT_OF_BUDGET
            break
        if info[Info.STORED] + WIDEST > info[Info.MOST_STORED] or closed_list.has_run_over(
            marks, lines, WIDEST
        ):
            result = Ended.TABLE_FULL
            break
        if chunks - info[Info.CHUNKS] + info[Info.FREED] < WIDEST:
            result = Ended.OPEN_FULL
            break
        if bucket_count - info[Info.BUCKETS] < WIDEST:
            result = Ended.BUCKETS_FULL
            break
        if g >= MOST_G:
            result = Ended.TOO_FAR
            break
        node = nodes[entry_at]
        control = lists.controls[node]
        if problem.ASKED > 0 and info[Info.EXPANDED] < problem.ASKED:
            problem.compare_control(P, state, control)
        open_list.drop_last(before, buckets, current, info)
        marks[own] |= 1
        info[Info.EXPANDED] += 1
        begin, end = first[node], first[node + 1]
        info[Info.GENERATED] += first[control + 1] - first[control] - (end - begin)
        for place in range(begin, end):
            operator = lists.operators[place]
            if not problem.ALWAYS_LEGAL and not problem.legal(P, state, control, operator):
                continue
            child = problem.apply(P, state, control, operator)
            info[Info.GENERATED] += 1
            child_g = g + 1
            if not problem.UNIT_COSTS:
                cost = problem.cost(P, state, control, operator)
                if cost < problem.LEAST_COST or cost > problem.MOST_COST:
                    words.write(waiting, entry_at * problem.WORDS, state)
                    info[Info.PLACE] = entry_at
                    info[Info.OPERATOR] = operator
                    return Ended.WRONG_COST
                child_g = g + cost
            there = closed_list.find(closed, child)
            known = closed_list.mark_of(marks, there)
            if known != 0 and (order.ORDER == Order.BY_H or child_g >= (known >> 1) - 1):
                continue
            if heuristic.INCREMENTAL:
                child_h = h + whole(heuristic.change(H, state, control, operator, child))
            else:
                child_h = heuristic.estimate_of(H, child)
            if np.uint64(child_h) >= np.uint64(DEAD_END):  # or negative
                if child_h == DEAD_END and not heuristic.INCREMENTAL:
                    continue
                words.write(waiting, entry_at * problem.WORDS, child)
                info[Info.PLACE] = entry_at
                return Ended.WRONG_ESTIMATE
            child_f = child_g + child_h
            if child_f > most_f:
                if child_f <= most_cost:
                    return Ended.TOO_HEAVY
                info[Info.CUT] = 1
                continue
            if order.ORDER == Order.BY_WEIGHT and child_f >= info[Info.UPPER]:
                continue
            child_order = order.order_of(info, child_g, child_h)
            if order.ORDER == Order.BY_WEIGHT and child_order > MOST_ORDER:
                return Ended.TOO_HEAVY
            if known != 0:
                info[Info.REOPENED] += known & 1
            else:
                words.write(table, closed_list.word_at(there), child)
                info[Info.STORED] += 1
            marks[closed_list.mark_at(there)] = (child_g + 1) << 1
            child_node = lists.following[place]
            if not problem.STATIC and child_node < 0:
                child_node = problem.control(P, child)
            open_list.push(opened, info, child_order, child_h, child, child_node)
        info[Info.MOST_WAITING] = max(info[Info.MOST_WAITING], info[Info.WAITING])
    return result


@entry
def least_f(closed: Table, opened: OpenTables, info, looked_up):
    """The smallest g + h of an open state, info[UPPER] if that is smaller.

    Unless `looked_up`, of all entries, also of those left from before a state was reached at a
    smaller cost.
    """
    marks = closed.marks
    waiting, before, buckets = opened.waiting, opened.before, opened.buckets
    least = info[Info.UPPER]
    for b in range(1, info[Info.BUCKETS]):
        h = buckets[b, Bucket.H_VALUE]
        g = order.g_within(info, buckets[b, Bucket.F], h)
        place = buckets[b, Bucket.TOP]
        while place >= 0 and g + h < least:
            state = words.read(waiting, place * problem.WORDS)
            if (
                looked_up
                and closed_list.mark_of(marks, closed_list.find(closed, state)) != (g + 1) << 1
            ):
                place = open_list.below(before, place)
            else:
                least = g + h
    return least
