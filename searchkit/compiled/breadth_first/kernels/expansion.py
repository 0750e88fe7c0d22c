"""Breadth-first expansion of one layer of a set of states, in slices.

States are expanded in the order of their arrival, some hundred at a time: first all children
are made and the memory of their slots is asked for, then they are looked up in their order. Up to
symmetry, children are replaced by their canonical states.
"""

from enum import IntEnum
from typing import Any, NamedTuple

from searchkit.compiled.specialise.kernels import canonical, successors, words
from searchkit.compiled.specialise.kernels.children import NO_ROOM, Children
from searchkit.compiled.specialise.names import borrowed, entry, parameter, problem
from searchkit.compiled.specialise.operators import OperatorLists
from searchkit.compiled.states.kernels import state_set

GOALS = parameter()
"""Which goals end the search; with `MET`, a goal is what the last layer of another set holds."""
IMAGES = parameter()
"""How many images under symmetries a state has, itself among them."""
Info = IntEnum(
    "Info", "COUNT NEXT END EXPANDED GENERATED MOST GOALS_FOUND LOOK STATES LAST", start=0
)
Ended = IntEnum("Ended", "LAYER_DONE OUT_OF_BUDGET SET_FULL GOAL_FOUND DEEPER", start=0)
"""Or why successors cannot be listed: see `children`."""
Goals = IntEnum("Goals", "NONE ALL FIRST MET", start=0)


class Batch(NamedTuple):
    """Room for the children of some states, with their hashes, and where those of each end."""

    children: Children
    hashes: Any
    ends: Any


class Known(NamedTuple):
    """The set that grows, and that of the other end of the search, or the same once more."""

    own: state_set.StateSet
    other: state_set.StateSet


class Folding(NamedTuple):
    """How children become canonical states; `same` says how many images of each are one."""

    images: canonical.ImageTables
    same: Any


@entry
def expand(P, lists: OperatorLists, sets: Known, batch: Batch, folding: Folding, info, budget):
    """Expand the states `NEXT` to `END`, at most `budget` of them.

    `STATES` grows by how many states the new ones stand for.

    With `FIRST` it stops after the state that has the first goal among its children, with `MET`
    after the first that has a child which the other set has at the index `LAST` or later, and with
    `LOOK` at the first new state, which is not kept, and whose parent does not count as expanded.
    What cannot be listed are the successors of the state `NEXT`.
    """
    lists = borrowed(lists)
    known, other = borrowed(sets)
    room, hashes, ends = borrowed(batch)
    images, same = borrowed(folding)
    children = room.states
    count, expanding, end = info[Info.COUNT], info[Info.NEXT], info[Info.END]
    began = expanding
    generated, most, goals = info[Info.GENERATED], info[Info.MOST], info[Info.GOALS_FOUND]
    states = 0
    limit = expanding + budget
    result = Ended.LAYER_DONE
    while expanding < end and result == Ended.LAYER_DONE:
        taken = min(len(ends), end - expanding, limit - expanding)
        if taken <= 0:
            result = Ended.OUT_OF_BUDGET
            break
        listed = successors.list_successors(P, lists, known.states, expanding, taken, room, ends)
        # The states before the one that has no successors are still expanded, and counted.
        if listed < taken:
            if listed == 0 or ends[listed] != NO_ROOM:
                result = ends[listed]
            taken = listed
        made = 0
        if taken > 0:
            made = ends[taken - 1]
        # Asked once for the whole batch: within it, no child needs a check for room.
        if count + made > len(known.states):
            result = Ended.SET_FULL
            break
        if IMAGES > 1:
            for j in range(made):
                same[j] = canonical.fold(images, children, j)
        # Memory is asked for in two rounds, slots and then the states that they name: the second
        # round reads slots that the first one has fetched.
        for j in range(made):
            hashes[j] = words.mixed(words.load(children, j))
            state_set.prefetch_slot(known, hashes[j])
        for j in range(made):
            state_set.prefetch_state(known, hashes[j])
        j, counted = 0, 0
        # Only now are children looked up, one by one in their order, which numbers the states.
        for i in range(taken):
            while j < ends[i]:
                child, hashed = words.load(children, j), hashes[j]
                j += 1
                slot = state_set.index_of(known, child, hashed)
                if slot < 0:
                    if info[Info.LOOK]:
                        result = Ended.DEEPER
                        break
                    state_set.add(known, -1 - slot, child, hashed, count)
                    count += 1
                    if IMAGES > 1:
                        states += IMAGES // same[j - 1]
                    if GOALS == Goals.MET:
                        if state_set.index_of(other, child, hashed) >= info[Info.LAST]:
                            goals += 1
                    elif GOALS != Goals.NONE:
                        if problem.at_goal(P, child):
                            goals += 1
            if result == Ended.DEEPER:
                taken = i
                break
            most = max(most, count - expanding - i - 1)
            counted = j
            if GOALS >= Goals.FIRST:
                if goals > 0:
                    result = Ended.GOAL_FOUND
            if result == Ended.GOAL_FOUND:
                taken = i + 1
                break
        expanding += taken
        generated += counted
    info[Info.COUNT], info[Info.NEXT] = count, expanding
    info[Info.EXPANDED] += expanding - began
    info[Info.STATES] += states
    info[Info.GENERATED], info[Info.MOST], info[Info.GOALS_FOUND] = generated, most, goals
    return result


@entry
def goals_among(P, states, begin, end, found):
    """The indexes of the goals from `begin` to `end`, as many as there is room for; how many."""
    count = 0
    for i in range(begin, end):
        if count == len(found):
            break
        if problem.at_goal(P, words.load(states, i)):
            found[count] = i
            count += 1
    return count
