"""The successors of states, in the order of the operators: where every step costs 1."""

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import borrowed, entry, inlined, problem
from searchkit.compiled.specialise.operators import OperatorLists


@inlined
def list_successors(P, lists, states, begin, count, children, ends):
    """Put the successors of `count` states from `begin` on into `children`.

    Those of state `i` end at `ends[i]`. Gives for how many states: fewer if a step out of the next
    one does not cost 1.
    """
    made = 0
    for i in range(count):
        state = words.load(states, begin + i)
        control = problem.control(P, state)
        for place in range(lists.first[control], lists.first[control + 1]):
            operator = lists.operators[place]
            if not problem.ALWAYS_LEGAL and not problem.legal(P, state, control, operator):
                continue
            if not problem.UNIT_COSTS and problem.cost(P, state, control, operator) != 1:
                return i
            words.store(children, made, problem.apply(P, state, control, operator))
            made += 1
        ends[i] = made
    return count


@entry
def successors_of(P, lists: OperatorLists, states, children, ends):
    """The successors of `states`: see `list_successors`."""
    return list_successors(P, borrowed(lists), states, 0, len(states), children, ends)
