"""One call after another in a process: what `solve` costs once a class of problems is known."""

from __future__ import annotations

from bench.contestants import Python
from bench.job import Baseline, Job

WORKS = {
    "eight": ("an 8-puzzle by A*, 6,728 expansions", 1 / 5),
    "plain": ("Korf's number 79 by A* in plain Python, 68,613 expansions", 1 / 10),
    "boards": ("200 random 8-puzzles by A*, half of them unsolvable", 1 / 3),
    "step": ("a plain problem that is solved by one step", None),
    "odd": ("8-puzzles that parity tells to be unsolvable", None),
}
"""What is searched, and how long it may take by the time of the reference engine."""


def repeated_jobs() -> tuple[Job, ...]:
    """Each by the engine that is chosen: against the reference engine, and against the first call.

    The first call of a process finds its machine code on disk, if it loads any.
    """

    def run(name: str, work: str, engine: str, *, is_first: bool = False) -> Python:
        arguments = {"work": work, "engine": engine, "is_first": is_first}
        return Python(name, "repeated.call", arguments)

    return tuple(
        Job(
            f"again-{work}",
            f"the same call again in a process: {title}",
            run("searchkit", work, "auto"),
            (
                Baseline(run("reference engine", work, "reference"), target),
                Baseline(run("the first call", work, "auto", is_first=True), 1.0),
            ),
        )
        for work, (title, target) in WORKS.items()
    )
