"""Best-first search in the order of f, then h, then the state generated last.

A state's mark in the table is (g + 1) << 1, plus 1 once it is closed: expanded, or a goal. An
entry of the open list whose g is not that of its state's mark, or whose state is closed, is
left from before the state was reached at a smaller cost.
"""

from enum import IntEnum

import numpy as np

from searchkit.compiled.best_first.kernels.closed_list import (
    Table,
    find,
    has_run_over,
    home_line,
    mark_at,
    mark_of,
    word_at,
)
from searchkit.compiled.best_first.kernels.open_list import (
    CHUNK,
    Bucket,
    Info,
    OpenTables,
    best_bucket,
    bucket_slot,
    drop_last,
    heap_push,
    push,
)
from searchkit.compiled.best_first.kernels.order import ORDER, Order, g_within, order_of
from searchkit.compiled.best_first.kernels.prefetching import Queue, look_ahead
from searchkit.compiled.specialise.kernels.control import compare_control, problem_control
from searchkit.compiled.specialise.kernels.heuristic import estimate_of
from searchkit.compiled.specialise.kernels.words import load, read_words, write_words
from searchkit.compiled.specialise.names import (
    ALWAYS_LEGAL,
    ASKED,
    INCREMENTAL,
    LEAST_COST,
    MOST_COST,
    STATIC,
    UNIT_COSTS,
    WORDS,
    borrowed,
    entry,
    heuristic_change,
    parameter,
    problem_apply,
    problem_at_goal,
    problem_cost,
    problem_legal,
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
    table, marks, lines = closed
    start = load(state, 0)
    place = find(table, marks, home_line(start, lines), start)
    write_words(table, word_at(place), start)
    marks[mark_at(place)] = 2
    info[Info.STORED] += 1
    info[Info.GENERATED] += 1
    if is_open:
        push(opened, info, order_of(info, 0, estimate), estimate, start, node)


@entry
def best_first(
    P, H, lists: OperatorLists, closed: Table, opened: OpenTables, queue: Queue, info, budget
):  # fmt: skip
    """Go on until a goal comes first, f is above `info[LAST_F]`, or `budget` states are expanded.

    Operators that a list leaves out because they lead straight back generate children in vain,
    which count.
    """
    P = borrowed(P)
    H = borrowed(H)
    lists, closed, opened = borrowed(lists), borrowed(closed), borrowed(opened)
    queue, info = borrowed(queue), borrowed(info)
    first = lists.first
    table, marks, lines = closed
    waiting, nodes, before, buckets, slots, heap, stack = opened
    most_cost, last_f = info[Info.COST_LIMIT], info[Info.LAST_F]
    most_f = min(most_cost, MOST_ORDER)
    limit = info[Info.EXPANDED] + budget
    chunks = len(before)
    bucket_count = len(buckets)
    result = Ended.DONE
    ahead_f = -1
    ahead_h = -1
    ahead = 0
    looks_ahead = lines > AHEAD_LINES
    while True:
        current = info[Info.CURRENT]
        if buckets[current, Bucket.TOP] < 0:
            current = best_bucket(buckets, slots, heap, stack, info)
            if current == 0:
                break
        f = buckets[current, Bucket.F]
        if f > last_f:
            break
        h = buckets[current, Bucket.H_VALUE]
        g = g_within(info, f, h)
        entry_at = buckets[current, Bucket.TOP]
        if looks_ahead:
            if f > ahead_f or (f == ahead_f and (h > ahead_h or (h == ahead_h and ahead == 0))):
                ahead_f = f
                ahead_h = h
                ahead = look_ahead(P, H, lists, closed, opened, info, queue)
            if f == ahead_f and h == ahead_h:
                ahead -= 1
        state = read_words(waiting, entry_at * WORDS)
        own = mark_at(find(table, marks, home_line(state, lines), state))
        if ORDER == Order.BY_H:
            g = (np.int64(marks[own]) >> 1) - 1
        if marks[own] != (g + 1) << 1 or (ORDER == Order.BY_WEIGHT and g + h >= info[Info.UPPER]):
            drop_last(before, buckets, current, info)
            continue
        info[Info.BOUND] = max(info[Info.BOUND], f)
        if problem_at_goal(P, state):
            marks[own] |= 1
            info[Info.PLACE] = entry_at
            drop_last(before, buckets, current, info)
            if ORDER == Order.BY_WEIGHT:
                info[Info.UPPER] = g
            result = Ended.FOUND
            break
        if info[Info.EXPANDED] >= limit:
            result = Ended.OUT_OF_BUDGET
            break
        if info[Info.STORED] + WIDEST > info[Info.MOST_STORED] or has_run_over(
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
        if ASKED > 0:
            if info[Info.EXPANDED] < ASKED:
                compare_control(P, state, control)
        drop_last(before, buckets, current, info)
        marks[own] |= 1
        info[Info.EXPANDED] += 1
        begin, end = first[node], first[node + 1]
        info[Info.GENERATED] += first[control + 1] - first[control] - (end - begin)
        for place in range(begin, end):
            operator = lists.operators[place]
            if not ALWAYS_LEGAL:
                if not problem_legal(P, state, control, operator):
                    continue
            child = problem_apply(P, state, control, operator)
            info[Info.GENERATED] += 1
            child_g = g + 1
            if not UNIT_COSTS:
                cost = problem_cost(P, state, control, operator)
                if cost < LEAST_COST or cost > MOST_COST:
                    write_words(waiting, entry_at * WORDS, state)
                    info[Info.PLACE] = entry_at
                    info[Info.OPERATOR] = operator
                    return Ended.WRONG_COST
                child_g = g + cost
            there = find(table, marks, home_line(child, lines), child)
            known = mark_of(marks, there)
            if known != 0 and (ORDER == Order.BY_H or child_g >= (known >> 1) - 1):
                continue
            if INCREMENTAL:
                child_h = h + whole(heuristic_change(H, state, control, operator, child))
            else:
                child_h = estimate_of(H, child)
            if np.uint64(child_h) >= np.uint64(DEAD_END):
                if child_h == DEAD_END and not INCREMENTAL:
                    continue
                write_words(waiting, entry_at * WORDS, child)
                info[Info.PLACE] = entry_at
                return Ended.WRONG_ESTIMATE
            child_f = child_g + child_h
            if child_f > most_f:
                if child_f <= most_cost:
                    return Ended.TOO_HEAVY
                info[Info.CUT] = 1
                continue
            if ORDER == Order.BY_WEIGHT:
                if child_f >= info[Info.UPPER]:
                    continue
            child_order = order_of(info, child_g, child_h)
            if ORDER == Order.BY_WEIGHT:
                if child_order > MOST_ORDER:
                    return Ended.TOO_HEAVY
            if known != 0:
                info[Info.REOPENED] += known & 1
            else:
                write_words(table, word_at(there), child)
                info[Info.STORED] += 1
            marks[mark_at(there)] = (child_g + 1) << 1
            child_node = lists.following[place]
            if not STATIC:
                if child_node < 0:
                    child_node = problem_control(P, child)
            push(opened, info, child_order, child_h, child, child_node)
        info[Info.MOST_WAITING] = max(info[Info.MOST_WAITING], info[Info.WAITING])
    return result


@entry
def weigh_again(opened: OpenTables, info, g_weight, h_weight):
    """Put the entries in the order of other weights; all of a bucket have the same g and h.

    Whether the orders of all entries are small enough.
    """
    buckets, slots, heap = opened.buckets, opened.slots, opened.heap
    is_light = True
    slots[:] = 0
    info[Info.HEAPED] = 0
    info[Info.STACKED] = 0
    info[Info.CURRENT] = 0
    for b in range(1, info[Info.BUCKETS]):
        h = buckets[b, Bucket.H_VALUE]
        g = g_within(info, buckets[b, Bucket.F], h)
        buckets[b, Bucket.F] = g_weight * g + h_weight * h
        slots[bucket_slot(buckets, slots, buckets[b, Bucket.F], h)] = b
        buckets[b, Bucket.IN_LINE] = buckets[b, Bucket.TOP] >= 0
        if buckets[b, Bucket.TOP] >= 0:
            is_light = is_light and buckets[b, Bucket.F] <= MOST_ORDER
            heap_push(heap, info[Info.HEAPED], buckets[b, Bucket.F] << 32 | h)
            info[Info.HEAPED] += 1
    info[Info.G_WEIGHT] = g_weight
    info[Info.H_WEIGHT] = h_weight
    info[Info.BOUND] = 0
    return is_light


@entry
def least_f(closed: Table, opened: OpenTables, info, looked_up):
    """The smallest g + h of an open state, info[UPPER] if that is smaller.

    Unless `looked_up`, of all entries, also of those left from before a state was reached at a
    smaller cost.
    """
    table, marks, lines = closed
    waiting, before, buckets = opened.waiting, opened.before, opened.buckets
    least = info[Info.UPPER]
    for b in range(1, info[Info.BUCKETS]):
        h = buckets[b, Bucket.H_VALUE]
        g = g_within(info, buckets[b, Bucket.F], h)
        place = buckets[b, Bucket.TOP]
        while place >= 0 and g + h < least:
            state = read_words(waiting, place * WORDS)
            if (
                looked_up
                and mark_of(marks, find(table, marks, home_line(state, lines), state))
                != (g + 1) << 1
            ):
                if place & (CHUNK - 1) != 0:
                    place -= 1
                else:
                    place = before[place // CHUNK]
            else:
                least = g + h
    return least
