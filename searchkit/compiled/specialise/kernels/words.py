"""States in arrays, and their hashes.

Arrays of states of one word have one dimension, those of several words two.
"""

from searchkit.compiled.specialise.names import (
    inlined,
    keep_of_eight,
    keep_of_four,
    parameter,
    problem,
    shift_right,
    to_fixed_tuple,
)

LANES = parameter()
"""How many words a vector has that `gather` uses: 8, 4, or 0 for no vectors."""


@inlined
def load(states, i):
    """The state at `i`."""
    if problem.WORDS == 1:
        return states[i]
    return to_fixed_tuple(states[i], problem.WORDS)


@inlined
def store(states, i, state):
    """Put `state` at `i`."""
    if problem.WORDS == 1:
        states[i] = state
    else:
        for w in range(problem.WORDS):
            states[i, w] = state[w]


@inlined
def mixed(state):
    """A hash of the state in all 64 bits (each word as in MurmurHash3, A. Appleby, 2011)."""
    if problem.WORDS == 1:
        word = state
    else:
        word = state[0]
        for w in range(1, problem.WORDS):
            word = (word ^ shift_right(word, 33)) * -49064778989728563 + state[w]
    word ^= shift_right(word, 33)
    word *= -49064778989728563
    word ^= shift_right(word, 33)
    word *= -4265267296055464877
    return word ^ shift_right(word, 33)


@inlined
def slot_of(hashed, slots):
    """The slot for a hash of 64 bits; there are fewer than 2**32."""
    return shift_right(shift_right(hashed, 32) * slots, 32)


@inlined
def read(words, at):
    """The state whose words begin at `at`."""
    if problem.WORDS == 1:
        return words[at]
    return to_fixed_tuple(words[at : at + problem.WORDS], problem.WORDS)


@inlined
def write(words, at, state):
    """Put the words of `state` at `at`."""
    if problem.WORDS == 1:
        words[at] = state
    else:
        for w in range(problem.WORDS):
            words[at + w] = state[w]


@inlined
def gather(children, drops, taken, drop, states, start):
    """Append the children with this drop to the states from `start` on; how many there are.

    Up to eight states behind those may be written to as well.
    """
    found = 0
    if problem.WORDS == 1 and LANES == 8:
        for i in range(0, taken, 8):
            found += keep_of_eight(children, drops, i, drop, states, start + found)
    elif problem.WORDS == 1 and LANES == 4:
        for i in range(0, taken, 4):
            found += keep_of_four(children, drops, i, drop, states, start + found)
    else:
        for i in range(taken):
            store(states, start + found, load(children, i))
            found += drops[i] == drop
    return found
