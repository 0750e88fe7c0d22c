"""The beam between stages: many ways from each of some states to goals of a stage."""

from typing import Any, NamedTuple

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import borrowed, entry, problem
from searchkit.compiled.specialise.operators import OperatorLists
from searchkit_stages.compiled.kernels import tables
from searchkit_stages.stage import MOST_ENDS, MOST_SLACK, MOST_SPENT

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
        start = words.load(starts, info[NUMBER])
        nearest = far[problem.rank(P, start)]
        spent, own, depth = info[SPENT_HERE], info[ENDS_HERE], info[BRANCH_DEPTH]
        # The shortest ways first: all of one length, then with one step more, as IDA* does.
        while info[SLACK] <= MOST_SLACK and own < MOST_ENDS:
            limit = nearest + info[SLACK]
            if depth < 0:
                depth = 0
                words.store(stack.states, 0, start)
                places[0] = -1
            while depth >= 0:
                state = words.load(stack.states, depth)
                control = problem.control(P, state)
                # A state that was just entered has the place -1: only then is it counted.
                if places[depth] < 0:
                    if far[problem.rank(P, state)] == 0:
                        # Shorter ways to a goal were taken with less slack.
                        if depth == limit:
                            for i in range(depth + 1):
                                words.store(
                                    ways.states, made * ways.width + i, words.load(stack.states, i)
                                )
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
                        # All that is needed to go on at this very state.
                        info[SPENT_HERE], info[ENDS_HERE] = spent, own
                        info[BRANCH_DEPTH], info[ENDS] = depth, made
                        return tables.OUT_OF_BUDGET
                    budget -= 1
                    spent += 1
                    info[BRANCHED] += 1
                    places[depth] = first[control]
                if places[depth] == first[control + 1]:
                    depth -= 1
                    continue
                operator = operators[places[depth]]
                places[depth] += 1
                if not problem.ALWAYS_LEGAL and not problem.legal(P, state, control, operator):
                    continue
                info[SEEN] += 1
                child = problem.apply(P, state, control, operator)
                if depth > 0 and words.load(stack.states, depth - 1) == child:
                    continue
                if depth + 1 + far[problem.rank(P, child)] <= limit:
                    depth += 1
                    words.store(stack.states, depth, child)
                    places[depth] = -1
            # It broke off: this start has had its share of ways or of expansions.
            if depth >= 0:
                break
            info[SLACK] += 1
        info[NUMBER] += 1
        info[SPENT_HERE] = info[ENDS_HERE] = info[SLACK] = 0
        info[BRANCH_DEPTH] = -1
    info[ENDS] = made
    return tables.DONE


@entry
def measure(P, far, states, distances):
    """The distances of the states, -1 where there is none."""
    for i in range(len(states)):
        rank = problem.rank(P, words.load(states, i))
        distances[i] = -1
        if 0 <= rank < len(far):
            if far[rank] != tables.TOO_FAR:
                distances[i] = far[rank]
