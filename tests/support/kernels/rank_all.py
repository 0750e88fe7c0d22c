"""The numbers of states, and the states of numbers."""

from searchkit.compiled.specialise.names import entry, problem


@entry
def rank_all(P, states, ranks):
    """Number the states."""
    for i in range(len(ranks)):
        ranks[i] = problem.rank(P, states[i])


@entry
def unrank_all(P, ranks, states):
    """Find the states of numbers."""
    for i in range(len(ranks)):
        states[i] = problem.unrank(P, ranks[i])
