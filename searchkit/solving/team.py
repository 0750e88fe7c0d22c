"""Starts that an executor solves side by side; what is found comes in their order."""

from __future__ import annotations

import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Semaphore, Thread
from typing import Any, Generic

import attrs

from searchkit.errors import OverdueError, SearchkitWarning, WorkerLostError
from searchkit.executors.executor import Executor, Job
from searchkit.executors.parcels import Parcel
from searchkit.executors.stopping import StopFile
from searchkit.limits import LimitKind
from searchkit.solving.solver import Found, Given, Item, Solver, seconds_allowed, solve

AHEAD = 4096
"""How many items are read, and results kept, beyond the start whose result comes next."""
SUBMITTED = 2
"""How many starts each worker has, so that none waits for us."""
ENDING_SECONDS = 5.0
"""So long is waited for searches that were told to end."""
POLL_SECONDS = 0.2
"""So often it is looked whether there are more items."""


@attrs.define(kw_only=True)
class Team(Generic[Item, Found]):
    """Solves starts by an executor; see `solve`."""

    executor: Executor
    solver: Solver[Item, Found]
    parcel: Parcel[Solver[Item, Found]]
    """The same, as workers are given it."""
    trials: tuple[dict[str, Any], dict[str, Any]]
    """Those before the first start, and before all others."""
    share: int | None
    """What a search may take, in bytes; None for a share of its machine's memory."""
    memory: int
    """What a search may take that runs out of its share."""
    has_gaps: bool = False
    """Whether what is found behind an item that is not done is of use."""
    show: Callable[[int, int], None] = lambda done, busy: None
    """Told now and then how many starts are done, and how many are at work."""
    _events: SimpleQueue[Any] = attrs.field(factory=SimpleQueue, init=False)
    _room: Semaphore = attrs.field(factory=lambda: Semaphore(AHEAD), init=False)
    _items: list[Item | None] = attrs.field(factory=list, init=False)
    _waiting: deque[int] = attrs.field(factory=deque, init=False)
    """Places of items that nobody has begun."""
    _begun: dict[Job[tuple[Found | None, list[str]]], int] = attrs.field(factory=dict, init=False)
    """The places of items that are with the executor."""
    _found: dict[int, Found | Exception | None] = attrs.field(factory=dict, init=False)
    _alone: int | None = attrs.field(default=None, init=False)
    """The place of the start that is solved again, with all the memory, while no other is."""
    _had_all: int | None = attrs.field(default=None, init=False)
    """The place of the last that was."""
    _next: int = attrs.field(default=0, init=False)
    """The place of the item whose result is given next."""
    _is_read: bool = attrs.field(default=False, init=False)
    """Whether all items are read."""
    _notes: set[str] = attrs.field(factory=set, init=False)
    _stop: StopFile | None = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._stop = None if self.share is None else StopFile()  # another machine sees no file

    def solve(self, items: Iterator[Item]) -> Iterator[Found]:
        """What is found for each item, in their order.

        A worker that crashes, or does not end at the limit of time, costs the item that it was at.
        After Ctrl-C searches end with their best so far, which is given before it is raised, where
        `has_gaps` also behind an item that is not done. A second Ctrl-C does not wait for them.
        Raises what a task raises, after what is found for the items before.
        """
        Thread(target=self._read, args=[items], daemon=True).start()
        try:
            while not self._is_read or self._next < len(self._items):
                self._hear()
                self._hand_out()
                self._take_results()
                yield from self._in_order()
                self.show(self._next, min(len(self._begun), self.executor.workers))
        except KeyboardInterrupt:
            self._end_soon()
            for place in sorted(self._found):
                found = self._found[place]
                if found is not None and not isinstance(found, Exception):
                    if not self.has_gaps and place > self._next:
                        break
                    self._next = place + 1
                    yield found
            raise
        finally:
            self.executor.cancel(list(self._begun))
            for text in sorted(self._notes):
                warnings.warn(text, SearchkitWarning, stacklevel=2)

    def _end_soon(self) -> None:
        """Have searches end with their best so far, if they do so soon."""
        until = time.monotonic() + ENDING_SECONDS
        if self._stop is not None:
            with suppress(KeyboardInterrupt), self._stop.made():
                while self._begun and time.monotonic() < until:
                    self._take_results()

    def _read(self, items: Iterator[Item]) -> None:
        """Read items as they come, in a thread: results are given while the next is waited for."""
        try:
            for each in items:
                self._room.acquire()
                self._events.put((each,))
            self._events.put(None)
        except Exception as error:
            self._events.put(error)

    def _hear(self) -> None:
        """Take the items that have come; wait for one, in small portions, if there is no work."""
        is_idle = not self._begun and not self._waiting and not self._is_read
        is_idle = is_idle and self._next == len(self._items)
        with suppress(Empty):
            while True:
                event = self._events.get(is_idle, POLL_SECONDS)
                is_idle = False
                if event is None:
                    self._is_read = True
                elif isinstance(event, Exception):
                    raise event
                else:
                    self._waiting.append(len(self._items))
                    self._items.extend(event)

    def _hand_out(self) -> None:
        """Give items to the executor, as many as keep its workers busy."""
        if self._alone is not None:
            return
        if self._is_short_of_memory(self._next):
            if not self._begun:
                self._alone = self._had_all = self._next
                del self._found[self._next]
                self._give(self._next, self.memory)
            return
        while self._waiting and len(self._begun) < SUBMITTED * self.executor.workers:
            self._give(self._waiting.popleft(), self.share)

    def _give(self, place: int, memory: int | None) -> None:
        given = Given(
            item=self._items[place],
            trials=self.trials[min(place, 1)],
            memory=self.memory if memory is None else memory,
            is_share=memory is None,
            allowed=seconds_allowed(self.solver.series.limits.time),
            stop=self._stop,
        )
        self._begun[self.executor.submit(solve, self.parcel, given)] = place

    def _take_results(self) -> None:
        """Wait, in small portions, until a search is done."""
        for job in self.executor.wait(list(self._begun), POLL_SECONDS):
            place = self._begun.pop(job)
            self._found[place] = self._outcome(job, self._items[place])
            if place == self._alone:
                self._alone = None

    def _outcome(
        self, job: Job[tuple[Found | None, list[str]]], item: Any
    ) -> Found | Exception | None:
        """What is found for an item, or the error that ends all."""
        try:
            try:
                found, notes = job.result()
            except (WorkerLostError, OverdueError) as error:
                return self.solver.lost(item, error)
        except Exception as error:
            return error
        self._notes.update(notes)
        return found

    def _is_short_of_memory(self, place: int) -> bool:
        """Whether a search has run out of its share, but not of what one may take."""
        found, share = self._found.get(place), self.share
        if found is None or isinstance(found, Exception) or place == self._had_all:
            return False
        return (share is None or share < self.memory) and found.limit is LimitKind.MEMORY

    def _in_order(self) -> Iterator[Found]:
        while self._next in self._found and not self._is_short_of_memory(self._next):
            self._room.release()
            found = self._found.pop(self._next)
            self._items[self._next] = None
            self._next += 1
            if isinstance(found, Exception):
                raise found
            assert found is not None  # nobody has told it to end
            yield found
