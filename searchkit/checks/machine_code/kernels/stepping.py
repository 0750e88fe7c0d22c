"""Estimates of states and of what every step leads to, from scratch and carried along.

Needs `stepping_carried` or `stepping_uncarried`, whose `carried_wrongly` returns the number of the
form that is wrong, RIGHT if there is none, and what it gave.
"""

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import borrowed, entry, heuristic, problem
from searchkit.compiled.specialise.operators import OperatorLists
from searchkit.packed import PackedStep

if heuristic.MEMORY:
    from searchkit.checks.machine_code.kernels.stepping_with_memory import (
        anew,
        carried_wrongly,
        remembered,
    )
else:
    from searchkit.checks.machine_code.kernels.stepping_plain import (
        anew,
        carried_wrongly,
        remembered,
    )


@entry
def estimates(H, states, memo, begin, end, values):
    """The estimates of states, from scratch."""
    H = borrowed(H)
    memo = borrowed(memo)
    for i in range(begin, end):
        values[i - begin] = remembered(H, memo, words.load(states, i))


@entry
def check_steps(
    P, H, lists: OperatorLists, states, memo, begin, end, sources, numbers,
    costs, values, wrong, given,
):  # fmt: skip
    """Note each step out of some states; how many there are."""
    P = borrowed(P)
    H = borrowed(H)
    lists = borrowed(lists)
    memo = borrowed(memo)
    made = 0
    for i in range(begin, end):
        state = words.load(states, i)
        control = problem.control(P, state)
        own = remembered(H, memo, state)
        number = 0
        for place in range(lists.first[control], lists.first[control + 1]):
            operator = lists.operators[place]
            if not problem.ALWAYS_LEGAL:
                if not problem.legal(P, state, control, operator):
                    continue
            child = problem.apply(P, state, control, operator)
            value = anew(H, memo, child)
            sources[made], numbers[made] = i, number
            costs[made] = problem.cost(P, state, control, operator)
            values[made] = value
            step = PackedStep(state, control, operator, child)
            wrong[made], given[made] = carried_wrongly(H, memo, own, value, step)
            made += 1
            number += 1
    return made
