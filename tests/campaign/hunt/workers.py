"""Worker processes that make trials, and their parent, which notices those that hang or die."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from hunt.group import Group
from hunt.oracle import Wrong
from hunt.shrink import shrunk

LOOK_SECONDS = 0.5
TELL_SECONDS = 2.0
"""After how long a worker tells of the trials it has made, also within what it was asked for."""
SHRINKING_SECONDS = 60.0


@dataclass
class Failure:
    """A trial that went wrong."""

    group: str
    seed: int
    number: int
    text: str
    case: str = ""

    @property
    def command(self) -> str:
        return f"python tests/campaign --group {self.group} --seed {self.seed} --only {self.number}"


@dataclass
class Done:
    """Trials from `begin` to below `end` that were made, and what they did."""

    begin: int
    end: int
    told: Counter[str]
    cpu: float


def failure_of(group: Group, seed: int, number: int, *, seconds: float) -> tuple[Any, str] | None:
    """Make one trial; what is wrong with it, and the smallest case of it that was found."""
    case = group.case(seed, number)
    text = group.fails(case)
    if text is None:
        return None
    case = shrunk(group, case, seconds)
    return case, group.fails(case) or f"{text} (not again)"


def _work(kind: type[Group], seed: int, folder: str, at: Any, pipe: Any) -> None:
    """Make the trials that the pipe asks for, until it asks for none."""
    os.setpgid(0, 0)
    group = kind(Path(folder))
    while (asked := pipe.recv()) is not None:
        begin, end = asked
        told: Counter[str] = Counter()
        before, said = time.process_time(), time.monotonic()
        for number in range(begin, end):
            if time.monotonic() - said > TELL_SECONDS and number > begin:
                pipe.send(Done(begin, number, told, time.process_time() - before))
                begin, told = number, Counter()
                before, said = time.process_time(), time.monotonic()
            at[0], at[1] = number, time.monotonic()
            try:
                told += group.run(group.case(seed, number))
            except Exception as error:
                text = (
                    str(error) if isinstance(error, Wrong) else f"{type(error).__name__}: {error}"
                )
                at[1] = time.monotonic() + SHRINKING_SECONDS
                found = failure_of(group, seed, number, seconds=SHRINKING_SECONDS / 2)
                case, text = found or (group.case(seed, number), f"{text} (not again)")
                pipe.send(Failure(kind.name, seed, number, text, repr(case)))
        pipe.send(Done(begin, end, told, time.process_time() - before))


@dataclass
class Worker:
    """A process, what it was asked for, and where it is."""

    kind: type[Group]
    seed: int
    asked: tuple[int, int] = (0, 0)
    gone: bool = False
    folder: str = field(default_factory=lambda: tempfile.mkdtemp(prefix="campaign-"))

    def __post_init__(self) -> None:
        context = multiprocessing.get_context("fork")
        self.at = context.RawArray("d", [-1.0, time.monotonic()])
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(
            target=_work, args=(self.kind, self.seed, self.folder, self.at, theirs), daemon=False
        )
        self.process.start()
        theirs.close()

    def ask(self, begin: int, end: int) -> None:
        self.asked = begin, end
        self.at[0], self.at[1] = begin, time.monotonic()
        self.pipe.send((begin, end))

    def heard(self, done: Done) -> bool:
        """Whether these are the last of the trials it was asked for."""
        self.asked = done.end, self.asked[1]
        return self.asked[0] >= self.asked[1]

    def news(self) -> Any:
        """What it has to say, None if that is nothing."""
        try:
            return self.pipe.recv() if not self.gone and self.pipe.poll() else None
        except EOFError:
            self.gone = True
            self.process.join(5.0)
            return None

    def problem(self) -> str | None:
        """Why this worker will not answer."""
        if time.monotonic() - self.at[1] > self.kind.patience:
            return f"it hangs: no end after {self.kind.patience:.0f} s"
        if self.gone:
            return f"its process died, with code {self.process.exitcode}"
        return None

    def end(self) -> None:
        """End the process and all that it has started."""
        for send in (lambda: self.pipe.send(None), lambda: os.killpg(self.process.pid or 0, 9)):
            with contextlib.suppress(OSError):
                send()
            self.process.join(0.5)
        shutil.rmtree(self.folder, ignore_errors=True)


def campaign(
    kind: type[Group],
    seed: int,
    chunks: Iterator[tuple[int, int]],
    jobs: int,
    heard: Callable[[Done | Failure], bool],
) -> None:
    """Make the trials of all `chunks` by so many processes; `heard` says whether to go on."""
    workers: list[Worker] = []
    going = True
    try:
        while going:
            while len(workers) < jobs and (chunk := next(chunks, None)):
                workers.append(Worker(kind, seed))
                workers[-1].ask(*chunk)
            if not workers:
                return
            wait([worker.pipe for worker in workers], LOOK_SECONDS)
            for worker in list(workers):
                while going and (news := worker.news()) is not None:
                    going = heard(news)
                    if isinstance(news, Done) and worker.heard(news):
                        chunk = next(chunks, None)
                        if chunk is None:
                            workers.remove(worker)
                            worker.end()
                            break
                        worker.ask(*chunk)
                else:
                    text = worker.problem()
                    if going and text is not None:
                        number = int(worker.at[0])
                        workers.remove(worker)
                        worker.end()
                        going = heard(Failure(kind.name, seed, number, text))
                        if going:  # what the others of these did is lost
                            heard(Done(worker.asked[0], number + 1, Counter(), 0.0))
                        if number + 1 < worker.asked[1] and going:
                            workers.append(Worker(kind, seed))
                            workers[-1].ask(number + 1, worker.asked[1])
    finally:
        for worker in workers:
            worker.end()
