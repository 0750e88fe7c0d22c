"""Canonical states: the smallest word among the images under maps that move bits."""

import numpy as np

from searchkit.compiled.specialise.names import entry, inlined

BYTES = 8


@inlined
def less(a, b):
    """Whether a < b as unsigned words, as 1 or 0."""
    sign = -1 << 63
    return 1 if (a ^ sign) < (b ^ sign) else 0


@entry
def canonical_states(images, states):
    """Replace each state by its canonical one; how many states they all stand for.

    `images[i, b, k]` is what byte `b` at place `i` contributes to image `k`.
    """
    count, kinds = 0, images.shape[2]
    row = np.empty(kinds, np.int64)
    for i in range(len(states)):
        state = states[i]
        row[:] = 0
        for place in range(BYTES):
            byte = state >> 8 * place & 255
            for k in range(kinds):
                row[k] ^= images[place, byte, k]
        best = row[0]
        for k in range(1, kinds):
            if less(row[k], best):
                best = row[k]
        states[i] = best
        same = 0
        for k in range(kinds):
            same += row[k] == state
        count += kinds // same if same else 0
    return count
