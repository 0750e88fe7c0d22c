"""States of one word: arrays of one dimension."""

import numpy as np

from searchkit.compiled.specialise.names import compress, inlined, shift_right


@inlined
def load(states, i):
    """The state at `i`."""
    return states[i]


@inlined
def store(states, i, state):
    """Put `state` at `i`."""
    states[i] = state


@inlined
def zero_state(words):
    """The state whose word is 0."""
    return np.int64(0)


@inlined
def mixed(state):
    """A hash of the state in all 64 bits (the finaliser of MurmurHash3, A. Appleby, 2011)."""
    word = state ^ shift_right(state, 33)
    word *= -49064778989728563
    word ^= shift_right(word, 33)
    word *= -4265267296055464877
    return word ^ shift_right(word, 33)


@inlined
def read_words(words, at):
    """The state whose words begin at `at`."""
    return words[at]


@inlined
def write_words(words, at, state):
    """Put the words of `state` at `at`."""
    words[at] = state


@inlined
def gather(children, drops, taken, drop, states, start):
    """Append the children with this drop to the states from `start` on; how many there are."""
    found = 0
    for i in range(0, taken, 8):
        found += compress(children, drops, i, drop, states, start + found)
    return found
