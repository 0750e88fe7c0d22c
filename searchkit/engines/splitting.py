"""One iteration of deepening, shared among the workers of an executor by splitting its stack.

A task searches depth first for a moment and gives back what is left of its stack then. That is
cut into parts, a level of the stack each, and every part is a task again: so there are as many of
them as the work is worth, whatever the shape of the tree. Results are taken in depth-first order.
All counts are therefore those of one process, for any number of workers, and the first goal is the
same. Where a limit is reached within a part, that part is searched once more, here.

Rao & Kumar, "Parallel depth first search" (1987), split stacks between processors.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar

import attrs

from searchkit.engines.deepening import Round
from searchkit.errors import ClusterError
from searchkit.running.making import search_clock
from searchkit.running.task import Task

if TYPE_CHECKING:
    from searchkit.executors.executor import Executor, Job
    from searchkit.executors.parcels import Parcel

ALONE_SECONDS = 0.25
"""An iteration that takes no longer is not shared."""
TASK_SECONDS = 0.25
"""How long a task searches: some hundred times as long as it takes to send it."""
LEVELS = 8
"""Into how many parts a stack is cut at most: deeper levels have little of the work."""
AHEAD = 2
"""How many tasks are on their way at once for each worker."""
WAIT_SECONDS = 0.02


class Row(Protocol):
    """A state of the current path, and what is left to try there."""

    @property
    def is_open(self) -> bool:
        """Whether there is anything left."""

    def closed(self) -> Self:
        """The same state with nothing left to try."""


R = TypeVar("R", bound=Row)
Rest = tuple[R, ...]
"""What is left of a search: the path from its start on."""


def levels(rest: Rest[R]) -> Iterator[Rest[R]]:
    """Parts of what is left, in depth-first order: the deep levels together, then one by one."""
    places = [place for place, row in enumerate(rest) if row.is_open]
    shallow, deep = places[: LEVELS - 1], places[LEVELS - 1 :]
    if deep:
        yield _from_level(rest, deep[0])
    for place in reversed(shallow):
        yield _from_level(rest[: place + 1], place)


def _from_level(rest: Rest[R], place: int) -> Rest[R]:
    return (*(row.closed() for row in rest[:place]), *rest[place:])


@attrs.frozen
class PartDone:
    """What a task has done, up to a goal if one solution is wanted; `rest` is left to do."""

    this: Round
    expanded: int
    generated: int
    longest: int
    """Most states that were on the path at once."""
    rest: Rest[Any] | None = None


class Searcher(Protocol):
    """What the tasks of a search need: it is sent to each worker once, and kept there."""

    def search(self, rest: Rest[Any], this: Round, seconds: float) -> PartDone:
        """Search what is left of a round for about that many seconds."""


def search_rest(parcel: Parcel[Searcher], rest: Rest[Any], this: Round, seconds: float) -> PartDone:
    """Search what is left of a round for about that many seconds; a task of an executor."""
    return parcel.open().search(rest, this, seconds)


class Search(ABC, Generic[R]):
    """The search of one iteration, as whoever shares it needs it."""

    task: Task
    this: Round

    @abstractmethod
    def left(self) -> Rest[R] | None:
        """What is left to others from now on; None if that cannot be told."""

    @abstractmethod
    def searcher(self) -> Searcher:
        """What workers are sent."""

    @abstractmethod
    def here(self, rest: Rest[R]) -> Generator[None, None, None]:
        """Search what is left as one process does."""

    def take(self, found: PartDone) -> Round:
        """What a worker has found, in the terms of this process."""
        return found.this

    @abstractmethod
    def pause(self) -> Generator[None, None, None]:
        """Let limits and progress be looked at."""


@attrs.define(eq=False, repr=False)
class Splitting:
    """The iterations of one search, shared out where they take long and there are workers."""

    _parcel: Parcel[Searcher] | None = None

    def shared(
        self, search: Search[R], running: Generator[None, None, Any]
    ) -> Generator[None, None, None]:
        """Do what `running` does, which is at that search."""
        began = search_clock()
        for _ in running:
            yield
            executor = search.task.executor
            if executor is None or search_clock() - began < ALONE_SECONDS:
                continue
            rest = search.left()
            if rest is not None:
                running.close()
                self._parcel = self._parcel or executor.share(search.searcher())
                yield from Sharing(search, executor, self._parcel).run(rest)


@attrs.define(eq=False, repr=False)
class _Part(Generic[R]):
    rest: Rest[R]
    of: _Part[R] | None = None
    """What it is left of."""
    job: Job[PartDone] | None = None
    is_done: bool = False
    """Whether the job is, and what it has left was put behind the part."""

    def is_left_of(self, other: _Part[R]) -> bool:
        part: _Part[R] | None = self
        while part is not None and part is not other:
            part = part.of
        return part is not None


@attrs.define(eq=False, repr=False)
class Sharing(Generic[R]):
    """The rest of an iteration, in parts that are in depth-first order."""

    search: Search[R]
    executor: Executor
    parcel: Parcel[Searcher]
    _parts: list[_Part[R]] = attrs.field(factory=list, init=False)
    _jobs: dict[Job[PartDone], _Part[R]] = attrs.field(factory=dict, init=False)
    """Those that are on their way."""

    def run(self, rest: Rest[R]) -> Generator[None, None, None]:
        """Search what is left of the iteration; what it finds is noted in the round."""
        self._parts = [_Part(part) for part in levels(rest)]
        try:
            while self._parts:
                if self.search.task.counters.expanded >= self.search.task.most_expansions:
                    yield from self._here(self._parts.pop(0))
                else:
                    self._submit()
                    yield from self._wait()
                yield from self._settle()
        finally:
            self.executor.cancel(list(self._jobs))

    def _submit(self) -> None:
        """Give workers the first parts that nobody has."""
        room, this = AHEAD * self.executor.workers - len(self._jobs), self.search.this
        for part in self._parts:
            if room <= 0:
                break
            if part.job is None:
                given = self.parcel, part.rest, Round(this.bound, this.weight), TASK_SECONDS
                part.job = self.executor.submit(search_rest, *given)
                self._jobs[part.job] = part
                room -= 1
            elif part.is_done and self._has_goal(part.job):
                break

    def _has_goal(self, job: Job[PartDone]) -> bool:
        """Whether nothing behind a part is of any use; also if it has failed."""
        try:
            return bool(job.result().this.solutions) and not self.search.task.every
        except Exception:
            return True

    def _wait(self) -> Generator[None, None, None]:
        for job in self.executor.wait(list(self._jobs), WAIT_SECONDS):
            part = self._jobs.pop(job)
            part.is_done = True
            try:
                rest = job.result().rest
            except ClusterError:
                raise
            except Exception:  # raised when it is its turn: a goal may come before it
                continue
            if rest is not None and part in self._parts:
                place = self._parts.index(part) + 1
                self._parts[place:place] = [_Part(each, part) for each in levels(rest)]
        yield from self.search.pause()

    def _settle(self) -> Generator[None, None, None]:
        """Take the results of the first parts, as far as they are done."""
        counters = self.search.task.counters
        while self._parts and self._parts[0].is_done:
            part = self._parts.pop(0)
            assert part.job is not None
            found = part.job.result()
            taken = self.search.take(found)
            if self._goes_beyond(found, taken):
                yield from self._here(part)
                continue
            counters.expanded += found.expanded
            counters.generated += found.generated
            counters.waiting(found.longest)
            counters.holding(found.longest)
            self.search.this.add(taken)
            self._look_at_solutions()

    def _goes_beyond(self, found: PartDone, taken: Round) -> bool:
        """Whether a search in one process would have stopped before it had found as much."""
        task, this = self.search.task, self.search.this
        solutions = taken.solutions + (this.solutions if taken.cost == this.cost else 0)
        is_limited = taken.cost <= this.cost and solutions >= task.max_solutions
        is_beyond = task.counters.expanded + found.expanded > task.most_expansions
        return is_beyond or (task.every and bool(taken.solutions) and is_limited)

    def _here(self, part: _Part[R]) -> Generator[None, None, None]:
        """Search all of a part in this process, which knows where to stop."""
        self._parts = [each for each in self._parts if not each.is_left_of(part)]
        yield from self.search.here(part.rest)
        self._look_at_solutions()

    def _look_at_solutions(self) -> None:
        """Leave the rest where enough was found."""
        task, this = self.search.task, self.search.this
        if not this.solutions:
            return
        if task.every:
            task.partial = this.outcome()
        if not task.every or this.solutions >= task.max_solutions:
            self._parts.clear()


@attrs.define
class Spell:
    """How long a task has searched, looked at after more and more states."""

    seconds: float
    size: int = 1
    _began: float = attrs.field(factory=monotonic, init=False)
    _looked: float = attrs.field(factory=monotonic, init=False)

    def is_over(self) -> bool:
        """Whether it is; `size` becomes how many states to expand before the next look."""
        now = monotonic()
        if now - self._looked < self.seconds / 50:
            self.size = min(2 * self.size, 1 << 40)
        elif now - self._looked > self.seconds / 10:
            self.size = max(1, self.size // 2)
        self._looked = now
        return now - self._began >= self.seconds
