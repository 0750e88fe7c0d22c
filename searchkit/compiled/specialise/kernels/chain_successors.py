"""The successors of a state by chains of steps of one piece, as in `ChainMoves`."""

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.kernels.children import NO_ROOM
from searchkit.compiled.specialise.names import inlined, problem


@inlined
def append(P, lists, state, children, made):
    """Put the states after all chains from `state` behind `made` others; how many there are then.

    Depth first, each chain before its extensions: those behind `made` are the states that
    `levels` names, from the first link of the chain at hand to its last. A chain does not go on
    from a goal, and meets no state twice.
    """
    out, levels = children.states, children.levels
    if len(lists.kept) > 0 and words.load(lists.kept, 0) == state:
        if made + len(lists.kept) > len(out):
            return NO_ROOM
        for i in range(1, len(lists.kept)):
            words.store(out, made + i - 1, words.load(lists.kept, i))
        return made + len(lists.kept) - 1
    # Of each level: its state as a place of `out`, the next operator to try, and the end of those.
    here = state
    control = problem.control(P, state)
    row = (control + 1) * lists.pieces - 1
    place, end = lists.first[row], lists.first[row + 1]
    depth = 0
    while True:
        if place == end:
            if depth == 0:
                break
            depth -= 1
            place, end = levels[depth, 1], levels[depth, 2]
            here = state
            if depth > 0:
                here = words.load(out, levels[depth, 0])
            if lists.has_controls:
                control = problem.control(P, here)
            continue
        operator, piece = lists.operators[place], lists.after[place]
        place += 1
        if not problem.ALWAYS_LEGAL and not problem.legal(P, here, control, operator):
            continue
        child = problem.apply(P, here, control, operator)
        is_met = child == state
        for i in range(1, depth + 1):
            is_met |= words.load(out, levels[i, 0]) == child
        if is_met:
            continue
        if made >= len(out) or depth + 2 > len(levels):
            return NO_ROOM
        words.store(out, made, child)
        if not problem.at_goal(P, child):
            levels[depth, 1], levels[depth, 2] = place, end
            depth += 1
            levels[depth, 0] = made
            here = child
            if lists.has_controls:
                control = problem.control(P, child)
            row = control * lists.pieces + piece
            place, end = lists.first[row], lists.first[row + 1]
        made += 1
    return made
