"""Kernels of a problem and a heuristic, checked: other files use them by `names`.

Kernels that are made for authors call `within` and `where_within`, by marks in their trees,
`put_child` where `expand` yields a step, and `trapped_at` where another kernel is trapped.
"""

import numpy as np

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.kernels.children import NO_ROOM, WRONG_COST
from searchkit.compiled.specialise.names import (
    called,
    heuristic,
    inlined,
    problem,
    unchecked_control,
    whole,
)


@inlined
def problem_control(P, state):
    """The control state of the state."""
    control = unchecked_control(P, state)
    if control < 0 or control >= P.number_of_controls:
        raise IndexError("control(state) is not from 0 to controls - 1", control, state)
    return control


@inlined
def problem_compare_control(P, state, expected):
    """Ask the state for its control state, which must be what `next_control` said."""
    control = problem.control(P, state)
    if control != expected:
        raise IndexError("next_control is not control(state)", expected, state)


@inlined
def heuristic_estimate_of(H, state):
    """The estimate of a state, known to be an integer."""
    if heuristic.MEMORY:
        return whole(heuristic.begin(H, np.empty(heuristic.MEMORY, dtype=np.int64), 0, state))
    return whole(heuristic.estimate(H, state))


@called
def out_of_range(value, low, below, line, state):
    """Raise the error for a number of a kernel, of which `state` was asked."""
    raise IndexError("a number is out of its range", value, low, below, line, state)


@called
def trapped_at(line, state):
    """Raise the error for a kernel that cannot say what is asked of `state`."""
    raise IndexError("a kernel is trapped", line, state)


@inlined
def within(value, low, below, line, state):
    """The number, which must be from `low` to below `below`."""
    if (value < low) | (value >= below):
        out_of_range(value, low, below, line, state)
    return value


@inlined
def where_within(found, value, low, below, line, state):
    """What is found where a number is from `low` to below `below`, as it must be."""
    if (value < low) | (value >= below):
        out_of_range(value, low, below, line, state)
    return found


@inlined
def put_child(children, made, operator, child, cost):
    """Put the child of a step behind `made` others; how many there are then, or why not."""
    if made >= len(children.states):
        return NO_ROOM
    if not problem.UNIT_COSTS:
        if cost < problem.LEAST_COST or cost > problem.MOST_COST:
            return WRONG_COST
        children.costs[made] = cost
    if problem.KEEPS_OPERATORS:
        children.operators[made] = operator
    words.store(children.states, made, child)
    return made + 1
