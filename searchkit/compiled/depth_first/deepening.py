"""IDDFS and IDA* over packed states: an explicit stack, and batches for long iterations.

Slate & Atkin, "Chess 4.5" (1977); Korf, "Depth-first iterative-deepening" (1985).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.compiled.depth_first.batch_plan import Plan
from searchkit.compiled.depth_first.batched import BatchIteration
from searchkit.compiled.depth_first.counting import UnfitError
from searchkit.compiled.depth_first.crews import Crew
from searchkit.compiled.depth_first.forms import Form
from searchkit.compiled.depth_first.kernels.pruning import NO_BOUND
from searchkit.compiled.depth_first.ordering import Order
from searchkit.compiled.depth_first.path_search import PathSearch
from searchkit.compiled.depth_first.resumable import MOST_BOUND
from searchkit.compiled.depth_first.siblings import MOST_BOUND_IN_BURSTS, Bursts
from searchkit.compiled.depth_first.stack import Stack
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.engines.deepening import ONE, Roots, Round, deepen
from searchkit.engines.splitting import Splitting
from searchkit.errors import ProblemError
from searchkit.problem import INFINITY, name_of
from searchkit.running.task import Outcome, Task

if TYPE_CHECKING:
    from fractions import Fraction

BATCHES_FROM = 8_000
"""An iteration that expands more states than this is done in batches, where that is possible."""

SURELY_IN_BATCHES = 8
"""If it should expand this many times more, it is begun in batches."""


def deepening(
    task: Task, sharper: Callable[[], Generator[None, None, None]] | None = None
) -> Generator[None, None, Outcome]:
    """Raise the bound on f = g + h to the smallest value pruned, until a goal is within it.

    `sharper` may raise the estimates before each iteration, by the tables of the heuristic.
    Expands and generates exactly the states that the reference engine does. Memory O(depth),
    and some megabytes for batches.
    """
    engine = _Deepening.prepare(task, getattr(task.algorithm, "weight", ONE))
    yield
    try:
        return (yield from engine.run(sharper))
    finally:
        engine.crew.close()


@attrs.define(eq=False, repr=False)
class _Deepening:
    task: Task
    weight: Fraction
    spec: Specialised
    stack: Stack | Bursts
    crew: Crew
    batches: bool
    """Whether complete iterations can be done in another order, or by several threads."""
    order: Order | None
    """Of subtrees, where they can be searched in any, as a table in flight has one of its own."""
    splitting: Splitting = attrs.field(factory=Splitting)

    @classmethod
    def prepare(cls, task: Task, weight: Fraction) -> _Deepening:
        form = Form.of(task, weight)
        crew = Crew(form.spec, task, form.kind)
        order = Order() if form.may_order and len(task.starts) == 1 else None
        return cls(task, weight, form.spec, form.stack, crew, form.batches, order)

    def run(
        self, sharper: Callable[[], Generator[None, None, None]] | None = None
    ) -> Generator[None, None, Outcome]:
        def after() -> Generator[None, None, Roots]:
            assert sharper is not None
            yield from sharper()
            return self._roots

        return deepen(self.task, self._roots, self._depth_first, sharper and after)

    @property
    def _roots(self) -> Roots:
        return [(start, self.spec.heuristic(start)) for start in self.task.starts]

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
        if module.INCREMENTAL or (module.MEMORY and module.FOLLOWED):
            slack -= int(this.f(0, estimate))
        searching = PathSearch(task, self.spec, stack, this)
        stack.begin(self.spec.states([start])[0], self.spec.problem.control(start), slack, bound)
        plan = Plan.after(counters.iterations, this.bound, self.crew.kind.effort)
        # At the limit, what was done in batches is searched once more.
        if self.batches and plan.states <= task.most_expansions - counters.expanded:
            alone = 0 if plan.states > SURELY_IN_BATCHES * BATCHES_FROM else BATCHES_FROM
            if (yield from searching.go_on(alone)):
                return
            if (yield from self._in_batches(searching, plan)):
                return
        yield from self.splitting.shared(searching, searching.go_on())

    def _too_far(self, bound: int) -> ProblemError:
        what = "g + h" if self.weight == ONE else "g + h times the parts of the weight"
        return ProblemError(
            f"{name_of(self.task.problem)}: the next bound on {what} is {bound}; the "
            f"compiled engine takes bounds up to {MOST_BOUND}, engine='reference' any"
        )

    def _in_batches(self, searching: PathSearch, plan: Plan) -> Generator[None, None, bool]:
        """Finish what the stack has begun; False if the stack must go on by itself."""
        task, this, counters = self.task, searching.this, self.task.counters
        for_all = task.every and task.max_solutions == INFINITY
        before, partial = attrs.evolve(this, remaining=dict(this.remaining)), task.partial

        def note_path(path: list[Any]) -> None:
            this.found([(state, g) for g, state in enumerate(path)])
            task.partial = Outcome(cost=int(this.cost), remaining=this.remaining)

        note = searching.note
        if self.order is not None:
            bound = int(self.spec.word_of(this.bound))
            self.order.begin(counters.iterations, plan.states, bound)
        iteration = BatchIteration(
            self.spec, task, self.stack, self.crew, plan, note, note_path if for_all else None,
            self.order,
        )  # fmt: skip
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
        counters.holding(iteration.most_waiting + self.crew.stored)
        if found.goal:
            searching.found()
        else:
            searching.prune(found.counts.next_excess)
        return True
