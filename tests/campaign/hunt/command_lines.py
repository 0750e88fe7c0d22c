"""The group `commands`: calls that are right but for one thing or two.

Options, their types and choices are those that the commands declare.
"""

from __future__ import annotations

import random
import re
import shlex
import shutil
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import click

from hunt.calls import call, called_as_process, demand, inside, judge_answer, judge_time
from hunt.group import Group
from searchkit.cli.app import COMMANDS, app
from searchkit.cli.support.options import Duration, Memory, Whole

BASES = """
run 8-puzzle --start 123450786 --moves
run 8-puzzle --start 123450786 --json --algo bfs
run 8-puzzle --scramble 6 --seed 3 --algo astar --heuristic manhattan
run 6-puzzle --random --seed 1 --count
run hoppers --limit 3 --symmetry none --moves
run peg -p board=triangle5 --max-expansions 200
run pancakes -p size=5 --random --seed 4 --algo idastar -o cycles=path
run burnt-pancakes -p size=4 --random --seed 4 --draw
run topspin -p size=6 --scramble 5 --seed 2
run cube2 --scramble 3 --seed 1 --quiet
run sliding -p size=2x3 --random --seed 2 --algo wastar -o weight=3/2
run sliding -p size=2x2 --random --seed 2 --algo beam -o width=3
run 8-puzzle --boards boards.txt --moves
run 8-puzzle --boards - --json
run 8-puzzle --start 123450786 --html page.html
run 15-puzzle --algo anytime -o weights=3,1 --max-expansions 300
explore 6-puzzle --limit 1
explore sliding -p size=2x3 --json --limit 0
explore sliding -p size=2x2 --from start --max-cost 3
explore hoppers --paths --limit 0 --symmetry auto --max-cost 4
explore pancakes -p size=4 --engine reference --limit 2
table layers --state 123405
table layers --check
table layers --state 123450 --moves
info 8-puzzle
info sliding -p size=3x4
info peg
list
list --json
pdb list
pdb info 1.2.3.4.5
check 6-puzzle --states 20 --law successors
check-heuristic 6-puzzle --samples 5 --max-states 0
verify solution.json
verify -
verify --schema
doctor
proof checker
proof rules 8-puzzle
run 6-puzzle --proof proof.gz
verify proof.gz
verify proof.gz --twin
completion bash
play 8-puzzle --start 123450786
new my-puzzle
compare 8-puzzle --start 123450786 --algo bfs --repeat 1
""".strip().splitlines()
RARE = {"new", "compare", "check-heuristic", "doctor"}
"""These take long; each is called a tenth as often."""
NASTY = (
    "", " ", "0", "-1", "1", "7", "00", "1e9", "1e400", "nan", "inf", "-inf", "0x10", "1_0", "1__0",
    "99999999999999999999999", "9" * 40, "9" * 5000, "x", "X" * 300, "X" * 5000, "Ω", "\u202e",
    "é́",
    "\x1b[31mred", "\udc80", "a\nb", "a\tb", "'", '"', "\\", "%s", "{}", "{0}", "$HOME", "~", ".",
    "..",
    "/", "/dev/null", "/dev/full", "nowhere/file", "../aside", "-", "--", "--help", "=", "a=", "=b",
    "a=b=c", "n=", "n=0", "n=-1", "n=1", "n=1e3", "n=999999999", "size=0x0", "size=1x1", "size=2x",
    "size=-1x3", "size=99x99", "board=", "board=nope", "board=/dev/zero", "weight=0", "weight=nan",
    "weight=1/0", "weight=1.5", "width=0", "width=1e9", "cycles=none", "weights=1,2", "plans=0",
    "operator_pruning=3", "symmetry=auto", "1,2", "1..3", "123456780", "123456870", "1 2 3", "None",
    "True", "[]", "bfs", "manhattan", "pdb:5-3", "pdb:", "max(zero,manhattan)", "max(", "auto",
    "zero",
)  # fmt: skip
TEXTS = {
    "param": ("size=5", "size=6", "turnstile=3", "size=2x3", "size=3x3", "board=triangle5",
              "board=english", "vacant=1",
              "target=any", "model=jumps", "k=3"),
    "start": ("123450786", "123456870", "1 2 3 4 5 6 7 8 0", "12345", "2154306", "54321"),
    "goal": ("123456780", "12345678", "pegs 1", "0 1 2 3 4 5", "12345"),
    "state": ("123450", "123405", "54321"),
    "algo": ("bfs", "bidirectional", "astar", "ucs", "iddfs", "idastar", "bida", "wastar",
             "widastar", "greedy",
             "beam", "cabs", "anytime", "stages"),
    "heuristic": ("manhattan", "zero", "problem", "auto", "walking-distance", "gap", "pdb:5-3",
                  "max(manhattan,zero)"),
    "settings": ("cycles=path", "cycles=parent", "weight=3/2", "width=5", "weights=3,1",
                 "symmetry=auto", "table=1MB", "perimeter=1MB", "plans=2",
                 "beam=2", "effort=100", "states=100"),
    "boards": ("boards.txt", "-", "set:korf", "solution.json"),
    "html": ("page.html", "nowhere/page.html"),
    "law": ("successors", "keys", "goals", "costs"),
    "renderer": ("unicode", "ascii", "nope"),
    "plugin": ("boards.txt", "solution.json", "nowhere.py", "."),
    "checkpoint": ("layers", "other"),
}  # fmt: skip
LIMIT_SECONDS = 0.3
PROCESSES = 0.01
COMPILED = 0.03
"""How often machine code may be made: that takes seconds."""
TIMED = {12, 22, 23}
"""Exit codes that depend on how long something took."""


@dataclass(frozen=True)
class Line:
    """A call, what is on its stdin, and what was done to a call that is right."""

    words: tuple[str, ...]
    stdin: bytes = b""
    done: tuple[str, ...] = ()
    twice: bool = False
    """Whether it is called as a process of its own, too."""


@cache
def options_of(command: str) -> tuple[click.Option, ...]:
    """The options that a command declares; `pdb build` is one of two words."""
    found: Any = app
    context = click.Context(app)
    for word in command.split():
        found = found.get_command(context, word)
    return tuple(each for each in found.params if isinstance(each, click.Option))


def value_for(rng: random.Random, option: click.Option) -> str:
    """A value that suits an option."""
    if isinstance(option.type, click.Choice):
        return str(rng.choice(list(option.type.choices)))
    if isinstance(option.type, Whole):
        return rng.choice(("0", "1", "2", "3", "10", "100"))
    if isinstance(option.type, Duration):
        return rng.choice(("0", "1ms", "100ms"))
    if isinstance(option.type, Memory):
        return rng.choice(("0", "1MB", "50MB"))
    return rng.choice(TEXTS.get(option.name or "", ("x", "out.txt")))


def mutated(rng: random.Random, line: Line, command: str) -> Line:
    """The call with one thing changed."""
    words = list(line.words)
    way = rng.choice((*["option"] * 9, *["value"] * 5, "nasty", "nasty", "drop", "twice", "swap",
                      "typo", "other", "stdin"))  # fmt: skip
    place = rng.randrange(len(words)) if words else 0
    if way == "option":
        option = rng.choice(options_of(command))
        words.append(rng.choice(option.opts))
        if not option.is_flag:
            nasty = rng.random() < 0.15
            words.append(rng.choice(NASTY) if nasty else value_for(rng, option))
    elif way == "nasty" and words:
        words[place] = rng.choice(NASTY)
    elif way == "value":
        known = [
            (at, pool) for at, word in enumerate(words) for pool in TEXTS.values() if word in pool
        ]
        if known:
            place, pool = rng.choice(known)
            words[place] = rng.choice(pool)
    elif way == "drop" and words:
        del words[place]
    elif way == "twice" and words:
        words.insert(place, words[place])
    elif way == "swap" and len(words) > 1:
        other = rng.randrange(len(words))
        words[place], words[other] = words[other], words[place]
    elif way == "typo" and words and words[place]:
        at = rng.randrange(len(words[place]))
        word = words[place]
        words[place] = word[:at] + rng.choice(("", "x", word[at] * 2, "=", "-")) + word[at + 1 :]
    elif way == "other":
        words = [rng.choice(list(COMMANDS)), *words[1:]]
    elif way == "stdin":
        return replace(line, stdin=rng.randbytes(rng.randint(0, 200)), done=(*line.done, way))
    return replace(line, words=tuple(words), done=(*line.done, way))


class CommandLines(Group):
    """Calls that are nearly right."""

    name = "commands"
    summary = "mutated command lines: one line, a documented exit code, no traceback, no hang"
    short, minutes, hours = 60, 3000, 40_000
    patience = 120.0

    def __init__(self, folder: Path, *, brief: bool = False) -> None:
        super().__init__(folder, brief=brief)
        self.pristine = folder / "pristine"
        self.ready = False

    def prepare(self) -> None:
        """Make the files that calls read."""
        self.ready = True
        shutil.rmtree(self.pristine, ignore_errors=True)
        self.pristine.mkdir(parents=True)
        done = call(["run", "8-puzzle", "--start", "123450786", "--json"])
        (self.pristine / "solution.json").write_text(done.out, encoding="utf-8")
        boards = "123450786\n12345\n123456870\n"
        (self.pristine / "boards.txt").write_text(boards, encoding="utf-8")
        layers = str(self.pristine / "layers")
        call(["explore", "sliding", "-p", "size=2x3", "--checkpoint", layers, "-q", "--limit", "0"])

    def make(self, rng: random.Random) -> Line:
        base = shlex.split(rng.choice(BASES))
        while base[0] in RARE and rng.random() < 0.9:
            base = shlex.split(rng.choice(BASES))
        command = " ".join(base[:2]) if base[0] in ("pdb", "proof") else base[0]
        known = {name for option in options_of(command) for name in option.opts}
        limit = ["--max-time", f"{LIMIT_SECONDS}s"] if "--max-time" in known else []
        if "--engine" in known and "--engine" not in base and rng.random() > COMPILED:
            limit += ["--engine", "reference"]
        stdin = rng.choice((b"", b"123450786\n", b"{}\n", b"6\nundo\nquit\n"))
        line = Line((*base, *limit), stdin)
        for _ in range(rng.choice((1, 1, 2, 3))):
            line = mutated(rng, line, command)
        return replace(line, twice=not self.brief and rng.random() < PROCESSES)

    def run(self, case: Line) -> Counter[str]:
        if not self.ready:
            self.prepare()
        if is_slow(case.words):
            return Counter({"left out: without a limit": 1})
        room = self.folder / "room"
        shutil.rmtree(room, ignore_errors=True)
        shutil.copytree(self.pristine, room / "work")
        with inside(room / "work"):
            answer = call(case.words, case.stdin)
            judge_answer(answer)
            judge_time(answer, LIMIT_SECONDS, case.stdin)
            if case.twice:
                again = called_as_process(case.words, case.stdin)
                if again is not None:
                    judge_answer(again)
                    same = again.code == answer.code or {again.code, answer.code} & TIMED
                    demand(bool(same), again, f"as a process, and not exit {answer.code}")
        return Counter({f"exit {answer.code}": 1, "processes": int(case.twice)})

    def smaller(self, case: Line) -> Iterable[Line]:
        for place in range(len(case.words)):
            yield replace(case, words=case.words[:place] + case.words[place + 1 :])
        if case.stdin:
            yield replace(case, stdin=b"")


def is_slow(words: tuple[str, ...]) -> bool:
    """Whether the call has lost its limit of time, or asks for much that none holds for."""
    text = " ".join(words)
    command = words[0] if words else ""
    limited = re.search(r"--max-time (0|0\.3s|1ms|100ms|1s)( |$)", text) is not None
    if command in ("run", "explore", "compare") and not limited:
        return True
    if command in ("check", "check-heuristic", "pdb", "compare"):
        small = re.search(r"[68]-puzzle|size=2x", text) is not None
        return not small or "build" in words
    return "--play" in words or "--repeat" in words
