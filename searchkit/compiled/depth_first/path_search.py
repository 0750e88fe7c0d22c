"""Depth-first search of one iteration by machine code: to its end, from pause to pause, or shared.

What is shared among the workers of an executor is its stack, which is split.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.compiled.depth_first.crews import check_digest, digest_of
from searchkit.compiled.depth_first.forms import Form
from searchkit.compiled.depth_first.kernels.deepening import Ended
from searchkit.compiled.depth_first.kernels.pruning import NO_EXCESS
from searchkit.compiled.depth_first.resumable import Counted
from searchkit.compiled.depth_first.siblings import Bursts
from searchkit.compiled.depth_first.stack import Level, Stack
from searchkit.compiled.specialise.failures import blaming_kernels
from searchkit.compiled.specialise.kernels.children import WRONG_COST
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.engines.deepening import Round
from searchkit.engines.splitting import PartDone, Rest, Search, Spell
from searchkit.errors import ProblemError, SearchkitError
from searchkit.running.source import Given, Source
from searchkit.running.task import ForWorkers, Outcome, Task

if TYPE_CHECKING:
    from fractions import Fraction


@attrs.define(eq=False, repr=False)
class PathSearch(Search[Level]):
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

    @property
    def _source(self) -> Source:
        return self.task.source or Given(self.task.problem, self.task.heuristic)

    def left(self) -> Rest[Level] | None:
        """What is left of a stack, once its smallest f above the bound is noted."""
        stack = self.stack
        if not isinstance(stack, Stack):
            return None
        self.prune(stack.counts.next_excess)
        return tuple(row.with_states(self._source.value) for row in stack.rest())

    def searcher(self) -> Searcher:
        """What makes the same problem elsewhere."""
        task = self.task
        return Searcher(self._source, task.algorithm, task.every, digest_of(self.spec))

    def here(self, rest: Rest[Level]) -> Generator[None, None, None]:
        """Search what is left as one process does."""
        task, this, spec, stack = self.task, self.this, self.spec, self.stack
        assert isinstance(stack, Stack)
        state = self._source.state
        stack.resume(tuple(row.with_states(state) for row in rest), spec.word_of(this.bound))
        yield from PathSearch(task, spec, stack, this).go_on()

    def take(self, found: PartDone) -> Round:
        """What a worker has found, by packed states."""
        _rename(found.this, self._source.state)
        return found.this

    def pause(self) -> Generator[None, None, None]:
        """Let limits and progress be looked at: what is shared out is time."""
        self.task.budget = 1  # is left: it was not spent here
        yield
        self.task.budget = 0  # more may have been expanded when somebody is to use it here


@attrs.define(eq=False, repr=False)
class Searcher:
    """What the tasks of a search need, and what a worker process makes of it once."""

    source: Source
    algorithm: Any
    every: bool
    digest: str
    _made: dict[Fraction, tuple[Task, Specialised, Stack]] = attrs.field(factory=dict)
    """By the weight of a round."""
    _look: Callable[[], None] | None = None
    """What compares machine code with the rules."""

    def search(self, rest: Rest[Any], this: Round, seconds: float) -> PartDone:
        """Search what is left of a round for about that many seconds."""
        while True:
            try:
                with self.source.blaming():
                    return self._searched(rest, this, Spell(seconds))
            except SearchkitError as error:
                if not self.source.can_begin_again(error):
                    raise
                self._made.clear()
                this = Round(this.bound, this.weight)

    def _searched(self, rest: Rest[Any], this: Round, spell: Spell) -> PartDone:
        source = self.source
        problem, heuristic = source.made()
        with blaming_kernels(problem):
            if this.weight not in self._made:
                self._made[this.weight] = self._prepared(problem, heuristic, this.weight)
            task, spec, stack = self._made[this.weight]
            counters = task.counters
            expanded, generated = counters.expanded, counters.generated
            counters.max_frontier = 0
            stack.resume(
                tuple(row.with_states(source.state) for row in rest), spec.word_of(this.bound)
            )
            left: Rest[Any] | None = None
            task.budget = spell.size
            searching = PathSearch(task, spec, stack, this)
            for _ in searching.go_on():
                if spell.is_over():
                    searching.prune(stack.counts.next_excess)
                    left = tuple(row.with_states(source.value) for row in stack.rest())
                    break
                task.budget = spell.size
            assert self._look is not None
            self._look()
        _rename(this, source.value)
        expanded, generated = counters.expanded - expanded, counters.generated - generated
        return PartDone(this, expanded, generated, counters.max_frontier, left)

    def _prepared(
        self, problem: Any, heuristic: Any, weight: Fraction
    ) -> tuple[Task, Specialised, Stack]:
        task = ForWorkers(problem, heuristic, self.algorithm, self.every).task()
        form = Form.of(task, weight, split=True)
        check_digest(problem, form.spec, self.digest)
        self._look = self.source.watching(task)
        return (
            task,
            form.spec,
            form.stack if isinstance(form.stack, Stack) else Stack(form.spec, task),
        )


def _rename(this: Round, name: Callable[[Any], Any]) -> None:
    """Call states otherwise."""
    for found in (this.remaining, this.operators):
        renamed = {name(state): each for state, each in found.items()}
        found.clear()
        found.update(renamed)
