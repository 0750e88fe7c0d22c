"""All steps out of some states."""

from typing import Any, NamedTuple

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import borrowed, entry, problem
from searchkit.compiled.specialise.operators import OperatorLists


class Steps(NamedTuple):
    """Arrays with an item for each step, those out of one state one after another.

    `sources` are numbers of states, `places` the numbers of their steps from 0 on.
    """

    sources: Any
    places: Any
    controls: Any
    operators: Any
    costs: Any
    children: Any


@entry
def steps_from(P, lists: OperatorLists, states, begin, end, found: Steps):
    """Note each step out of the states from `begin` to `end`; how many there are."""
    P = borrowed(P)
    lists = borrowed(lists)
    found = borrowed(found)
    made = 0
    for i in range(begin, end):
        state = words.load(states, i)
        control = problem.control(P, state)
        number = 0
        for place in range(lists.first[control], lists.first[control + 1]):
            operator = lists.operators[place]
            if not problem.ALWAYS_LEGAL and not problem.legal(P, state, control, operator):
                continue
            found.sources[made], found.places[made] = i, number
            found.controls[made], found.operators[made] = control, operator
            found.costs[made] = problem.cost(P, state, control, operator)
            words.store(found.children, made, problem.apply(P, state, control, operator))
            made += 1
            number += 1
    return made
