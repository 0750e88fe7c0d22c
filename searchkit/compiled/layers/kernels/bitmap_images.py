"""States of a linear index, and the images under symmetries of those that operators lead to."""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.specialise.names import (
    add_eight,
    inlined,
    parameter,
    problem,
    smallest_of_eight,
)

IMAGES = parameter()
"""How many images there are, the state itself included."""


class IndexTables(NamedTuple):
    """What is looked up of a linear index; see `searchkit.compiled.layers.linear_tables`.

    Tables of images are flat: rows of IMAGES numbers, of 32 bits where they are enough. Where only
    some chains out of the start are `kept`, that has the start and then where they lead: states
    and their numbers. There are no symmetries then.
    """

    origins: Any
    constants: Any
    low_states: Any
    low_images: Any
    chunk_states: Any
    chunk_images: Any
    operator_images: Any
    toggles: Any
    piece_first: Any
    piece_operators: Any
    any_piece: Any
    next_piece: Any
    pivots: Any
    backward: Any
    kept: Any


@inlined
def can_go(P, X, state, operator):
    """Whether the operator leads on from the state; into it if X goes backward."""
    return problem.legal(P, state ^ (X.toggles[operator] & X.backward), 0, operator)


@inlined
def add_images(left, i, right, j, target, at):
    """Put the sums of row `i` of one table of images and row `j` of another to row `at`."""
    if IMAGES == 8:
        add_eight(left, i * 8, right, j * 8, target, at * 8)
    else:
        for k in range(IMAGES):
            target[at * IMAGES + k] = left[i * IMAGES + k] ^ right[j * IMAGES + k]


@inlined
def smallest(left, i, right, j):
    """The smallest number among such sums."""
    if IMAGES == 8:
        return smallest_of_eight(left, i * 8, right, j * 8)
    best = left[i * IMAGES] ^ right[j * IMAGES]
    for k in range(1, IMAGES):
        best = min(best, left[i * IMAGES + k] ^ right[j * IMAGES + k])
    return np.int64(best)


@inlined
def how_many(images, number):
    """How many images in the first row are a number."""
    same = 0
    for k in range(IMAGES):
        same += images[k] == number
    return same
