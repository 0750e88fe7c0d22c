"""Calls of the command line in this process, and what every answer must be like."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hunt.oracle import Wrong
from searchkit.cli.app import COMMANDS, app
from searchkit.cli.support.command import codes_of
from tests.support.cli_calls import runner

PATIENCE = 100.0
MOST_SECONDS = 2.0
"""A call may take so much processor time beyond its time limit."""
LINE = re.compile(r"searchkit: (error|warning|note|interrupted)\b.*")


@dataclass(frozen=True)
class Answer:
    """How a call ended."""

    words: tuple[str, ...]
    code: int
    out: str
    err: str
    cpu: float
    given: int = 0
    """The length of what was on its stdin."""

    @property
    def shown(self) -> str:
        said = self.err.strip().splitlines()
        return f"searchkit {' '.join(map(repr, self.words))}: exit {self.code}: {said[-1:]}"


def call(words: Sequence[str], stdin: bytes = b"") -> Answer:
    """Call the command line in this process."""
    before = time.process_time()
    result = runner().invoke(app, list(words), input=stdin)
    cpu = time.process_time() - before
    error = result.exception
    if error is not None and not isinstance(error, SystemExit):
        text = f"{type(error).__name__}: {error}"
        raise Wrong(f"searchkit {' '.join(map(repr, words))}: {text} came through")
    return Answer(tuple(words), result.exit_code, result.stdout, result.stderr, cpu, len(stdin))


def called_as_process(words: Sequence[str], stdin: bytes = b"") -> Answer | None:
    """Call the command line as a process of its own; None if no process can have such words."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "searchkit", *words], input=stdin, capture_output=True,
            timeout=PATIENCE, check=False,
        )  # fmt: skip
    except (ValueError, UnicodeEncodeError):
        return None
    out, err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    return Answer(tuple(words), done.returncode, out, err, 0.0, len(stdin))


def demand(fact: bool, answer: Answer, text: str) -> None:
    if not fact:
        raise Wrong(f"{text}: {answer.shown}"[:1500])


def judge_answer(answer: Answer, *, blames_puzzle: bool = False) -> None:
    """No traceback, no bug, no undocumented exit code, and one line where something is wrong.

    `blames_puzzle` says that the puzzle's own code may be at fault.
    """
    said = answer.out + answer.err
    is_debug = "--debug" in answer.words
    demand("Traceback (most recent" not in said or is_debug, answer, "a traceback")
    demand("searchkit: bug:" not in said, answer, "a bug is said")
    demand(answer.code in codes_of(command_of(answer.words)), answer, "an undocumented exit code")
    if answer.code == 1 and not blames_puzzle:
        mine = command_of(answer.words) in ("check-heuristic", "check", "doctor")
        demand(mine, answer, "the code of a bundled puzzle fails")
    if answer.code == 2 and not is_debug:
        errors = [line for line in answer.err.splitlines() if line.startswith("searchkit: error")]
        demand(len(errors) == 1, answer, "not one line of error")
        most = 3000 + 2 * max(answer.given, *map(len, answer.words))
        demand(len(errors[0]) < most, answer, "a line of error without end")
    odd = re.search(r"[\x00-\x08\x0b-\x1a\x1c-\x1f]", answer.err)
    demand(odd is None, answer, "control characters in a message")


def command_of(words: Sequence[str]) -> str:
    """The name of the command that is called, as the exit codes know it."""
    for place, word in enumerate(words):
        if word in COMMANDS:
            if word == "pdb" and place + 1 < len(words):
                return f"pdb {words[place + 1]}"
            return word
    return ""


def judge_time(answer: Answer, limit: float, stdin: bytes = b"") -> None:
    """A call that takes too long is made again, for machine code may have been made."""
    if answer.cpu > limit + MOST_SECONDS:
        again = call(answer.words, stdin)
        demand(again.cpu <= limit + MOST_SECONDS, again, f"{again.cpu:.1f} s of processor time")


@contextmanager
def inside(folder: Path) -> Any:
    """Run in `folder`; nothing may be written beside it."""
    before = Path.cwd()
    folder.mkdir(parents=True, exist_ok=True)
    around = set(folder.parent.iterdir())
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
    new = set(folder.parent.iterdir()) - around
    if new:
        raise Wrong(f"written outside of its folder: {sorted(new)}")
