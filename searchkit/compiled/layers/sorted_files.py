"""Layers in files, in bounded memory: delayed duplicate detection by sorting and merging.

A layer is made by the tasks of `part_tasks`, here one after another, or by workers; it is added to
the table all at once, when all its parts are there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from typing import Any

import attrs

from searchkit.capabilities import Symmetry
from searchkit.compiled.layers.part_tasks import (
    Expanded,
    Expansion,
    Ground,
    Merge,
    Merged,
    Rules,
    Source,
    StoredRun,
    expand_part,
    merge_part,
)
from searchkit.compiled.specialise.costs import cost_range
from searchkit.compiled.specialise.images import check_images, image_tables, map_of
from searchkit.engines.explored import Explorer
from searchkit.executors.executor import Executor, Job
from searchkit.executors.parcels import Parcel
from searchkit.running.task import Run
from searchkit.tables.layers import LayerStates
from searchkit.tables.manifest import part_name
from searchkit.tables.writer import TableWriter, blaming_disk

MOST_BYTES = 1 << 31
LEAST_BYTES = 1 << 25
ALONE = 1 << 15
"""Layers of at most this many states are made here: workers would wait for each other."""
TASK_STATES = 1 << 21
"""The most states that a worker expands in one task, unless there would be too many tasks."""
MOST_TASKS = 256
TASKS_A_WORKER = 4
"""Tasks take unequal time, and no worker should wait long for the last one."""
FEWEST = 1 << 12
"""The fewest states that are worth a task of their own."""
LOOK_SECONDS = 0.05
"""How long the results of workers are waited for before limits are looked at."""


@attrs.define(eq=False)
class FileLayers(Explorer):
    """An exploration whose layers are those of a table on disk.

    Uses as much memory as the limit allows, up to 2 GiB, in equal shares for workers: an eighth of
    a share for the successors at hand, once as they are found and once as they are sorted.
    """

    rules: Rules
    table: TableWriter
    roots: list[Any]
    executor: Executor | None = None
    """Who makes large layers; this process, if nobody."""
    parcel: Parcel[Rules] | None = None
    """The rules, as workers are sent them."""

    @classmethod
    def prepare(
        cls,
        task: Run,
        roots: list[Any],
        symmetries: Sequence[Symmetry[Any, Any]],
        table: TableWriter,
        executor: Executor | None = None,
    ) -> FileLayers:
        """The exploration that `table` has layers of, with its machine code loaded."""
        problem: Any = task.problem
        words = int(problem.words)
        check_images(type(problem).__name__, roots, words, symmetries)
        images = image_tables(map(map_of, symmetries), words)
        ground = Ground(
            problem, cost_range(task), images, table.folder.resolve(), table.manifest.parts
        )
        parcel = None if executor is None else Parcel.made_by(Rules.of, ground)
        return cls(task, Rules.of(ground), table, roots, executor, parcel)

    @property
    def fresh(self) -> int:
        """A layer is known when it is complete."""
        return 0

    def farthest(self) -> Sequence[Any]:
        """The canonical states of the last complete layer."""
        if not self.sizes:
            return tuple(self.roots)
        return LayerStates(self.table.layer(self.depth)).listed()

    def begin(self, roots: list[Any]) -> None:
        """Add the first layer, unless the table has it or it is empty."""
        self.task.reserve(LEAST_BYTES)
        self.task.counters.generated = len(roots)
        for entry in self.table.manifest.layers:
            self.enter(entry.states, entry.canonical)
        if self.sizes:
            self._note()
        elif roots:
            with blaming_disk(self.table.folder):
                first = Expansion(self.rules, [], self._room)
                first.take(self.rules.spec.states(roots))
                deque(self._merge(first.finish().runs), maxlen=0)

    def run(self, deepest: float) -> Generator[None, None, bool]:
        """Reach states up to distance `deepest`; whether these are all."""
        try:
            return (yield from super().run(deepest))
        finally:
            if not self.table.manifest.complete:
                self.table.sweep()

    def grow(self) -> Generator[None, None, int]:
        """Make the next layer."""
        with blaming_disk(self.table.folder):
            runs = yield from self._expand(self._sources(self.size))
            return (yield from self._merge(runs))

    def has_more(self) -> Generator[None, None, bool]:
        """Whether there is a next layer, of which nothing is kept.

        The first states nearly always have a successor that is new.
        """
        done, count = 0, 1
        with blaming_disk(self.table.folder):
            while done < self.size:
                sources = self._sources(min(self.size, done + count), done)
                runs = yield from self._expand(sources)
                for part in range(len(runs)):
                    with Merge(self.rules, *self._merge_of(part, runs)) as merge:
                        while not merge.is_done:
                            if merge.step():
                                return True
                            yield
                self.table.sweep()
                done, count = done + count, 16 * count
        return False

    @property
    def _room(self) -> int:
        """How many bytes the successors at hand may take, of each worker."""
        workers = 1 if self.executor is None else self.executor.workers
        share = min(max(self.task.max_bytes, LEAST_BYTES), MOST_BYTES) / workers
        return int(max(share, LEAST_BYTES)) // 8

    def _sources(self, end: int, begin: int = 0) -> list[Source]:
        """The states of the last layer from one to before another, part after part."""
        found, at = [], 0
        for part, entry in enumerate(self.table.manifest.layers[self.depth].parts):
            first, last = max(begin - at, 0), min(end - at, entry.canonical)
            at += entry.canonical
            if first < last:
                path = self.rules.ground.folder / part_name(self.depth, part)
                found.append(Source(path, entry.canonical, first, last))
        return found

    def _known(self, part: int) -> list[StoredRun]:
        """The parts in which a successor of the last layer can lie that belongs to `part`."""
        first = max(0, self.depth - 1) if self.task.problem.undirected else 0
        layers = self.table.manifest.layers
        return [
            StoredRun(self.rules.ground.folder / part_name(depth, part), entry.canonical)
            for depth in range(first, len(layers))
            if (entry := layers[depth].parts[part]).canonical
        ]

    def _expand(self, sources: Sequence[Source]) -> Generator[None, None, list[list[StoredRun]]]:
        """Runs of the successors of some states, by the part they belong to."""
        count = sum(each.end - each.begin for each in sources)
        self.task.counters.frontier = count
        if self.executor is None or count <= ALONE:
            return (yield from self._expand_here(sources))
        left = self.task.most_expansions - self.task.counters.expanded
        if left < count:  # it is not going to be a layer, but the states are to be counted
            sources = next(portions(sources, int(left))) if left > 0 else []
        runs: list[list[StoredRun]] = [[] for _ in range(self.rules.ground.parts)]
        each = count // (TASKS_A_WORKER * self.executor.workers) + 1
        most = max(TASK_STATES, count // MOST_TASKS)
        jobs = [
            self.executor.submit(expand_part, self.parcel, portion, self._room)
            for portion in portions(sources, min(most, max(FEWEST, each)))
        ]
        with closing(self._waited_for(jobs)) as done:
            for job in done:
                if job is not None:
                    self._count(job.result())
                    for listed, more in zip(runs, job.result().runs, strict=True):
                        listed.extend(more)
                yield
        while left < count:
            yield
        return runs

    def _waited_for(self, jobs: Iterable[Job[Any]]) -> Generator[Job[Any] | None, None, None]:
        """The jobs, each as it is done, and None now and then; what is not is cancelled."""
        assert self.executor is not None
        left = dict.fromkeys(jobs)
        try:
            while left:
                done = self.executor.wait(list(left), LOOK_SECONDS)
                for job in done:
                    del left[job]
                    yield job
                if not done:
                    yield None
        finally:
            self.executor.cancel(left)

    def _expand_here(
        self, sources: Sequence[Source]
    ) -> Generator[None, None, list[list[StoredRun]]]:
        task, counters = self.task, self.task.counters
        expansion = Expansion(self.rules, sources, self._room)
        while expansion.left:
            if task.budget <= 0:
                yield
            before = expansion.generated
            done = expansion.step(max(1, task.budget))
            task.budget -= done
            counters.expanded += done
            counters.generated += expansion.generated - before
            counters.frontier = expansion.left
            task.reserve(max(LEAST_BYTES, expansion.bytes))
        return [list(each) for each in expansion.finish().runs]

    def _count(self, result: Expanded) -> None:
        counters = self.task.counters
        counters.expanded += result.expanded
        counters.generated += result.generated
        counters.frontier -= result.expanded
        assert self.executor is not None
        counters.bytes = max(counters.bytes, self.executor.workers * result.bytes)

    def _merge(self, runs: Sequence[Sequence[StoredRun]]) -> Generator[None, None, int]:
        """Merge runs into the next layer and add it; how many canonical states it has."""
        parts = range(self.rules.ground.parts)
        count = sum(run.count for listed in runs for run in listed)
        merged = dict[int, Merged]()
        if self.executor is None or count <= ALONE:
            for part in parts:
                with Merge(self.rules, *self._merge_of(part, runs)) as merge:
                    while not merge.is_done:
                        merge.step()
                        yield
                    merged[part] = merge.finish()
                self.task.reserve(max(LEAST_BYTES, merge.bytes))
        else:
            jobs = {
                self.executor.submit(merge_part, self.parcel, *self._merge_of(part, runs)): part
                for part in parts
            }
            with closing(self._waited_for(jobs)) as done:
                for job in done:
                    if job is not None:
                        merged[jobs[job]] = job.result()
                    yield
        listed = [merged[part].part for part in parts]
        total = sum(each.canonical for each in listed)
        if total:
            states = sum(each.states for each in merged.values())
            self.table.add(listed, states)
            self.enter(states, total)
            self._note()
        self.table.sweep()
        return total

    def _merge_of(self, part: int, runs: Sequence[Sequence[StoredRun]]) -> tuple[Any, ...]:
        """What a merge is given besides the rules."""
        return part_name(len(self.sizes), part), runs[part], self._known(part), self._room

    def _note(self) -> None:
        counters = self.task.counters
        counters.holding(self.stored)
        counters.waiting(max(self.canonical_sizes))
        counters.frontier = self.size


def portions(sources: Sequence[Source], most: int) -> Iterator[list[Source]]:
    """The states of `sources` in portions of `most`, the last of which may have fewer."""
    portion, count = list[Source](), 0
    for each in sources:
        begin = each.begin
        while begin < each.end:
            end = min(each.end, begin + most - count)
            portion.append(attrs.evolve(each, begin=begin, end=end))
            count += end - begin
            begin = end
            if count == most:
                yield portion
                portion, count = [], 0
    if portion:
        yield portion
