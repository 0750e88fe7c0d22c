"""The successors of a state as its problem lists them: by `expand`."""

import numpy as np

from searchkit.compiled.specialise.names import inlined, problem


@inlined
def append(P, lists, state, children, made):
    """Put the successors of `state` behind `made` others; how many there are then, or why not.

    `np.int64` is of use: `expand` would be compiled once more for a number that the text holds.
    """
    return problem.expand(P, state, children, np.int64(made))
