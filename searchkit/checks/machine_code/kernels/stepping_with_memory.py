"""Whether the kernels `follow` and `recall` agree with the kernel `begin`.

The words of the state are in row 0, those that `follow` finds for the child go to row 1, and
those that `begin` finds to row 2. If these are always the same, the estimate is carried along
every path as well. The kernels are called, not inlined: several copies take long to compile.
"""

from searchkit.checks.machine_code.kernels import stepping_forms
from searchkit.compiled.specialise.names import called, heuristic, inlined
from searchkit.heuristics.forms import NEAR
from searchkit.packed import DEAD_END, PackedStep


@called
def begun(H, memo, at, state):
    """The estimate of a state from scratch, and its words."""
    return heuristic.begin(H, memo, at, state)


@called
def followed(H, memo, step, most):
    """The estimate of the child, its words in row 1."""
    return heuristic.follow(H, memo, 0, heuristic.MEMORY, step, most)


@inlined
def remembered(H, memo, state):
    """The estimate of a state, whose words come to row 0."""
    return begun(H, memo, 0, state)


@inlined
def anew(H, memo, child):
    """The estimate of a child, whose words come to row 2."""
    return begun(H, memo, 2 * heuristic.MEMORY, child)


@called
def carried_wrongly(H, memo, own, value, step: PackedStep):
    """Follow a step with bounds below and above the estimate of the child."""
    if own >= DEAD_END:
        return stepping_forms.RIGHT, value
    given = heuristic.recall(H, memo, 0)
    if given != own:
        return stepping_forms.RECALL, given
    for below in range(NEAR + 1):
        most = DEAD_END - 1
        if below < NEAR:
            most = value - 1 - below
        given = followed(H, memo, step, most)
        if below < NEAR:
            if given <= most or (given > value and value < DEAD_END):
                return stepping_forms.BOUNDED, given
    if value >= DEAD_END:
        if given >= DEAD_END:
            return stepping_forms.RIGHT, value
        return stepping_forms.FOLLOW, given
    if given != value:
        return stepping_forms.FOLLOW, given
    given = heuristic.recall(H, memo, heuristic.MEMORY)
    if given != value:
        return stepping_forms.RECALL, given
    for i in range(heuristic.MEMORY):
        if memo[heuristic.MEMORY + i] != memo[2 * heuristic.MEMORY + i]:
            return stepping_forms.OTHER_WORDS, value
    return stepping_forms.RIGHT, value
