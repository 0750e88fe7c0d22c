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

Info = IntEnum("Info", "TESTED END BELOW LATE GOALS EDGES FALLS STATE CHILD", start=0)
"""How many states are tested, and how many wait; `BELOW` is negative for distances; steps are noted
that make a way later by `LATE`, or by less; `GOALS` says whether goals are listed. The last are a
state with which something is wrong, and the place of its child."""
Fault = IntEnum("Fault", "NONE GOAL ABSENT LATE FREE DISTANCE ESTIMATE OTHER_GOAL", start=0)
NEVER = 1 << 60
"""The distance of a state from which no goal can be reached."""
WAITS, UNKNOWN, ENDS = -1, -2, -1


class Sets(NamedTuple):
    """The states of the list, and the goals that are listed."""

    own: state_set.StateSet
    goals: state_set.StateSet


class Order(NamedTuple):
    """Numbers and estimates of states, side by side; and states to be tested, on a stack.

    Beside each is the one that led to it. Rules are asked of no state that none has led to and
    `parse` has not read: until then its estimate is WAITS, and that of a start UNKNOWN.
    """

    held: Any
    queue: Any


class Batch(NamedTuple):
    """Room for states and their steps.

    Where the steps of each state end; hashes of children that are looked up, and which these are;
    where children are in the list, ENDS where goals are noted; how late noted steps are, else -1.
    """

    children: Children
    ends: Any
    sources: Any
    hashes: Any
    asked: Any
    found: Any
    late: Any


@inlined
def list_steps(P, lists, known, order: Order, batch: Batch, end):
    """Put the steps of the topmost states into a batch, and look up where they lead.

    Gives how many states have room, or why the first has none. Steps back need not be looked up.
    """
    queue, (room, ends, sources, hashes, asked, found, _) = order.queue, batch
    children, listed, made, count = room.states, 0, 0, 0
    most = min(len(ends), end)
    for i in range(most):
        sources[i] = queue[2 * (end - i) - 2]
        prefetch(known.states, sources[i] * problem.WORDS)
        prefetch(order.held, 2 * sources[i])
    while listed < most:
        state = words.load(known.states, sources[listed])
        before = queue[2 * (end - listed) - 1]
        back = words.load(known.states, before)
        # Nothing is asked of goals, from which no way goes on.
        after = made
        if not problem.at_goal(P, state):
            after = successors.append(P, lists, state, room, made)
        if after < 0:
            if listed == 0:
                return after
            break
        for j in range(made, after):
            child = words.load(children, j)
            hashes[count] = words.mixed(child)
            asked[count] = j
            state_set.prefetch_slot(known, hashes[count])
            found[j] = before
            count += child != back
        made = after
        ends[listed] = made
        listed += 1
    for k in range(count):
        state_set.prefetch_state(known, hashes[k])
    for k in range(count):
        j = asked[k]
        found[j] = state_set.index_of(known, words.load(children, j), hashes[k])
        if found[j] >= 0:
            prefetch(order.held, 2 * found[j])
    return listed


@entry
def check_batches(P, H, lists, sets: Sets, order: Order, batch: Batch, info, batches):
    """Test states that wait, some batches of them: the first fault, if any.

    Where the steps of a state cannot be listed, a negative number, as of `successors`.
    """
    lists, info, order, batch = borrowed(lists), borrowed(info), borrowed(order), borrowed(batch)
    known, goals = borrowed(sets)
    for _ in range(batches):
        listed = list_steps(P, lists, known, order, batch, info[Info.END])
        if listed <= 0:
            info[Info.STATE] = batch.sources[0]
            return listed
        fault = test_batch(P, H, Sets(known, goals), order, batch, info, listed)
        if fault != Fault.NONE:
            return fault
    return Fault.NONE


@inlined
def test_batch(P, H, sets, order, batch, info, listed):
    """Test the states of a batch: the first fault. States to which they lead first will wait."""
    known, goals = sets
    (held, queue), (room, ends, sources, _, _, found, late) = order, batch
    below, bound = info[Info.BELOW], info[Info.BELOW] + info[Info.LATE] + 1
    end, edges, falls = info[Info.END] - listed, info[Info.EDGES], info[Info.FALLS]
    j = 0
    for i in range(listed):
        own, state, least = sources[i], words.load(known.states, sources[i]), np.int64(NEVER)
        g, h = held[2 * own], held[2 * own + 1]
        info[Info.STATE], info[Info.CHILD] = own, -1
        if h < 0:
            h = heuristic.estimate_of(H, state)
            held[2 * own + 1] = h
        if problem.at_goal(P, state):
            least = np.int64(0)
            if below >= 0 or h != 0:
                return Fault.GOAL
        while j < ends[i]:
            child, cost, index = words.load(room.states, j), 1, found[j]
            there, h_after = np.int64(NEVER), np.int64(WAITS)
            if not problem.UNIT_COSTS:
                cost = room.costs[j]
            if index >= 0:
                there, h_after = held[2 * index], held[2 * index + 1]
                if h_after == WAITS:
                    queue[2 * end], queue[2 * end + 1] = index, own
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
                if state_set.index_of(goals, child, words.mixed(child)) < 0:
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
    info[Info.TESTED] += listed
    return Fault.NONE
