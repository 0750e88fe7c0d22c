"""What the exit code of `searchkit` says. The blocks are those of Fast Downward."""

from __future__ import annotations

import enum

from searchkit.limits import LimitKind
from searchkit.result import SearchResult, Status


class ExitCode(enum.IntEnum):
    """The exit codes of every command."""

    OK = 0
    """Solved; or the command has done what it was asked for."""
    BUG = 1
    """A bug, in searchkit or in a puzzle's own code."""
    BAD_INPUT = 2
    """Wrong usage or bad input; a solution that does not verify is bad input."""
    DISAGREEMENT = 3
    """Engines contradict each other on a cost, or a cost that is known."""
    NO_BOARD = 4
    """Of `run --boards`: some line is not a board; the others were solved, or tried."""
    UNSOLVABLE = 11
    """Proved unsolvable."""
    GAVE_UP = 12
    """Gave up at the expansion limit or the cost limit, or because a beam was too narrow."""
    OUT_OF_MEMORY = 22
    """Gave up at the memory limit."""
    OUT_OF_TIME = 23
    """Gave up at the time limit."""
    INTERRUPTED = 130
    """Interrupted with Ctrl-C."""
    PIPE_CLOSED = 141
    """The reader of the output went away, as in `searchkit ... | head`."""


LIMITS = {
    LimitKind.TIME: ExitCode.OUT_OF_TIME,
    LimitKind.MEMORY: ExitCode.OUT_OF_MEMORY,
    LimitKind.EXPANSIONS: ExitCode.GAVE_UP,
    LimitKind.COST: ExitCode.GAVE_UP,
    LimitKind.WIDTH: ExitCode.GAVE_UP,
}
"""The exit code for each limit that can stop a command."""


def of_result(result: SearchResult[object, object]) -> ExitCode:
    """The exit code that tells how a search ended."""
    if result.status is Status.LIMIT and result.limit is not None:
        return LIMITS[result.limit]
    return {
        Status.SOLVED: ExitCode.OK,
        Status.UNSOLVABLE: ExitCode.UNSOLVABLE,
        Status.INTERRUPTED: ExitCode.INTERRUPTED,
    }[result.status]
