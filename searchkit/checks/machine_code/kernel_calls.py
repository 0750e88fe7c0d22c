"""The kernels as machine code, called on states."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import attrs
import numpy as np

from searchkit.checks.machine_code.kernels import single_calls, single_ranks, steps
from searchkit.checks.machine_code.kernels.steps import Steps
from searchkit.compiled.specialise.kernels import successors
from searchkit.compiled.specialise.listing import list_successors
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import Specialised, specialise
from searchkit.packed import PackedHeuristic, PackedProblem, has_expand, is_inherited
from searchkit.running.task import Run

ANY_COST = 1 << 62


@attrs.frozen(eq=False)
class KernelCalls:
    """What machine code says of states."""

    spec: Specialised
    has_ranks: bool

    @classmethod
    def of(
        cls, problem: PackedProblem[Any], heuristic: PackedHeuristic, starts: Sequence[Any]
    ) -> KernelCalls:
        """Make or load the machine code."""
        has_ranks = bool(problem.ranks) and not is_inherited(problem, "unrank")
        roots = (single_calls, *((single_ranks,) if has_ranks else ()))
        made = cls(with_steps(problem, heuristic, roots), has_ranks)
        made.on_states(starts[:1])
        made.on_steps(starts[:1])
        if has_ranks:
            made.on_ranks([])
        return made

    def on_states(self, states: Sequence[Any]) -> list[tuple[bool, int, int]]:
        """Whether each state is a goal, its control state, and its estimate. O(states)."""
        rows = self.spec.states(list(states))
        goals, *numbers = (array.tolist() for array in _calls(self.spec, rows))
        return list(zip(map(bool, goals), *numbers, strict=True))

    def on_steps(self, states: Sequence[Any]) -> list[dict[int, tuple[int, Any]]]:
        """For each state, the operators that are legal, their costs and children. O(steps)."""
        found: list[dict[int, tuple[int, Any]]] = [{} for _ in states]
        made = steps_from(self.spec, self.spec.states(list(states)), 0, len(states))
        numbers = (made.sources.tolist(), made.operators.tolist(), made.costs.tolist())
        for source, operator, cost, child in zip(*numbers, made.children, strict=True):
            found[source][operator] = cost, python_state(child)
        return found

    def on_ranks(self, states: Sequence[Any]) -> list[tuple[int, Any]]:
        """The rank of each state, and what `unrank` makes of it."""
        ranks = np.zeros(len(states), dtype=np.int64)
        again = self.spec.empty(len(states))
        rows = self.spec.states(list(states))
        self.spec.module.call_ranks(self.spec.head[0], rows, len(states), ranks, again)
        return list(zip(ranks.tolist(), map(python_state, again), strict=True))


def with_steps(
    problem: PackedProblem[Any],
    heuristic: PackedHeuristic | None,
    roots: Sequence[ModuleType],
    **constants: Any,
) -> Specialised:
    """A module of kernel files, for which `steps_from` gives the steps of any cost."""
    if has_expand(problem):
        constants |= {"LEAST_COST": -ANY_COST, "MOST_COST": ANY_COST}
        return specialise(problem, heuristic, (successors, *roots), **constants)
    return specialise(problem, heuristic, (steps, *roots), **constants)


def steps_from(spec: Specialised, rows: np.ndarray[Any, Any], begin: int, end: int) -> Steps:
    """The steps out of the states from `begin` to `end`, of a module made by `with_steps`.

    The operators of steps by `expand` are their places.
    """
    if spec.module.LISTED:
        return _expanded_from(spec, rows, begin, end)
    room = (end - begin) * spec.lists.widest
    arrays = [np.empty(room, dtype=np.int64) for _ in range(5)]
    found = Steps(*[*arrays, spec.empty(room)])
    made = spec.module.steps_from(spec.head[0], spec.lists, rows, begin, end, found)
    return Steps(*(array[:made] for array in found))


def _expanded_from(spec: Specialised, rows: np.ndarray[Any, Any], begin: int, end: int) -> Steps:
    room = spec.children(max(1, end - begin) * spec.lists.widest)
    room, ends = list_successors(Run(problem=spec.problem), spec, rows[begin:end], room)
    counts = np.diff(ends, prepend=0)
    made = int(counts.sum())
    places = np.arange(made) - np.repeat(ends - counts, counts)
    costs = room.costs[:made] if len(room.costs) else np.ones(made, dtype=np.int64)
    sources = begin + np.repeat(np.arange(end - begin), counts)
    return Steps(sources, places, np.zeros_like(places), places, costs, room.states[:made])


def goals_of(
    spec: Specialised, rows: np.ndarray[Any, Any], begin: int, end: int
) -> np.ndarray[Any, Any]:
    """Which states from `begin` to `end` are goals, of a module with the file `single_calls`."""
    return _calls(spec, rows[begin:end])[0].astype(np.bool_)


def memory_of(spec: Specialised) -> np.ndarray[Any, Any]:
    """Room for the words of a state and, twice, of a child of it."""
    return np.zeros(3 * spec.module.MEMORY, dtype=np.int64)


def _calls(spec: Specialised, rows: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
    found = [np.zeros(len(rows), dtype=np.int64) for _ in range(3)]
    spec.module.call_on_states(*spec.head[:2], memory_of(spec), rows, len(rows), *found)
    return found
