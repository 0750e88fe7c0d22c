"""What a proof lists of the states that a search has met."""

from searchkit.compiled.specialise.kernels import estimates, words
from searchkit.compiled.specialise.names import borrowed, entry, heuristic, problem


@entry
def take_closed(P, H, states, marks, most, rows, costs):
    """Put the states that were expanded and have an f up to `most` into rows; how many.

    A mark is 2 (g + 1), and one more once a state was expanded or is a goal; goals are left out.
    """
    P, H, count = borrowed(P), borrowed(H), 0
    for i in range(len(marks)):
        if marks[i] & 1 == 0:
            continue
        state, g = words.load(states, i), (marks[i] >> 1) - 1
        if estimates.sum_of(g, heuristic.estimate_of(H, state)) > most:
            continue
        if not problem.at_goal(P, state):
            words.store(rows, count, state)
            costs[count] = g
            count += 1
    return count
