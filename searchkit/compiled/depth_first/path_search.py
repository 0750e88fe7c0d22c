"""Depth-first search of one iteration by machine code, up to its end or from pause to pause."""

from __future__ import annotations

from collections.abc import Generator

import attrs

from searchkit.compiled.depth_first.kernels.deepening import Ended
from searchkit.compiled.depth_first.kernels.pruning import NO_EXCESS
from searchkit.compiled.depth_first.resumable import Counted
from searchkit.compiled.depth_first.siblings import Bursts
from searchkit.compiled.depth_first.stack import Stack
from searchkit.compiled.specialise.kernels.children import WRONG_COST
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.engines.deepening import Round
from searchkit.errors import ProblemError
from searchkit.running.task import Outcome, Task


@attrs.define(eq=False, repr=False)
class PathSearch:
    """What a stack has to try, noted in a round and in the counts of the task."""

    task: Task
    spec: Specialised
    stack: Stack | Bursts
    this: Round
    _before: tuple[int, int] = attrs.field(init=False)
    """States expanded and generated before."""

    def __attrs_post_init__(self) -> None:
        counters = self.task.counters
        self._before = counters.expanded, counters.generated

    def note(self, done: Counted) -> None:
        """Note the counts of the stack, and of what was done for it."""
        counters, (expanded, generated) = self.task.counters, self._before
        counters.expanded = expanded + done.expanded
        counters.generated = generated + done.generated

    def go_on(self, most: int | None = None) -> Generator[None, None, bool]:
        """Search to the end; False if `most` states were expanded without a goal before that."""
        task, stack, this = self.task, self.stack, self.this
        counters = task.counters
        while True:
            left = None if most is None else most - stack.counts.expanded
            if left is not None and left <= 0:
                return False
            result = stack.advance(left)
            self.note(stack.counts)
            counters.waiting(stack.longest)
            counters.holding(counters.max_frontier + stack.stored)
            if result == Ended.FOUND:
                self.found()
                if not task.every:
                    return True
                task.partial = Outcome(cost=int(this.cost), remaining=this.remaining)
                most = None
                if this.solutions >= task.max_solutions:
                    return True
            elif result == Ended.WRONG_ESTIMATE:
                raise stack.wrong_estimate()
            elif result == WRONG_COST and isinstance(stack, Stack):
                raise stack.wrong_cost()
            elif result == Ended.CYCLE and isinstance(stack, Stack):
                raise stack.leads_back()
            elif result != Ended.OUT_OF_BUDGET:
                break
            elif task.budget <= 0:
                yield
        self.prune(stack.counts.next_excess)
        return True

    def found(self) -> None:
        """Note the solution along the path."""
        # Of parallel operators, pruning may leave another than the first.
        is_first = not self.task.every and not self.task.algorithm.operator_pruning
        operators = self.stack.operators() if is_first else ()
        self.this.found(list(zip(*self.stack.path(), strict=True)), operators)

    def prune(self, excess: int) -> None:
        """Note by how much the smallest f that was pruned is above the bound."""
        if excess <= 0:
            raise ProblemError(
                f"heuristic {self.spec.heuristic.name}: its kernels disagree: with what is carried "
                "along f is above the bound, and from scratch it is not"
            )
        if excess < NO_EXCESS:
            bound = self.spec.word_of(self.this.bound)
            self.this.prune(self.spec.number_of(bound + excess))
