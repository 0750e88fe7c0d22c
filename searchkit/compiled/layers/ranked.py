"""Layers of a space whose states are numbered without gaps: a bitmap, and the layers in hand.

Threads expand chunks of one layer; they share the bitmap, whose bits are set atomically.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.layers.chunks import BATCH, CHUNK, ChunkStates, Pool
from searchkit.compiled.layers.kernels import ranked
from searchkit.compiled.layers.kernels.ranked import Ended, Info, Worker
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import Specialised, specialise
from searchkit.engines.explored import Explorer
from searchkit.errors import ProblemError
from searchkit.running.task import Run

FIRST_SIZES = 256
STATES_PER_THREAD = 1 << 15
"""Layers with fewer states for each thread are expanded by one."""
NEVER = 1 << 62


@attrs.define(eq=False)
class RankedLayers(Explorer):
    """An exploration with one bit per state, and 8 bytes per word for those of two layers.

    Chunks are used again as soon as their states are expanded, so that two layers take little
    more than the larger one.
    """

    task: Run
    spec: Specialised
    sizes: list[int] = attrs.field(factory=list)
    _sizes: np.ndarray[Any, Any] = attrs.field(init=False)
    _bitmap: np.ndarray[Any, Any] = attrs.field(init=False)
    _pool: Pool = attrs.field(init=False)
    _skipped: np.ndarray[Any, Any] = attrs.field(init=False)
    _layer: list[int] = attrs.field(factory=list)
    """The chunks of the last complete layer."""
    _ended: bool = False

    @classmethod
    def prepare(cls, task: Run) -> RankedLayers:
        """The exploration of the problem of `task`, with its machine code loaded."""
        spec = specialise(
            task.problem, None, (), (ranked,), skip_inverses=True,
            CHUNK=CHUNK, BATCH=BATCH, THREADED=task.threads > 1,
        )  # fmt: skip
        layers = cls(task, spec)
        layers._warm_up()
        return layers

    def __attrs_post_init__(self) -> None:
        self._skipped = self.spec.lists.left_out
        self._sizes = np.zeros(FIRST_SIZES, dtype=np.int64)
        self._bitmap = np.zeros(0, dtype=np.int64)
        self._pool = Pool(self.spec, self.task)

    def _warm_up(self) -> None:
        rows = self.spec.empty(0)
        self.spec.module.mark_roots(self.spec.head[0], self._bitmap, rows, 0, 0, rows)
        for worker in self._pool.workers:
            self._expand_chunks(worker, 0)
        self._expand_layers(self._pool.workers[0], 0, 0)
        self._sizes[:] = 0

    def begin(self, roots: list[Any]) -> None:
        """Take the memory that is needed to begin with, and make the first layer."""
        spec, pool = self.spec, self._pool
        ranks = int(spec.problem.ranks)
        words = -(-ranks // 64)
        pool.other_bytes = 8 * words
        pool.grow()
        self._bitmap = np.zeros(words, dtype=np.int64)
        rows = spec.states(roots)
        found = int(
            spec.module.mark_roots(spec.head[0], self._bitmap, rows, len(roots), ranks, rows)
        )
        if found < 0:
            raise self._bad_rank()
        for i in range(found):
            pool.put(rows[i], spec.problem.control(python_state(rows[i])))
        pool.next_layer()
        self.task.counters.generated = found
        self.sizes = [found] if found else []
        self._sizes[0] = found
        self._layer = pool.waiting()

    def run(self, deepest: float) -> Generator[None, None, bool]:
        """Expand layer after layer; whether every state was reached."""
        task = self.task
        most = int(min(deepest, NEVER))
        if not self.sizes:
            return True
        self._look_only_from(most)
        with ThreadPoolExecutor(task.threads) as threads:
            while True:
                if self._is_large():
                    result = self._expand_layer(threads)
                else:
                    result = self._expand_some(most)
                self._note()
                if result in (Ended.ALL_DONE, Ended.AT_DEPTH):
                    self._ended = True
                    return bool(result == Ended.ALL_DONE)
                self._look_only_from(most)
                if result == Ended.OUT_OF_BUDGET:
                    yield
                elif result == Ended.POOL_FULL:
                    self._pool.make_room()
                elif result == Ended.SIZES_FULL:
                    self._sizes.resize(2 * len(self._sizes), refcheck=False)
                elif result == Ended.BAD_RANK:
                    raise self._bad_rank()
                elif result == Ended.WRONG_COST:
                    raise self.task.wrong_cost_among(ChunkStates.of(self._pool, self._layer))

    def _look_only_from(self, deepest: int) -> None:
        """From layer `deepest` on only find out whether deeper states follow."""
        if len(self.sizes) > deepest:
            for worker in self._pool.workers:
                worker.info[Info.LOOK] = 1

    def _is_large(self) -> bool:
        """Whether the layer in hand is for several threads."""
        return self.task.threads > 1 and self.sizes[-1] >= STATES_PER_THREAD * self.task.threads

    def _expand_some(self, deepest: int) -> int:
        """Expand layers with one thread, until the budget is used or a layer is large."""
        worker = self._pool.workers[0]
        self._pool.gather()
        result = self._expand_layers(worker, self.task.budget, deepest)
        layer = int(worker.info[Info.LAYER])
        if layer >= len(self.sizes):
            self.sizes += self._sizes[len(self.sizes) : layer + 1].tolist()
        self._layer = worker.todo[: worker.info[Info.TODO]].tolist()
        return result

    def _expand_layer(self, threads: ThreadPoolExecutor) -> int:
        """Expand the layer in hand with all threads, until the budget is used."""
        pool, task = self._pool, self.task
        pool.deal()
        share, rest = divmod(task.budget, len(pool.workers))
        shares = [share + (i < rest) for i in range(len(pool.workers))]
        results = set(threads.map(self._expand_chunks, pool.workers, shares))
        self._spend()
        for result in (Ended.WRONG_COST, Ended.BAD_RANK, Ended.POOL_FULL):
            if result in results:
                return int(result)
        if Ended.DEEPER in results:
            return int(Ended.AT_DEPTH)
        if pool.unexpanded():
            return int(Ended.OUT_OF_BUDGET)
        found = pool.found()
        if not found:
            return int(Ended.ALL_DONE)
        pool.next_layer()
        self._layer = pool.waiting()
        self.sizes.append(found)
        self._sizes[len(self.sizes) - 1] = found
        for worker in pool.workers:
            worker.info[Info.LAYER] = len(self.sizes) - 1
        return int(Ended.AT_LARGE)

    @property
    def _head(self) -> tuple[Any, ...]:
        """What the kernels take of the space, and its chunks."""
        tables, _, lists = self.spec.head
        return tables, lists, self._skipped, self._bitmap, self._pool.arrays

    def _expand_chunks(self, worker: Worker, budget: int) -> int:
        return int(self.spec.module.expand_chunks(*self._head, worker, budget))

    def _expand_layers(self, worker: Worker, budget: int, deepest: int) -> int:
        large = STATES_PER_THREAD * self.task.threads if self.task.threads > 1 else NEVER
        worker.info[Info.DEEPEST], worker.info[Info.LARGE] = deepest, large
        result = self.spec.module.expand_layers(*self._head, worker, self._sizes, budget)
        self._spend()
        return int(result)

    def _spend(self) -> None:
        expanded, generated = self._pool.counts()
        counters = self.task.counters
        self.task.budget -= expanded
        counters.expanded += expanded
        counters.generated += generated

    def _note(self) -> None:
        counters = self.task.counters
        reached = sum(self.sizes) + self._pool.found()
        counters.enter_layer(len(self.sizes) - 1, self.sizes[-1])
        counters.holding(reached)
        counters.waiting(max(self.sizes))
        counters.frontier = reached - counters.expanded

    @property
    def partial(self) -> int:
        """How many states of the layer after the last complete one were reached."""
        return 0 if self._ended else self._pool.found()

    def farthest(self) -> Sequence[Any]:
        """The states of the last layer reached."""
        return ChunkStates.of(self._pool, self._pool.made() if self.partial else self._layer)

    def _bad_rank(self) -> ProblemError:
        name, ranks = type(self.task.problem).__name__, self.spec.problem.ranks
        return ProblemError(f"{name}: rank gives a number that is not from 0 to {ranks - 1}")
