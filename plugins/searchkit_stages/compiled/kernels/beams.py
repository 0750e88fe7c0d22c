"""The beam between stages: many ways from each of some states to goals of a stage."""

from typing import Any, NamedTuple

from searchkit.compiled.specialise.kernels.control import problem_control
from searchkit.compiled.specialise.kernels.words import load, store
from searchkit.compiled.specialise.names import (
    ALWAYS_LEGAL,
    borrowed,
    entry,
    problem_apply,
    problem_legal,
    problem_rank,
)
from searchkit.compiled.specialise.operators import OperatorLists
from searchkit_stages.beam import MOST_ENDS, MOST_SLACK, MOST_SPENT
from searchkit_stages.compiled.kernels.tables import DONE, OUT_OF_BUDGET, TOO_FAR

NUMBER, SPENT_HERE, ENDS_HERE, SLACK, BRANCH_DEPTH, ENDS, BRANCHED, SEEN = range(8)


class Ways(NamedTuple):
    """Way `i` is in `states[i * width:]`, has `lengths[i]` steps, from start `parents[i]`."""

    states: Any
    lengths: Any
    parents: Any
    width: Any


class Stack(NamedTuple):
    """The states of a way, and the places in the operator lists that they have come to."""

    states: Any
    places: Any


@entry
def branch(P, lists: OperatorLists, far, starts, ways, stack, info, budget):
    """Go on with the ways from each start to goals, up to `budget` expansions.

    From each start the shortest ways come first: up to `MOST_ENDS` of them, within `MOST_SPENT`
    expansions, none longer than the shortest by more than `MOST_SLACK`.
    """
    P, lists, far, ways, stack, info = borrowed((P, lists, far, ways, stack, info))
    first, operators, places = lists.first, lists.operators, stack.places
    made = info[ENDS]
    while info[NUMBER] < len(starts):
        start = load(starts, info[NUMBER])
        nearest = far[problem_rank(P, start)]
        spent, own, depth = info[SPENT_HERE], info[ENDS_HERE], info[BRANCH_DEPTH]
        while info[SLACK] <= MOST_SLACK and own < MOST_ENDS:
            limit = nearest + info[SLACK]
            if depth < 0:
                depth = 0
                store(stack.states, 0, start)
                places[0] = -1
            while depth >= 0:
                state = load(stack.states, depth)
                control = problem_control(P, state)
                if places[depth] < 0:
                    if far[problem_rank(P, state)] == 0:
                        if depth == limit:
                            for i in range(depth + 1):
                                store(ways.states, made * ways.width + i, load(stack.states, i))
                            ways.lengths[made], ways.parents[made] = depth, info[NUMBER]
                            made += 1
                            own += 1
                        depth -= 1
                        if own == MOST_ENDS:
                            break
                        continue
                    if spent == MOST_SPENT:
                        break
                    if budget == 0:
                        info[SPENT_HERE], info[ENDS_HERE] = spent, own
                        info[BRANCH_DEPTH], info[ENDS] = depth, made
                        return OUT_OF_BUDGET
                    budget -= 1
                    spent += 1
                    info[BRANCHED] += 1
                    places[depth] = first[control]
                if places[depth] == first[control + 1]:
                    depth -= 1
                    continue
                operator = operators[places[depth]]
                places[depth] += 1
                if not ALWAYS_LEGAL:
                    if not problem_legal(P, state, control, operator):
                        continue
                info[SEEN] += 1
                child = problem_apply(P, state, control, operator)
                if depth > 0 and load(stack.states, depth - 1) == child:
                    continue
                if depth + 1 + far[problem_rank(P, child)] <= limit:
                    depth += 1
                    store(stack.states, depth, child)
                    places[depth] = -1
            if depth >= 0:
                break
            info[SLACK] += 1
        info[NUMBER] += 1
        info[SPENT_HERE] = info[ENDS_HERE] = info[SLACK] = 0
        info[BRANCH_DEPTH] = -1
    info[ENDS] = made
    return DONE


@entry
def measure(P, far, states, distances):
    """The distances of the states, -1 where there is none."""
    for i in range(len(states)):
        rank = problem_rank(P, load(states, i))
        distances[i] = -1
        if 0 <= rank < len(far):
            if far[rank] != TOO_FAR:
                distances[i] = far[rank]
