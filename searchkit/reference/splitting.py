"""Depth-first search in plain Python whose stack is split, for workers of an executor."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from copy import copy
from typing import Any

import attrs

from searchkit.algorithms import cycle_pruning
from searchkit.authors.blame import blaming
from searchkit.engines.deepening import Round
from searchkit.engines.splitting import PartDone, Rest, Search, Spell
from searchkit.problem import Step
from searchkit.reference.depth_first import Path, Rules, remembered, search
from searchkit.running.task import ForWorkers, Task


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
    from searchkit.executors.travelling import are_equal_elsewhere  # noqa: PLC0415  (for workers)

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
class Searcher(ForWorkers):
    """What the tasks of a search need, and what a worker remembers of chains."""

    rules: Rules | None = None

    def search(self, rest: Rest[Level], this: Round, seconds: float) -> PartDone:
        """Search what is left of a round, counting from 0."""
        with blaming(self.problem):
            task, left = self.task(), None
            self.rules = self.rules or remembered(task)
            path, counters, spell = path_of(task, rest), task.counters, Spell(seconds)
            task.pause_at = spell.size
            for _ in search(task, this, path, self.rules):
                if spell.is_over() and (left := rest_of(task, path)) is not None:
                    break
                task.pause_at = counters.expanded + spell.size
        return PartDone(this, counters.expanded, counters.generated, counters.max_frontier, left)


@attrs.frozen(eq=False, repr=False)
class Iteration(Search[Level]):
    """A search along a path."""

    task: Task
    this: Round
    rules: Rules | None
    path: Path

    def left(self) -> Rest[Level] | None:
        """What is left, if it can be sent."""
        return rest_of(self.task, self.path)

    def searcher(self) -> Searcher:
        """The problem and the heuristic as they are."""
        return Searcher.of(self.task)

    def here(self, rest: Rest[Level]) -> Generator[None, None, None]:
        """Search what is left as one process does."""
        return search(self.task, self.this, path_of(self.task, rest), self.rules)

    def pause(self) -> Generator[None, None, None]:
        """Let limits and progress be looked at."""
        self.task.look()
        yield from ()
