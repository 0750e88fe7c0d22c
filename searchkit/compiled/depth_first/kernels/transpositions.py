"""A hash table of states from which nothing was found, and how far that was looked for.

A slot has the words of a state and a bound: there is no path to a goal that costs less. The bound
of an empty slot is 0. States are met by linear probing; a table that is full keeps all slots that
are taken, and a new state comes in the place of one that lies near.
"""

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.kernels.canonical import canonical_word
from searchkit.compiled.specialise.names import inlined, natural, parameter, problem

IMAGES = parameter()
"""How many images under symmetries a state has, itself among them."""
SLOT = problem.WORDS + 1
NEVER = 1 << 62
"""The bound of a state from which no goal can be reached."""
NEAR = 4


@inlined
def name_of(images, state):
    """The state that stands for all that symmetries make equal to it."""
    if IMAGES == 1:
        return state
    return canonical_word(images, state)


@inlined
def home_of(count, name):
    """Where a state is looked for first, among `count` slots."""
    return natural(words.slot_of(words.mixed(name), count))


@inlined
def find(slots, count, name):
    """The slot of a state, or the empty one where it is missing."""
    at = home_of(count, name)
    while slots[at * SLOT + problem.WORDS] != 0:
        if words.read(slots, at * SLOT) == name:
            break
        at = natural(at + 1)
        if at == count:
            at = 0
    return at


@inlined
def bound_of(slots, name):
    """What is known of a state, 0 if nothing is."""
    return slots[find(slots, len(slots) // SLOT, name) * SLOT + problem.WORDS]


@inlined
def store(slots, count, stored, name, bound):
    """Note the bound of a state; how many states there are then."""
    at = find(slots, count, name)
    if slots[at * SLOT + problem.WORDS] == 0:
        if stored < count - (count >> 3):
            stored += 1
        else:
            # In the place of the near one with the least bound; no slot before that is empty.
            at = home_of(count, name)
            best = at
            for near in range(at, min(at + NEAR, count)):
                if slots[near * SLOT + problem.WORDS] == 0:
                    break
                if slots[near * SLOT + problem.WORDS] < slots[best * SLOT + problem.WORDS]:
                    best = near
            at = best
            if slots[at * SLOT + problem.WORDS] == 0:
                return stored
    words.write(slots, at * SLOT, name)
    slots[at * SLOT + problem.WORDS] = bound
    return stored
