"""Whether a table that is to be gone on with was made by the rules at hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from searchkit.capabilities import Symmetry
from searchkit.errors import UsageError
from searchkit.problem import Problem, Step
from searchkit.symmetry import canonical_state
from searchkit.tables.writer import TableWriter

SAMPLED = 32


def check_rules(
    table: TableWriter,
    problem: Problem[Any, Any],
    expand: Callable[[Any], Iterable[Step[Any, Any]]],
    symmetries: Sequence[Symmetry[Any, Any]],
) -> None:
    """Refuse a table that lacks successors of some states of its last layer but one."""
    import numpy as np  # noqa: PLC0415

    if table.depth < 2:
        return
    layers = [table.layer(depth) for depth in range(table.depth)]
    before = layers[-2]
    for state in before[:: max(1, len(before) // SAMPLED)]:
        for step in expand(int(state)):
            word = np.uint64(canonical_state(step.state, symmetries))
            if not any(layer[min(np.searchsorted(layer, word), len(layer) - 1)] == word
                       for layer in reversed(layers)):  # fmt: skip
                raise UsageError(
                    f"{table.folder} was made by other rules: it lacks "
                    f"{problem.format_state(step.state)}, a successor of "
                    f"{problem.format_state(int(state))}; explore into an empty folder"
                )
