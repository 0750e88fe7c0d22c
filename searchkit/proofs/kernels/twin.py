"""The tests of a proof's list: of each state, and of all to which it leads, in batches."""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.specialise.kernels import successors, words
from searchkit.compiled.specialise.kernels.children import Children
from searchkit.compiled.specialise.names import (
    borrowed,
    entry,
    heuristic,
    inlined,
    prefetch,
    problem,
)
from searchkit.compiled.states.kernels import state_set
from searchkit.packed import DEAD_END

Info = IntEnum("Info", "BEGIN END BELOW LATE GOALS EDGES FALLS CHILD", start=0)
"""`BELOW` is negative for distances; steps are noted that make a way later by `LATE`, or by less;
`GOALS` says whether goals are listed."""
Fault = IntEnum("Fault", "NONE GOAL ABSENT LATE FREE DISTANCE ESTIMATE OTHER_GOAL", start=0)
NEVER = 1 << 60
"""The distance of a state from which no goal can be reached."""
WAITS, UNKNOWN, ENDS = -1, -2, -1


class Sets(NamedTuple):
    """The states of the list, and the goals that are listed."""

    own: state_set.StateSet
    goals: state_set.StateSet


class Order(NamedTuple):
    """Numbers and estimates of states, side by side, and in which order the states are tested.

    Rules are asked of no state that they have not led to, or that `parse` has not read: what is not
    in the queue has the estimate WAITS, and a start there the estimate UNKNOWN.
    """

    held: Any
    queue: Any


class Batch(NamedTuple):
    """Room for steps out of some states.

    With the hashes of children and where they are in the list; where the steps of each state end;
    and how late steps are, where they are noted, else -1.
    """

    children: Children
    sources: Any
    hashes: Any
    found: Any
    ends: Any
    late: Any


@inlined
def list_steps(P, lists, known, order: Order, batch: Batch, begin, end):
    """Put the steps of states of the queue into a batch, and look up to where they lead.

    Gives how many states have room, or why the first has none.
    """
    queue, (room, sources, hashes, found, ends, _) = order.queue, batch
    children, listed, made = room.states, 0, 0
    count = min(len(ends), end)
    for i in range(count):
        sources[i] = queue[end - 1 - i]
        prefetch(known.states, sources[i] * problem.WORDS)
        prefetch(order.held, 2 * sources[i])
    while listed < count:
        state = words.load(known.states, sources[listed])
        # Nothing is asked of goals, from which no way goes on.
        after = made
        if not problem.at_goal(P, state):
            after = successors.append(P, lists, state, room, made)
        if after < 0:
            if listed == 0:
                return after
            break
        for j in range(made, after):
            hashes[j] = words.mixed(words.load(children, j))
            state_set.prefetch_slot(known, hashes[j])
        made = after
        ends[listed] = made
        listed += 1
    for j in range(made):
        state_set.prefetch_state(known, hashes[j])
    for j in range(made):
        found[j] = state_set.index_of(known, words.load(children, j), hashes[j])
        if found[j] >= 0:
            prefetch(order.held, 2 * found[j])
    return listed


@entry
def check_batches(P, H, lists, sets: Sets, order: Order, batch: Batch, info, batches):
    """Test states of the queue from `BEGIN` to `END`, a batch at a time: the first fault, if any.

    Where the steps of the state at BEGIN cannot be listed, a negative number, as of `successors`.
    What is wrong is so of that state, and of the step to `CHILD`.
    """
    lists, info, order, batch = borrowed(lists), borrowed(info), borrowed(order), borrowed(batch)
    known, goals = borrowed(sets)
    for _ in range(batches):
        begin, end = info[Info.BEGIN], info[Info.END]
        listed = list_steps(P, lists, known, order, batch, begin, end)
        if listed <= 0:
            return listed
        fault = test_batch(P, H, Sets(known, goals), order, batch, info, listed)
        if fault != Fault.NONE:
            return fault
    return Fault.NONE


@inlined
def test_batch(P, H, sets, order, batch, info, listed):
    """Test the states of a batch: the first fault. Those that they lead to come behind the queue."""
    known, goals = sets
    (held, queue), (room, sources, hashes, found, ends, late) = order, batch
    children, begin, below, bound = (
        room.states,
        info[Info.BEGIN],
        info[Info.BELOW],
        info[Info.BELOW] + info[Info.LATE] + 1,
    )
    end, edges, falls = info[Info.END] - listed, info[Info.EDGES], info[Info.FALLS]
    j = 0
    for i in range(listed):
        own = 2 * sources[i]
        state, g, h, least = words.load(known.states, sources[i]), held[own], held[own + 1], NEVER
        info[Info.BEGIN], info[Info.CHILD] = begin + i, -1
        if h < 0:
            h = heuristic.estimate_of(H, state)
            held[own + 1] = h
        if problem.at_goal(P, state):
            least = 0
            if below >= 0 or h != 0:
                return Fault.GOAL
        while j < ends[i]:
            child, cost, index, h_after, there = (
                words.load(children, j),
                1,
                found[j],
                np.int64(WAITS),
                NEVER,
            )
            if not problem.UNIT_COSTS:
                cost = room.costs[j]
            if index >= 0:
                there, h_after = held[2 * index], held[2 * index + 1]
                if h_after == WAITS:
                    queue[end] = index
                    end += 1
            is_goal = problem.at_goal(P, child)
            if h_after < 0:
                h_after = heuristic.estimate_of(H, child)
                if h_after < 0 or h_after > DEAD_END or (is_goal and h_after != 0):
                    info[Info.CHILD] = j
                    return Fault.ESTIMATE
                if index >= 0:
                    held[2 * index + 1] = h_after
            fault = Fault.NONE
            if is_goal and info[Info.GOALS]:
                if state_set.index_of(goals, child, hashes[j]) < 0:
                    fault = Fault.OTHER_GOAL
            if below < 0:
                if index < 0:
                    fault = Fault.ABSENT
                elif cost <= 0:
                    fault = Fault.FREE
                least = min(least, cost + there)
            else:
                falls += h > cost + h_after
                c = g + cost
                late[j] = -1
                if is_goal:
                    if c < below:
                        fault = Fault.GOAL
                    elif c - below <= info[Info.LATE]:
                        late[j] = c - below
                        found[j] = ENDS
                else:
                    if index >= 0 and 0 <= c - there <= info[Info.LATE]:
                        late[j] = c - there
                    if c + h_after < bound and there > c:
                        fault = Fault.LATE if index >= 0 else Fault.ABSENT
            if fault != Fault.NONE:
                info[Info.CHILD] = j
                return fault
            j += 1
        if below < 0 and g != min(least, NEVER):
            return Fault.DISTANCE
    info[Info.END], info[Info.EDGES], info[Info.FALLS] = end, edges + j, falls
    info[Info.BEGIN] = begin + listed
    return Fault.NONE
