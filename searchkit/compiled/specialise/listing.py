"""The successors of states in arrays, listed by machine code, or by the rules for a few."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.specialise.costs import wrong_cost_from
from searchkit.compiled.specialise.kernels.children import NO_ROOM, TRAPPED, Children
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.packed import MOST_STEPS, bare_successors_of, by_kernels, too_many_steps
from searchkit.running.task import Run

FEW = 100
"""For so many states, machine code takes longer to be made, or to be loaded, than Python does."""
Rows = np.ndarray[Any, Any]


@attrs.frozen
class Listed:
    """Successors of states, the costs of the steps, and where those of each state end."""

    states: Rows
    costs: Rows
    ends: Rows

    @property
    def sources(self) -> Rows:
        """For each, which state it is a successor of."""
        begins = np.append(0, self.ends[:-1])  # `np.diff` takes long to begin
        return np.repeat(np.arange(len(self.ends)), self.ends - begins)


@attrs.define(eq=False)
class FewSteps:
    """Lists the successors of a few states by the rules in Python, as long as they are few."""

    spec: Specialised
    left: int = attrs.field(factory=lambda: FEW)
    """Of how many states more."""
    _steps: Callable[[Any], Iterable[Any]] | None = attrs.field(default=None, init=False)

    def listed(self, rows: Rows) -> Listed | None:
        """The successors of the states in `rows`.

        None where machine code is to be asked: after many states, and where a step has a cost that
        it may not have.
        """
        module = self.spec.module
        if len(rows) > self.left:
            self.left = 0
            return None
        self.left -= len(rows)
        if self._steps is None:
            self._steps = bare_successors_of(by_kernels(self.spec.problem))
        states, costs, ends = [], [], []
        for row in rows:
            for _, child, cost in self._steps(python_state(row)):
                if not module.LEAST_COST <= cost <= module.MOST_COST:
                    return None
                states.append(child)
                costs.append(cost)
            ends.append(len(states))
        words = [np.array(each, dtype=np.int64) for each in (costs, ends)]
        return Listed(self.spec.states(states), *words)


def list_successors(
    run: Run, spec: Specialised, rows: np.ndarray[Any, Any], room: Children
) -> tuple[Children, np.ndarray[Any, Any]]:
    """The successors of the states in `rows`, one after another, and where those of each end.

    They are in `room`, or in larger room where that is too little. Raises `ProblemError` for a
    wrong cost. For modules with the file `successors`.
    """
    ends = np.zeros(len(rows), dtype=np.int64)
    while True:
        done = spec.module.successors_of(spec.head[0], spec.lists, rows, room, ends)
        if done == len(rows):
            return room, ends
        used = int(ends[done - 1]) if done else 0
        room = room_after(run, spec, ends[done], rows[done], room, used)


def room_after(
    run: Run, spec: Specialised, why: int, row: Any, room: Children, used: int = 0
) -> Children:
    """Room in which the successors of the state in `row` may be listed, which were not: see `why`.

    Behind `used` others. Raises the error where they never can: for a wrong cost, or too many.
    """
    if why == TRAPPED:
        spec.traps.deal_with(python_state(row))
        return room
    if why != NO_ROOM:
        raise wrong_cost_from(run, spec, row)
    most = len(room.states)
    if spec.module.LISTED and most - used > MOST_STEPS:
        raise too_many_steps(spec.problem, python_state(row))
    return spec.children(2 * most)
