"""Depth-first search by machine code whose stack is split, for workers of an executor."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.compiled.depth_first.forms import Form
from searchkit.compiled.depth_first.path_search import PathSearch
from searchkit.compiled.depth_first.stack import Level, Stack
from searchkit.compiled.depth_first.subtrees import check_digest, digest_of
from searchkit.compiled.specialise.failures import blaming_kernels
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.engines.deepening import Round
from searchkit.engines.splitting import PartDone, Rest, Search, Spell
from searchkit.errors import SearchkitError
from searchkit.running.source import Given, Source
from searchkit.running.task import Task

if TYPE_CHECKING:
    from fractions import Fraction


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
        task = Task(
            problem=problem, algorithm=self.algorithm, heuristic=heuristic, starts=(),
            every=self.every,
        )  # fmt: skip
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


@attrs.frozen(eq=False, repr=False)
class Iteration(Search[Level]):
    """What machine code has begun."""

    task: Task
    this: Round
    begun: PathSearch

    @property
    def _source(self) -> Source:
        return self.task.source or Given(self.task.problem, self.task.heuristic)

    def left(self) -> Rest[Level] | None:
        """What is left of a stack, once its smallest f above the bound is noted."""
        stack = self.begun.stack
        if not isinstance(stack, Stack):
            return None
        self.begun.prune(stack.counts.next_excess)
        return tuple(row.with_states(self._source.value) for row in stack.rest())

    def searcher(self) -> Searcher:
        """What makes the same problem elsewhere."""
        task = self.task
        return Searcher(self._source, task.algorithm, task.every, digest_of(self.begun.spec))

    def here(self, rest: Rest[Level]) -> Generator[None, None, None]:
        """Search what is left as one process does."""
        task, this, spec, stack = self.task, self.this, self.begun.spec, self.begun.stack
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
