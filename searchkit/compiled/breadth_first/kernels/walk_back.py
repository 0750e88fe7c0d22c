"""Walking back through the layers of a breadth-first search, without parent pointers."""

from searchkit.compiled.breadth_first.kernels import state_set
from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import borrowed, entry, problem
from searchkit.compiled.specialise.operators import OperatorLists


@entry
def neighbours_in(
    P,
    H,
    lists: OperatorLists,
    states,
    table,
    bits,
    level,
    count,
    begin,
    end,
    found,
):
    """The indexes from `begin` to `end` of successors of the states with the indexes `level`.

    An index may come several times. How many there are.
    """
    lists = borrowed(lists)
    made = 0
    for i in range(count):
        state = words.load(states, level[i])
        control = problem.control(P, state)
        for place in range(lists.first[control], lists.first[control + 1]):
            operator = lists.operators[place]
            if not problem.ALWAYS_LEGAL:
                if not problem.legal(P, state, control, operator):
                    continue
            child = problem.apply(P, state, control, operator)
            index = state_set.index_of(states, table, bits, child, words.mixed(child))
            if begin <= index < end:
                found[made] = index
                made += 1
    return made


@entry
def parents_in(
    P,
    H,
    lists: OperatorLists,
    states,
    table,
    bits,
    begin,
    end,
    marks,
    base,
    found,
):
    """Which of the states from `begin` to `end` have a successor that is marked.

    `marks[i]` belongs to the state with index `base + i`. Stops when `found` is full; how many
    there are.
    """
    lists = borrowed(lists)
    made = 0
    for i in range(begin, end):
        if made == len(found):
            break
        state = words.load(states, i)
        control = problem.control(P, state)
        for place in range(lists.first[control], lists.first[control + 1]):
            operator = lists.operators[place]
            if not problem.ALWAYS_LEGAL:
                if not problem.legal(P, state, control, operator):
                    continue
            child = problem.apply(P, state, control, operator)
            index = state_set.index_of(states, table, bits, child, words.mixed(child)) - base
            if 0 <= index < len(marks):
                if marks[index]:
                    found[made] = i
                    made += 1
                    break
    return made


@entry
def first_new(P, H, lists: OperatorLists, states, table, bits, begin, end, counts):
    """The first state from `begin` to `end` with a successor that is not in the set, or `end`.

    Adds to `counts[0]` how many states are generated until then. `counts[1]` is set if a step
    out of that state does not cost 1.
    """
    lists = borrowed(lists)
    generated = counts[0]
    for i in range(begin, end):
        state = words.load(states, i)
        control = problem.control(P, state)
        for place in range(lists.first[control], lists.first[control + 1]):
            operator = lists.operators[place]
            if not problem.ALWAYS_LEGAL:
                if not problem.legal(P, state, control, operator):
                    continue
            if not problem.UNIT_COSTS:
                if problem.cost(P, state, control, operator) != 1:
                    counts[1] = 1
                    return i
            generated += 1
            child = problem.apply(P, state, control, operator)
            if state_set.index_of(states, table, bits, child, words.mixed(child)) < 0:
                counts[0] = generated
                return i
    counts[0] = generated
    return end
