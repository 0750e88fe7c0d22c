"""The number that `rank` gives to each state, and the state that `unrank` makes of it."""

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import entry, problem


@entry
def call_ranks(P, states, count, ranks, again):
    """Rank and unrank."""
    for i in range(count):
        ranks[i] = problem.rank(P, words.load(states, i))
        words.store(again, i, problem.unrank(P, ranks[i]))
