"""Breadth-first expansion of one layer of a set of states, in slices.

States are expanded in the order of their arrival, some hundred at a time: first all children
are made and the memory of their slots is asked for, then they are looked up in their order.
"""

from enum import IntEnum

from searchkit.compiled.breadth_first.kernels import state_set
from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import borrowed, entry, parameter, prefetch, problem
from searchkit.compiled.specialise.operators import OperatorLists

GOALS = parameter()
"""Which goals end the search."""
WIDEST = parameter()
"""The most operators of a list."""
Info = IntEnum("Info", "COUNT NEXT END EXPANDED GENERATED MOST GOALS_FOUND", start=0)
Ended = IntEnum("Ended", "LAYER_DONE OUT_OF_BUDGET SET_FULL GOAL_FOUND WRONG_COST", start=0)
Goals = IntEnum("Goals", "NONE FIRST ALL", start=0)


@entry
def expand(
    P,
    H,
    lists: OperatorLists,
    states,
    table,
    bits,
    children,
    hashes,
    ends,
    capacity,
    info,
    budget,
):
    """Expand the states `NEXT` to `END`, at most `budget` of them.

    With `FIRST_GOAL` it stops after the state that has the first goal among its children. On
    `WRONG_COST` a step out of the state `NEXT` does not cost 1.
    """
    lists = borrowed(lists)
    count, expanding, end = info[Info.COUNT], info[Info.NEXT], info[Info.END]
    began = expanding
    generated, most, goals = info[Info.GENERATED], info[Info.MOST], info[Info.GOALS_FOUND]
    limit = expanding + budget
    batch = len(ends)
    slots = len(table)
    result = Ended.LAYER_DONE
    while expanding < end:
        taken = min(batch, end - expanding, limit - expanding)
        if taken <= 0:
            result = Ended.OUT_OF_BUDGET
            break
        if count + taken * WIDEST > capacity:
            result = Ended.SET_FULL
            break
        made = 0
        wrong = -1
        for i in range(taken):
            state = words.load(states, expanding + i)
            control = problem.control(P, state)
            for place in range(lists.first[control], lists.first[control + 1]):
                operator = lists.operators[place]
                if not problem.ALWAYS_LEGAL:
                    if not problem.legal(P, state, control, operator):
                        continue
                if not problem.UNIT_COSTS:
                    if problem.cost(P, state, control, operator) != 1:
                        wrong = i
                        break
                child = problem.apply(P, state, control, operator)
                hashed = words.mixed(child)
                words.store(children, made, child)
                hashes[made] = hashed
                prefetch(table, state_set.slot_of(hashed, slots))
                made += 1
            if wrong >= 0:
                break
            ends[i] = made
        if wrong >= 0:
            taken = wrong
            made = 0
            if wrong > 0:
                made = ends[wrong - 1]
        for j in range(made):
            hashed = hashes[j]
            entry_there = table[state_set.slot_of(hashed, slots)]
            if (
                entry_there != 0
                and (entry_there ^ ((hashed << bits) & state_set.ENTRY)) >> bits == 0
            ):
                state_set.prefetch_state(states, (entry_there & ((1 << bits) - 1)) - 1)
        j = 0
        for i in range(taken):
            while j < ends[i]:
                child = words.load(children, j)
                hashed = hashes[j]
                slot = state_set.index_of(states, table, bits, child, hashed)
                if slot < 0:
                    state_set.add(states, table, bits, -1 - slot, child, hashed, count)
                    count += 1
                    if GOALS != Goals.NONE:
                        if problem.at_goal(P, child):
                            goals += 1
                j += 1
            most = max(most, count - expanding - i - 1)
            if GOALS == Goals.FIRST:
                if goals > 0:
                    taken = i + 1
                    result = Ended.GOAL_FOUND
                    break
        expanding += taken
        generated += j
        if result == Ended.GOAL_FOUND:
            break
        if wrong >= 0:
            result = Ended.WRONG_COST
            break
    info[Info.COUNT], info[Info.NEXT] = count, expanding
    info[Info.EXPANDED] += expanding - began
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
