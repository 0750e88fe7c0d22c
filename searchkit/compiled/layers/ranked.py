"""Layers of a space whose states are numbered without gaps: a bitmap, and the layers in hand.

Threads expand chunks of one layer; they share the bitmap, whose bits are set atomically.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.layers.chunks import BATCH, CHUNK, Pool
from searchkit.compiled.layers.kernels import ranked
from searchkit.compiled.layers.kernels.ranked import Ended, Info, Worker
from searchkit.compiled.specialise.direct import direct
from searchkit.compiled.specialise.prepare import Specialised, specialise
from searchkit.engines.explored import Explorer
from searchkit.errors import ProblemError
from searchkit.kernel_language.constants import signed
from searchkit.running.task import Run

STATES_PER_THREAD = 1 << 15
"""Layers with fewer states for each thread are expanded by one."""


@attrs.define(eq=False)
class RankedLayers(Explorer):
    """An exploration with one bit per state, and 8 bytes per word for those of two layers.

    Chunks are used again as soon as their states are expanded, so that two layers take little
    more than the larger one.
    """

    spec: Specialised
    _kernel: Callable[..., int] = attrs.field(init=False)
    _left_out: np.ndarray[Any, Any] = attrs.field(init=False)
    _bitmap: np.ndarray[Any, Any] = attrs.field(init=False)
    _pool: Pool = attrs.field(init=False)
    _layer: np.ndarray[Any, Any] = attrs.field(init=False)
    """The chunks of the last complete layer."""

    @classmethod
    def prepare(cls, task: Run) -> RankedLayers:
        """The exploration of the problem of `task`, with its machine code loaded."""
        spec = specialise(
            task.problem, None, (ranked,), skip_inverses=True,
            CHUNK=CHUNK, BATCH=BATCH, THREADED=task.threads > 1,
        )  # fmt: skip
        return cls(task, spec)

    def __attrs_post_init__(self) -> None:
        self._bitmap = np.zeros(0, dtype=np.int64)
        self._pool = Pool(self.spec, self.task)
        self._left_out = self.spec.lists.left_out
        first = self._arguments(self._pool.workers[0], 0)
        self._kernel = direct(self.spec.module.expand_chunks, *first)

    def begin(self, roots: list[Any]) -> None:
        """Take the memory that is needed to begin with, and make the first layer."""
        problem, pool = self.spec.problem, self._pool
        words = -(-int(problem.ranks) // 64)
        pool.other_bytes = 8 * words
        self.task.reserve(pool.other_bytes)
        self._bitmap = np.zeros(words, dtype=np.int64)
        by_rank = {problem.rank(root): root for root in roots}
        for rank in by_rank:
            self._bitmap[rank >> 6] |= signed(1 << (rank & 63))
        pool.begin(list(by_rank.values()))
        self._layer = pool.next_layer()
        self.task.counters.generated = len(by_rank)
        if by_rank:
            self.enter(len(by_rank))

    def grow(self) -> Generator[None, None, int]:
        """Make the next layer."""
        yield from self._expand_layer(look=False)
        found = self.fresh
        if found:
            self._layer = self._pool.next_layer()
            self.enter(found)
        return found

    def has_more(self) -> Generator[None, None, bool]:
        """Whether there is a next layer, of which nothing is kept."""
        return (yield from self._expand_layer(look=True))

    def _expand_layer(self, *, look: bool) -> Generator[None, None, bool]:
        """Expand the last layer, or only until a new state is met; whether one is."""
        task, pool = self.task, self._pool
        for worker in pool.workers:
            worker.info[Info.LOOK] = look
        is_large = task.threads > 1 and self.size >= STATES_PER_THREAD * task.threads
        workers = pool.workers if is_large else pool.workers[:1]
        with ThreadPoolExecutor(len(workers)) if is_large else nullcontext() as threads:
            while True:
                pool.deal(len(workers))
                share, rest = divmod(task.budget, len(workers))
                shares = [share + (i < rest) for i in range(len(workers))]
                run = map if threads is None else threads.map
                results = set(run(self._expand, workers, shares))
                self._note()
                if Ended.WRONG_COST in results:
                    raise task.wrong_cost_among(pool.states_of(self._layer))
                if Ended.BAD_RANK in results:
                    name, ranks = type(task.problem).__name__, self.spec.problem.ranks
                    raise ProblemError(
                        f"{name}: rank gives a number that is not from 0 to {ranks - 1}"
                    )
                if Ended.DEEPER in results:
                    return True
                if pool.is_expanded():
                    return False
                if Ended.POOL_FULL in results:
                    pool.make_room()
                else:
                    yield

    def _arguments(self, worker: Worker, budget: int) -> tuple[Any, ...]:
        tables, _, lists = self.spec.head
        return tables, lists, self._left_out, self._bitmap, self._pool.arrays, worker, budget

    def _expand(self, worker: Worker, budget: int) -> int:
        return self._kernel(*self._arguments(worker, budget))

    def _note(self) -> None:
        pool, counters = self._pool, self.task.counters
        expanded = pool.sum(Info.EXPANDED)
        self.task.budget -= expanded - counters.expanded
        counters.expanded = expanded
        counters.generated = self.sizes[0] + pool.sum(Info.GENERATED)
        reached = self.stored + self.fresh
        counters.holding(reached)
        counters.waiting(max(self.sizes))
        counters.frontier = reached - expanded

    @property
    def fresh(self) -> int:
        """How many states of the next layer were found."""
        return self._pool.sum(Info.FOUND)

    def farthest(self) -> Sequence[Any]:
        """The states of the last layer reached: sorted if they are few."""
        states = self._pool.states_of(self._pool.made() if self.partial else self._layer).listed()
        return tuple(sorted(states)) if isinstance(states, tuple) else states
