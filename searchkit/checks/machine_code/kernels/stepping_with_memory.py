"""Whether the kernels `follow` and `recall` agree with the kernel `begin`.

The words of the state are in row 0, those that `follow` finds for the child go to row 1, and
those that `begin` finds to row 2. If these are always the same, the estimate is carried along
every path as well. The kernels are called, not inlined: several copies take long to compile.
"""

from searchkit.checks.machine_code.kernels.stepping_forms import (
    BOUNDED,
    FOLLOW,
    OTHER_WORDS,
    RECALL,
    RIGHT,
)
from searchkit.compiled.specialise.names import (
    MEMORY,
    called,
    heuristic_begin,
    heuristic_follow,
    heuristic_recall,
    inlined,
)
from searchkit.heuristics.forms import NEAR
from searchkit.packed import DEAD_END


@called
def begun(H, memo, at, state):
    """The estimate of a state from scratch, and its words."""
    return heuristic_begin(H, memo, at, state)


@called
def followed(H, memo, state, control, operator, child, most):
    """The estimate of the child, its words in row 1."""
    return heuristic_follow(H, memo, 0, MEMORY, state, control, operator, child, most)


@inlined
def remembered(H, memo, state):
    """The estimate of a state, whose words come to row 0."""
    return begun(H, memo, 0, state)


@inlined
def anew(H, memo, child):
    """The estimate of a child, whose words come to row 2."""
    return begun(H, memo, 2 * MEMORY, child)


@called
def carried_wrongly(H, memo, own, value, state, control, operator, child):
    """Follow a step with bounds below and above the estimate of the child."""
    if own >= DEAD_END:
        return RIGHT, value
    given = heuristic_recall(H, memo, 0)
    if given != own:
        return RECALL, given
    for below in range(NEAR + 1):
        most = DEAD_END - 1
        if below < NEAR:
            most = value - 1 - below
        given = followed(H, memo, state, control, operator, child, most)
        if below < NEAR:
            if given <= most or (given > value and value < DEAD_END):
                return BOUNDED, given
    if value >= DEAD_END:
        if given >= DEAD_END:
            return RIGHT, value
        return FOLLOW, given
    if given != value:
        return FOLLOW, given
    given = heuristic_recall(H, memo, MEMORY)
    if given != value:
        return RECALL, given
    for i in range(MEMORY):
        if memo[MEMORY + i] != memo[2 * MEMORY + i]:
            return OTHER_WORDS, value
    return RIGHT, value
