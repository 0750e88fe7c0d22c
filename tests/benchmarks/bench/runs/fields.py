"""Puzzles by their fields, packed by hand, and plain: the same searches."""

from __future__ import annotations

from typing import Any

from bench.runs import declared_forms, expanded_forms, listed_forms, packed_forms
from bench.runs.ours import EngineChoice, figures_of, solved, warmed_up
from bench.runs.timing import Report, Stopwatch, check
from searchkit import AStar, Bidirectional, BreadthFirst, Limits, Problem, explore, solve

FORMS = {
    "declared": declared_forms,
    "packed": packed_forms,
    "expanded": expanded_forms,
    "listed": listed_forms,
}
RUSH_BOARDS = (
    "FFFGGoooKBoEAAKBoEIDDDHoICooHooCJJJo", "BBBCooKKoCJJAADoEoooDoEIoGDoFIoGHHFo",
    "ooHKKFEEHDDFAAoJCFooBJCoGoBoCoGoBIIo", "GoCoBBGoCDJoAAoDJoFFFIIooEEKKHoooooH",
    "oIIKKKEEHCCCAAHJoFooHJBFoDDoBoGGGooo", "oKKGGGooHCoJAAHCBJooIIBoDDDoBFEEoooF",
)  # fmt: skip
"""Eleven cars each, and 2,500 to 6,200 states."""
WARMING = 3
BOARD_15 = (14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3)


def lights(form: str, repeats: int) -> Report:
    """Lights Out 5x5, all lamps lit, from both ends: 15 presses."""
    puzzle = FORMS[form].Lights()
    return _search(puzzle, Bidirectional(), 15, repeats)


def tiles(form: str, repeats: int, most: int) -> Report:
    """The 15-puzzle breadth-first, until `most` states are expanded."""
    puzzle = FORMS[form].Tiles(BOARD_15)
    return _search(puzzle, BreadthFirst(), None, repeats, Limits(expansions=most))


def astar(form: str, repeats: int, most: int) -> Report:
    """The 15-puzzle by A*, Manhattan from scratch, until `most` states are expanded."""
    puzzle = FORMS[form].Tiles(BOARD_15)
    return _search(puzzle, AStar(packed_forms.Far()), None, repeats, Limits(expansions=most))


def pushes(form: str, engine: EngineChoice, repeats: int, most: int) -> Report:
    """Sokoban in pushes breadth-first, until `most` states are expanded."""
    puzzle = FORMS[form].Pushes()
    return _search(puzzle, BreadthFirst(), None, repeats, Limits(expansions=most), engine)


def rush(form: str, engine: EngineChoice, repeats: int) -> Report:
    """Every state of a board of Rush Hour that can be reached."""
    kind = packed_forms.PlainRush if form == "plain" else FORMS[form].Rush
    puzzle: Problem[Any, Any] = kind()
    watch = Stopwatch()
    warm_up = warmed_up(lambda: explore(puzzle, engine=engine))
    for _ in range(repeats):
        explored = watch.time(lambda: explore(puzzle, engine=engine))
        check(explored.states == 4780, f"explores {explored.states} states, not 4780")
    return watch.report(nodes=explored.states, layers=explored.layers, **warm_up)


def boards(form: str, call: str, repeats: int) -> Report:
    """One call for each of some boards of Rush Hour, once many were made and searched."""
    kind = FORMS[form].Rush

    def nodes_of(board: str) -> int:
        puzzle: Any = kind(board)
        if call == "construct":
            return len(puzzle.moves)
        if call == "explore":
            return explore(puzzle, engine="compiled").states
        engine: EngineChoice = "auto" if call == "auto" else "compiled"
        return solve(puzzle, BreadthFirst(), engine=engine).statistics.expanded

    def all_boards() -> int:
        return sum(map(nodes_of, RUSH_BOARDS))

    watch, warm_up = Stopwatch(), warmed_up(lambda: [all_boards() for _ in range(WARMING)])
    for _ in range(repeats):
        nodes = watch.time(all_boards)
    return watch.report(nodes=nodes, **warm_up)


def _search(
    puzzle: Any,
    algorithm: Any,
    cost: int | None,
    repeats: int,
    limits: Limits | None = None,
    engine: EngineChoice = "compiled",
) -> Report:
    watch = Stopwatch()
    options = {"engine": engine, "limits": limits or Limits()}
    warm_up = warmed_up(lambda: solved(puzzle, algorithm, **options))
    for _ in range(repeats):
        result = watch.time(lambda: solved(puzzle, algorithm, **options))
        check(result.cost == cost, f"finds {result.cost}, not {cost}")
    return watch.report(**figures_of([result]), **warm_up)
