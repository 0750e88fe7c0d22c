"""All states that can be reached, for any costs, and then all their steps."""

from enum import IntEnum

from searchkit.compiled.breadth_first.kernels import state_set
from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import borrowed, entry, parameter, problem
from searchkit.compiled.specialise.operators import OperatorLists

WIDEST = parameter()
"""The most operators of a list."""
Info = IntEnum("Info", "COUNT NEXT STEPS", start=0)
Ended = IntEnum("Ended", "ALL_FOUND OUT_OF_BUDGET SET_FULL", start=0)


@entry
def discover(P, H, lists: OperatorLists, states, table, bits, capacity, info, budget):
    """Expand states in the order of their arrival, at most `budget` of them."""
    lists = borrowed(lists)
    count, at, steps = info[Info.COUNT], info[Info.NEXT], info[Info.STEPS]
    limit = at + budget
    result = Ended.ALL_FOUND
    while at < count:
        if at == limit:
            result = Ended.OUT_OF_BUDGET
            break
        if count + WIDEST > capacity:
            result = Ended.SET_FULL
            break
        state = words.load(states, at)
        control = problem.control(P, state)
        for place in range(lists.first[control], lists.first[control + 1]):
            operator = lists.operators[place]
            if not problem.ALWAYS_LEGAL:
                if not problem.legal(P, state, control, operator):
                    continue
            child = problem.apply(P, state, control, operator)
            hashed = words.mixed(child)
            slot = state_set.index_of(states, table, bits, child, hashed)
            if slot < 0:
                state_set.add(states, table, bits, -1 - slot, child, hashed, count)
                count += 1
            steps += 1
        at += 1
    info[Info.COUNT], info[Info.NEXT], info[Info.STEPS] = count, at, steps
    return result


@entry
def link(
    P, H, lists: OperatorLists, states, table, bits, count, begins, targets,
    costs, goals,
):  # fmt: skip
    """Note the goals and every step of a complete set; whether it is complete."""
    lists = borrowed(lists)
    made = 0
    for i in range(count):
        state = words.load(states, i)
        goals[i] = problem.at_goal(P, state)
        control = problem.control(P, state)
        for place in range(lists.first[control], lists.first[control + 1]):
            operator = lists.operators[place]
            if not problem.ALWAYS_LEGAL:
                if not problem.legal(P, state, control, operator):
                    continue
            child = problem.apply(P, state, control, operator)
            index = state_set.index_of(states, table, bits, child, words.mixed(child))
            if index < 0 or made == len(targets):
                return False
            targets[made] = index
            costs[made] = problem.cost(P, state, control, operator)
            made += 1
        begins[i + 1] = made
    return True
