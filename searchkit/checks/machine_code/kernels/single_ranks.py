"""The number that `rank` gives to each state, and the state that `unrank` makes of it."""

from searchkit.compiled.specialise.kernels.words import load, store
from searchkit.compiled.specialise.names import entry, problem_rank, problem_unrank


@entry
def call_ranks(P, states, count, ranks, again):
    """Rank and unrank."""
    for i in range(count):
        ranks[i] = problem_rank(P, load(states, i))
        store(again, i, problem_unrank(P, ranks[i]))
