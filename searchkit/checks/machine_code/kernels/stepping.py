"""Estimates of states and of what every step leads to, from scratch and carried along.

If the heuristic has words, those of a state are in row 0 of `memo`, those that `follow` finds for
a child go to row 1, and those that `begin` finds to row 2. If these are always the same, the
estimate is carried along every path as well.
"""

from enum import IntEnum

import numpy as np

from searchkit.checked.forms import NEAR
from searchkit.checks.machine_code.kernels.steps import Steps
from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import (
    borrowed,
    called,
    entry,
    heuristic,
    inlined,
    parameter,
)
from searchkit.packed import DEAD_END, MOST_CANDIDATES, SPARE_CHANGES, PackedStep

CANDIDATES = parameter()
"""Whether the heuristic has `candidates`."""
Wrong = IntEnum(
    "Wrong", "NOTHING CHANGE DEAD_ENDS RECALL BOUNDED FOLLOW OTHER_WORDS LEFT_OUT", start=0
)
"""What can be wrong with an estimate that is carried along a step."""


@entry
def estimates(H, memo, states, begin, end, values):
    """The estimates of states, from scratch."""
    H = borrowed(H)
    memo = borrowed(memo)
    for i in range(begin, end):
        values[i - begin] = from_scratch(H, memo, 0, words.load(states, i))


@entry
def compare(H, memo, states, found: Steps, count, values, wrong, given):
    """Estimate what `count` steps lead to; what is wrong with what is carried along, if anything.

    `given` is the estimate that is carried along, or the right one.
    """
    H = borrowed(H)
    memo = borrowed(memo)
    found = borrowed(found)
    source = -1
    own = 0
    for i in range(count):
        state = words.load(states, found.sources[i])
        if found.sources[i] != source:
            source = found.sources[i]
            own = from_scratch(H, memo, 0, state)
        child = words.load(found.children, i)
        values[i] = from_scratch(H, memo, 2 * heuristic.MEMORY, child)
        step = PackedStep(state, found.controls[i], found.operators[i], child)
        wrong[i], given[i] = carried(H, memo, own, values[i], step)


if heuristic.MEMORY:

    @called  # not inlined: several copies take long to compile
    def from_scratch(H, memo, at, state):
        """The estimate of a state, and its words."""
        return heuristic.begin(H, memo, at, state)

    @called
    def followed(H, memo, step, most):
        """The estimate of the child, its words in row 1."""
        return heuristic.follow(H, memo, 0, heuristic.MEMORY, step, most)

    @called
    def carried(H, memo, own, value, step: PackedStep):
        """Follow a step with bounds below and above the estimate of the child."""
        if own >= DEAD_END:
            return Wrong.NOTHING, value
        given = heuristic.recall(H, memo, 0)
        if given != own:
            return Wrong.RECALL, given
        for below in range(NEAR):
            most = value - 1 - below
            given = followed(H, memo, step, most)
            if given <= most or (given > value and value < DEAD_END):
                return Wrong.BOUNDED, given
        given = followed(H, memo, step, DEAD_END - 1)
        if value >= DEAD_END and given >= DEAD_END:
            return Wrong.NOTHING, value
        if given != value:
            return Wrong.FOLLOW, given
        given = heuristic.recall(H, memo, heuristic.MEMORY)
        if given != value:
            return Wrong.RECALL, given
        for i in range(heuristic.MEMORY):
            if memo[heuristic.MEMORY + i] != memo[2 * heuristic.MEMORY + i]:
                return Wrong.OTHER_WORDS, value
        return Wrong.NOTHING, value

else:

    @inlined
    def from_scratch(H, memo, at, state):
        """The estimate of a state."""
        return heuristic.estimate(H, state)

    @inlined
    def carried(H, memo, own, value, step: PackedStep):
        """Compare what a step changes; dead ends cannot be carried along."""
        if not heuristic.INCREMENTAL:
            return Wrong.NOTHING, value
        if own >= DEAD_END or value >= DEAD_END:
            return Wrong.DEAD_ENDS, value
        after = own + heuristic.change(H, step.state, step.control, step.operator, step.child)
        if after != value:
            return Wrong.CHANGE, after
        if CANDIDATES and 0 <= step.operator < MOST_CANDIDATES:
            for spare in range(SPARE_CHANGES):
                most = value - own + spare
                word = heuristic.candidates(H, step.state, step.control, most)
                if word >> step.operator & 1 == 0:
                    return Wrong.LEFT_OUT, np.int64(DEAD_END)
        return Wrong.NOTHING, value
