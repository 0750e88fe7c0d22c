"""The successors of a state by chains of steps of one piece, for layers as bitmaps."""

from searchkit.compiled.layers.kernels import bitmap_images
from searchkit.compiled.specialise.names import called, problem

CHAIN_TOO_LONG = -1


@called
def successors_of(P, X, start, images, room, made):
    """Put the canonical numbers of all successors behind `made` others; how many there are then.

    Negative if there is no room.
    """
    out, levels, depth_images = room
    kept = X.kept
    if made + len(kept) > len(out):
        return CHAIN_TOO_LONG
    if len(kept) > 0 and X.backward == 0 and start == kept[0, 0]:
        for i in range(1, len(kept)):
            out[made] = kept[i, 1]
            made += 1
        return made
    if X.backward != 0:
        for i in range(1, len(kept)):
            if start == kept[i, 0]:
                out[made] = kept[0, 1]
                made += 1
    levels[0, 0] = start
    levels[0, 1] = X.any_piece
    levels[0, 2] = X.piece_first[X.any_piece]
    for k in range(bitmap_images.IMAGES):
        depth_images[k] = images[k]
    depth = 0
    while depth >= 0:
        state, piece = levels[depth, 0], levels[depth, 1]
        place = levels[depth, 2]
        if place == X.piece_first[piece + 1]:
            depth -= 1
            continue
        levels[depth, 2] = place + 1
        operator = X.piece_operators[place]
        if not bitmap_images.can_go(P, X, state, operator):
            continue
        child = state ^ X.toggles[operator]
        met = False
        for i in range(depth + 1):
            met |= levels[i, 0] == child
        if met:
            continue
        if depth + 2 > len(levels) or made >= len(out):
            return CHAIN_TOO_LONG
        changes = X.operator_images
        bitmap_images.add_images(depth_images, depth, changes, operator, depth_images, depth + 1)
        # Chains back to the start are those that were kept, which are there already.
        if X.backward == 0 or len(kept) == 0 or child != kept[0, 0]:
            out[made] = bitmap_images.smallest(depth_images, depth, changes, operator)
            made += 1
        if not problem.at_goal(P, child):
            depth += 1
            levels[depth, 0] = child
            piece = X.next_piece[operator]
            levels[depth, 1] = piece
            levels[depth, 2] = X.piece_first[piece]
    return made
