"""Layers in files, in bounded memory: delayed duplicate detection by sorting and merging.

A layer is made by the tasks of `part_tasks`, here one after another, or by workers; it is added to
the table all at once, when all its parts are there.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from functools import cached_property
from itertools import islice
from typing import Any
from weakref import ref

import attrs

from searchkit.capabilities import Symmetry
from searchkit.compiled.layers.key_files import PART_ROWS
from searchkit.compiled.layers.marked import Marked
from searchkit.compiled.layers.part_tasks import (
    Combination,
    Expanded,
    Merge,
    Merged,
    Setting,
    Source,
    TableRules,
    expand_part,
    merge_files,
)
from searchkit.compiled.layers.rank_tasks import RankRules
from searchkit.compiled.layers.runs import StoredRun, Stretch, most_merged, stretches
from searchkit.compiled.specialise.costs import cost_range
from searchkit.compiled.specialise.images import check_images, image_tables, map_of
from searchkit.engines.explored import Explorer
from searchkit.executors.executor import Executor, Job
from searchkit.executors.parcels import Parcel
from searchkit.running.task import Run
from searchkit.tables.layers import Layers, LayerStates
from searchkit.tables.manifest import LayerEntry, part_name
from searchkit.tables.store import Files, Stored
from searchkit.tables.writer import TableWriter, blaming_disk

MOST_BYTES = 1 << 30
"""Of a worker: with more, runs are not larger."""
LEAST_BYTES = 1 << 25
ALONE = 1 << 17
"""Layers of at most this many states are made here: workers would wait for each other."""
TASK_STATES = 1 << 21
"""The most states that a worker expands in one task, unless there would be too many tasks."""
MOST_TASKS = 4096
AHEAD = 3
"""Tasks queued per worker, so that none waits while results are merged."""
TASKS_A_WORKER = 4
"""Tasks take unequal time, and no worker should wait long for the last one."""
FEWEST = 1 << 15
"""The fewest states that are worth a task of their own."""
DRAWN = 8
"""States whose steps are looked up by the rules in Python, once all states are reached."""
Found = list[StoredRun] | Marked
"""Successors of a layer: in runs, or all in memory, where states have numbers."""
MOST_DRAWN = 64
"""The most states of a layer that are drawn at a time."""
LOOK_SECONDS = 0.05
"""How long the results of workers are waited for before limits are looked at."""


@attrs.define(eq=False, repr=False)
class _LastLayer:
    """The last layer of a table, for whoever compares machine code with the rules."""

    table: TableWriter
    _entry: LayerEntry | None = None
    _states: Sequence[Any] = ()
    """Those of the layer that `_entry` is of, whose files are open."""

    def drawn(self, count: int, choose: random.Random) -> list[Any]:
        """Some of its states, drawn from anywhere. Decodes a block for each."""
        if not self.table.depth:
            return []
        entry = self.table.manifest.layers[-1]
        if entry is not self._entry:
            self._states = LayerStates(self.table.layer(self.table.depth - 1))
            self._entry = entry
        states = self._states
        return [states[choose.randrange(len(states))] for _ in range(min(count, MOST_DRAWN))]


@attrs.define(eq=False, repr=False)
class FileLayers(Explorer):
    """An exploration whose layers are those of a table on disk.

    Uses as much memory as the limit allows, up to 1 GiB for each worker; those of one machine have
    equal shares of what that may use. An eighth of a share is for the successors at hand, once as
    they are found and once as they are sorted.
    """

    rules: TableRules
    table: TableWriter
    roots: list[Any]
    executor: Executor | None = None
    """Who makes large layers; this process, if nobody."""
    parcel: Parcel[TableRules] | None = None
    """The rules, as workers are sent them."""
    _last: _LastLayer = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._last = _LastLayer(self.table)
        self.task.stores.append(ref(self._last))

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
        ranks = table.manifest.ranks
        setting = Setting(problem, cost_range(task), images, table.store.absolute(), ranks)
        rules = RankRules if ranks else TableRules
        parcel = None if executor is None else Parcel.made_by(rules.of, setting)
        return cls(task, rules.of(setting), table, roots, executor, parcel)

    @property
    def fresh(self) -> int:
        """A layer is known when it is complete."""
        return 0

    def farthest(self) -> Sequence[Any]:
        """The canonical states of the last complete layer."""
        if not self.sizes:
            return tuple(self.roots)
        numbers = self.table.manifest.numbers(self.table.store, self.task.problem)
        return LayerStates(self.table.layer(self.depth), numbers).listed()

    def drawn(self, count: int) -> Sequence[int]:
        """The numbers of some states of all layers, where files hold numbers, each of one state."""
        if not self.rules.setting.ranks or self.rules.spec.module.IMAGES > 1:
            return ()
        many = min(count, DRAWN)
        layers = [self._layers.files[each * len(self.sizes) // many] for each in range(many)]
        return [files[-1].state(len(files[-1]) // 2) for files in layers]

    def holds(self, number: int) -> bool:
        """Whether a layer has a number. A block of each is decoded."""
        return any(self._layers.has(depth, number) for depth in range(len(self.sizes)))

    @cached_property
    def _layers(self) -> Layers:
        """All layers, open."""
        return self.table.layers(self.task.problem)

    def begin(self, roots: list[Any]) -> None:
        """Add the first layer, unless the table has it or it is empty."""
        self.task.reserve(LEAST_BYTES)
        self.task.counters.generated = len(roots)
        for entry in self.table.manifest.layers:
            self.enter(entry.states, entry.canonical)
        if self.sizes:
            self._note()
        elif roots:
            with blaming_disk(self.table.store), self._files() as files:
                first = self.rules.expansion(files, [], len(roots), self._room)
                first.take(roots)
                deque(self._merge(list(first.finish().runs)), maxlen=0)

    def run(self, deepest: float) -> Generator[None, None, bool]:
        """Reach states up to distance `deepest`; whether these are all."""
        try:
            return (yield from super().run(deepest))
        finally:
            if not self.table.manifest.complete:
                self.table.sweep()

    def grow(self) -> Generator[None, None, int]:
        """Make the next layer."""
        with blaming_disk(self.table.store):
            runs = yield from self._expand(self._sources(self.size))
            return (yield from self._merge(runs))

    def has_more(self) -> Generator[None, None, bool]:
        """Whether there is a next layer, of which nothing is kept.

        The first states nearly always have a successor that is new. Those among which that is seen
        do not count as expanded.
        """
        done, count, counters = 0, 1, self.task.counters
        with blaming_disk(self.table.store):
            while done < self.size:
                before = counters.expanded, counters.generated
                sources = self._sources(min(self.size, done + count), done)
                runs = yield from self._expand(sources)
                runs = yield from self._combined(runs)
                call = self._merge_of(0, Stretch(), runs)
                with self._files() as files, Merge(self.rules, files, *call) as merge:
                    while not merge.is_done:
                        if merge.step():
                            counters.expanded, counters.generated = before
                            return True
                        yield
                self._drop(runs)
                done, count = done + count, 16 * count
        return False

    @property
    def _room(self) -> int:
        """How many bytes the successors at hand may take, of each worker."""
        share = max(self.task.max_bytes, LEAST_BYTES) / self._together
        return int(max(min(share, MOST_BYTES), LEAST_BYTES)) // 8

    @property
    def _together(self) -> int:
        """How many workers share the memory of a machine."""
        return 1 if self.executor is None else self.executor.together

    @property
    def _workers(self) -> int:
        return 1 if self.executor is None else self.executor.workers

    def _sources(self, end: int, begin: int = 0) -> list[Source]:
        """The states of the last layer from one to before another, part after part."""
        found, at = [], 0
        for entry in self.table.manifest.layers[self.depth].parts:
            first, last = max(begin - at, 0), min(end - at, entry.canonical)
            at += entry.canonical
            if first < last:
                found.append(Source(entry.file, entry.canonical, first, last))
        return found

    def _files(self) -> Files:
        """The files of the table, for what is done here."""
        return self.rules.setting.store.at_hand()

    def _known(self, stretch: Stretch) -> list[Stored]:
        """The parts in which a successor of the last layer can lie that belongs to a stretch."""
        first = max(0, self.depth - 1) if self.task.problem.undirected else 0
        return [
            Stored(entry.parts[part].file, entry.parts[part].canonical)
            for entry in self.table.manifest.layers[first:]
            for part in entry.between(stretch.begin, stretch.end)
        ]

    def _expand(self, sources: Sequence[Source]) -> Generator[None, None, Found]:
        """Runs of the successors of some states."""
        count = sum(each.end - each.begin for each in sources)
        self.task.counters.frontier = count
        if self.executor is None or count <= ALONE:
            return (yield from self._expand_here(sources))
        left = self.task.most_expansions - self.task.counters.expanded
        if left < count:  # it is not going to be a layer, but the states are to be counted
            sources = next(portions(sources, int(left))) if left > 0 else []
        runs = list[StoredRun]()
        each = count // (TASKS_A_WORKER * self.executor.workers) + 1
        most = max(TASK_STATES, count // MOST_TASKS)
        waiting = portions(sources, min(most, max(FEWEST, each)))
        jobs = dict[Job[Any], Sequence[StoredRun]]()
        """Those that are not done, and what each combines."""

        def submit_more(ahead: int) -> None:
            assert self.executor is not None
            for portion in islice(waiting, max(0, ahead - len(jobs))):
                call = (expand_part, self.parcel, portion, count, self._room)
                jobs[self.executor.submit(*call)] = []

        submit_more(AHEAD * self.executor.workers)
        with closing(self._waited_for(jobs)) as done:
            for job, combined in done:
                if combined:
                    self.table.delete([run.name for run in combined])
                    runs.append(job.result())
                elif job is not None:
                    self._count(job.result())
                    runs += job.result().runs
                while len(runs) >= 2 * self._most_merged:
                    few, runs = _smallest(runs, self._most_merged)
                    call = (merge_files, self.parcel, Combination, few, self._room)
                    jobs[self.executor.submit(*call)] = few
                submit_more(AHEAD * self.executor.workers)
                yield
        while left < count:
            yield
        return runs

    def _waited_for(self, jobs: dict[Job[Any], Any]) -> Generator[tuple[Any, Any], None, None]:
        """The jobs, each as it is done, with what it is for, and (None, None) now and then.

        They are taken out of `jobs`, and others may be added; what is not done is cancelled.
        """
        assert self.executor is not None
        try:
            while jobs:
                done = self.executor.wait(list(jobs), LOOK_SECONDS)
                for job in done:
                    yield job, jobs.pop(job)
                if not done:
                    yield None, None
        finally:
            self.executor.cancel(jobs)

    def _expand_here(self, sources: Sequence[Source]) -> Generator[None, None, Found]:
        task, counters = self.task, self.task.counters
        count = sum(each.end - each.begin for each in sources)
        with self._files() as files:
            expansion = self.rules.expansion(files, sources, count, self._room)
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
            found = expansion.at_hand
            if found is not None and found.count <= PART_ROWS:
                return found
            return list(expansion.finish().runs)

    def _count(self, result: Expanded) -> None:
        counters = self.task.counters
        counters.expanded += result.expanded
        counters.generated += result.generated
        counters.frontier -= result.expanded
        counters.bytes = max(counters.bytes, self._together * result.bytes)

    @property
    def _most_merged(self) -> int:
        """How many runs are merged at once."""
        return most_merged(self._room, self.rules.setting.words)

    def _combined(self, runs: Found) -> Generator[None, None, Found]:
        """Runs with the same states that are few enough to be merged at once."""
        if isinstance(runs, Marked):
            return runs
        most = self._most_merged
        while len(runs) > most:
            groups, runs = groups_of(runs, most, self._workers)
            runs += yield from self._done(Combination, [(each, self._room) for each in groups])
            for each in groups:
                self.table.delete([run.name for run in each])
        return runs

    def _merge(self, runs: Found) -> Generator[None, None, int]:
        """Merge runs into the next layer and add it; how many canonical states it has."""
        runs = yield from self._combined(runs)
        count, cut = 0, [Stretch()]
        if not isinstance(runs, Marked):
            count = sum(run.count for run in runs)
            cut = stretches(runs, self._parts(count))
        calls = [self._merge_of(number, stretch, runs) for number, stretch in enumerate(cut)]
        done = self._done_here if count <= ALONE else self._done
        merged: list[Merged | None] = yield from done(Merge, calls)
        found = [each for each in merged if each is not None]
        total = sum(each.part.canonical for each in found)
        if total:
            states = sum(each.states for each in found)
            self.table.add([each.part for each in found], states)
            self.enter(states, total)
            self._note()
        self._drop(runs)
        return total

    def _drop(self, runs: Found) -> None:
        """Delete runs that are merged, and what attempts of workers that were lost left behind."""
        if self.executor is not None:
            self.table.sweep()
        elif not isinstance(runs, Marked):
            self.table.delete([run.name for run in runs])

    def _parts(self, count: int) -> int:
        """How many parts a layer is to have whose runs have `count` rows: all tasks have some."""
        shared = 1
        if self.executor is not None and count > ALONE:
            shared = min(TASKS_A_WORKER * self.executor.workers, count // FEWEST)
        return max(shared, -(-count // PART_ROWS))

    def _merge_of(self, number: int, stretch: Stretch, runs: Found) -> tuple[Any, ...]:
        """What a merge is given besides the rules."""
        name = part_name(len(self.sizes), number)
        few = runs if isinstance(runs, Marked) else [Stored(run.name, run.count) for run in runs]
        return name, stretch, few, self._known(stretch), self._room

    def _done(
        self, kind: type[Merge | Combination], calls: Sequence[tuple[Any, ...]]
    ) -> Generator[None, None, list[Any]]:
        """What is made by each of several calls: by workers, or step by step, here."""
        if self.executor is None:
            return (yield from self._done_here(kind, calls))
        jobs: dict[Job[Any], int] = {
            self.executor.submit(merge_files, self.parcel, kind, *call): number
            for number, call in enumerate(calls)
        }
        found: list[Any] = [None] * len(calls)
        with closing(self._waited_for(jobs)) as done:
            for job, number in done:
                if job is not None:
                    found[number] = job.result()
                yield
        return found

    def _done_here(
        self, kind: type[Merge | Combination], calls: Sequence[tuple[Any, ...]]
    ) -> Generator[None, None, list[Any]]:
        found = []
        for call in calls:
            with self._files() as files, kind(self.rules, files, *call) as work:
                while not work.is_done:
                    work.step()
                    yield
                found.append(work.finish())
            self.task.reserve(max(LEAST_BYTES, work.bytes))
        return found

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


def groups_of(
    runs: Sequence[StoredRun], most: int, workers: int
) -> tuple[list[list[StoredRun]], list[StoredRun]]:
    """Groups of up to `most` runs to be combined, the smallest, and the runs that stay.

    They are no more than it takes, so that `most` are left, and one for each worker, if possible.
    """
    over = len(runs) - most
    groups = min(len(runs) // 2, max(-(-over // (most - 1)), min(workers, over)))
    few, rest = _smallest(runs, min(len(runs), over + groups, groups * most))
    return [few[number::groups] for number in range(groups)], rest


def _smallest(runs: Sequence[StoredRun], count: int) -> tuple[list[StoredRun], list[StoredRun]]:
    """The smallest runs, and the others."""
    rising = sorted(runs, key=lambda run: run.count)
    return rising[:count], rising[count:]
