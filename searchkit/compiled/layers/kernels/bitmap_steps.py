"""The successors of a state by single steps, for layers as bitmaps."""

from searchkit.compiled.layers.kernels import bitmap_images
from searchkit.compiled.specialise.names import inlined


@inlined
def successors_of(P, X, state, images, room, made):
    """Put the canonical numbers of all successors behind `made` others; how many there are then."""
    out, operators = room[0], room[1]
    count = 0
    for place in range(len(X.piece_operators)):
        operator = X.piece_operators[place]
        operators[count] = operator
        count += bitmap_images.can_go(P, X, state, operator)
    for i in range(count):
        out[made + i] = bitmap_images.smallest(images, X, operators[i])
    return made + count
