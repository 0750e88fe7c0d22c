"""A heuristic checked by its kernels, run as machine code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.checks.machine_code.kernels import stepping
from searchkit.compiled.specialise.costs import wrong_estimate
from searchkit.compiled.specialise.prepare import Specialised, specialise
from searchkit.heuristics.forms import (
    BOUNDED_FORM,
    DEAD_END_FORM,
    WORDS_FORM,
    Found,
    Steps,
    overridden,
)
from searchkit.packed import DEAD_END, PackedHeuristic, PackedProblem
from searchkit.problem import INFINITY

if TYPE_CHECKING:
    import numpy as np

FORMS = ("change", DEAD_END_FORM, "recall", BOUNDED_FORM, "follow", WORDS_FORM)
"""What is wrong, in the order of the numbers from 1 on in `kernels/stepping_forms.py`."""


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
        spec = specialise(problem, heuristic, states[:1], (stepping,))
        made = cls(spec, spec.states(list(states)) if rows is None else rows)
        made.values(0, 0)
        made.steps(0, 0, made.rows)
        return made

    def names(self) -> tuple[str, ...]:
        """What is carried along by kernels."""
        return tuple(name for name in overridden(self.spec.heuristic) if name != "after")

    def values(self, begin: int, end: int) -> np.ndarray[Any, Any]:
        """What the kernel `estimate`, or `begin`, says."""
        import numpy as np  # noqa: PLC0415  (takes long to import)

        values = np.empty(end - begin, dtype=np.int64)
        module = self.spec.module
        memo = np.zeros(3 * module.MEMORY, dtype=np.int64)
        module.estimates(self.spec.head[1], self.rows, memo, begin, end, values)
        for wrong in np.flatnonzero((values < 0) | (values > DEAD_END))[:1]:
            raise wrong_estimate(self.spec, self.rows[begin + int(wrong)])
        return _plain(values)

    def steps(self, begin: int, end: int, own: np.ndarray[Any, Any]) -> Steps:
        """All steps, carried along by the kernels."""
        import numpy as np  # noqa: PLC0415

        room = (end - begin) * self.spec.lists.widest
        arrays = [np.empty(room, dtype=np.int64) for _ in range(6)]
        module = self.spec.module
        memo = np.zeros(3 * module.MEMORY, dtype=np.int64)
        count = int(module.check_steps(*self.spec.head, self.rows, memo, begin, end, *arrays))
        source, number, cost, values, wrong, given = (array[:count] for array in arrays)
        value, plain = _plain(values), _plain(given)
        found = [
            Found(
                form=FORMS[int(wrong[i]) - 1],
                state=int(source[i]),
                step=int(number[i]),
                expected=float(value[i]),
                given=float(plain[i]),
            )
            for i in map(int, np.flatnonzero(wrong))
        ]
        return Steps(source=source, number=number, cost=cost, value=value, found=found)


def _plain(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Estimates of a kernel as a call gives them."""
    import numpy as np  # noqa: PLC0415

    return np.where(values >= DEAD_END, INFINITY, values)
