"""Looks ahead in the open list, so that memory is asked for well before it is needed.

The order of best-first search is that of a stack, where the children of a state come right
after it and each look-up would wait for memory. So the search is first played through for the
next ROOTS entries of a bucket and those below them that do not come after the bucket, without
changing anything: in turns, so that their look-ups overlap. The search proper then finds the
lines in the cache.
"""

from typing import Any, NamedTuple

from searchkit.compiled.best_first.kernels import closed_list, open_list, order
from searchkit.compiled.best_first.kernels.closed_list import Table
from searchkit.compiled.best_first.kernels.open_list import Bucket, Info, OpenTables
from searchkit.compiled.specialise.kernels import estimates, successors, words
from searchkit.compiled.specialise.kernels.children import Children
from searchkit.compiled.specialise.names import inlined, natural, parameter, problem
from searchkit.packed import PackedStep

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


class Room(NamedTuple):
    """Room to look ahead, and for the successors of a state where they are listed.

    `memo` is for the words of a state and of its child, if a heuristic carries any.
    """

    queue: Queue
    children: Children
    memo: Any


class Reached(NamedTuple):
    """The f of the bucket, the h of a state, and the g and the node of its child (-1: unknown)."""

    f: Any
    h: Any
    g: Any
    node: Any


@inlined
def follow(P, H, closed: Table, info, room: Room, size, step: PackedStep, reached: Reached):
    """Ask for the line of a child, and put it behind `size` others if its turn comes with them."""
    child, queue = step.child, room.queue
    closed_list.prefetch_line(closed, child)
    child_h = estimates.of_child(H, room.memo, 0, 1, reached.h, step)
    # Those with a larger f come after this bucket, too late for the cache to hold them.
    if order.order_of(info, reached.g, child_h) <= reached.f and size < QUEUE:
        node = reached.node
        if not problem.STATIC and node < 0:
            node = problem.control(P, child)
        last = natural(size)
        words.store(queue.states, last, child)
        queue.nodes[last] = node
        queue.h[last] = child_h
        queue.g[last] = reached.g
        size += 1
    return size


@inlined
def look_ahead(P, H, lists, closed: Table, opened: OpenTables, info, room: Room):
    """Play the search through from the top of the current bucket down; how many entries it met."""
    marks = closed.marks
    waiting, nodes, before, buckets = (
        opened.waiting, opened.nodes, opened.before, opened.buckets,
    )  # fmt: skip
    queue = room.queue
    queue_nodes, queue_h, queue_g = queue.nodes, queue.h, queue.g
    current = info[Info.CURRENT]
    f, h = buckets[current, Bucket.F], buckets[current, Bucket.H_VALUE]
    top = buckets[current, Bucket.TOP]
    # The bucket is only read: its entries stay where they are.
    roots = 0
    place = top
    while roots < ROOTS and place >= 0:
        state = words.read(waiting, place * problem.WORDS)
        words.store(queue.states, roots, state)
        queue_nodes[roots] = nodes[place]
        queue_h[roots] = h
        queue_g[roots] = order.g_within(info, f, h)
        closed_list.prefetch_line(closed, state)
        roots += 1
        place = open_list.below(before, place)
    size = roots
    at_turn = 0
    while at_turn < size:
        i = natural(at_turn)
        at_turn += 1
        state = words.load(queue.states, i)
        own_h = queue_h[i]
        g = queue_g[i]
        # By its turn, the line that was asked for when the state was queued has arrived.
        known = closed_list.mark_of(marks, closed_list.find(closed, state))
        node = natural(queue_nodes[i])
        # An entry is out of date if its state was reached more cheaply since. What was queued here
        # is not in the table at all, or would improve on what is.
        if i < roots:
            is_live = known == (g + 1) << 1
        else:
            is_live = known == 0 or g < (known >> 1) - 1
        if not is_live:
            continue
        if problem.FENCED and problem.at_goal(P, state):
            continue
        # Where they cannot be listed, that is met when it is the state's turn.
        begin, end = successors.steps_of(P, lists, state, node, room.children)
        control = successors.control_of(lists, node)
        estimates.begin(H, room.memo, 0, state)
        for index in range(begin, end):
            at = natural(index)
            if not successors.is_legal(P, lists, state, control, at):
                continue
            step = successors.step_at(P, lists, state, control, room.children, at)
            child_g = g + 1
            if not problem.UNIT_COSTS:
                child_g = g + successors.cost_at(P, room.children, step, at)
            reached = Reached(f, own_h, child_g, successors.node_after(lists, at))
            size = follow(P, H, closed, info, room, size, step, reached)
    return roots
