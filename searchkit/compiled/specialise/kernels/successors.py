"""The successors of states, in the order of the problem: by operators, chains of them, or `expand`.

`append(P, lists, state, children, made)` puts those of a state behind `made` others and gives how
many there are then, or why it cannot: WRONG_COST, NO_ROOM or TRAPPED. For chains, `lists` are
`ChainLists`. Steps may cost LEAST_COST to MOST_COST.
"""

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.kernels.children import Children, Listing
from searchkit.compiled.specialise.names import borrowed, entry, inlined, parameter

__all__ = ["LISTING", "append", "list_successors", "successors_of"]

LISTING = parameter()
"""What a step is: one of `Listing`."""

if LISTING == Listing.CHAINS:
    from searchkit.compiled.specialise.kernels.chain_successors import append
elif LISTING == Listing.EXPANDED:
    from searchkit.compiled.specialise.kernels.expand_successors import append
else:
    from searchkit.compiled.specialise.kernels.operator_successors import append


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
