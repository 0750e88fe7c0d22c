"""Depth-first search in plain Python whose stack is split, for workers of an executor."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from copy import copy
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.algorithms import cycle_pruning
from searchkit.authors.blame import blaming
from searchkit.engines import splitting
from searchkit.engines.deepening import Round
from searchkit.engines.splitting import PartDone, Rest, Sharing, Spell
from searchkit.executors.travelling import are_equal_elsewhere
from searchkit.problem import Step
from searchkit.reference.depth_first import Path, Rules, remembered, search
from searchkit.running.making import search_clock
from searchkit.running.task import Task

if TYPE_CHECKING:
    from searchkit.executors.executor import Executor, Job
    from searchkit.executors.parcels import Parcel


@attrs.frozen
class Level:
    """A state of the path, and the steps that are left to try; None where it is to be expanded.

    Steps are sent as they are: another process may list them in another order.
    """

    state: Any
    g: int
    h: float
    steps: list[Step[Any, Any]] | None

    @property
    def is_open(self) -> bool:
        """Whether there is anything left to try."""
        return self.steps is None or bool(self.steps)

    def closed(self) -> Level:
        """The same state with nothing left to try."""
        return attrs.evolve(self, steps=[])


def rest_of(task: Task, path: Path) -> Rest[Level] | None:
    """What is left of a search; None where it cannot be sent.

    There may be no end of the steps out of a state; or states that are objects by themselves, which
    would be strangers to the goals, and to each other, in another process.
    """
    if any(type(steps) is not _LIST for steps, *_ in path.frames):
        return None
    # Whoever goes on here needs the iterators as they are.
    rows = [Level(state, g, h, list(copy(steps))) for steps, _, state, g, h, _ in path.frames]
    if path.entering is not None:
        state, _, g, h = path.entering
        rows.append(Level(state, g, h, None))
    states = [state for row in rows for state in (row.state, *(s.state for s in row.steps or ()))]
    key_of = task.problem.key
    return tuple(rows) if are_equal_elsewhere(list(map(key_of, states))) else None


_LIST: type[Iterator[Any]] = type(iter([]))


def path_of(task: Task, rest: Rest[Level]) -> Path:
    """The path of a search that goes on with what is left."""
    path = Path()
    key_of = task.problem.key
    by_path = cycle_pruning(task.problem, task.algorithm.cycles) == "path"
    before: tuple[Any, ...] = ()
    for row in rest:
        key = key_of(row.state)
        if row.steps is None:
            path.entering = row.state, key, row.g, row.h
            break
        path.keys.add(key)
        without = path.keys if by_path else (key, *before)
        path.frames.append((iter(row.steps), key, row.state, row.g, row.h, without))
        before = (key,)
    return path


@attrs.define(eq=False, repr=False)
class Searcher:
    """What the tasks of a search need, and what a worker remembers of chains."""

    problem: Any
    heuristic: Any
    algorithm: Any
    every: bool
    rules: Rules | None = None

    def task(self) -> Task:
        """A task that counts from 0."""
        task = Task(
            problem=self.problem, heuristic=self.heuristic, algorithm=self.algorithm,
            every=self.every, starts=(),
        )  # fmt: skip
        self.rules = self.rules or remembered(task)
        return task


def search_rest(
    parcel: Parcel[Searcher], rest: Rest[Level], this: Round, seconds: float
) -> PartDone:
    """Search what is left of a round for about that many seconds; a task of an executor."""
    searcher = parcel.open()
    with blaming(searcher.problem):
        task, left = searcher.task(), None
        path, counters, spell = path_of(task, rest), task.counters, Spell(seconds)
        task.pause_at = spell.size
        for _ in search(task, this, path, searcher.rules):
            if spell.is_over() and (left := rest_of(task, path)) is not None:
                break
            task.pause_at = counters.expanded + spell.size
    return PartDone(this, counters.expanded, counters.generated, counters.max_frontier, left)


@attrs.define(eq=False, repr=False)
class Splitting:
    """The iterations of one search, shared out where they take long and there are workers."""

    task: Task
    rules: Rules | None
    _parcel: Parcel[Searcher] | None = None

    def shared(
        self, this: Round, path: Path, running: Generator[None, None, None]
    ) -> Generator[None, None, None]:
        """Do what `running` does, which searches along `path`."""
        began = search_clock()
        for _ in running:
            yield
            executor = self.task.executor
            if executor is None or search_clock() - began < splitting.ALONE_SECONDS:
                continue
            rest = rest_of(self.task, path)
            if rest is not None:
                running.close()
                yield from Sharing(self.task, this, _Iteration(self, this), executor).run(rest)

    def parcel(self, executor: Executor) -> Parcel[Searcher]:
        """What is sent to each worker once."""
        if self._parcel is None:
            task = self.task
            parts = task.problem, task.heuristic, task.algorithm, task.every
            self._parcel = executor.share(Searcher(*parts))
        return self._parcel


@attrs.frozen(eq=False, repr=False)
class _Iteration:
    """The search of one iteration, for `Sharing`."""

    splitting: Splitting
    this: Round

    def submit(self, executor: Executor, rest: Rest[Level]) -> Job[PartDone]:
        """Let a worker search what is left, for a moment."""
        parcel, this = self.splitting.parcel(executor), Round(self.this.bound, self.this.weight)
        return executor.submit(search_rest, parcel, rest, this, splitting.TASK_SECONDS)

    def here(self, rest: Rest[Level]) -> Generator[None, None, None]:
        """Search what is left as one process does."""
        task = self.splitting.task
        return search(task, self.this, path_of(task, rest), self.splitting.rules)

    def take(self, found: PartDone) -> Round:
        """What a worker has found."""
        return found.this

    def pause(self) -> Generator[None, None, None]:
        """Let limits and progress be looked at."""
        self.splitting.task.look()
        yield from ()
