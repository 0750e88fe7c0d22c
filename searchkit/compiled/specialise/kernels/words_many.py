"""States of several words: arrays of two dimensions."""

import numpy as np

from searchkit.compiled.specialise.names import WORDS, inlined, shift_right, to_fixed_tuple


@inlined
def load(states, i):
    """The state at `i`."""
    return to_fixed_tuple(states[i], WORDS)


@inlined
def store(states, i, state):
    """Put `state` at `i`."""
    for w in range(WORDS):
        states[i, w] = state[w]


@inlined
def zero_state(words):
    """The state whose words are 0."""
    return to_fixed_tuple(np.zeros(WORDS, dtype=np.int64), WORDS)


@inlined
def mixed(state):
    """A hash of the state in all 64 bits (each word as in MurmurHash3, A. Appleby, 2011)."""
    word = state[0]
    for w in range(1, WORDS):
        word = (word ^ shift_right(word, 33)) * -49064778989728563 + state[w]
    word ^= shift_right(word, 33)
    word *= -49064778989728563
    word ^= shift_right(word, 33)
    word *= -4265267296055464877
    return word ^ shift_right(word, 33)


@inlined
def read_words(words, at):
    """The state whose words begin at `at`."""
    return to_fixed_tuple(words[at : at + WORDS], WORDS)


@inlined
def write_words(words, at, state):
    """Put the words of `state` at `at`."""
    for w in range(WORDS):
        words[at + w] = state[w]


@inlined
def gather(children, drops, taken, drop, states, start):
    """Append the children with this drop to the states from `start` on; how many there are."""
    found = 0
    for i in range(taken):
        store(states, start + found, load(children, i))
        found += drops[i] == drop
    return found
