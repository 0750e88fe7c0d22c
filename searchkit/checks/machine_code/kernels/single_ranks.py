"""The number that `rank` gives to each state, and the state that `unrank` makes of it."""

# SPECIALISED


@entry
def call_ranks(P, states, count, ranks, again):
    """Rank and unrank."""
    for i in range(count):
        ranks[i] = problem_rank(P, load(states, i))
        store(again, i, problem_unrank(P, ranks[i]))
