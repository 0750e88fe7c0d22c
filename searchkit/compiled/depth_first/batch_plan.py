"""Which subtrees are counted in batches, and how many at a time: by what is known of their sizes.

States beyond the bound are some factor more with each cost that the bound rises: so a subtree whose
root has more slack is larger by that factor. Both the factor and the size are estimates: they say
how the work is cut, never what is counted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import attrs
import numpy as np

from searchkit.compiled.depth_first.resumable import NO_CUT, Cut
from searchkit.limits import Iteration

RUN_OVERHEAD = 40_000
"""What it costs to fill and to empty the buckets of a run, in states that are expanded."""
ROOTS_IN_RUN = 64
FINER = 8
"""A run that holds a goal is cut into as many."""
MOST_ROOTS = 1 << 16
UNKNOWN, UNKNOWN_GROWTH = 1_000_000, 2.0
"""How many states an iteration has, and its growth, where nothing is known."""
LEAST_GROWTH, MOST_GROWTH = 1.1, 64.0
MOST_SLACK = 250
SLACKS = np.arange(MOST_SLACK + 1)
DEEPER = 6
"""Where subtrees of no slack are too large, they are cut off by depth: this much deeper."""


@attrs.define
class Plan:
    """The runs of an iteration, or of a part of it."""

    log_growth: float
    """The logarithm of how many times larger a subtree is if its root has a slack of one more."""
    log_size: float
    """The logarithm of the size of a subtree whose root has no slack."""
    run: float
    """How many states a run should have."""
    states: float = 0
    """How many states there should be in all; 0 if nothing is known."""
    room: int = attrs.field(factory=lambda: MOST_ROOTS)
    deeper: int = attrs.field(factory=lambda: DEEPER)

    @classmethod
    def after(cls, iterations: Sequence[Iteration], bound: float, effort: int = 1) -> Plan:
        """What the last two iterations say of the next one.

        A state takes as long as `effort` states in batches.

        What is not yet within a bound is left out one step earlier: the subtrees that are cut off
        at a slack are as many as the states expanded within the bound that is lower by it and by
        one step. So their mean size is the growth over both.
        """
        overhead = RUN_OVERHEAD / effort
        if len(iterations) < 2 or not iterations[-2].expanded:
            growth = math.log(UNKNOWN_GROWTH)
            return cls(growth, growth, math.sqrt(UNKNOWN * overhead))
        before, last = iterations[-2:]
        step = last.bound - before.bound
        growth = math.log(max(1, last.expanded) / before.expanded) / step
        growth = min(max(growth, math.log(LEAST_GROWTH)), math.log(MOST_GROWTH))
        states = max(1.0, last.expanded * math.exp(min(growth * (bound - last.bound), 20)))
        return cls(growth, growth * step, math.sqrt(states * overhead), states)

    def cut(self, depth: int) -> Cut:
        """What is left to batches by a search whose path has this length."""
        room = math.log(self.run / ROOTS_IN_RUN) - self.log_size
        slack = min(math.floor(room / self.log_growth), MOST_SLACK)
        cut_depth = NO_CUT
        if slack < 0:
            slack, cut_depth = -1, depth + self.deeper
        logarithms = self.log_size + self.log_growth * SLACKS
        sizes = np.exp(np.minimum(logarithms, 40)).astype(np.int64) + 1
        return Cut(slack, cut_depth, self.room, max(1, int(self.run)), sizes)

    def learn(self, runs: float, found: int, roots: int) -> None:
        """Note how many states there were in some runs, with that many roots in all."""
        self.log_size += math.log(max(1, found) / (runs * self.run))
        mean, wanted = found / roots, self.run / ROOTS_IN_RUN
        if mean > wanted:
            self.deeper += 1
        elif mean < wanted / 64 and self.deeper > 1:
            self.deeper -= 1

    def finer(self, mean: float) -> Plan:
        """How to cut a run in which there is a goal, where runs had that many states on average."""
        log_size = self.log_size + math.log(mean / self.run)
        return Plan(self.log_growth, log_size, mean / FINER, room=4 * FINER * ROOTS_IN_RUN)
