"""Keeps the rules of a problem that lists its steps where engines call them by their addresses."""

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.kernels.children import Children
from searchkit.compiled.specialise.names import (
    EXPAND_AT,
    GOAL_AT,
    borrowed,
    entry,
    inlined,
    keep_asking,
    keep_listing,
    keep_tables,
    problem,
)


@inlined
def expand_for(P, state, children, made):
    """Put the children of the state behind `made` others; how many there are then, or why not."""
    return problem.expand(P, state, children, made)


@inlined
def is_goal_for(P, state):
    """Whether the state is a goal, as a number."""
    return 1 if problem.at_goal(P, state) else 0


@entry
def keep_rules(P, states, children: Children, at):
    """Keep the rules and their tables in `at`; how many words of it that takes.

    `states` is any one state, and `children` room for any: only their types matter.
    """
    P, children = borrowed(P), borrowed(children)
    state = words.load(states, 0)
    keep_listing(at, EXPAND_AT, expand_for, P, state, children)
    keep_asking(at, GOAL_AT, is_goal_for, P, state)
    return keep_tables(at, P)
