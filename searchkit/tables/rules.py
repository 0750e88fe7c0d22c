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
    if table.depth < 2:
        return
    layers = table.layers(problem)
    before = layers.states(table.depth - 2)
    for state in before[:: max(1, len(before) // SAMPLED)]:
        for step in expand(state):
            child = canonical_state(step.state, symmetries)
            if not any(layers.holds(depth, child) for depth in reversed(range(table.depth))):
                raise UsageError(
                    f"{table.store} was made by other rules: it lacks "
                    f"{problem.format_state(step.state)}, a successor of "
                    f"{problem.format_state(state)}; explore into an empty folder"
                )
