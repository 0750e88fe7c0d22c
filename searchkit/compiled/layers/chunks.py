"""States in chunks: which of them each thread expands, fills, and has free."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from searchkit.compiled.layers.kernels.ranked import Chunks, Info, Worker
from searchkit.compiled.specialise.growable import GrowableArray
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.compiled.states.state_set import StoredStates
from searchkit.running.task import Run

CHUNK = 2048
BATCH = 256
GROWTH = 1.25
OF_LAYER = [Info.AT, Info.CURSOR, Info.TODO, Info.MADE, Info.FOUND]
"""The counts that begin again with each layer."""
LEAST_GROWTH = 16
LAYERS_AT_ONCE = 256
"""To this many small layers machine code goes on by itself."""


@attrs.define(eq=False, repr=False)
class Pool:
    """All chunks, and the workers that share them, of states or of their numbers."""

    spec: Specialised
    task: Run
    numbered: bool
    other_bytes: int = 0
    chunks: int = 0
    arrays: Chunks = attrs.field(init=False)
    _words: GrowableArray = attrs.field(init=False)
    workers: list[Worker] = attrs.field(factory=list)

    def __attrs_post_init__(self) -> None:
        spec = self.spec
        narrow = self.numbered and spec.problem.ranks <= 1 << 32
        self._words = GrowableArray(np.uint32 if narrow else np.int64, 0)
        fills, nodes = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32)
        self.arrays = Chunks(spec.rows(self._words.array), fills, nodes)
        for _ in range(self.task.threads):
            todo, free, made = (np.zeros(0, dtype=np.int32) for _ in range(3))
            opened = np.full(len(spec.lists.controls), -1, dtype=np.int32)
            children, fresh = (spec.empty(BATCH).astype(self._words.array.dtype) for _ in range(2))
            sizes = np.zeros(LAYERS_AT_ONCE, dtype=np.int64)
            work = children, np.zeros(BATCH, dtype=np.int64), fresh, sizes
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

    def sum(self, count: Info) -> int:
        """The sum of a count of all workers."""
        if len(self.workers) == 1:
            return int(self.workers[0].info[count])
        return sum(int(worker.info[count]) for worker in self.workers)

    def begin(self, states: list[Any]) -> None:
        """Make the first layer."""
        problem, worker = self.spec.problem, self.workers[0]
        by_control: dict[int, list[Any]] = {}
        for state in states:
            kept = problem.rank(state) if self.numbered else state
            by_control.setdefault(problem.control(state), []).append(kept)
        self.grow(sum(1 + len(listed) // CHUNK for listed in by_control.values()))
        for control, listed in by_control.items():
            for at in range(0, len(listed), CHUNK):
                rows = self.spec.states(listed[at : at + CHUNK])
                worker.info[Info.FREE] -= 1
                chunk = int(worker.free[worker.info[Info.FREE]])
                self.arrays.states[chunk * CHUNK : chunk * CHUNK + len(rows)] = rows
                self.arrays.fills[chunk], self.arrays.nodes[chunk] = len(rows), control
                worker.made[worker.info[Info.MADE]] = chunk
                worker.info[Info.MADE] += 1

    @property
    def _chunk_bytes(self) -> int:
        bytes_of_state = self._words.bytes_of(int(self.spec.problem.words))
        return CHUNK * bytes_of_state + 12 + 12 * len(self.workers)

    @property
    def bytes(self) -> int:
        """What all chunks take."""
        return self._chunk_bytes * self.chunks

    def make_room(self) -> None:
        """See to it that every worker can have the free chunks that a batch may need."""
        if self.sum(Info.FREE) < (self.needed + 1) * len(self.workers):
            self.grow()

    def grow(self, least: int = 0) -> None:
        """Make a quarter more chunks, or as many as memory allows; `MemoryError` if too few."""
        least += (self.needed + 1) * len(self.workers)
        more = max(least, LEAST_GROWTH, int(self.chunks * (GROWTH - 1)))
        one = self._chunk_bytes
        room = (self.task.max_bytes - self.other_bytes) / one - self.chunks
        if more > room:
            more = max(least, int(room))
        before, self.chunks = self.chunks, self.chunks + more
        self.task.reserve(self.other_bytes + one * self.chunks)
        _, fills, nodes = self.arrays
        self._words.grow(self.chunks * CHUNK * self.spec.problem.words)
        per_chunk = (each for worker in self.workers for each in worker[:3])
        for each in (fills, nodes, *per_chunk):
            each.resize(self.chunks, refcheck=False)
        self.arrays = Chunks(self.spec.rows(self._words.array), fills, nodes)
        worker = self.workers[0]
        free = int(worker.info[Info.FREE])
        # The first of the new chunks is the first to be taken.
        worker.free[free : free + more] = np.arange(before, self.chunks)[::-1]
        worker.info[Info.FREE] += more

    def deal(self, count: int) -> None:
        """Give equal shares of the chunks to be expanded, and of the free ones, to some workers.

        A chunk that is begun stays where it is.
        """
        if len(self.workers) == 1:
            return
        todo, free = [], []
        for worker in self.workers:
            info, at = worker.info, int(worker.info[Info.AT])
            begun = int(info[Info.CURSOR] > 0)
            todo.append(worker.todo[at + begun : info[Info.TODO]].copy())
            free.append(worker.free[: info[Info.FREE]].copy())
            worker.todo[:begun] = worker.todo[at : at + begun]
            info[Info.AT], info[Info.TODO], info[Info.FREE] = 0, begun, 0
        waiting, empty = self._by_node(np.concatenate(todo)), np.concatenate(free)
        for i, worker in enumerate(self.workers[:count]):
            mine, spare, begun = waiting[i::count], empty[i::count], int(worker.info[Info.TODO])
            worker.todo[begun : begun + len(mine)] = mine
            worker.free[: len(spare)] = spare
            worker.info[Info.TODO], worker.info[Info.FREE] = begun + len(mine), len(spare)

    def _by_node(self, chunks: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The chunks of a node side by side: their children's bits are near each other."""
        by_node: np.ndarray[Any, Any] = chunks[self.arrays.nodes[chunks].argsort(kind="stable")]
        return by_node

    def made(self) -> np.ndarray[Any, Any]:
        """The chunks of the next layer."""
        if len(self.workers) == 1:
            worker = self.workers[0]
            return np.array(worker.made[: worker.info[Info.MADE]])
        return np.concatenate([worker.made[: worker.info[Info.MADE]] for worker in self.workers])

    def next_layer(self) -> np.ndarray[Any, Any]:
        """Go on to the layer that was found, which the first worker is given; its chunks."""
        made = self._by_node(self.made())
        for worker in self.workers:
            worker.info[OF_LAYER] = 0
            worker.opened[:] = -1
        self.workers[0].todo[: len(made)] = made
        self.workers[0].info[Info.TODO] = len(made)
        return made

    def may_go_on(self, largest: int, most: float) -> None:
        """Let the first worker go on to up to `most` layers of at most `largest` states."""
        info = self.workers[0].info
        info[Info.ALONE], info[Info.MOST] = largest, min(most, LAYERS_AT_ONCE)

    def gone_on(self) -> list[int]:
        """The sizes of the complete layers that the first worker has gone on to."""
        worker = self.workers[0]
        sizes: list[int] = worker.sizes[: worker.info[Info.LAYERS]].tolist()
        worker.info[Info.LAYERS] = 0
        worker.info[Info.MOST] -= len(sizes)
        return sizes

    def at_hand(self) -> np.ndarray[Any, Any]:
        """The chunks that the first worker is to expand, or has expanded."""
        worker = self.workers[0]
        return np.array(worker.todo[: worker.info[Info.TODO]])

    def let_go(self, chunks: np.ndarray[Any, Any]) -> None:
        """Make the chunks that the first worker was to expand free."""
        info, free = self.workers[0].info, self.workers[0].free
        begin = int(info[Info.FREE])
        free[begin : begin + len(chunks)] = chunks
        info[Info.FREE] += len(chunks)
        info[Info.AT] = info[Info.TODO] = info[Info.CURSOR] = 0

    def is_expanded(self) -> bool:
        """Whether no chunk of the layer is left."""
        return all(each.info[Info.AT] == each.info[Info.TODO] for each in self.workers)

    def states_of(self, chunks: np.ndarray[Any, Any]) -> StoredStates:
        """The states of some chunks."""
        states, fills, _ = self.arrays
        return StoredStates(
            *(states[chunk * CHUNK : chunk * CHUNK + fills[chunk]] for chunk in chunks.tolist())
        )
