"""Layers of a space whose states are numbered without gaps: a bitmap, and the layers in hand.

Threads expand chunks of one layer; they share the bitmap, whose bits are set atomically.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any

import attrs
import numpy as np

from searchkit.authors.packed_rules import MOST_WORD
from searchkit.bits import lowest_one
from searchkit.compiled.layers.chunks import BATCH, CHUNK, Pool
from searchkit.compiled.layers.kernels import ranked
from searchkit.compiled.layers.kernels.ranked import Ended, Info, Worker
from searchkit.compiled.specialise.entries import DirectCalls
from searchkit.compiled.specialise.operators import OperatorLists
from searchkit.compiled.specialise.prepare import Specialised, specialise
from searchkit.compiled.states.state_set import LISTED, StoredStates
from searchkit.engines.explored import Explorer
from searchkit.errors import ProblemError
from searchkit.kernel_language.constants import signed
from searchkit.packed import is_inherited
from searchkit.running.task import Run

MOST_IN_PYTHON = 256
"""More numbers than these are made states by machine code."""
MOST_MISSING = 1
"""The next layer is found backwards where this many states are missing for each of the last one."""
STATES_PER_THREAD = 1 << 15
"""Layers with fewer states for each thread are expanded by one."""


@attrs.define(eq=False, repr=False)
class RankedLayers(Explorer):
    """An exploration with one bit per state, and 8 bytes per word for those of two layers.

    Or 4 bytes, where numbers stand for states, and words of 32 bits hold them.

    Chunks are used again as soon as their states are expanded, so that two layers take little
    more than the larger one.
    """

    spec: Specialised
    _calls: DirectCalls = attrs.field(factory=DirectCalls, init=False)
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
            NUMBERED=lambda lists: is_numbered(task.problem, lists),
        )  # fmt: skip
        return cls(task, spec)

    def __attrs_post_init__(self) -> None:
        self._bitmap = np.zeros(0, dtype=np.int64)
        self._pool = Pool(self.spec, self.task, self._numbered)
        self._left_out = self.spec.lists.left_out

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
        if self._is_shorter_back:
            yield from self._reach_back()
        else:
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
        has_code = self.depth > 0  # made, or loaded, by this thread, whose clock knows of it
        is_large = has_code and task.threads > 1 and self.size >= STATES_PER_THREAD * task.threads
        workers = pool.workers if is_large else pool.workers[:1]
        may_go_on = not is_large and not self._may_reach_back
        pool.may_go_on(STATES_PER_THREAD if may_go_on else 0, self.deepest - len(self.sizes))
        with ThreadPoolExecutor(len(workers)) if is_large else nullcontext() as threads:
            while True:
                pool.deal(len(workers))
                share, rest = divmod(task.budget, len(workers))
                shares = [share + (i < rest) for i in range(len(workers))]
                run = map if threads is None else threads.map
                results = set(run(self._expand, workers, shares))
                self._enter_small_layers()
                self._note()
                if Ended.WRONG_COST in results:
                    raise task.wrong_cost_among(self._states_of(self._layer))
                if Ended.BAD_RANK in results:
                    raise bad_rank(self.spec.problem, numbered=self._numbered)
                if Ended.WRONG_NUMBER in results:
                    raise wrong_number(self.spec.problem, self._states_of(self._layer))
                if Ended.DEEPER in results:
                    return True
                if pool.is_expanded():
                    return False
                if Ended.POOL_FULL in results:
                    pool.make_room()
                else:
                    yield

    def _enter_small_layers(self) -> None:
        """Note the layers that machine code has gone on to by itself."""
        sizes = self._pool.gone_on()
        for size in sizes:
            self.enter(size)
            self.task.counters.prove(len(self.sizes))
        if sizes:
            self._layer = self._pool.at_hand()

    @property
    def _may_reach_back(self) -> bool:
        """Whether steps can be looked for from what was not met."""
        problem = self.spec.problem
        return (
            self._numbered
            and problem.undirected
            and problem.controls == 1
            and self.task.threads == 1
        )

    @property
    def _is_shorter_back(self) -> bool:
        """Whether to look for steps from what was not met, of which little is left."""
        missing = int(self.spec.problem.ranks) - self.stored
        return (
            self._may_reach_back
            and missing < MOST_MISSING * self.size
            and self._pool.other_bytes * 2 + self._pool.bytes <= self.task.max_bytes
        )

    def _reach_back(self) -> Generator[None, None, None]:
        """Make the next layer out of the states that were not met so far.

        The last layer counts as expanded as far as the bitmap was gone through. (S. Beamer, K.
        Asanovic and D. Patterson, "Direction-optimizing breadth-first search", SC 2012.)
        """
        task, pool, size = self.task, self._pool, self.size
        worker, before, done = pool.workers[0], self._bitmap.copy(), 0
        task.reserve(2 * pool.other_bytes + pool.bytes)
        info, tables, lists = worker.info, self.spec.head[0], self.spec.lists
        info[Info.WORD] = 0
        operators = int(lists.first[1])
        while True:
            share = min(size, done + task.budget)
            end = -(-len(before) * share // size)
            result = self.spec.module.reach_back(
                tables, lists, self._bitmap, before, pool.arrays, worker, end
            )
            if result == Ended.BAD_RANK:
                raise bad_rank(self.spec.problem, numbered=self._numbered)
            if result == Ended.POOL_FULL:
                now = max(done, min(share, size * int(info[Info.WORD]) // len(before)))
            else:
                now = share
            info[Info.EXPANDED] += now - done
            info[Info.GENERATED] += (now - done) * operators
            done = now
            self._note()
            if result == Ended.POOL_FULL:
                pool.make_room()
            elif done < size:
                yield
            else:
                break
        pool.let_go(self._layer)

    def _arguments(self, worker: Worker, budget: int) -> tuple[Any, ...]:
        tables, _, lists = self.spec.head
        return tables, lists, self._left_out, self._bitmap, self._pool.arrays, worker, budget

    def _expand(self, worker: Worker, budget: int) -> int:
        given = self._arguments(worker, budget)
        return int(self._calls(self.spec.module, "expand_chunks", *given))

    @property
    def _numbered(self) -> bool:
        return bool(self.spec.module.NUMBERED)

    def _states_of(self, chunks: np.ndarray[Any, Any]) -> StoredStates:
        states, spec = self._pool.states_of(chunks), self.spec
        if not self._numbered:
            return states
        if MOST_IN_PYTHON < len(states) <= LISTED:
            rows = spec.empty(len(states))
            spec.module.states_of(spec.head[0], np.concatenate(states.parts), rows)
            return StoredStates(rows)
        states.state = lambda row: spec.problem.unrank(int(row))
        return states

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

    def drawn(self, count: int) -> Sequence[int]:
        """The numbers of states from all parts of the bitmap."""
        apart = max(1, len(self._bitmap) // count)
        words = enumerate(self._bitmap[::apart].tolist())
        return [i * apart << 6 | lowest_one(word & MOST_WORD) for i, word in words if word]

    def holds(self, number: int) -> bool:
        """Whether the bit of a number is set."""
        return bool(self._bitmap[number >> 6] >> (number & 63) & 1)

    def farthest(self) -> Sequence[Any]:
        """The states of the last layer reached: sorted if they are few."""
        states = self._states_of(self._pool.made() if self.partial else self._layer).listed()
        return tuple(sorted(states)) if isinstance(states, tuple) else states


def bad_rank(problem: Any, *, numbered: bool) -> ProblemError:
    """The error for a number that a problem does not have."""
    method = "rank_after" if numbered else "rank"
    return ProblemError(
        f"{type(problem).__name__}: {method} gives a number that is not from 0 to "
        f"{problem.ranks - 1}"
    )


def wrong_number(problem: Any, states: Iterable[Any]) -> ProblemError:
    """The error where numbers after some step are not those of the children, by one of `states`."""
    name = type(problem).__name__
    for state in states:
        index, control = problem.rank(state), problem.control(state)
        for operator in problem.operators(control):
            rank = problem.rank(problem.apply(state, control, operator))
            after = problem.rank_after(index, control, operator)
            if after != rank:
                return ProblemError(
                    f"{name}: rank_after({index}, {control}, {operator}) is {after}, but the "
                    f"rank of the child is {rank}"
                )
    return ProblemError(f"{name}: rank_after gives other numbers than rank of the children")


def is_numbered(problem: Any, lists: OperatorLists) -> bool:
    """Whether numbers can stand for the states of a problem."""
    return (
        problem.words == 1
        and not is_inherited(problem, "rank_after")
        and is_inherited(problem, "legal")
        and is_inherited(problem, "cost")
        and bool((lists.following >= 0).all())
    )
