"""Whole processes: what it costs to begin, with machine code on disk and without."""

from __future__ import annotations

from bench.contestants import Python
from bench.job import Baseline, Job

FARTHEST_8 = "867254301"
"""One of the two 8-puzzles that need 31 moves."""
SEARCHES = (("bfs", "breadth-first"), ("astar", "A*, Manhattan"))
IMPORT = "from searchkit import AStar, BreadthFirst, Problem, Step, solve"
REPEATS = 5
MOST_OF_NUMBA = 1.3
"""A process that finds its machine code may take so many times what it takes to import numba."""


def process_jobs() -> tuple[Job, ...]:
    """The first process, the following ones, and the import alone."""

    def imported(module: str) -> Python:
        return _statement(f"import {module}", f"import {module}")

    found = [
        Job(
            "process-import",
            "a process that imports what a search needs and does nothing",
            _statement("searchkit", IMPORT),
            (Baseline(imported("numpy")), Baseline(_statement("Python alone", "pass"))),
        )
    ]
    for algorithm, title in SEARCHES:
        arguments = {"algorithm": algorithm, "start": FARTHEST_8, "cost": 31}
        loop = Python("a plain loop", "processes.loop", arguments | {"repeats": REPEATS})
        for end, function, what, repeats, target in (
            ("", "following", "machine code is on disk", REPEATS, MOST_OF_NUMBA),
            ("-first", "first", "machine code is made", 1, None),
        ):
            ours = Python("searchkit", f"processes.{function}", arguments | {"repeats": repeats})
            found.append(
                Job(
                    f"process-{algorithm}{end}",
                    f"whole process of an 8-puzzle in plain Python, {title}: {what}",
                    ours,
                    (
                        Baseline(imported("numba"), target),
                        Baseline(imported("numpy")),
                        Baseline(loop),
                    ),
                )
            )
    return tuple(found)


def _statement(name: str, text: str) -> Python:
    return Python(name, "processes.statement", {"text": text, "repeats": REPEATS})
