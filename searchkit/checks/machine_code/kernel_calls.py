"""The kernels as machine code, called on single states and steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.checks.machine_code.kernels import single_calls, single_ranks
from searchkit.compiled.specialise.module import overrides, python_state
from searchkit.compiled.specialise.prepare import Specialised, specialise
from searchkit.packed import PackedHeuristic, PackedProblem

if TYPE_CHECKING:
    import numpy as np


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
        has_ranks = bool(problem.ranks) and overrides(problem, PackedProblem, "unrank")
        roots = (single_calls, single_ranks) if has_ranks else (single_calls,)
        spec = specialise(problem, heuristic, starts[:1], roots)
        return cls(spec, has_ranks)

    def on_states(self, states: Sequence[Any]) -> list[tuple[bool, int, int]]:
        """Whether each state is a goal, its control state, and its estimate. O(states)."""
        import numpy as np  # noqa: PLC0415  (takes long to import)

        count, module = len(states), self.spec.module
        goals, controls, estimates = (np.zeros(count, dtype=np.int64) for _ in range(3))
        memo = np.zeros(3 * module.MEMORY, dtype=np.int64)
        rows = self.spec.states(list(states))
        module.call_on_states(*self.spec.head[:2], memo, rows, count, goals, controls, estimates)
        return [
            (bool(goal), int(control), int(estimate))
            for goal, control, estimate in zip(goals, controls, estimates, strict=True)
        ]

    def on_steps(self, steps: Sequence[tuple[Any, int, int]]) -> list[tuple[int, Any] | None]:
        """Cost and child of each state, control state and operator; None if not legal."""
        import numpy as np  # noqa: PLC0415

        count = len(steps)
        rows = self.spec.states([state for state, _, _ in steps])
        numbers = np.array([[c, o] for _, c, o in steps], dtype=np.int64).reshape(count, 2)
        legal, costs = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        children = self.spec.empty(count)
        self.spec.module.call_on_steps(
            self.spec.head[0], rows, np.ascontiguousarray(numbers[:, 0]),
            np.ascontiguousarray(numbers[:, 1]), count, legal, costs, children,
        )  # fmt: skip
        return [
            (int(costs[i]), python_state(children[i])) if legal[i] else None for i in range(count)
        ]

    def on_ranks(self, states: Sequence[Any]) -> list[tuple[int, Any]]:
        """The rank of each state, and what `unrank` makes of it."""
        import numpy as np  # noqa: PLC0415

        ranks: np.ndarray[Any, Any] = np.zeros(len(states), dtype=np.int64)
        again = self.spec.empty(len(states))
        rows = self.spec.states(list(states))
        self.spec.module.call_ranks(self.spec.head[0], rows, len(states), ranks, again)
        return [(int(ranks[i]), python_state(again[i])) for i in range(len(states))]
