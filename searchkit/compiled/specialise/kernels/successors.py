"""The successors of states, in the order of the problem: by operators, or by `expand`.

`append` puts all successors of a state into an array. The other functions take them one by one, of
a state whose node in the operator lists is known: each is at a place, of which `steps_of` says from
where to where they are. There is an operator, or the successor itself where steps are listed.
"""

import numpy as np

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.kernels.children import NO_ROOM, WRONG_COST, Children
from searchkit.compiled.specialise.names import (
    borrowed,
    entry,
    heuristic,
    inlined,
    natural,
    parameter,
    problem,
)
from searchkit.packed import PackedStep

LISTED = parameter()
"""Whether the problem lists its steps, by `expand`."""


@inlined
def append(P, lists, state, children, made):
    """Put the successors of `state` behind `made` others.

    Gives how many there are then, or why it cannot: WRONG_COST, NO_ROOM or TRAPPED. Steps may cost
    LEAST_COST to MOST_COST.
    """
    if LISTED:
        # `expand` would be compiled once more for a number that the text holds.
        return problem.expand(P, state, children, np.int64(made))
    return append_by_operators(P, lists, state, children, made)


@inlined
def append_by_operators(P, lists, state, children, made):
    """The same by the operators of the control state."""
    control = problem.control(P, state)
    begin, end = lists.first[control], lists.first[control + 1]
    if made + end - begin > len(children.states):
        return NO_ROOM
    for place in range(begin, end):
        if not is_legal(P, lists, state, control, place):
            continue
        step = step_at(P, lists, state, control, children, place)
        if not problem.UNIT_COSTS:
            cost = cost_at(P, children, step, place)
            if cost < problem.LEAST_COST or cost > problem.MOST_COST:
                return WRONG_COST
            children.costs[made] = cost
        if problem.KEEPS_OPERATORS:
            children.operators[made] = step.operator
        words.store(children.states, made, step.child)
        made += 1
    return made


@inlined
def listed_step(state, control, children, place):
    """The step that was put there; its operator is 0 where none was kept."""
    operator = children.operators[place] if problem.KEEPS_OPERATORS else 0
    return PackedStep(state, control, operator, words.load(children.states, place))


@inlined
def control_at(P, state):
    """The control state of a state if the heuristic may look at it; `expand` has none."""
    if LISTED or not (heuristic.INCREMENTAL or heuristic.MEMORY):
        return 0
    return problem.control(P, state)


@inlined
def steps_of(P, lists, state, node, children):
    """From which place to which the steps out of a state are.

    The second is negative where `append` is; `children` are no others.
    """
    if LISTED:
        return 0, append(P, lists, state, children, 0)
    return lists.first[node], lists.first[node + 1]


@inlined
def control_of(lists, node):
    """The control state of a node."""
    return 0 if LISTED else natural(lists.controls[node])


@inlined
def left_out(lists, node):
    """How many operators of its control state the list of a node leaves out."""
    if LISTED:
        return 0
    control, first = control_of(lists, node), lists.first
    return first[control + 1] - first[control] - (first[node + 1] - first[node])


@inlined
def is_legal(P, lists, state, control, place):
    """Whether there is a step at a place."""
    if LISTED or problem.ALWAYS_LEGAL:
        return True
    return problem.legal(P, state, control, lists.operators[place])


@inlined
def step_at(P, lists, state, control, children, place):
    """The step that is there."""
    if LISTED:
        return listed_step(state, control, children, place)
    operator = lists.operators[place]
    return PackedStep(state, control, operator, problem.apply(P, state, control, operator))


@inlined
def cost_at(P, children, step, place):
    """Its cost, which may be a wrong one of an operator; unless all steps cost 1."""
    if LISTED:
        return children.costs[place]
    return problem.cost(P, step.state, step.control, step.operator)


@inlined
def node_after(lists, place):
    """The node after it, -1 if that must be read off the child."""
    return 0 if LISTED else lists.following[place]


@inlined
def list_successors(P, lists, states, begin, count, children, ends):
    """Put the successors of `count` states from `begin` on into `children`.

    Those of state `i` end at `ends[i]`. Gives for how many states: fewer if those of the next one
    cannot be listed, and then `ends` says why not.
    """
    made = 0
    for i in range(count):
        state = words.load(states, begin + i)
        made = append(P, lists, state, children, made)
        ends[i] = made
        if made < 0:
            return i
    return count


@entry
def successors_of(P, lists, states, children: Children, ends):
    """The successors of `states`: see `list_successors`."""
    return list_successors(P, borrowed(lists), states, 0, len(states), borrowed(children), ends)
