"""searchkit itself.

Before anything is timed, a small job of the same kind is done once, so that machine code is
compiled or loaded; how long that took is reported as `warm_up_seconds`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any, Literal

from bench.instances import EASIEST, KORF_GOAL, korf_rows
from bench.runs.timing import Report, Stopwatch, check, peak_bytes
from bench.samples import Unavailable
from searchkit import (
    Algorithm,
    AStar,
    IDAStar,
    Limits,
    SearchResult,
    UnsuitableError,
    solve,
)
from searchkit.algorithms import ALGORITHMS
from searchkit.engine import Engine
from searchkit.explore import explore
from searchkit.explore.layers import SymmetryChoice
from searchkit_cube import cube2
from searchkit_peg import peg as peg_solitaire
from searchkit_sliding import Board, SlidingPuzzle

GOAL_8 = "123456780"

EngineChoice = Literal["auto", "reference", "compiled"]


def idastar(
    most_nodes: int, engine: EngineChoice, threads: int = 1, least_nodes: int = 0
) -> Report:
    """Korf's instances by IDA*; the counts must be those known."""
    rows = korf_rows(most_nodes, least_nodes)
    return _korf(IDAStar(cycles="parent"), rows, engine=Engine(engine, threads=threads))


def astar(most_nodes: int, engine: EngineChoice) -> Report:
    """Korf's instances by A*."""
    return _korf(AStar(), korf_rows(most_nodes), engine=engine)


def eight(algorithm: str, start: str, cost: int, engine: EngineChoice, repeats: int = 1) -> Report:
    """One 8-puzzle by the algorithm of that name."""
    puzzle = SlidingPuzzle.read(Board.rectangle(3, 3), start, GOAL_8)
    chosen = ALGORITHMS[algorithm]()
    watch = Stopwatch()
    warm_up = warmed_up(lambda: solved(puzzle, chosen, engine=engine))
    for _ in range(repeats):
        result = watch.time(lambda: solved(puzzle, chosen, engine=engine))
        check(result.cost == cost, f"{algorithm} finds cost {result.cost}, not {cost}")
    return watch.report(**figures_of([result]), **warm_up)


def peg(
    board: str, states: int, canonical: int, engine: EngineChoice, symmetry: SymmetryChoice = "auto"
) -> Report:
    """All states of peg solitaire by jumps on that board, up to symmetry or not."""
    puzzle = peg_solitaire(board, model="jumps")
    watch = Stopwatch()
    explored = {}

    def run(limits: Limits) -> None:
        explored["last"] = explore(puzzle, limits=limits, engine=engine, symmetry=symmetry)

    warm_up = warmed_up(lambda: run(Limits(cost=3)))
    watch.time(lambda: run(Limits()))
    found = explored["last"]
    layers = found.canonical_layers or found.layers
    check(found.states == states, f"explores {found.states} states, not {states}")
    check(sum(layers) == canonical, f"explores {sum(layers)} canonical states, not {canonical}")
    return watch.report(
        nodes=canonical,
        layers=layers,
        stored=found.statistics.stored,
        stored_bytes=found.statistics.bytes,
        **warm_up,
    )


def whole(rows: int, columns: int, states: int, engine: EngineChoice, repeats: int = 1) -> Report:
    """The whole sliding puzzle of that size, from the goal."""
    board = Board.rectangle(rows, columns)
    goal = " ".join(map(str, [*range(1, board.cells), 0]))
    puzzle = SlidingPuzzle.read(board, goal, goal)
    watch = Stopwatch()
    explored = {}

    def run(limits: Limits) -> None:
        try:
            explored["last"] = explore(puzzle, limits=limits, engine=engine)
        except UnsuitableError as error:
            raise Unavailable(str(error)) from None

    warm_up = warmed_up(lambda: run(Limits() if repeats > 1 else Limits(cost=5)))
    for _ in range(repeats):
        watch.time(lambda: run(Limits()))
        found = explored["last"].states
        check(found == states, f"explores {found} states, not {states}")
    exploration = explored["last"]
    statistics = exploration.statistics
    return watch.report(
        nodes=exploration.states,
        layers=exploration.layers,
        stored=statistics.stored,
        stored_bytes=statistics.bytes,
        **warm_up,
    )


def cube(states: int, engine: EngineChoice, repeats: int) -> Report:
    """The whole 2x2x2 cube, from the solved one."""
    puzzle = cube2()
    watch = Stopwatch()
    warm_up = warmed_up(lambda: explore(puzzle, engine=engine))
    for _ in range(repeats):
        explored = watch.time(lambda: explore(puzzle, engine=engine))
        check(explored.states == states, f"explores {explored.states} states, not {states}")
    statistics = explored.statistics
    return watch.report(
        nodes=explored.states,
        layers=explored.layers,
        stored=statistics.stored,
        stored_bytes=statistics.bytes,
        **warm_up,
    )


def _korf(algorithm: Algorithm, rows: list[str], **options: Any) -> Report:
    watch = Stopwatch()
    results: list[SearchResult[Any, Any]] = []
    easiest = korf_puzzles(korf_rows(EASIEST))[0][0]
    warm_up = warmed_up(lambda: solved(easiest, algorithm, **options))
    puzzles = korf_puzzles(rows)

    def solve_all() -> None:
        results.extend(solved(puzzle, algorithm, **options) for puzzle, _, _ in puzzles)

    watch.time(solve_all)
    for (_, length, nodes), result in zip(puzzles, results, strict=True):
        check(result.cost == length, f"cost {result.cost}, not {length}")
        if isinstance(algorithm, IDAStar):
            generated = result.statistics.generated
            check(generated == nodes, f"{generated} nodes, not {nodes}")
    return watch.report(instances=len(puzzles), **figures_of(results), **warm_up)


def korf_puzzles(rows: list[str]) -> list[tuple[SlidingPuzzle, int, int]]:
    board = Board.rectangle(4, 4)
    fields = [row.split(",") for row in rows]
    return [
        (SlidingPuzzle.read(board, start, KORF_GOAL), int(length), int(nodes))
        for _, start, length, nodes in fields
    ]


def solved(puzzle: SlidingPuzzle, algorithm: Algorithm, **options: Any) -> SearchResult[Any, Any]:
    try:
        return solve(puzzle, algorithm, **options)
    except UnsuitableError as error:
        raise Unavailable(str(error)) from None


def warmed_up(work: Callable[[], object]) -> dict[str, float]:
    start = perf_counter()
    work()
    return {"warm_up_seconds": perf_counter() - start, "warm_peak_bytes": peak_bytes()}


def figures_of(results: Iterable[SearchResult[Any, Any]]) -> dict[str, int]:
    """Work summed up; states and bytes of the result that stored most."""
    every = [result.statistics for result in results]
    largest = max(every, key=lambda statistics: statistics.stored)
    return {
        "nodes": sum(statistics.generated for statistics in every),
        "expanded": sum(statistics.expanded for statistics in every),
        "stored": largest.stored,
        "stored_bytes": largest.bytes,
    }
