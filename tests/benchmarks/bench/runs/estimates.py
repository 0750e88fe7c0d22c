"""searchkit with heuristics that remember something: walking distance, pattern databases, gaps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bench.instances import EASIEST, KORF_GOAL, korf_rows, random_boards
from bench.runs.ours import figures_of, korf_puzzles, solved, warmed_up
from bench.runs.timing import Report, Stopwatch, check
from bench.samples import Unavailable
from searchkit import Heuristic, IDAStar, SearchResult, UsageError
from searchkit.engine import Engine
from searchkit.heuristics.patterns import PatternHeuristic
from searchkit.heuristics.patterns.choose import is_built, pattern_heuristic
from searchkit.heuristics.patterns.compiled_build import Build, build
from searchkit.heuristics.patterns.library import VALUES, Library
from searchkit.pattern_space import PatternSpace
from searchkit.solve_many import ManyResults, solve_many
from searchkit.verify import verify_solution
from searchkit_pancakes import Pancakes
from searchkit_sliding import Board, SlidingPuzzle, WalkingDistance
from searchkit_stages import Stages


def walking_distance(most_nodes: int, repeats: int) -> Report:
    """Korf's instances by IDA* with walking distance."""
    return _korf(korf_rows(most_nodes), WalkingDistance, repeats)


def pattern_build(patterns: str, repeats: int) -> Report:
    """The databases of those patterns, built in memory."""
    space = _space(patterns)
    watch = Stopwatch()
    warm_up = warmed_up(lambda: [build(_space(patterns[-1]))])
    counts: list[int] = []
    for _ in range(repeats):
        builds = [Build(space, group) for group in range(len(space.groups))]
        watch.time(lambda builds=builds: [[*each.run()] for each in builds])
        values = [each.database().values for each in builds]
        counts = [int(count) for each in values for count in np.bincount(each)]
    return watch.report(nodes=sum(counts), counts=counts, **warm_up)


def patterns(name: str, most_nodes: int, repeats: int) -> Report:
    """Korf's instances by IDA* with pattern databases built before, in memory."""
    space = _space(name)
    databases = [build(space, group) for group in range(len(space.groups))]
    heuristic = PatternHeuristic(space, databases)
    return _korf(korf_rows(most_nodes), lambda _: heuristic, repeats)


def patterns_on_disk(name: str, most_nodes: int, repeats: int) -> Report:
    """The same with databases from the library."""
    puzzle = _solved_puzzle()
    if not is_built(puzzle, name):
        raise Unavailable(missing(name))
    try:
        heuristic = pattern_heuristic(puzzle, name)
    except UsageError as error:
        raise Unavailable(str(error)) from None
    return _korf(korf_rows(most_nodes), lambda _: heuristic, repeats)


def missing(name: str) -> str:
    """Why databases cannot be used."""
    return (
        f"the pattern databases {name} are not in {Library().folder}; build them with "
        f"`searchkit pdb build 15-puzzle {name}`, or name another SEARCHKIT_DATA_DIR"
    )


def files(name: str) -> dict[str, list[str]]:
    """The databases of the library, as the program pdb_search takes them: see patterns.hpp."""
    if not is_built(_solved_puzzle(), name):
        raise Unavailable(missing(name))
    library, space = Library(), _space(name)
    arguments = []
    for group, tiles in enumerate(_ranked(space)):
        folder = library.path_of(space.identity(group), halved=False)
        if not folder.is_dir():
            raise Unavailable(f"the pattern databases {name} are compressed: build them anew")
        arguments.append(f"{tiles}@{_dotted(space.tables.number[group])}@{folder / VALUES}")
    return {"arguments": arguments}


def pancakes(stacks: Sequence[str]) -> Report:
    """Stacks by IDA* with the gap heuristic."""
    puzzles = [Pancakes.read(stack) for stack in stacks]
    watch = Stopwatch()
    easiest = Pancakes.read(" ".join(map(str, [2, 1, *range(3, puzzles[0].size + 1)])))
    algorithm = IDAStar(cycles="parent")
    warm_up = warmed_up(lambda: solved(easiest, algorithm, engine="compiled"))
    results: list[SearchResult[Any, Any]] = []
    watch.time(
        lambda: results.extend(solved(each, algorithm, engine="compiled") for each in puzzles)
    )
    return watch.report(
        costs=[result.cost for result in results],
        counts=[result.statistics.generated for result in results],
        **figures_of(results),
        **warm_up,
    )


def stages(count: int, seed: int, repeats: int) -> Report:
    """15-puzzles in four stages, with tables made before."""
    starts = [puzzle.start for puzzle, _, _ in korf_puzzles(list(random_boards(count, seed)))]
    puzzle = _solved_puzzle()
    warm_up = warmed_up(lambda: _solved(puzzle, starts[:1]))
    watch = Stopwatch()
    for _ in range(repeats):
        found = watch.time(lambda: _solved(puzzle, starts))
    for i in range(0, len(starts), 100):
        solution = found[i].solution
        check(solution is not None, f"board {i} is not solved")
        verify_solution(puzzle.with_start(starts[i]), solution)
    return watch.report(nodes=len(starts), costs=found.costs.tolist(), **warm_up)


def _solved(puzzle: SlidingPuzzle, starts: list[int]) -> ManyResults[int, int]:
    found = solve_many(puzzle, starts, Stages(), engine=Engine(threads=1))
    len(found)  # waits for all
    return found


def _korf(
    rows: list[str], heuristic_of: Callable[[SlidingPuzzle], Heuristic[Any, Any]], repeats: int
) -> Report:
    """IDA* with the heuristic; reports how many states each instance took."""
    puzzles = [
        (puzzle, length, IDAStar(heuristic=heuristic_of(puzzle), cycles="parent"))
        for puzzle, length, _ in korf_puzzles(rows)
    ]
    easiest = korf_puzzles(korf_rows(EASIEST))[0][0]
    first = IDAStar(heuristic=heuristic_of(easiest), cycles="parent")
    warm_up = warmed_up(lambda: solved(easiest, first, engine="compiled"))
    watch = Stopwatch()
    results: list[SearchResult[Any, Any]] = []

    def solve_all() -> None:
        results[:] = [
            solved(puzzle, algorithm, engine="compiled") for puzzle, _, algorithm in puzzles
        ]

    for _ in range(repeats):
        watch.time(solve_all)
    for (_, length, _), result in zip(puzzles, results, strict=True):
        check(result.cost == length, f"cost {result.cost}, not {length}")
    return watch.report(
        instances=len(puzzles),
        counts=[result.statistics.generated for result in results],
        **figures_of(results),
        **warm_up,
    )


def _solved_puzzle() -> SlidingPuzzle:
    return SlidingPuzzle.read(Board.rectangle(4, 4), KORF_GOAL, KORF_GOAL)


def _space(name: str) -> PatternSpace:
    puzzle = _solved_puzzle()
    return puzzle.pattern_space(puzzle.patterns_named(name))


def _ranked(space: Any) -> list[str]:
    """The tiles of every group in the order in which they are ranked."""
    shift = space.tables.shift[0]
    return [_dotted(sorted(group, key=lambda tile: shift[tile])) for group in space.groups]


def _dotted(numbers: Sequence[int]) -> str:
    return ".".join(map(str, numbers))
