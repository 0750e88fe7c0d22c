"""The buckets of one thread that counts subtrees in batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from searchkit.capabilities import HasGoalStates
from searchkit.compiled.depth_first.kernels.batched import BATCH, CAPACITY, Ended, Info
from searchkit.compiled.depth_first.resumable import NONE_OVER
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.running.task import Task

if TYPE_CHECKING:
    pass

FIRST_SPILL = 1 << 14
LISTED_GOALS = 10_000


class UnfitError(Exception):
    """Estimates vary too much for batches, or are none: the stack then meets the state."""


@attrs.frozen
class Counted:
    """States expanded and generated, and by how much the smallest f above the bound is above."""

    expanded: int
    generated: int
    over: int

    def __add__(self, other: Counted) -> Counted:
        return Counted(
            self.expanded + other.expanded,
            self.generated + other.generated,
            min(self.over, other.over),
        )


@attrs.define(eq=False)
class Buckets:
    """Room for states with rests of 0 to `most_rest`; see the kernels."""

    spec: Specialised
    task: Task
    most_rest: int
    found: bool = False
    used: int = 0
    """How many states the last call of `drain` expanded."""
    states: Any = attrs.field(init=False)
    fills: Any = attrs.field(init=False)
    busy: Any = attrs.field(init=False)
    may_be_goal: Any = attrs.field(init=False)
    work: list[Any] = attrs.field(init=False)
    spill: list[Any] = attrs.field(init=False)
    info: Any = attrs.field(init=False)
    roots: tuple[Any, Any, Any, int] = attrs.field(init=False)
    """States, nodes, rests, and how many of them were put into buckets."""

    def __attrs_post_init__(self) -> None:
        import numpy as np  # noqa: PLC0415

        spec = self.spec
        nodes = len(spec.lists.controls)
        self.states = spec.empty((self.most_rest + 1) * nodes * CAPACITY + 8)
        self.fills = np.zeros((self.most_rest + 1) * nodes, dtype=np.int64)
        self.busy = np.zeros(self.most_rest + 1, dtype=np.int64)
        self.may_be_goal = _may_be_goal(spec)
        size = BATCH + 8
        self.work = [spec.empty(size), spec.empty(size), np.zeros(size, dtype=np.int64)]
        self.spill = [spec.empty(FIRST_SPILL), np.zeros(FIRST_SPILL, dtype=np.int64)]
        self.info = np.zeros(len(Info), dtype=np.int64)

    @staticmethod
    def bytes_for(spec: Specialised, most_rest: int) -> int:
        """The memory of buckets, of which most is touched only where states are many."""
        states = (most_rest + 1) * len(spec.lists.controls) * CAPACITY
        return 8 * (states * spec.problem.words + FIRST_SPILL * (spec.problem.words + 1))

    def fill(self, states: Any, nodes: Any, rests: Any, begin: int, end: int) -> None:
        """Begin with the states `begin` to `end` of a list."""
        self.found = False
        self.fills[:] = 0
        self.busy[:] = 0
        self.info[:] = 0
        self.info[Info.OVER] = NONE_OVER
        self.roots = (states[begin:end], nodes[begin:end], rests[begin:end], 0)

    def drain(self, budget: int) -> bool:
        """Expand up to `budget` states; whether all are done, or a goal was found."""
        self.used = 0
        if budget <= 0:
            return False
        module = self.spec.module
        while True:
            states, nodes, rests, put = self.roots
            put = int(module.put(self.states, self.fills, self.busy, states, nodes, rests, put,
                                 len(self.spec.lists.controls), self.info))  # fmt: skip
            self.roots = (states, nodes, rests, put)
            before = self.result().expanded
            ended = module.drain(
                *self.spec.head, self.may_be_goal, self.states, self.fills, self.busy,
                *self.work, *self.spill, self.info, budget,
            )  # fmt: skip
            used = self.result().expanded - before
            budget -= used
            self.used += used
            if ended == Ended.UNFIT:
                raise UnfitError
            if ended == Ended.FOUND:
                self.found = True
                return True
            if ended == Ended.SPILL_FULL:
                self._grow_spill()
            elif ended == Ended.BUDGET:
                return False
            elif put == len(nodes):
                return True

    def _grow_spill(self) -> None:
        import numpy as np  # noqa: PLC0415

        more = 2 * sum(each.nbytes for each in self.spill)
        self.task.reserve(self.task.counters.bytes + more)
        self.spill = [np.concatenate([each, np.zeros_like(each)]) for each in self.spill]

    @property
    def most(self) -> int:
        """Most states that waited at once."""
        return int(self.info[Info.MOST])

    def result(self) -> Counted:
        """The counts so far."""
        return Counted(
            int(self.info[Info.EXPANDED]),
            int(self.info[Info.GENERATED]),
            int(self.info[Info.OVER]),
        )


def _may_be_goal(spec: Specialised) -> Any:
    """For each node of the operator lists, whether a goal can be there."""
    import numpy as np  # noqa: PLC0415

    problem, controls = spec.problem, spec.lists.controls
    everywhere = np.ones(len(controls), dtype=np.bool_)
    if problem.controls == 1 or not isinstance(problem, HasGoalStates):
        return everywhere
    goals = list(problem.goal_states())
    if len(goals) > LISTED_GOALS:
        return everywhere
    return np.isin(controls, [problem.control(goal) for goal in goals])
