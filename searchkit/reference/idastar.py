"""Iterative-deepening A*, and iterative deepening by cost alone, which is the same with h = 0.

Slate & Atkin, "Chess 4.5" (1977); Korf, "Depth-first iterative-deepening: an optimal admissible
tree search" (1985).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Any

from searchkit.engines.deepening import Roots, Round, deepen
from searchkit.engines.splitting import Splitting
from searchkit.errors import UnsuitableError
from searchkit.reference.depth_first import Path, remembered, search
from searchkit.reference.splitting import Iteration
from searchkit.reference.transpositions import Transpositions
from searchkit.running.task import Outcome, Task


def ida_star(
    task: Task, sharper: Callable[[], Generator[None, None, None]] | None = None
) -> Generator[None, None, Outcome]:
    """Depth-first searches with a growing bound on f = g + h; optimal if h is admissible.

    The first bound is the least h of a start; then it grows to the smallest f that was pruned. If
    an iteration prunes nothing by it, every path without a cycle was tried and there is no
    solution. A weight changes only how `Round.f` adds g and h: see `engines/deepening.py`.

    `sharper` may raise the estimates of `task` before each iteration.

    Any non-negative costs. Memory O(depth), and the steps of some thousand states where they are
    chains; time O(number of paths of f up to the optimal cost).
    """
    if task.algorithm.operator_pruning and not task.every:
        raise UnsuitableError("operator_pruning is for the compiled engine; leave it out")
    table = Transpositions(task) if task.algorithm.table else None
    rules = remembered(task)
    splitting = Splitting()
    problem, counters = task.problem, task.counters

    def depth_first(start: Any, estimate: float, this: Round) -> Iterable[None]:
        root = problem.key(start)
        counters.note(frontier=1, stored=1)
        if problem.is_goal(start):
            this.found([(root, 0)])
            return ()
        if table is not None:
            table.begin(this.bound)
        path = Path(entering=(start, root, 0, estimate))
        running = search(task, this, path, rules, table)
        running = splitting.shared(Iteration(task, this, rules, path), running)
        return running if table is None else with_table(running, table)

    def with_table(
        running: Generator[None, None, None], table: Transpositions
    ) -> Generator[None, None, None]:
        try:
            yield from running
        finally:
            counters.holding(counters.max_frontier + len(table.known))

    def roots() -> Roots:
        return [(start, task.estimate(start)) for start in task.starts]

    def after() -> Generator[None, None, Roots]:
        assert sharper is not None
        yield from sharper()
        return roots()

    return (yield from deepen(task, roots(), depth_first, sharper and after))
