"""The group `limits`: limits of time and memory, signals, full disks and bad streams, from outside.

Children of a warm process are watched by their parent: how long they take, what memory they hold,
with what they end, what they leave behind.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hunt.calls import Answer, command_of, judge_answer
from hunt.children import Ended, begun, ended
from hunt.group import Group
from hunt.oracle import Wrong
from searchkit.cli.support.command import codes_of

LONG = (
    "run 15-puzzle --algo bfs --engine reference --random --seed 5",
    "run 15-puzzle --algo astar --engine reference --random --seed 5",
    "run 15-puzzle --algo idastar --engine reference --random --seed 5",
    "run 15-puzzle --algo bidirectional --engine reference --random --seed 5",
    "run 15-puzzle --algo anytime --engine reference --random --seed 5",
    "run 15-puzzle --algo greedy --engine reference --random --seed 5",
    "run 15-puzzle --algo bfs --engine compiled --random --seed 5",
    "run 15-puzzle --algo ucs --engine compiled --random --seed 5",
    "run 24-puzzle --algo idastar --engine compiled --random --seed 5",
    "run 24-puzzle --algo wastar --engine compiled --random --seed 5",
    "run peg --algo bfs --engine reference",
    "explore 15-puzzle --engine reference",
    "explore 15-puzzle --engine compiled",
    "explore 15-puzzle --engine compiled --checkpoint layers",
    "compare 15-puzzle --random 2 --seed 5 --algo bfs --repeat 1",
    "check 15-puzzle",
    "check-heuristic 15-puzzle --heuristic manhattan",
)
"""Calls that last for hours."""
MEMORY = [line for line in LONG if line.startswith(("run", "explore")) and "save" not in line]
WRITING = (
    "explore sliding -p size=2x4 --checkpoint layers --limit 0 -q",
    "run 8-puzzle --start 123450786 --html page.html",
    "explore 6-puzzle --plot layers.svg",
    "explore 6-puzzle --html page.html",
    "pdb build 8-puzzle 5-3",
    "new my-puzzle",
    "run 8-puzzle --start 123450786 --json",
)
LATE = 2.0
"""Seconds beyond a limit, of the processor, that a call may go on."""
SLACK_BYTES = 60 * 10**6
"""Beyond the memory limit: what Python and the interpreter of numbers take besides states."""
FACTOR = 1.6


@dataclass(frozen=True)
class Watched:
    """A call, and what is done to it."""

    kind: str
    words: tuple[str, ...]
    amount: float = 0.0
    number: int = 0


class Limits(Group):
    """Limits, signals and streams."""

    name = "limits"
    summary = "limits of time and memory, signals, full disks and streams, watched from outside"
    short, minutes, hours, chunk = 4, 100, 800, 5
    patience = 240.0

    def make(self, rng: random.Random) -> Watched:
        kind = rng.choice(
            ("time", "time", "memory", "signal", "signal", "signal", "disk", "stream")
        )
        if self.brief:
            kind = rng.choice(("time", "signal", "disk", "stream"))
        if kind == "disk":
            most = rng.choice((0, 50, 500, 3000, 20_000, 100_000))
            return Watched(kind, tuple(rng.choice(WRITING).split()), most)
        if kind == "stream":
            return Watched(kind, tuple(rng.choice(WRITING).split()), number=rng.randrange(6))
        if kind == "memory":
            megabytes = rng.choice((1, 5, 20, 60, 100))
            words = rng.choice(MEMORY).split()
            return Watched(kind, (*words, "--max-memory", f"{megabytes}MB"), megabytes * 1e6)
        lines = [line for line in LONG if "reference" in line] if self.brief else LONG
        seconds = rng.choice((0.0, 0.05, 0.3, 0.8))
        words = tuple(rng.choice(lines).split())
        if kind == "time":
            lines = [line for line in lines if not line.startswith(("compare", "check-heuristic"))]
            words = tuple(rng.choice(lines).split())
            return Watched(kind, (*words, "--max-time", f"{seconds}s"), seconds)
        number = int(rng.choice((signal.SIGINT, signal.SIGINT, signal.SIGTERM)))
        return Watched(kind, words, rng.uniform(0.0, 1.2), number)

    def run(self, case: Watched) -> Counter[str]:
        room = self.fresh("room")
        os.environ["SEARCHKIT_DATA_DIR"] = str(room / "data")
        told: Counter[str] = getattr(self, f"{case.kind}_")(case, room)
        left = children_of(os.getpid())
        if left:
            raise Wrong(f"{case.words}: children are left: {left}")
        return told

    def child(
        self,
        case: Watched,
        room: Path,
        prepare: Callable[[], None] | None = None,
        after: float | None = None,
    ) -> Ended:
        streams = self.fresh("streams")

        def begin() -> None:
            os.setpgid(0, 0)
            os.chdir(room)
            if prepare is not None:
                prepare()

        child = begun(case.words, streams, begin)
        self.first = child
        return ended(child, streams, after=after, number=case.number)

    def judged(self, case: Watched, done: Ended, *, may_fail: bool = False) -> None:
        answer = Answer(case.words, done.code, done.out, done.err, 0.0)
        if done.code < 0:
            raise Wrong(f"{case.words}: ended by signal {-done.code}: {done.err[-300:]}")
        judge_answer(answer, blames_puzzle=may_fail)
        if done.err.count("searchkit: error") > 1:
            raise Wrong(f"{case.words}: more than one line of error: {done.err[-300:]}")

    def time_(self, case: Watched, room: Path) -> Counter[str]:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = self.child(case, room)
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = now.ru_utime + now.ru_stime - before.ru_utime - before.ru_stime
        self.judged(case, done)
        if took > case.amount + LATE:
            again = self.child(case, room)  # machine code may have been made
            if again.seconds > case.amount + LATE + done.seconds / 2:
                raise Wrong(f"{case.words}: {took:.1f} s of processor time")
        return Counter({f"time: exit {done.code}": 1})

    def memory_(self, case: Watched, room: Path) -> Counter[str]:
        words = (*case.words, "--max-time", "6s")
        held = [0, 0]
        streams = self.fresh("streams")
        child = begun(words, streams, partial(os.chdir, room))
        done = ended(child, streams, watch=lambda: note_memory(child, held))
        self.judged(case, done)
        grown = held[1] - held[0]
        if grown > FACTOR * case.amount + SLACK_BYTES:
            raise Wrong(f"{case.words}: {grown / 1e6:.0f} MB more than at the start")
        return Counter({f"memory: exit {done.code}": 1})

    def signal_(self, case: Watched, room: Path) -> Counter[str]:
        words = (*case.words, *(() if case.words[0] == "compare" else ("--max-time", "8s")))
        began = time.monotonic()
        done = self.child(
            Watched(case.kind, words, case.amount, case.number), room, after=case.amount
        )
        took = time.monotonic() - began
        name = signal.Signals(case.number).name
        if case.number == signal.SIGTERM and done.code == -signal.SIGTERM:
            deadline = time.monotonic() + 5.0
            while group_lives(self.first) and time.monotonic() < deadline:
                time.sleep(0.05)
        else:
            self.judged(case, done)
            known = {130, 0, 11, *codes_of(command_of(case.words))} - {1, 2}
            if done.code not in known:
                raise Wrong(f"{case.words}: exit {done.code} after {name}: {done.err[-300:]}")
        if group_lives(self.first):
            with suppress(OSError):
                os.killpg(self.first, signal.SIGKILL)
            raise Wrong(f"{case.words}: a child is left after {name}")
        return Counter({f"{name}: exit {done.code}": 1, "late": int(took > case.amount + 2)})

    def disk_(self, case: Watched, room: Path) -> Counter[str]:
        def little_room() -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            most = int(case.amount)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

        done = self.child(case, room, little_room)
        # What it says is cut, too, where its streams are files.
        if done.code < 0 or done.code not in codes_of(command_of(case.words)):
            raise Wrong(f"{case.words}: exit {done.code} on a full disk: {done.err[-300:]}")
        if "Traceback" in done.err or "bug:" in done.err:
            raise Wrong(f"{case.words}: on a full disk: {done.err[-300:]}")
        again = self.child(case, room)
        known = "exists" in again.err or "not empty" in again.err
        if again.code != 0 and not known:
            raise Wrong(f"{case.words}: exit {again.code} after a full disk: {again.err[-300:]}")
        return Counter({f"disk: exit {done.code}": 1})

    def stream_(self, case: Watched, room: Path) -> Counter[str]:
        def spoil() -> None:
            number = case.number % 3
            if case.number < 3:
                os.close(number)
                setattr(sys, ("stdin", "stdout", "stderr")[number], None)  # as Python begins
            elif number:
                os.dup2(os.open("/dev/full", os.O_WRONLY), number)
            else:
                os.dup2(os.open("/dev/null", os.O_RDONLY), 0)

        done = self.child(case, room, spoil)
        if done.code not in codes_of(command_of(case.words)):
            raise Wrong(f"{case.words}: exit {done.code}, stream {case.number}: {done.err[-300:]}")
        if "Traceback" in done.err or "bug:" in done.err:
            raise Wrong(f"{case.words}: stream {case.number}: {done.err[-300:]}")
        return Counter({f"stream {case.number}: exit {done.code}": 1})

    def fresh(self, name: str) -> Path:
        """An empty folder."""
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder


def note_memory(child: int, held: list[int]) -> None:
    """Note the memory of a process that no file holds: at first, and the most of it."""
    with suppress(OSError):
        for line in Path(f"/proc/{child}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                now = int(line.split()[1]) * 1024
                held[0] = held[0] or now
                held[1] = max(held[1], now)


def children_of(parent: int) -> list[int]:
    """The processes that a process has begun and not yet heard of."""
    path = Path(f"/proc/{parent}/task/{parent}/children")
    with suppress(OSError):
        return [int(word) for word in path.read_text().split()]
    return []


def group_lives(group: int) -> bool:
    """Whether a process of a group is there."""
    try:
        os.killpg(group, 0)
    except OSError:
        return False
    return True
