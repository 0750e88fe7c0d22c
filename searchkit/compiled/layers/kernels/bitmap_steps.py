"""The successors of a state by single steps, for layers as bitmaps."""

import numpy as np

from searchkit.compiled.layers.kernels import bitmap_images
from searchkit.compiled.specialise.names import inlined, lowest_one, natural, parameter, problem

IN_ORDER = parameter()
"""Whether the operators are 0, 1, 2, ..."""


@inlined
def successors_of(P, X, state, images, room, made):
    """Put the canonical numbers of all successors behind `made` others; how many there are then."""
    out = room[0]
    made = natural(made)
    count = len(X.piece_operators)
    for first in range(0, count, 64):
        # Asked for up to 64 operators at once, without branches: this is done in vectors.
        legal = np.int64(0)
        if X.backward == 0:
            for i in range(min(64, count - first)):
                operator = listed(X, natural(first + i))
                legal |= np.int64(problem.legal(P, state, 0, operator) != 0) << i
        else:
            for i in range(min(64, count - first)):
                operator = listed(X, natural(first + i))
                legal |= np.int64(bitmap_images.can_go(P, X, state, operator) != 0) << i
        while legal != 0:
            operator = listed(X, natural(first + lowest_one(legal)))
            legal &= legal - 1
            out[made] = bitmap_images.smallest(images, 0, X.operator_images, operator)
            made = natural(made + 1)
    return made


@inlined
def listed(X, place):
    """The operator at a place of the list."""
    return place if IN_ORDER else natural(X.piece_operators[place])
