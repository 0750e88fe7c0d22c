"""Looks ahead in the open list, so that memory is asked for well before it is needed.

The order of best-first search is that of a stack, where the children of a state come right
after it and each look-up would wait for memory. So the search is first played through for the
next ROOTS entries of a bucket and those below them that do not come after the bucket, without
changing anything: in turns, so that their look-ups overlap. The search proper then finds the
lines in the cache.
"""

from typing import Any, NamedTuple

from searchkit.compiled.best_first.kernels.closed_list import (
    Table,
    find,
    home_line,
    mark_of,
    prefetch_line,
)
from searchkit.compiled.best_first.kernels.open_list import CHUNK, Bucket, Info, OpenTables
from searchkit.compiled.best_first.kernels.order import g_within, order_of
from searchkit.compiled.specialise.kernels.control import problem_control
from searchkit.compiled.specialise.kernels.heuristic import estimate_of
from searchkit.compiled.specialise.kernels.words import load, read_words, store
from searchkit.compiled.specialise.names import (
    ALWAYS_LEGAL,
    INCREMENTAL,
    STATIC,
    UNIT_COSTS,
    WORDS,
    heuristic_change,
    inlined,
    parameter,
    problem_apply,
    problem_cost,
    problem_legal,
)
from searchkit.compiled.specialise.operators import OperatorLists

ROOTS = parameter()
"""The entries of a bucket that are looked at."""
QUEUE = parameter()
"""The entries that there is room for."""


class Queue(NamedTuple):
    """Room to look ahead: states, their nodes, h and g."""

    states: Any
    nodes: Any
    h: Any
    g: Any


@inlined
def look_ahead(
    P, H, lists: OperatorLists, closed: Table, opened: OpenTables, info, queue: Queue
):  # fmt: skip
    """Play the search through from the top of the current bucket down; how many entries it met."""
    table, marks, lines = closed
    waiting, nodes, before, buckets = opened[:4]
    queue_nodes, queue_h, queue_g = queue.nodes, queue.h, queue.g
    current = info[Info.CURRENT]
    f, h = buckets[current, Bucket.F], buckets[current, Bucket.H_VALUE]
    top = buckets[current, Bucket.TOP]
    roots = 0
    place = top
    while roots < ROOTS and place >= 0:
        state = read_words(waiting, place * WORDS)
        store(queue.states, roots, state)
        queue_nodes[roots] = nodes[place]
        queue_h[roots] = h
        queue_g[roots] = g_within(info, f, h)
        prefetch_line(table, home_line(state, lines))
        roots += 1
        if place & (CHUNK - 1) != 0:
            place -= 1
        else:
            place = before[place // CHUNK]
    size = roots
    i = 0
    while i < size:
        state = load(queue.states, i)
        own_h = queue_h[i]
        g = queue_g[i]
        known = mark_of(marks, find(table, marks, home_line(state, lines), state))
        node = queue_nodes[i]
        if i < roots:
            is_live = known == (g + 1) << 1
        else:
            is_live = known == 0 or g < (known >> 1) - 1
        i += 1
        if not is_live:
            continue
        control = lists.controls[node]
        for at in range(lists.first[node], lists.first[node + 1]):
            operator = lists.operators[at]
            if not ALWAYS_LEGAL:
                if not problem_legal(P, state, control, operator):
                    continue
            child = problem_apply(P, state, control, operator)
            prefetch_line(table, home_line(child, lines))
            child_g = g + 1
            if not UNIT_COSTS:
                child_g = g + problem_cost(P, state, control, operator)
            if INCREMENTAL:
                child_h = own_h + heuristic_change(H, state, control, operator, child)
            else:
                child_h = estimate_of(H, child)
            if order_of(info, child_g, child_h) <= f and size < QUEUE:
                child_node = lists.following[at]
                if not STATIC:
                    if child_node < 0:
                        child_node = problem_control(P, child)
                store(queue.states, size, child)
                queue_nodes[size] = child_node
                queue_h[size] = child_h
                queue_g[size] = child_g
                size += 1
    return roots
