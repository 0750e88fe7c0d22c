"""The kernels as machine code, called on states, those of a heuristic in all its forms."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import attrs
import numpy as np

from searchkit.checked.forms import (
    BOUNDED_FORM,
    DEAD_END_FORM,
    LEFT_OUT,
    WORDS_FORM,
    Mismatch,
    Steps,
    overridden,
)
from searchkit.checks.machine_code.kernels import single_calls, single_ranks, stepping, steps
from searchkit.checks.machine_code.kernels.stepping import Wrong
from searchkit.compiled.specialise.costs import wrong_estimate
from searchkit.compiled.specialise.kernels import successors
from searchkit.compiled.specialise.listing import list_successors
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import Specialised, specialise
from searchkit.packed import (
    DEAD_END,
    PackedHeuristic,
    PackedProblem,
    has_candidates,
    has_expand,
    is_inherited,
)
from searchkit.problem import INFINITY
from searchkit.running.task import Run

ANY_COST = 1 << 62
FORMS = {
    Wrong.CHANGE: "change",
    Wrong.DEAD_ENDS: DEAD_END_FORM,
    Wrong.RECALL: "recall",
    Wrong.BOUNDED: BOUNDED_FORM,
    Wrong.FOLLOW: "follow",
    Wrong.OTHER_WORDS: WORDS_FORM,
    Wrong.LEFT_OUT: LEFT_OUT,
}


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


def steps_from(spec: Specialised, rows: np.ndarray[Any, Any], begin: int, end: int) -> steps.Steps:
    """The steps out of the states from `begin` to `end`, of a module made by `with_steps`.

    The operators of steps by `expand` are their places.
    """
    if spec.module.LISTED:
        return _expanded_from(spec, rows, begin, end)
    room = (end - begin) * spec.lists.widest
    arrays = [np.empty(room, dtype=np.int64) for _ in range(5)]
    found = steps.Steps(*[*arrays, spec.empty(room)])
    made = spec.module.steps_from(spec.head[0], spec.lists, rows, begin, end, found)
    return steps.Steps(*(array[:made] for array in found))


def _expanded_from(
    spec: Specialised, rows: np.ndarray[Any, Any], begin: int, end: int
) -> steps.Steps:
    room = spec.children(max(1, end - begin) * spec.lists.widest)
    room, ends = list_successors(Run(problem=spec.problem), spec, rows[begin:end], room)
    counts = np.diff(ends, prepend=0)
    made = int(counts.sum())
    places = np.arange(made) - np.repeat(ends - counts, counts)
    costs = room.costs[:made] if len(room.costs) else np.ones(made, dtype=np.int64)
    sources = begin + np.repeat(np.arange(end - begin), counts)
    return steps.Steps(sources, places, np.zeros_like(places), places, costs, room.states[:made])


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


@attrs.frozen(eq=False)
class CompiledForms:
    """The kernels over states that are rows of machine words."""

    spec: Specialised
    rows: np.ndarray[Any, Any]

    @classmethod
    def of(
        cls,
        problem: PackedProblem[Any],
        heuristic: PackedHeuristic,
        states: Sequence[Any],
        rows: np.ndarray[Any, Any] | None,
    ) -> CompiledForms:
        """Make or load the machine code; `rows` are the states as an array, if there is one."""
        candidates = int(has_candidates(heuristic))
        spec = with_steps(problem, heuristic, (stepping,), CANDIDATES=candidates)
        made = cls(spec, spec.states(list(states)) if rows is None else rows)
        made.values(0, 0)
        made.steps(0, 0, made.rows)
        return made

    def names(self) -> tuple[str, ...]:
        """What is carried along by kernels."""
        return tuple(name for name in overridden(self.spec.heuristic) if name != "after")

    def values(self, begin: int, end: int) -> np.ndarray[Any, Any]:
        """What the kernel `estimate`, or `begin`, says."""
        values = np.empty(end - begin, dtype=np.int64)
        module, tables = self.spec.module, self.spec.head[1]
        module.estimates(tables, memory_of(self.spec), self.rows, begin, end, values)
        for wrong in np.flatnonzero((values < 0) | (values > DEAD_END))[:1]:
            raise wrong_estimate(self.spec, self.rows[begin + int(wrong)])
        return _plain(values)

    def steps(self, begin: int, end: int, own: np.ndarray[Any, Any]) -> Steps:
        """All steps, carried along by the kernels."""
        made = steps_from(self.spec, self.rows, begin, end)
        count = len(made.costs)
        values, wrong, given = (np.empty(count, dtype=np.int64) for _ in range(3))
        self.spec.module.compare(
            self.spec.head[1], memory_of(self.spec), self.rows, made, count, values, wrong, given
        )
        value, plain = _plain(values), _plain(given)
        found = []
        for i in map(int, np.flatnonzero(wrong)):
            form, source, place = FORMS[Wrong(int(wrong[i]))], made.sources[i], made.places[i]
            found.append(Mismatch(form, int(source), int(place), float(value[i]), float(plain[i])))
        return Steps(
            source=made.sources, number=made.places, cost=made.costs, value=value, found=found
        )


def _plain(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.where(values >= DEAD_END, INFINITY, values)
