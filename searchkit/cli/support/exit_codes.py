"""What the exit code of `searchkit` says. The blocks are those of Fast Downward."""

from __future__ import annotations

import enum
from typing import Any

from searchkit.limits import LimitKind
from searchkit.result import SearchResult, Status


class ExitCode(enum.IntEnum):
    """The exit codes of every command; `MEANING` says what they are.

    A solution that does not verify is bad input. A beam that was too narrow is a limit of width.
    """

    OK = 0
    BUG = 1
    BAD_INPUT = 2
    DISAGREEMENT = 3
    NO_BOARD = 4
    UNSOLVABLE = 11
    GAVE_UP = 12
    OUT_OF_MEMORY = 22
    OUT_OF_TIME = 23
    INTERRUPTED = 130
    PIPE_CLOSED = 141


MEANING: dict[int, str] = {
    ExitCode.OK: "done; for a search: solved",
    ExitCode.BUG: "a bug, in searchkit or in the code of a puzzle",
    ExitCode.BAD_INPUT: "wrong usage or bad input",
    ExitCode.DISAGREEMENT: "engines contradict each other, or a known cost",
    ExitCode.NO_BOARD: "with --boards: a line is not a board",
    ExitCode.UNSOLVABLE: "proved unsolvable",
    ExitCode.GAVE_UP: "gave up at a limit of expansions, cost or width",
    ExitCode.OUT_OF_MEMORY: "gave up at the memory limit",
    ExitCode.OUT_OF_TIME: "gave up at the time limit",
    ExitCode.INTERRUPTED: "interrupted with Ctrl-C",
    ExitCode.PIPE_CLOSED: "the reader of the output went away",
}
"""What the exit codes say, in a few words."""

LIMITS = dict.fromkeys(LimitKind, ExitCode.GAVE_UP) | {
    LimitKind.TIME: ExitCode.OUT_OF_TIME,
    LimitKind.MEMORY: ExitCode.OUT_OF_MEMORY,
}
"""The exit code for each limit that can stop a command."""


def of_result(result: SearchResult[Any, Any]) -> ExitCode:
    """The exit code that tells how a search ended."""
    if result.status is Status.LIMIT and result.limit is not None:
        return LIMITS[result.limit]
    return {
        Status.SOLVED: ExitCode.OK,
        Status.UNSOLVABLE: ExitCode.UNSOLVABLE,
        Status.INTERRUPTED: ExitCode.INTERRUPTED,
    }[result.status]
