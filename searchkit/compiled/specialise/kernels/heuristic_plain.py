"""For heuristics that remember nothing but their estimate."""

# SPECIALISED


@inlined
def estimate_of(H, state):
    """The estimate of a state, known to be an integer."""
    return whole(heuristic_estimate(H, state))


@inlined
def left_after(P, H, memo, at, after, rest, state, control, operator, child):
    """What remains of the bound after a step, and by how much f is above the bound."""
    left = rest_after(P, H, rest, state, control, operator, child)
    return left, excess(H, left, child)


@inlined
def left_anew(P, H, own, rest, state, control, operator, child):
    """The same."""
    left = rest_after(P, H, rest, state, control, operator, child)
    return left, excess(H, left, child)


@inlined
def own_estimate(H, state):
    """Not needed."""
    return 0


@inlined
def recalled(H, memo, at):
    """Not needed."""
    return 0


@entry
def remember(H, memo, states):
    """Nothing."""
