"""The group `kills`: processes that are killed at random moments, and go on later.

What is there in the end must be, byte by byte, what an undisturbed process makes.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hunt.calls import call
from hunt.children import Ended, begun, ended, small_memory
from hunt.group import Group
from hunt.oracle import Wrong
from searchkit.compiled.specialise import module

EXPLORATIONS = (
    "sliding -p size=2x3",
    "sliding -p size=2x3 --from start",
    "peg -p board=triangle5 --symmetry auto --engine compiled",
    "hoppers --from start --engine compiled",
    "pancakes -p size=6",
    "topspin -p size=7 --max-cost 6",
)
PATTERNS = ("8-puzzle 5-3", "8-puzzle 4-4 --compressed", "sliding 3-3 -p size=2x4")
LEFT = ".part"
"""In the names of files of a killed process that others leave alone for some time."""
UNEQUAL = ("checked.json",)
"""Files that hold times."""
MOST_KILLS = 5


@dataclass(frozen=True)
class Disturbed:
    """A job and when it is killed, as parts of the time that it takes undisturbed."""

    kind: str
    words: tuple[str, ...]
    moments: tuple[float, ...]
    numbers: tuple[int, ...]


class Kills(Group):
    """Kills of explorations, of builds of pattern databases, and of making machine code."""

    name = "kills"
    summary = "processes killed at random moments, and the same bytes in the end"
    short, minutes, hours, chunk = 4, 60, 250, 5
    patience = 240.0

    def __init__(self, folder: Path, *, brief: bool = False) -> None:
        super().__init__(folder, brief=brief)
        self.whole: dict[tuple[str, ...], tuple[dict[str, bytes], float]] = {}

    def make(self, rng: random.Random) -> Disturbed:
        kind = rng.choice((*["explore"] * 12, *["pdb"] * 7, "code"))
        if kind == "explore":
            jobs = EXPLORATIONS[:2] if self.brief else EXPLORATIONS
            words = ("explore", *rng.choice(jobs).split(), "--limit", "0", "-q")
        elif kind == "pdb":
            words = ("pdb", "build", *rng.choice(PATTERNS[:1] if self.brief else PATTERNS).split())
        else:
            words = ("run", "sliding", "-p", "size=2x3", "--start", "543210", "--moves")
            words += ("--engine", "compiled", "--algo", "bfs")
        kills = rng.randint(1, MOST_KILLS if kind != "code" else 2)
        deadly = [signal.SIGKILL, signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT]
        return Disturbed(
            kind,
            tuple(words),
            tuple(rng.uniform(0, 1.2) for _ in range(kills)),
            tuple(int(rng.choice(deadly)) for _ in range(kills)),
        )

    def run(self, case: Disturbed) -> Counter[str]:
        if case.kind == "code":
            return Counter() if self.brief else self.code(case)
        expected, seconds = self.undisturbed(case)
        folder = self.fresh("disturbed")
        told: Counter[str] = Counter()
        for moment, number in zip(case.moments, case.numbers, strict=True):
            done = self.child(case, folder, moment * seconds, number)
            told += self.judge(done, number)
        done = self.child(case, folder)
        if done.code not in (0, 12):
            raise Wrong(f"after kills, {case.words}: exit {done.code}: {done.err[-400:]}")
        self.compare(contents(folder), expected, case)
        return told

    def judge(self, done: Ended, number: int) -> Counter[str]:
        if done.code == -number or (number == signal.SIGINT and done.code == 130):
            if "Traceback" in done.err:
                raise Wrong(f"a traceback after signal {number}: {done.err[-400:]}")
            return Counter({f"killed by {signal.Signals(number).name}": 1})
        if done.code in (0, 12):
            return Counter({"was done before the kill": 1})
        raise Wrong(f"exit {done.code} after signal {number}: {done.err[-400:]}")

    def undisturbed(self, case: Disturbed) -> tuple[dict[str, bytes], float]:
        if case.words not in self.whole:
            # In this process, so that its children have the machine code.
            warm = self.fresh("warm")
            os.environ["SEARCHKIT_DATA_DIR"] = str(warm / "data")
            call(
                [
                    *case.words,
                    *(["--checkpoint", str(warm / "layers")] if case.kind == "explore" else []),
                ]
            )
            folder = self.fresh("undisturbed")
            done = self.child(case, folder)
            if done.code not in (0, 12):
                raise Wrong(f"undisturbed, {case.words}: exit {done.code}: {done.err}")
            self.whole[case.words] = contents(folder), done.seconds
        return self.whole[case.words]

    def child(
        self, case: Disturbed, folder: Path, after: float | None = None, number: int = 9
    ) -> Ended:
        words = list(case.words)
        if case.kind == "explore":
            words += ["--checkpoint", str(folder / "layers")]
        os.environ["SEARCHKIT_DATA_DIR"] = str(folder / "data")
        streams = self.fresh("streams")
        child = begun(words, streams, small_memory if case.kind == "explore" else None)
        return ended(child, streams, after=after, number=number)

    def compare(self, found: dict[str, bytes], expected: dict[str, bytes], case: Disturbed) -> None:
        if found.keys() != expected.keys():
            other = sorted(found.keys() ^ expected.keys())
            raise Wrong(f"{case.words}: files that should not be there, or are missing: {other}")
        for name, data in expected.items():
            if Path(name).name not in UNEQUAL and found[name] != data:
                what = difference(found[name], data)
                raise Wrong(f"{case.words}: {name} is not that of an undisturbed run: {what}")

    def code(self, case: Disturbed) -> Counter[str]:
        """Kill it while machine code is made; then the answer is right, from what is left."""
        cache, told = self.fresh("cache"), Counter[str]()
        expected = None
        for moment, number in zip(case.moments, case.numbers, strict=True):
            streams = self.fresh("streams")
            child = begun(case.words, streams, partial(forget_code, cache))
            told += self.judge(ended(child, streams, after=5 * moment, number=number), number)
        for _ in range(2):
            streams = self.fresh("streams")
            done = ended(begun(case.words, streams, partial(forget_code, cache)), streams)
            if done.code != 0 or (expected not in (None, done.out)) or not done.out.strip():
                raise Wrong(f"exit {done.code} after kills: {done.out} {done.err[-400:]}")
            expected = done.out
        return told

    def fresh(self, name: str) -> Path:
        """An empty folder."""
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder


def forget_code(cache: Path) -> None:
    """Have machine code made again, into another folder."""
    os.environ["SEARCHKIT_CACHE_DIR"] = str(cache)
    module._made.clear()
    for name in [each for each in sys.modules if each.startswith("searchkit_kernel_")]:
        del sys.modules[name]


def contents(folder: Path) -> dict[str, bytes]:
    """All files below a folder, without the seconds that something took."""
    return {
        str(path.relative_to(folder)): timeless(path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file() and LEFT not in str(path.relative_to(folder))
    }


def difference(found: bytes, expected: bytes) -> str:
    """Where two files differ, in a few words."""
    place = next((i for i, (a, b) in enumerate(zip(found, expected, strict=False)) if a != b), -1)
    begin = max(0, place - 60)
    return f"{found[begin : place + 60]!r} instead of {expected[begin : place + 60]!r}"


def timeless(data: bytes) -> bytes:
    """What a manifest says but for the time that was taken, and the checksum over that."""
    if b'"seconds":' not in data[:100_000]:
        return data
    fields = json.loads(data)
    return json.dumps({**fields, "seconds": 0, "check": ""}).encode()
