"""What runs a search: which kind of engine, with how many threads, and which workers."""

from __future__ import annotations

from typing import Literal

import attrs

from searchkit.algorithms.validators import expect
from searchkit.errors import UsageError
from searchkit.executors.asked import Workers, check_workers

EngineChoice = Literal["auto", "reference", "compiled", "checked"]
CHOICES: tuple[EngineChoice, ...] = ("auto", "reference", "compiled", "checked")


@attrs.frozen
class Engine:
    """What runs a search. Where one is asked for, its kind alone may be given.

    Args:
        kind: `"reference"` runs plain Python; `"checked"` does, and checks each operation of the
            kernels of a `PackedProblem`, which is slow; `"compiled"` runs machine code made for the
            problem: a `PackedProblem` with a `PackedHeuristic`, or rules in plain Python that can
            be translated; `"auto"` does so where it can, after a trial of 30,000 expansions of the
            reference engine (ten times as many for rules in plain Python), which answers small
            problems sooner, or at once where it has run for a problem of the same rules.
        threads: How many threads machine code may use; None leaves it to the engine: one, but for
            engines that solve many starts together.
        workers: Who shares the work: a number of processes of this machine, or an `Executor`.
            Counts and answers are the same for any number. The problem must be one that can be
            pickled, and in a script the call has to be below `if __name__ == "__main__":`.

    >>> Engine("compiled", threads=2)
    Engine(kind='compiled', threads=2, workers=None)
    """

    kind: EngineChoice = "auto"
    threads: int | None = attrs.field(default=None, kw_only=True)
    workers: Workers = attrs.field(default=None, kw_only=True)

    def __attrs_post_init__(self) -> None:
        check_threads(self.threads)
        check_workers(self.workers)

    @classmethod
    def of(cls, engine: Engine | EngineChoice) -> Engine:
        """The engine that a caller asks for. What kinds there are depends on the algorithm."""
        return engine if isinstance(engine, Engine) else cls(engine)

    @property
    def threads_of_search(self) -> int:
        """How many threads one search may use."""
        return self.threads or 1


def check_threads(threads: int | None) -> None:
    """Raise `UsageError` if there is no such number of threads."""
    if threads is None:
        return
    expect(threads, int, "threads", "a whole number, 1 or more")
    if threads < 1:
        raise UsageError(f"threads is {threads}; it must be 1 or more")
