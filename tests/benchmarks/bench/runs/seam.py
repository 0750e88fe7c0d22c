"""The same work by tasks, on each side of the seam, and by the engine of one process.

Workers are started, and load machine code, before anything is timed. The processes of a cluster
count as well.

Two processors may be two threads of one core, or share its caches, and then a second of either
is worth less while both work. So whoever works alone does so while as many others as there are
further workers do the same, for themselves.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, TypeVar

from bench.instances import HARDEST, korf_rows
from bench.runs.ours import figures_of, korf_puzzles, warmed_up
from bench.runs.timing import Report, Stopwatch, check
from bench.samples import Failed, Unavailable
from searchkit import IDDFS, IDAStar, Limits, SearchResult, UnsuitableError, solve
from searchkit.engine import Engine
from searchkit.executors.executor import Executor
from searchkit.executors.on_ray import LOCAL, OnRay
from searchkit.executors.processes import Processes
from searchkit.explore import Exploration, explore
from searchkit_peg import peg as peg_solitaire
from searchkit_sliding import Board, SlidingPuzzle

WARM_UP_NODES = 100_734_844
"""The nodes of number 25: enough for every worker to have a task."""
WARM_UP_MOVES = 18
WARM_UP_JUMPS = 9
COMPANION = "companion"

T = TypeVar("T")
Result = SearchResult[Any, Any]


def search(side: str, workers: int, nodes: int) -> Report:
    """Korf's instance of so many nodes by IDA*; the counts must be those known."""
    with _others("search", side, workers, nodes=nodes) as begin:
        return _search(side, workers, nodes, begin)


def layers(side: str, workers: int, moves: int, states: int) -> Report:
    """The 15-puzzle up to so many moves from the goal, in files."""
    with _others("layers", side, workers, moves=moves, states=states) as begin:
        return _layers(side, workers, moves, states, begin)


def chains(side: str, workers: int, moves: int, nodes: int) -> Report:
    """Peg solitaire by moves of several jumps, all paths up to so many moves, by IDDFS."""
    puzzle = peg_solitaire("english")

    def run(executor: Executor | None) -> Result:
        limits = Limits(cost=moves)
        return solve(puzzle, IDDFS(), engine=Engine("compiled", workers=executor), limits=limits)

    with _others("chains", side, workers, moves=moves, nodes=nodes) as begin:
        return _whole_rounds(side, workers, run, nodes, begin)


def reference(side: str, workers: int, moves: int, nodes: int) -> Report:
    """Korf's hardest instance by IDA* in plain Python, all paths up to so many moves."""
    ((puzzle, _, _),) = korf_puzzles(korf_rows(HARDEST, HARDEST))
    algorithm = IDAStar(cycles="parent")

    def run(executor: Executor | None) -> Result:
        limits = Limits(cost=moves)
        return solve(puzzle, algorithm, engine=Engine("reference", workers=executor), limits=limits)

    with _others("reference", side, workers, moves=moves, nodes=nodes) as begin:
        return _whole_rounds(side, workers, run, nodes, begin)


def _whole_rounds(
    side: str,
    workers: int,
    run: Callable[[Executor | None], Result],
    nodes: int,
    begin: Callable[[], None],
) -> Report:
    with _executor(side, workers) as executor:
        result, report = _timed(lambda: run(executor), lambda: run(executor), side, begin)
    generated = result.statistics.generated
    check(generated == nodes, f"{generated} nodes, not {nodes}")
    return report | figures_of([result])


def _search(side: str, workers: int, nodes: int, begin: Callable[[], None]) -> Report:
    algorithm = IDAStar(cycles="parent")
    (first, _, _), (puzzle, length, _) = (
        korf_puzzles(korf_rows(count, count))[0] for count in (WARM_UP_NODES, nodes)
    )
    with _executor(side, workers) as executor:
        result, report = _timed(
            lambda: solve(first, algorithm, engine=Engine(workers=executor)),
            lambda: solve(puzzle, algorithm, engine=Engine(workers=executor)),
            side,
            begin,
        )
    check(result.cost == length, f"cost {result.cost}, not {length}")
    generated = result.statistics.generated
    check(generated == nodes, f"{generated} nodes, not {nodes}")
    return report | figures_of([result])


def _layers(side: str, workers: int, moves: int, states: int, begin: Callable[[], None]) -> Report:
    goal = " ".join(map(str, [*range(1, 16), 0]))
    puzzle = SlidingPuzzle.read(Board.rectangle(4, 4), goal, goal)
    with TemporaryDirectory() as place, _executor(side, workers) as executor:

        def run(most: int) -> Exploration:
            folder = Path(place) / str(most)
            if side == COMPANION:
                rmtree(folder, ignore_errors=True)
            return explore(
                puzzle, checkpoint=folder, engine=Engine(workers=executor), limits=Limits(cost=most)
            )

        found, report = _timed(lambda: run(WARM_UP_MOVES), lambda: run(moves), side, begin)
        disk = sum(file.stat().st_size for file in (Path(place) / str(moves)).iterdir())
    check(found.states == states, f"explores {found.states} states, not {states}")
    return report | {
        "nodes": states,
        "layers": found.layers,
        "stored": states,
        "stored_bytes": disk,
    }


def english(board: str, states: int, canonical: int, workers: int) -> Report:
    """All states of peg solitaire by jumps, in files, without symmetry, by processes."""
    puzzle = peg_solitaire(board, model="jumps")
    with TemporaryDirectory() as place, Processes(workers) as executor:

        def run(most: int | None) -> Exploration:
            folder = Path(place) / str(most)
            return explore(
                puzzle, checkpoint=folder, engine=Engine(workers=executor), limits=Limits(cost=most)
            )

        found, report = _timed(lambda: run(WARM_UP_JUMPS), lambda: run(None), "processes", bool)
        disk = sum(file.stat().st_size for file in (Path(place) / str(None)).iterdir())
    check(found.states == states, f"explores {found.states} states, not {states}")
    return report | {
        "nodes": canonical,
        "layers": found.layers,
        "stored": states,
        "stored_bytes": disk,
    }


def _timed(
    first: Callable[[], object], work: Callable[[], T], side: str, begin: Callable[[], None]
) -> tuple[T, Report]:
    warm_up = warmed_up(first)
    begin()
    watch = Stopwatch(process_time if side == "alone" else None)
    answer = watch.time(work)
    while side == COMPANION:
        work()
    return answer, watch.report(**warm_up)


@contextmanager
def _others(
    work: str, side: str, workers: int, **arguments: object
) -> Iterator[Callable[[], None]]:
    """Keep further processors busy with the same work; gives what waits until they are.

    One of the others says when it begins, and starts over until it is ended.
    """
    if side == COMPANION:
        yield partial(print, "begins", flush=True)
        return
    text = json.dumps({"side": COMPANION, "workers": 1, **arguments})
    command = [sys.executable, "-m", "bench.runs", f"seam.{work}", text]
    number = workers - 1 if side == "alone" else 0
    with ExitStack() as stack:
        place = stack.enter_context(TemporaryDirectory())
        theirs = {**os.environ, "TMPDIR": place}
        others = [
            stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, env=theirs))
            for _ in range(number)
        ]
        stack.callback(lambda: [other.kill() for other in others])

        def begin() -> None:
            for other in others:
                assert other.stdout is not None
                if not other.stdout.readline():
                    raise Failed("a process beside this one ended")

        yield begin


def _executor(side: str, workers: int) -> AbstractContextManager[Executor | None]:
    if side in ("alone", COMPANION):
        return nullcontext()
    if side == "processes":
        return Processes(workers)
    try:
        return OnRay(LOCAL, cpus=workers)
    except UnsuitableError as error:
        raise Unavailable(str(error)) from None
