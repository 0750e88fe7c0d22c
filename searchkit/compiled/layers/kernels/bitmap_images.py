"""States of a linear index, and the images under symmetries of those that operators lead to."""

from typing import Any, NamedTuple

from searchkit.compiled.specialise.names import inlined, parameter, problem

IMAGES = parameter()
"""How many images there are, the state itself included."""


class IndexTables(NamedTuple):
    """What is looked up of a linear index; see `searchkit.compiled.layers.linear_tables`."""

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


@inlined
def can_go(P, X, state, operator):
    """Whether the operator leads on from the state; into it if X goes backward."""
    return problem.legal(P, state ^ (X.toggles[operator] & X.backward), 0, operator)


@inlined
def smallest(images, X, operator):
    """The smallest number among the images of the state that `operator` leads to."""
    best = images[0] ^ X.operator_images[operator, 0]
    for k in range(1, IMAGES):
        best = min(best, images[k] ^ X.operator_images[operator, k])
    return best
