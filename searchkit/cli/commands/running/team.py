"""Processes that solve boards side by side; the results come in the order of the boards."""

from __future__ import annotations

import time
import warnings
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Semaphore, Thread
from typing import Any

import attrs

from searchkit.cli.commands.comparing.processes import MAKING_SECONDS, seconds_allowed
from searchkit.cli.commands.running.one_board import Solver, Told
from searchkit.cli.support.child import POLL_SECONDS, Child, Message
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.cli.support.progress import ProgressLine
from searchkit.errors import ParseError, ProblemError, SearchkitWarning, UsageError

WORKER = "searchkit.cli.commands.running.board_worker"
AHEAD = 4096
"""How many lines are read, and results kept, beyond the board whose result comes next."""
LOADING_SECONDS = 1800.0
"""How long a process may take to load: pattern databases may have to be read."""
ERRORS = {"usage": UsageError, "problem": ProblemError}

Line = tuple[int, str | ParseError]


@attrs.define(eq=False)
class _Worker:
    """A process, and the board that it is at."""

    child: Child
    place: int | None = None
    until: float | None = None
    """When it is killed."""
    is_loaded: bool = False


@attrs.define(kw_only=True)
class Team:
    """Up to `at_once` processes that solve boards; see `solve`."""

    job: Message
    at_once: int
    memory: int
    """What a board may take that runs out of the share of memory in the limits of the `job`."""
    solver: Solver
    trials: tuple[Message, Message]
    """Those before the first board, and before all others."""
    _events: SimpleQueue[Any] = attrs.field(factory=SimpleQueue, init=False)
    _room: Semaphore = attrs.field(factory=lambda: Semaphore(AHEAD), init=False)
    _lines: list[Line] = attrs.field(factory=list, init=False)
    _waiting: deque[int] = attrs.field(factory=deque, init=False)
    """Places of boards in `_lines` that nobody has begun."""
    _workers: list[_Worker] = attrs.field(factory=list, init=False)
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
        interrupted. A process that crashes, or does not end at the limit of time, is told of at the
        board that it was at, and another takes its place. Raises what ends the command.
        """
        Thread(target=self._read, args=[lines], daemon=True).start()
        try:
            while not self._is_read or self._next < len(self._lines):
                self._hand_out()
                self._hear()
                self._end_late_ones()
                if self._next in self._told:
                    line.hide()
                yield from self._in_order()
                busy = sum(worker.place is not None for worker in self._workers)
                line.show(f"{self._next:,} done, {busy} at work")
        except KeyboardInterrupt:
            line.hide()
            found = [self._told[place] for place in sorted(self._told)]
            yield from (each for each in found if isinstance(each, Told))
            yield Told(ExitCode.INTERRUPTED)
        finally:
            for worker in self._workers:
                worker.child.end()
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

    def _hand_out(self) -> None:
        """Give boards to those that have none; start a process where all have one."""
        if self._alone is not None:
            return
        if self._is_short_of_memory(self._next):
            if all(worker.place is None for worker in self._workers):
                self._alone = self._next
                del self._told[self._next]
                free = self._workers[0] if self._workers else self._start()
                self._give(free, self._next, self.memory)
            return
        while self._waiting:
            idle = [each for each in self._workers if each.place is None]
            if not idle:
                if len(self._workers) >= self.at_once:
                    return
                idle.append(self._start())
            self._give(idle[0], self._waiting.popleft(), self.job["limits"]["memory"])

    def _start(self) -> _Worker:
        worker = _Worker(Child.start(WORKER, self.job))
        self._workers.append(worker)
        worker.child.listen(lambda message: self._events.put((worker, message)))
        return worker

    def _give(self, worker: _Worker, place: int, memory: int) -> None:
        number, text = self._lines[place]
        worker.place = place
        worker.until = self._deadline(0.0 if worker.is_loaded else LOADING_SECONDS)
        worker.child.tell(
            {
                "number": number,
                "text": str(text),
                "is_text": isinstance(text, str),
                "memory": memory,
                "trials": self.trials[min(place, 1)],
            }
        )

    def _deadline(self, more: float) -> float | None:
        allowed = seconds_allowed(self.job["limits"]["time"])
        return None if allowed is None else time.monotonic() + allowed + more

    def _hear(self) -> None:
        """Wait for something, in small portions: Ctrl-C is heard between them on every system."""
        with suppress(Empty):
            event = self._events.get(timeout=POLL_SECONDS)
            while True:
                self._take(event)
                event = self._events.get_nowait()

    def _take(self, event: Any) -> None:
        if event is None:
            self._is_read = True
        elif isinstance(event, Exception):
            raise event
        elif isinstance(event[0], _Worker):
            self._take_message(*event)
        else:
            self._waiting.append(len(self._lines))
            self._lines.append(event)

    def _take_message(self, worker: _Worker, message: Message | None) -> None:
        if worker not in self._workers:  # it was killed
            return
        if message is None:
            why = worker.child.why_it_ended() or "its process says nothing any more"
            self._lose(worker, self._told_of(worker, ExitCode.BUG, why))
        elif "error" in message:
            error = ERRORS.get(message["kind"], RuntimeError)(message["error"])
            self._lose(worker, error)
        elif "note" in message:
            self._notes.add(message["note"])
        elif "making_code" in message:
            worker.until = self._deadline(MAKING_SECONDS)
        elif worker.place is not None:
            told, place = Told(**message["told"]), worker.place
            worker.place, worker.until, worker.is_loaded = None, None, True
            if place == self._alone:
                self._alone, told = None, attrs.evolve(told, at_memory_limit=False)
            self._told[place] = told

    def _end_late_ones(self) -> None:
        now = time.monotonic()
        for worker in [*self._workers]:
            if worker.until is not None and worker.until < now:
                reason = "it did not stop by itself at the time limit, and was killed"
                self._lose(worker, self._told_of(worker, ExitCode.OUT_OF_TIME, reason))

    def _told_of(self, worker: _Worker, code: ExitCode, why: str) -> Told:
        number = 0 if worker.place is None else self._lines[worker.place][0]
        return Told(code, err=self.solver.error(number, why))

    def _lose(self, worker: _Worker, result: Told | Exception) -> None:
        """Do without a process; that is the result of the board that it was at."""
        self._workers.remove(worker)
        worker.child.end()
        if worker.place is not None:
            if worker.place == self._alone:
                self._alone = None
            self._told[worker.place] = result

    def _is_short_of_memory(self, place: int) -> bool:
        """Whether a board has run out of its share, but not of what one may take."""
        told, share = self._told.get(place), self.job["limits"]["memory"]
        return isinstance(told, Told) and told.at_memory_limit and share < self.memory

    def _in_order(self) -> Iterator[Told]:
        while self._next in self._told and not self._is_short_of_memory(self._next):
            self._room.release()
            told = self._told.pop(self._next)
            self._lines[self._next] = (0, "")
            self._next += 1
            if isinstance(told, Exception):
                raise told
            yield told
