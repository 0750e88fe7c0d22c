"""Best-first search in the order of f, then h, then the state generated last.

A state's mark in the table is (g + 1) << 1, plus 1 once it is closed: expanded, or a goal. An
entry of the open list whose g is not that of its state's mark, or whose state is closed, is
left from before the state was reached at a smaller cost.
"""

import numpy as np

from searchkit.compiled.best_first.kernels import (
    closed_list,
    open_list,
    order,
    prefetching,
    reaching,
)
from searchkit.compiled.best_first.kernels.closed_list import Table
from searchkit.compiled.best_first.kernels.open_list import Bucket, Info, OpenTables
from searchkit.compiled.best_first.kernels.order import Order
from searchkit.compiled.best_first.kernels.prefetching import Room
from searchkit.compiled.best_first.kernels.reaching import Ended, Lists
from searchkit.compiled.specialise.kernels import estimates, successors, words
from searchkit.compiled.specialise.kernels.children import WRONG_COST
from searchkit.compiled.specialise.names import borrowed, entry, natural, parameter, problem

MOST_LISTED = parameter()
"""The most successors of a state."""
AHEAD = parameter()
"""Whether the search looks ahead."""
MOST_G = parameter()
"""The largest g of a state that is expanded."""


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
    P, H, lists, closed: Table, opened: OpenTables, room: Room, info, budget
):  # fmt: skip
    """Go on until a goal comes first, f is above `info[LAST_F]`, or `budget` states are expanded.

    Operators that a list leaves out because they lead straight back generate children in vain,
    which count. Where steps are no operators, `lists` are those of `successors.append`.
    """
    P, H, lists, room = borrowed(P), borrowed(H), borrowed(lists), borrowed(room)
    closed, opened, info = borrowed(closed), borrowed(opened), borrowed(info)
    search = Lists(closed, opened, info, room.memo)
    _, marks, lines = closed
    listed = room.children
    waiting, nodes, before, buckets, slots, heap, stack = opened
    last_f = info[Info.LAST_F]
    limit = info[Info.EXPANDED] + budget
    chunks = len(before)
    bucket_count = len(buckets)
    result = Ended.DONE
    ahead_f, ahead_h, ahead = -1, -1, 0
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
        if AHEAD:
            if f > ahead_f or (f == ahead_f and (h > ahead_h or (h == ahead_h and ahead == 0))):
                ahead_f, ahead_h = f, h
                ahead = prefetching.look_ahead(P, H, lists, closed, opened, info, room)
            if f == ahead_f and h == ahead_h:
                ahead -= 1
        state = words.read(waiting, entry_at * problem.WORDS)
        own = closed_list.mark_at(closed_list.find(closed, state))
        if order.ORDER == Order.BY_H:  # entries do not have their g: the mark has the only one
            g = (np.int64(marks[own]) >> 1) - 1
        # Entries are not searched for when a better path is found, but left out here.
        if marks[own] != (g + 1) << 1 or (
            order.ORDER == Order.BY_WEIGHT
            and estimates.sum_of(g, h) >= estimates.of_whole(info[Info.UPPER])
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
        if g >= MOST_G:
            result = Ended.TOO_FAR
            break
        node = natural(np.int64(nodes[entry_at]))
        begin, end = successors.steps_of(P, lists, state, node, listed)
        children = end - begin
        if end < 0 or children > MOST_LISTED:
            info[Info.PLACE] = entry_at
            result = end if end < 0 else Ended.TOO_WIDE
            break
        most_lines = children // closed_list.SLOTS + 1
        if info[Info.STORED] + children > info[Info.MOST_STORED] or closed_list.has_run_over(
            marks, lines, most_lines
        ):
            result = Ended.TABLE_FULL
            break
        if chunks - info[Info.CHUNKS] + info[Info.FREED] < children:
            result = Ended.OPEN_FULL
            break
        if bucket_count - info[Info.BUCKETS] < children:
            result = Ended.BUCKETS_FULL
            break
        control = successors.control_of(lists, node)
        if problem.ASKED > 0 and info[Info.EXPANDED] < problem.ASKED:
            problem.compare_control(P, state, control)
        open_list.drop_last(before, buckets, current, info)
        marks[own] |= 1
        info[Info.EXPANDED] += 1
        info[Info.GENERATED] += successors.left_out(lists, node)
        info[Info.PLACE] = entry_at
        estimates.begin(H, room.memo, 0, state)
        for index in range(begin, end):
            place = natural(index)
            if not successors.is_legal(P, lists, state, control, place):
                continue
            step = successors.step_at(P, lists, state, control, listed, place)
            info[Info.GENERATED] += 1
            child_g = g + 1
            if not problem.UNIT_COSTS:
                cost = successors.cost_at(P, listed, step, place)
                if cost < problem.LEAST_COST or cost > problem.MOST_COST:
                    words.write(waiting, entry_at * problem.WORDS, state)
                    return WRONG_COST
                child_g = g + cost
            after = successors.node_after(lists, place)
            result = reaching.reach(P, H, search, step, h, child_g, after)
            if result != Ended.DONE:
                return result
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
    least = estimates.of_whole(info[Info.UPPER])
    for b in range(1, info[Info.BUCKETS]):
        h = buckets[b, Bucket.H_VALUE]
        g = order.g_within(info, buckets[b, Bucket.F], h)
        place = buckets[b, Bucket.TOP]
        f = estimates.sum_of(g, h)
        while place >= 0 and f < least:
            state = words.read(waiting, place * problem.WORDS)
            if (
                looked_up
                and closed_list.mark_of(marks, closed_list.find(closed, state)) != (g + 1) << 1
            ):
                place = open_list.below(before, place)
            else:
                least = f
    return least
