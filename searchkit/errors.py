"""The errors searchkit raises on purpose: one small hierarchy, one message style.

Every message is one line that names the offending value, the rule it breaks and,
where that helps, a value that would do.
"""

from __future__ import annotations

from typing import Any


class SearchkitError(Exception):
    """Base of every error that searchkit raises on purpose."""


class SearchkitWarning(UserWarning):
    """Something costs time in every run, and can be mended; no answer depends on it."""


class UsageError(SearchkitError):
    """The caller asked for something that cannot be done as asked."""


class ParseError(UsageError):
    """A text does not describe a state, a goal or a parameter of this problem."""


class UnknownNameError(UsageError):
    """No puzzle, algorithm, heuristic or renderer has the given name."""


class ConflictError(UsageError):
    """Two plugins registered the same name."""


class UnsuitableError(UsageError):
    """The algorithm or heuristic cannot be used on this problem."""


class NoCompilerError(UnsuitableError):
    """No machine code can be made on this machine, or in the memory that there is."""


class ProblemError(SearchkitError):
    """A problem broke the protocol (negative cost, zero-cost cycle, exception inside it)."""


class LawError(ProblemError):
    """A problem broke a law that an answer would have rested on.

    `law` is the name of the law, as `searchkit check` has it; `found` is the part of the message
    that says how it is broken, and `place` the line to blame, where one is known.
    """

    def __init__(self, message: str, law: str, found: str = "", place: str | None = None) -> None:
        super().__init__(message)
        self.law = law
        self.found = found
        self.place = place


class EngineError(SearchkitError):
    """An engine broke its contract: no generator, or no outcome that can be used."""


class CompilationError(ProblemError):
    """A kernel of a packed problem or heuristic cannot be made into machine code."""


class NoRoomError(CompilationError):
    """Machine code has no room for a number or a state with which rules in Python can go on."""


class VerificationError(SearchkitError):
    """A solution does not replay: some step is not legal, or the end is not a goal."""


class WorkerError(SearchkitError):
    """A task had no result, by no fault of its code's: its worker ended, or took too long."""


class WorkerLostError(WorkerError):
    """The worker of a task ended without a word, each time that the task was tried."""


class OverdueError(WorkerError):
    """A task took longer than it may, and its worker was ended."""


class WaitedTooLongError(WorkerError, TimeoutError):
    """Tasks were not done after the time that their results are waited for."""


class ClusterError(WorkerError):
    """A cluster cannot be reached any more, or its nodes do not fit this installation."""


class NoSolutionError(SearchkitError):
    """A search has not solved its problem: the base of the three ways in which that happens.

    `result` is its `SearchResult`, with the bound that was proved and the statistics.
    """

    def __init__(self, message: str, result: Any = None) -> None:
        super().__init__(message)
        self.result = result


class UnsolvableError(NoSolutionError):
    """It is proved that there is no solution; `result.certificate` is the proof."""


class LimitReachedError(NoSolutionError):
    """The search gave up at a limit, `result.limit`; an anytime search may have a solution."""


class SearchInterruptedError(NoSolutionError):
    """Ctrl-C, or a listener, ended the search."""


class NoProofError(NoSolutionError):
    """No proof was written of what the search has found, which is `result`; no file is left.

    `limit` is the limit that was reached while it was written, if that is why; `is_interrupted`
    says whether it was Ctrl-C.
    """

    def __init__(
        self, message: str, result: Any = None, limit: Any = None, *, is_interrupted: bool = False
    ) -> None:
        super().__init__(message, result)
        self.limit = limit
        self.is_interrupted = is_interrupted


__all__ = [
    name
    for name, each in list(globals().items())
    if isinstance(each, type) and each.__module__ == __name__
]


class Trapped(Exception):  # noqa: N818  (a signal to engines)
    """Raised by the kernel `expand` where it cannot go on before tables are changed.

    See `PackedProblem.trapped`.
    """
