"""The tests of a proof's list: of each state, and of all to which it leads, in batches."""

from enum import IntEnum
from typing import Any, NamedTuple

from searchkit.compiled.specialise.kernels import successors, words
from searchkit.compiled.specialise.kernels.children import Children
from searchkit.compiled.specialise.names import borrowed, entry, heuristic, problem
from searchkit.compiled.states.kernels import state_set
from searchkit.packed import DEAD_END

Info = IntEnum("Info", "BEGIN END BELOW LATE GOALS EDGES FALLS CHILD", start=0)
"""`BELOW` is negative for distances; steps are noted that make a way later by `LATE`, or by less;
`GOALS` says whether goals are listed."""
Fault = IntEnum("Fault", "NONE GOAL ABSENT LATE FREE DISTANCE ESTIMATE OTHER_GOAL", start=0)
NEVER = 1 << 60
"""The distance of a state from which no goal can be reached."""
ABSENT, ENDS = -1, -2


class Sets(NamedTuple):
    """The states of the list, and the goals that are listed."""

    own: state_set.StateSet
    goals: state_set.StateSet


class Order(NamedTuple):
    """The numbers of states; in which order states are tested, and which are in it.

    Rules are asked of no state that they have not led to, or that `parse` has not read.
    """

    numbers: Any
    queue: Any
    queued: Any


class Batch(NamedTuple):
    """Room for steps out of some states.

    With the hashes of children, where those of each state end, and where steps lead to that are
    noted: the index of a state, ENDS where it is a goal, else ABSENT; and how late they are.
    """

    children: Children
    hashes: Any
    ends: Any
    noted: Any
    late: Any


@entry
def check_batch(P, H, lists, sets: Sets, order: Order, batch: Batch, info):
    """Test states of the queue from `BEGIN` to `END`, as many as have room.

    Gives how many, and what is wrong. States that they lead to come behind the queue.

    Where the steps of the first cannot be listed, the number is negative, as in `successors`. What
    is wrong is so of the state behind those that are counted, and of the step to `CHILD`.
    """
    lists, info = borrowed(lists), borrowed(info)
    numbers, queue, queued = borrowed(order)
    known, goals = borrowed(sets)
    room, hashes, ends, noted, late = borrowed(batch)
    children, begin, below, bound = (
        room.states,
        info[Info.BEGIN],
        info[Info.BELOW],
        info[Info.BELOW] + info[Info.LATE] + 1,
    )
    listed, made = 0, 0
    while listed < len(ends) and begin + listed < info[Info.END]:
        state = words.load(known.states, queue[begin + listed])
        # Nothing is asked of goals, from which no way goes on.
        after = made
        if not problem.at_goal(P, state):
            after = successors.append(P, lists, state, room, made)
        if after < 0:
            if listed == 0:
                return after, Fault.NONE
            break
        made = after
        ends[listed] = made
        listed += 1
    for j in range(made):
        hashes[j] = words.mixed(words.load(children, j))
        state_set.prefetch_slot(known, hashes[j])
    for j in range(made):
        state_set.prefetch_state(known, hashes[j])
    j = 0
    for i in range(listed):
        state, g = words.load(known.states, queue[begin + i]), numbers[queue[begin + i]]
        h, least = heuristic.estimate_of(H, state), NEVER
        info[Info.CHILD] = -1
        if problem.at_goal(P, state):
            least = 0
            if below >= 0 or h != 0:
                return i, Fault.GOAL
        while j < ends[i]:
            child, cost = words.load(children, j), 1
            if not problem.UNIT_COSTS:
                cost = room.costs[j]
            index = state_set.index_of(known, child, hashes[j])
            is_goal, h_after = problem.at_goal(P, child), heuristic.estimate_of(H, child)
            info[Info.CHILD] = j
            if h_after < 0 or h_after > DEAD_END or (is_goal and h_after != 0):
                return i, Fault.ESTIMATE
            if is_goal and info[Info.GOALS]:
                if state_set.index_of(goals, child, hashes[j]) < 0:
                    return i, Fault.OTHER_GOAL
            held = NEVER
            if index >= 0:
                held = numbers[index]
                if queued[index] == 0:
                    queued[index] = 1
                    queue[info[Info.END]] = index
                    info[Info.END] += 1
            if below < 0:
                if index < 0:
                    return i, Fault.ABSENT
                if cost <= 0:
                    return i, Fault.FREE
                least = min(least, cost + held)
            else:
                info[Info.FALLS] += h > cost + h_after
                noted[j] = ABSENT
                if is_goal:
                    if g + cost < below:
                        return i, Fault.GOAL
                    late[j] = g + cost - below
                    if late[j] <= info[Info.LATE]:
                        noted[j] = ENDS
                else:
                    late[j] = g + cost - held
                    if index >= 0 and 0 <= late[j] <= info[Info.LATE]:
                        noted[j] = index
                    if g + cost + h_after < bound:
                        if index < 0:
                            return i, Fault.ABSENT
                        if held > g + cost:
                            return i, Fault.LATE
            j += 1
            info[Info.EDGES] += 1
        if below < 0 and g != min(least, NEVER):
            return i, Fault.DISTANCE
    return listed, Fault.NONE
