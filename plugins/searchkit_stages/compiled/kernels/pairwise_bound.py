"""Lower bounds between states: the problem's own."""

from searchkit.compiled.specialise.names import inlined, problem


@inlined
def aim_at(P, target):
    """What is looked up of a target."""
    return problem.aim(P, target)


@inlined
def bound_between(P, state, aim):
    """A lower bound on the number of steps from the state to the target."""
    return problem.bound_to(P, state, aim)


@inlined
def bound_change(P, state, control, operator, child, aim):
    """The bound of the child less that of the state."""
    return problem.bound_change(P, state, control, operator, child, aim)
