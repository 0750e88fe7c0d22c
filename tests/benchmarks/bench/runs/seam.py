"""The same work by tasks, on each side of the seam, and by the engine of one process.

Workers are started, and load machine code, before anything is timed. The processes of a cluster
count as well.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from bench.instances import korf_rows
from bench.runs.ours import figures_of, korf_puzzles, warmed_up
from bench.runs.timing import Report, Stopwatch, check
from bench.samples import Unavailable
from searchkit import IDAStar, Limits, UnsuitableError, solve
from searchkit.executors.executor import Executor
from searchkit.executors.on_ray import LOCAL, OnRay
from searchkit.executors.processes import Processes
from searchkit.explore import Exploration, explore
from searchkit_sliding import Board, SlidingPuzzle

WARM_UP_NODES = 100_734_844
"""The nodes of number 25: enough for every worker to have a task."""
WARM_UP_MOVES = 18

T = TypeVar("T")


def search(side: str, workers: int, nodes: int) -> Report:
    """Korf's instance of so many nodes by IDA*; the counts must be those known."""
    algorithm = IDAStar(cycles="parent")
    (first, _, _), (puzzle, length, _) = (
        korf_puzzles(korf_rows(count, count))[0] for count in (WARM_UP_NODES, nodes)
    )
    with _executor(side, workers) as executor:
        result, report = _timed(
            lambda: solve(first, algorithm, workers=executor),
            lambda: solve(puzzle, algorithm, workers=executor),
        )
    check(result.cost == length, f"cost {result.cost}, not {length}")
    generated = result.statistics.generated
    check(generated == nodes, f"{generated} nodes, not {nodes}")
    return report | figures_of([result])


def layers(side: str, workers: int, moves: int, states: int) -> Report:
    """The 15-puzzle up to so many moves from the goal, in files."""
    goal = " ".join(map(str, [*range(1, 16), 0]))
    puzzle = SlidingPuzzle.read(Board.rectangle(4, 4), goal, goal)
    with TemporaryDirectory() as place, _executor(side, workers) as executor:

        def run(most: int) -> Exploration:
            folder = Path(place) / str(most)
            return explore(puzzle, checkpoint=folder, workers=executor, limits=Limits(cost=most))

        found, report = _timed(lambda: run(WARM_UP_MOVES), lambda: run(moves))
        disk = sum(file.stat().st_size for file in (Path(place) / str(moves)).iterdir())
    check(found.states == states, f"explores {found.states} states, not {states}")
    return report | {
        "nodes": states,
        "layers": found.layers,
        "stored": states,
        "stored_bytes": disk,
    }


def _timed(first: Callable[[], object], work: Callable[[], T]) -> tuple[T, Report]:
    warm_up = warmed_up(first)
    watch = Stopwatch()
    answer = watch.time(work)
    return answer, watch.report(**warm_up)


def _executor(side: str, workers: int) -> AbstractContextManager[Executor | None]:
    if side == "alone":
        return nullcontext()
    if side == "processes":
        return Processes(workers)
    try:
        return OnRay(LOCAL, cpus=workers)
    except UnsuitableError as error:
        raise Unavailable(str(error)) from None
