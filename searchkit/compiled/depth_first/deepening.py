"""IDDFS and IDA* over packed states: an explicit stack, and batches for long iterations.

Slate & Atkin, "Chess 4.5" (1977); Korf, "Depth-first iterative-deepening" (1985).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from fractions import Fraction
from typing import Any

import attrs

from searchkit.compiled.depth_first.batch_buckets import UnfitError
from searchkit.compiled.depth_first.batch_plan import Plan
from searchkit.compiled.depth_first.batched import BatchIteration
from searchkit.compiled.depth_first.crews import Crew
from searchkit.compiled.depth_first.forms import Form
from searchkit.compiled.depth_first.kernels.deepening import Ended
from searchkit.compiled.depth_first.kernels.pruning import NO_BOUND, NO_EXCESS
from searchkit.compiled.depth_first.listed import Listed
from searchkit.compiled.depth_first.masked import Masked
from searchkit.compiled.depth_first.resumable import MOST_BOUND, Counted
from searchkit.compiled.depth_first.siblings import MOST_BOUND_IN_BURSTS, Bursts
from searchkit.compiled.depth_first.stack import Stack
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.engines.deepening import ONE, Round, deepen
from searchkit.errors import ProblemError, UnsuitableError
from searchkit.problem import INFINITY
from searchkit.running.task import Outcome, Task

BATCHES_FROM = 8_000
"""An iteration that expands more states than this is done in batches, where that is possible."""

SURELY_IN_BATCHES = 8
"""If it should expand so many times more, it is begun in batches."""


def deepening(task: Task) -> Generator[None, None, Outcome]:
    """Raise the bound on f = g + h to the smallest value pruned, until a goal is within it.

    Expands and generates exactly the states that the reference engine does. Memory O(depth),
    and some megabytes for batches.
    """
    engine = _Deepening.prepare(task, getattr(task.algorithm, "weight", ONE))
    yield
    try:
        return (yield from engine.run())
    finally:
        engine.crew.close()


@attrs.define(eq=False)
class _Deepening:
    task: Task
    weight: Fraction
    spec: Specialised
    stack: Stack | Bursts | Listed | Masked
    crew: Crew
    batches: bool
    """Whether complete iterations can be done in another order, or by several threads."""

    @classmethod
    def prepare(cls, task: Task, weight: Fraction) -> _Deepening:
        form = Form.of(task, weight)
        if task.executor is not None and not form.batches:
            raise UnsuitableError(
                f"{type(task.problem).__name__}: its subtrees cannot be shared out among workers; "
                "they can be where steps cost 1, are given by operators, and no path leads back to "
                "a state on it that the operators do not rule out; leave workers out"
            )
        crew = Crew(form.spec, task, form.kind)
        return cls(task, weight, form.spec, form.stack, crew, form.batches)

    def run(self) -> Generator[None, None, Outcome]:
        roots = [(start, self.spec.heuristic(start)) for start in self.task.starts]
        return deepen(self.task, roots, self._depth_first)

    def _depth_first(self, start: Any, estimate: float, this: Round) -> Generator[None, None, None]:
        """Try every path from `start` with f up to the bound that has no cycle."""
        if this.weight != self.weight:  # the last round of a weighted search
            self.weight, self.batches = this.weight, False
            other = _Deepening.prepare(self.task, this.weight)
            self.spec, self.stack = other.spec, other.stack
            other.crew.close()
        if this.bound > MOST_BOUND:
            raise self._too_far(int(this.bound))
        if this.bound > MOST_BOUND_IN_BURSTS and isinstance(self.stack, Bursts):
            self.stack, self.batches = Stack(self.spec, self.task), False
        task, counters, stack, module = self.task, self.task.counters, self.stack, self.spec.module
        counters.waiting(1)
        counters.holding(1)
        if self.spec.problem.is_goal(start):
            this.found([(start, 0)])
            return
        bound = self.spec.word_of(this.bound)
        slack = NO_BOUND if module.FLOATS else bound
        if stack.carries and (module.INCREMENTAL or module.MEMORY):
            slack -= int(this.f(0, estimate))
        expanded, generated = counters.expanded, counters.generated
        stack.begin(self.spec.states([start])[0], self.spec.problem.control(start), slack, bound)

        def note(done: Counted) -> None:
            counters.expanded = expanded + done.expanded
            counters.generated = generated + done.generated

        plan = Plan.after(counters.iterations, this.bound, self.crew.kind.effort)
        # At the limit, what was done in batches is searched once more.
        batches = self.batches and plan.states <= task.most_expansions - expanded
        alone = 0 if plan.states > SURELY_IN_BATCHES * BATCHES_FROM else BATCHES_FROM
        while True:
            left = alone - stack.counts.expanded
            if batches and left <= 0:
                batches = False
                if (yield from self._in_batches(this, note, plan)):
                    return
            result = stack.advance(left if batches and left > 0 else None)
            note(stack.counts)
            counters.waiting(stack.longest)
            counters.holding(counters.max_frontier + stack.stored)
            if result == Ended.FOUND:
                self._found(this)
                if not task.every:
                    return
                task.partial = Outcome(cost=int(this.cost), remaining=this.remaining)
                batches = False
                if this.solutions >= task.max_solutions:
                    return
            elif result == Ended.WRONG_ESTIMATE:
                raise stack.wrong_estimate()
            elif result == Ended.WRONG_COST and isinstance(stack, (Stack, Listed)):
                raise stack.wrong_cost()
            elif result == Ended.CYCLE and isinstance(stack, Listed):
                raise stack.leads_back()
            elif result != Ended.OUT_OF_BUDGET:
                break
            elif task.budget <= 0:
                yield
        self._prune(this, stack.counts.next_excess)

    def _too_far(self, bound: int) -> ProblemError:
        what = "g + h" if self.weight == ONE else "g + h times the parts of the weight"
        return ProblemError(
            f"{type(self.task.problem).__name__}: the next bound on {what} is {bound}; the "
            f"compiled engine takes bounds up to {MOST_BOUND}, engine='reference' any"
        )

    def _in_batches(
        self, this: Round, note: Callable[[Counted], None], plan: Plan
    ) -> Generator[None, None, bool]:
        """Finish what the stack has begun; False if the stack must go on by itself."""
        task, counters = self.task, self.task.counters
        assert isinstance(self.stack, (Stack, Bursts))  # no batches otherwise
        for_all = task.every and task.max_solutions == INFINITY
        before, partial = attrs.evolve(this, remaining=dict(this.remaining)), task.partial

        def note_path(path: list[Any]) -> None:
            this.found([(state, g) for g, state in enumerate(path)])
            task.partial = Outcome(cost=int(this.cost), remaining=this.remaining)

        iteration = BatchIteration(
            self.spec, task, self.stack, self.crew, plan, note, note_path if for_all else None
        )
        iteration.warm_up()
        try:
            found = yield from iteration.run()
        except UnfitError:
            # Of the solutions met, depth-first search comes by some after the limit.
            this.cost, this.solutions = before.cost, before.solutions
            this.remaining, task.partial = before.remaining, partial
            return False
        note(found.counts)
        counters.waiting(iteration.most_waiting)
        counters.holding(iteration.most_waiting)
        if found.goal:
            self._found(this)
        else:
            self._prune(this, found.counts.next_excess)
        return True

    def _found(self, this: Round) -> None:
        """Note the solution along the path."""
        # Of parallel operators, pruning may leave another than the first.
        is_first = not self.task.every and not self.task.algorithm.operator_pruning
        operators = self.stack.operators() if is_first else ()
        this.found(list(zip(*self.stack.path(), strict=True)), operators)

    def _prune(self, this: Round, excess: int) -> None:
        """Note by how much the smallest f that was pruned is above the bound."""
        if excess <= 0:
            raise ProblemError(
                f"heuristic {self.spec.heuristic.name}: its kernels disagree: with what is carried "
                "along f is above the bound, and from scratch it is not"
            )
        if excess < NO_EXCESS:
            this.prune(self.spec.number_of(self.spec.word_of(this.bound) + excess))
