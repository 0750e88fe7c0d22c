"""States in chunks: which of them each thread expands, fills, and has free."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, overload

import attrs
import numpy as np

from searchkit.compiled.breadth_first.state_set import LISTED
from searchkit.compiled.layers.kernels.ranked import Chunks, Info, Worker
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.running.task import Run

CHUNK = 2048
BATCH = 256
GROWTH = 1.25
LEAST_GROWTH = 16


@attrs.define(eq=False)
class Pool:
    """All chunks, and the workers that share them."""

    spec: Specialised
    task: Run
    other_bytes: int = 0
    chunks: int = 0
    arrays: Chunks = attrs.field(init=False)
    workers: list[Worker] = attrs.field(factory=list)

    def __attrs_post_init__(self) -> None:
        spec = self.spec
        fills, nodes = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32)
        self.arrays = Chunks(spec.empty(0), fills, nodes)
        for _ in range(self.task.threads):
            todo, free, made = (np.zeros(0, dtype=np.int32) for _ in range(3))
            opened = np.full(len(spec.lists.controls), -1, dtype=np.int32)
            work = spec.empty(BATCH), np.zeros(BATCH, dtype=np.int64), spec.empty(BATCH)
            info = np.zeros(len(Info), dtype=np.int64)
            info[Info.RANKS] = spec.problem.ranks
            info[Info.NEEDED] = self.needed
            self.workers.append(Worker(todo, free, made, opened, *work, info))

    @property
    def needed(self) -> int:
        """How many chunks a batch of states may begin: one for each list that it leads to."""
        lists = self.spec.lists
        is_static = bool((lists.following >= 0).all())
        return lists.widest * (1 if is_static else int(self.spec.problem.controls))

    def _info(self, worker: Worker, place: Info) -> int:
        return int(worker.info[place])

    def make_room(self) -> None:
        """See to it that every worker has the free chunks that a batch may need."""
        free = sum(self._info(worker, Info.FREE) for worker in self.workers)
        if free < (self.needed + 1) * len(self.workers):
            self.grow()
        self.deal()

    def grow(self) -> None:
        """Make a quarter more chunks, or as many as memory allows; `MemoryError` if too few."""
        least = (self.needed + 1) * len(self.workers)
        more = max(least, LEAST_GROWTH, int(self.chunks * (GROWTH - 1)))
        one = CHUNK * 8 * self.spec.problem.words + 12 + 12 * len(self.workers)
        room = (self.task.max_bytes - self.other_bytes) / one - self.chunks
        if more > room:
            more = max(least, int(room))
        before, self.chunks = self.chunks, self.chunks + more
        self.task.reserve(self.other_bytes + one * self.chunks)
        states, fills, nodes = self.arrays
        states.resize((self.chunks * CHUNK, *states.shape[1:]), refcheck=False)
        per_chunk = (each for worker in self.workers for each in worker[:3])
        for each in (fills, nodes, *per_chunk):
            each.resize(self.chunks, refcheck=False)
        worker = self.workers[0]
        free = self._info(worker, Info.FREE)
        # The first of the new chunks is the first to be taken.
        worker.free[free : free + more] = np.arange(before, self.chunks)[::-1]
        worker.info[Info.FREE] += more

    def put(self, row: Any, control: int) -> None:
        """Add a state to the layer that is to be expanded first."""
        worker, (states, fills, nodes) = self.workers[0], self.arrays
        chunk = int(worker.opened[control])
        if chunk < 0 or fills[chunk] == CHUNK:
            if not worker.info[Info.FREE]:
                self.grow()
            worker.info[Info.FREE] -= 1
            chunk = int(worker.free[worker.info[Info.FREE]])
            fills[chunk], nodes[chunk] = 0, control
            worker.made[worker.info[Info.MADE]] = chunk
            worker.info[Info.MADE] += 1
            worker.opened[control] = chunk
        states[chunk * CHUNK + int(fills[chunk])] = row
        fills[chunk] += 1

    def deal(self) -> None:
        """Share out the chunks that are to be expanded, and the free ones."""
        self._share(len(self.workers))

    def gather(self) -> None:
        """Give everything to the first worker."""
        if len(self.workers) > 1:
            self._share(1)
            self._share_made()

    def _share(self, count: int) -> None:
        """Give equal shares to the first `count` workers; chunks of a node stay together."""
        if len(self.workers) == 1:
            return
        todo: list[int] = []
        free: list[int] = []
        for worker in self.workers:
            at = self._info(worker, Info.AT)
            begun = at + (self._info(worker, Info.CURSOR) > 0)
            todo += worker.todo[begun : self._info(worker, Info.TODO)].tolist()
            free += worker.free[: self._info(worker, Info.FREE)].tolist()
            worker.todo[: begun - at] = worker.todo[at:begun].copy()
            worker.info[Info.AT], worker.info[Info.TODO] = 0, begun - at
            worker.info[Info.FREE] = 0
        todo.sort(key=self.arrays.nodes.__getitem__)
        for i, worker in enumerate(self.workers[:count]):
            mine, empty = todo[i::count], free[i::count]
            held = self._info(worker, Info.TODO)
            worker.todo[held : held + len(mine)] = mine
            worker.free[: len(empty)] = empty
            worker.info[Info.TODO], worker.info[Info.FREE] = held + len(mine), len(empty)

    def _share_made(self) -> None:
        """Hand the chunks that were made over to the first worker."""
        first = self.workers[0]
        for worker in self.workers[1:]:
            made, held = self._info(worker, Info.MADE), self._info(first, Info.MADE)
            first.made[held : held + made] = worker.made[:made]
            first.info[Info.MADE] += made
            first.info[Info.FOUND] += worker.info[Info.FOUND]
            worker.info[Info.MADE] = worker.info[Info.FOUND] = 0
            worker.opened[:] = -1

    def next_layer(self) -> None:
        """Go on to the layer that was found."""
        for worker in self.workers:
            made = self._info(worker, Info.MADE)
            worker.todo[:made] = worker.made[:made]
            worker.info[Info.TODO] = made
            for place in (Info.AT, Info.CURSOR, Info.MADE, Info.FOUND):
                worker.info[place] = 0
            worker.opened[:] = -1

    def found(self) -> int:
        """How many states of the next layer were found."""
        return sum(self._info(worker, Info.FOUND) for worker in self.workers)

    def unexpanded(self) -> bool:
        """Whether a chunk of the layer is left."""
        return any(self._info(each, Info.AT) < self._info(each, Info.TODO) for each in self.workers)

    def counts(self) -> tuple[int, int]:
        """States expanded and generated since this was last asked."""
        expanded = sum(self._info(worker, Info.EXPANDED) for worker in self.workers)
        generated = sum(self._info(worker, Info.GENERATED) for worker in self.workers)
        for worker in self.workers:
            worker.info[Info.EXPANDED] = worker.info[Info.GENERATED] = 0
        return expanded, generated

    def waiting(self) -> list[int]:
        """The chunks of the layer that are to be expanded."""
        return [
            chunk
            for worker in self.workers
            for chunk in worker.todo[: self._info(worker, Info.TODO)].tolist()
        ]

    def made(self) -> list[int]:
        """The chunks of the next layer."""
        return [
            chunk
            for worker in self.workers
            for chunk in worker.made[: self._info(worker, Info.MADE)].tolist()
        ]


@attrs.frozen(eq=False)
class ChunkStates(Sequence[Any]):
    """The states of some chunks, made into Python objects when asked for."""

    states: np.ndarray[Any, Any]
    begins: list[int]
    ends: list[int]
    """For each chunk, how many states there are up to its end."""

    @classmethod
    def of(cls, pool: Pool, chunks: list[int]) -> Sequence[Any]:
        """The states of `chunks`: a sorted tuple if they are few."""
        fills = [int(pool.arrays.fills[chunk]) for chunk in chunks]
        all_of_them = cls(
            pool.arrays.states, [chunk * CHUNK for chunk in chunks], [*accumulate(fills)]
        )
        return tuple(sorted(all_of_them)) if len(all_of_them) <= LISTED else all_of_them

    def __len__(self) -> int:
        return self.ends[-1] if self.ends else 0

    def __iter__(self) -> Iterator[Any]:
        before = 0
        for begin, end in zip(self.begins, self.ends, strict=True):
            for row in self.states[begin : begin + end - before]:
                yield python_state(row)
            before = end

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Any]: ...

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        before = 0
        for begin, end in zip(self.begins, self.ends, strict=True):
            if before <= index < end:
                return python_state(self.states[begin + index - before])
            before = end
        raise IndexError(index)
