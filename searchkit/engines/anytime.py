"""What a search notes of its solutions while it looks for better ones."""

from __future__ import annotations

from fractions import Fraction

from searchkit.algorithms.weights import ratio
from searchkit.result import Improvement
from searchkit.running.task import Outcome, Task


def note_solution(task: Task, found: Outcome, weight: Fraction, seconds: float) -> None:
    """Keep a solution as `task.partial` if it is the best one so far.

    The lower bound of the counters must be up to date.
    """
    best, counters = task.partial, task.counters
    assert found.cost is not None
    if best is not None and best.cost is not None and best.cost <= found.cost:
        return
    task.partial = found
    # Above the cost only by an inadmissible heuristic.
    counters.lower_bound = min(counters.lower_bound, found.cost)
    if len(task.algorithm.weights) > 1:
        counters.improvements.append(
            Improvement(
                weight=weight,
                cost=found.cost,
                lower_bound=counters.lower_bound,
                expanded=counters.expanded,
                seconds=seconds,
            )
        )


def is_proved(task: Task, weight: Fraction) -> bool:
    """Whether the best solution is known to cost at most `weight` times the optimal one."""
    best = task.partial
    if best is None or best.cost is None:
        return False
    proved = ratio(best.cost, task.counters.lower_bound)
    return proved is not None and proved <= weight
