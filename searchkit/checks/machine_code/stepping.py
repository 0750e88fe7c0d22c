"""A heuristic checked by its kernels, run as machine code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from searchkit.checks.machine_code.kernel_calls import memory_of, steps_from, with_steps
from searchkit.checks.machine_code.kernels import stepping
from searchkit.checks.machine_code.kernels.stepping import Wrong
from searchkit.compiled.specialise.costs import wrong_estimate
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.heuristics.forms import (
    BOUNDED_FORM,
    DEAD_END_FORM,
    LEFT_OUT,
    WORDS_FORM,
    Mismatch,
    Steps,
    overridden,
)
from searchkit.packed import DEAD_END, PackedHeuristic, PackedProblem, has_candidates
from searchkit.problem import INFINITY

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
    """Estimates of a kernel as a call gives them."""
    return np.where(values >= DEAD_END, INFINITY, values)
