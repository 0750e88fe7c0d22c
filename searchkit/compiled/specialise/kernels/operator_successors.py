"""The successors of a state by operators."""

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.kernels.children import NO_ROOM, WRONG_COST
from searchkit.compiled.specialise.names import inlined, problem


@inlined
def append(P, lists, state, children, made):
    """Put the successors of `state` behind `made` others; how many there are then, or why not."""
    control = problem.control(P, state)
    begin, end = lists.first[control], lists.first[control + 1]
    if made + end - begin > len(children.states):
        return NO_ROOM
    for place in range(begin, end):
        operator = lists.operators[place]
        if not problem.ALWAYS_LEGAL and not problem.legal(P, state, control, operator):
            continue
        if not problem.UNIT_COSTS:
            cost = problem.cost(P, state, control, operator)
            if cost < problem.LEAST_COST or cost > problem.MOST_COST:
                return WRONG_COST
            children.costs[made] = cost
        words.store(children.states, made, problem.apply(P, state, control, operator))
        made += 1
    return made
