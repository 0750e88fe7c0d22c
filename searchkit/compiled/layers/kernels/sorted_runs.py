"""The steps of a layer as functions of a part of it: expand, and merge what is sorted."""

from searchkit.compiled.specialise.names import borrowed, entry, problem
from searchkit.compiled.specialise.operators import OperatorLists

WRONG_COST = -1


@entry
def expand_states(P, lists: OperatorLists, states, children):
    """The successors of one-word `states`, with duplicates; how many, or WRONG_COST."""
    lists = borrowed(lists)
    count = 0
    for i in range(len(states)):
        state = states[i]
        control = problem.control(P, state)
        for place in range(lists.first[control], lists.first[control + 1]):
            operator = lists.operators[place]
            if not problem.ALWAYS_LEGAL:
                if not problem.legal(P, state, control, operator):
                    continue
            if not problem.UNIT_COSTS:
                if problem.cost(P, state, control, operator) != 1:
                    return WRONG_COST
            children[count] = problem.apply(P, state, control, operator)
            count += 1
    return count


@entry
def drop_duplicates(states):
    """Keep one each of rising words, in front; how many there are."""
    count = 0
    for i in range(len(states)):
        if i == 0 or states[i] != states[i - 1]:
            states[count] = states[i]
            count += 1
    return count


@entry
def drop_known(states, known):
    """Keep those of rising words that are not among the rising words `known`; how many."""
    count, at = 0, 0
    for i in range(len(states)):
        state = states[i]
        while at < len(known) and known[at] < state:
            at += 1
        if at == len(known) or known[at] != state:
            states[count] = state
            count += 1
    return count
