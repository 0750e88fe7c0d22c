"""The kernels of a problem that lists its steps, called by their addresses in the table `at`."""

from searchkit.compiled.specialise.names import (
    EXPAND_AT,
    GOAL_AT,
    call_asking,
    call_listing,
    inlined,
)


@inlined
def problem_expand(P, state, children, made):
    """Put the children of the state behind `made` others; how many there are then, or why not."""
    return call_listing(P.at, EXPAND_AT, state, children, made)


@inlined
def problem_at_goal(P, state):
    """Whether the state is a goal."""
    return call_asking(P.at, GOAL_AT, state) != 0
