"""Boards that an executor solves side by side; the results come in the order of the boards."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Semaphore, Thread
from typing import Any

import attrs

from searchkit.cli.commands.running.board_worker import Given, solve
from searchkit.cli.commands.running.one_board import Solver, Told
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.cli.support.progress import ProgressLine
from searchkit.cli.support.workers import seconds_allowed
from searchkit.errors import (
    OverdueError,
    ParseError,
    SearchkitWarning,
    WorkerLostError,
)
from searchkit.executors.executor import Executor, Job
from searchkit.executors.parcels import Parcel

AHEAD = 4096
"""How many lines are read, and results kept, beyond the board whose result comes next."""
SUBMITTED = 2
"""How many boards each worker has, so that none waits for us."""
POLL_SECONDS = 0.2
"""So often it is looked whether there are more lines."""

Line = tuple[int, str | ParseError]
Outcome = tuple[Told, list[str]]


@attrs.define(kw_only=True)
class Team:
    """Solves boards by an executor; see `solve`."""

    executor: Executor
    parcel: Parcel[Solver]
    called: dict[str, Any]
    """What messages of workers know of how the command was called."""
    solver: Solver
    trials: tuple[dict[str, Any], dict[str, Any]]
    """Those before the first board, and before all others."""
    share: int | None
    """What a board may take, in bytes; None for a share of its machine's memory."""
    memory: int
    """What a board may take that runs out of its share."""
    _events: SimpleQueue[Any] = attrs.field(factory=SimpleQueue, init=False)
    _room: Semaphore = attrs.field(factory=lambda: Semaphore(AHEAD), init=False)
    _lines: list[Line] = attrs.field(factory=list, init=False)
    _waiting: deque[int] = attrs.field(factory=deque, init=False)
    """Places of boards in `_lines` that nobody has begun."""
    _begun: dict[Job[Outcome], int] = attrs.field(factory=dict, init=False)
    """The places of boards that are with the executor."""
    _told: dict[int, Told | Exception] = attrs.field(factory=dict, init=False)
    _alone: int | None = attrs.field(default=None, init=False)
    """The place of the board that is solved again, with all the memory, while no other is."""
    _next: int = attrs.field(default=0, init=False)
    """The place of the board whose result is told next."""
    _is_read: bool = attrs.field(default=False, init=False)
    """Whether all lines are read."""
    _notes: set[str] = attrs.field(factory=set, init=False)

    def solve(self, lines: Iterator[Line], line: ProgressLine) -> Iterator[Told]:
        """What is told of each board, in their order.

        After Ctrl-C also of those that are solved behind one that is not, and last that it was
        interrupted. A worker that crashes, or does not end at the limit of time, is told of at the
        board that it was at. Raises what ends the command.
        """
        Thread(target=self._read, args=[lines], daemon=True).start()
        try:
            while not self._is_read or self._next < len(self._lines):
                self._hear()
                self._hand_out()
                self._take_results()
                if self._next in self._told:
                    line.hide()
                yield from self._in_order()
                busy = min(len(self._begun), self.executor.workers)
                line.show(f"{self._next:,} done, {busy} at work")
        except KeyboardInterrupt:
            line.hide()
            found = [self._told[place] for place in sorted(self._told)]
            yield from (each for each in found if isinstance(each, Told))
            yield Told(ExitCode.INTERRUPTED)
        finally:
            self.executor.cancel(list(self._begun))
            line.hide()
            for text in sorted(self._notes):
                warnings.warn(text, SearchkitWarning, stacklevel=2)

    def _read(self, lines: Iterator[Line]) -> None:
        """Read lines as they come, in a thread: results are told while the next is waited for."""
        try:
            for each in lines:
                self._room.acquire()
                self._events.put(each)
            self._events.put(None)
        except Exception as error:
            self._events.put(error)

    def _hear(self) -> None:
        """Take the lines that have come; wait for one, in small portions, if there is no board."""
        is_idle = not self._begun and not self._waiting and not self._is_read
        is_idle = is_idle and self._next == len(self._lines)
        with suppress(Empty):
            while True:
                event = self._events.get(is_idle, POLL_SECONDS)
                is_idle = False
                if event is None:
                    self._is_read = True
                elif isinstance(event, Exception):
                    raise event
                else:
                    self._waiting.append(len(self._lines))
                    self._lines.append(event)

    def _hand_out(self) -> None:
        """Give boards to the executor, as many as keep its workers busy."""
        if self._alone is not None:
            return
        if self._is_short_of_memory(self._next):
            if not self._begun:
                self._alone = self._next
                del self._told[self._next]
                self._give(self._next, self.memory)
            return
        while self._waiting and len(self._begun) < SUBMITTED * self.executor.workers:
            self._give(self._waiting.popleft(), self.share)

    def _give(self, place: int, memory: int | None) -> None:
        number, text = self._lines[place]
        given = Given(
            number=number,
            text=text,
            trials=self.trials[min(place, 1)],
            memory=self.memory if memory is None else memory,
            is_share=memory is None,
            allowed=seconds_allowed(self.solver.series.limits.time),
        )
        self._begun[self.executor.submit(solve, self.parcel, self.called, given)] = place

    def _take_results(self) -> None:
        """Wait, in small portions, until a board is solved."""
        for job in self.executor.wait(list(self._begun), POLL_SECONDS):
            place = self._begun.pop(job)
            told = self._outcome(job, self._lines[place][0])
            if place == self._alone:
                self._alone = None
                if isinstance(told, Told):
                    told = attrs.evolve(told, at_memory_limit=False)
            self._told[place] = told

    def _outcome(self, job: Job[Outcome], number: int) -> Told | Exception:
        """What is told of the board of a line, or the error that ends the command."""
        try:
            told, notes = job.result()
        except WorkerLostError as error:
            return Told(ExitCode.BUG, err=self.solver.error(number, error))
        except OverdueError as error:
            return Told(ExitCode.OUT_OF_TIME, err=self.solver.error(number, error))
        except Exception as error:
            return error
        self._notes.update(notes)
        return told

    def _is_short_of_memory(self, place: int) -> bool:
        """Whether a board has run out of its share, but not of what one may take."""
        told, share = self._told.get(place), self.share
        is_share = share is None or share < self.memory
        return isinstance(told, Told) and told.at_memory_limit and is_share

    def _in_order(self) -> Iterator[Told]:
        while self._next in self._told and not self._is_short_of_memory(self._next):
            self._room.release()
            told = self._told.pop(self._next)
            self._lines[self._next] = (0, "")
            self._next += 1
            if isinstance(told, Exception):
                raise told
            yield told
