"""The successors of a state as its problem lists them: by `expand`."""

from searchkit.compiled.specialise.names import inlined, problem


@inlined
def append(P, lists, state, children, made):
    """Put the successors of `state` behind `made` others; how many there are then, or why not."""
    return problem.expand(P, state, children, made)
