"""Who is compared, algorithms, each with each heuristic; on which boards; what of a result is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from searchkit.capabilities import HasBoardSets, own_heuristic
from searchkit.cli.support.choice import Chosen, draw_states
from searchkit.cli.support.files import (
    board_on,
    check_reads_boards,
    lines_of,
    name_of,
    no_boards,
    opened,
)
from searchkit.cli.support.method import choose_algorithm, make_algorithm
from searchkit.cli.support.options import MOST_BOARDS
from searchkit.cli.support.output import missing_code
from searchkit.comparison import Board, Contestant
from searchkit.documents.document import Document, as_json
from searchkit.errors import ProblemError, UnsuitableError, UsageError
from searchkit.limits import Limits
from searchkit.result import SearchResult
from searchkit.running.building import BuildStoppedError, building_within
from searchkit.texts.amounts import one_line

MOST_SHOWN = 8


@attrs.frozen
class Entrant:
    """A contestant with its algorithm, and the name of its heuristic as it was given."""

    contestant: Contestant
    algorithm: Any
    heuristic: str | None
    limits: Limits
    """What is left of them for the search."""
    stopped: BuildStoppedError | None = None
    """Where the limits are used up by what is built for it."""


def choose_entrants(
    chosen: Chosen, names: Sequence[str], heuristics: Sequence[str], limits: Limits
) -> tuple[list[Entrant], dict[str, str]]:
    """The algorithms to compare, each with each heuristic, and why the others do not suit.

    An algorithm that was named and does not suit is an error. What is built for one counts against
    its limits.
    """
    together = next((name for name in names if "," in name), None)
    if together is not None:
        repeated = " ".join(f"--algo {name}" for name in together.split(","))
        raise UsageError(f"{together!r} names several algorithms; repeat the option: {repeated}")
    entries = [chosen.registry.algorithms.get(name) for name in dict.fromkeys(names)]
    if not entries:
        entries = [each for each in chosen.registry.algorithms.entries if each.algorithm.optimal]
    entrants: dict[str, Entrant] = {}
    unsuitable: dict[str, str] = {}
    for entry in entries:
        uses: Sequence[str | None] = [None]
        if entry.algorithm.uses_heuristic:
            uses = list(dict.fromkeys(heuristics)) or [None]
        try:
            made = [_made(chosen, entry.name, heuristic, limits) for heuristic in uses]
            made[0][0].check(chosen.problem)
        except UnsuitableError as error:
            if names:
                raise
            unsuitable[entry.name] = str(error)
            continue
        for (algorithm, left, stopped), given in zip(made, uses, strict=True):
            heuristic = None
            if stopped is not None:
                heuristic = given or stopped.building.what
            elif algorithm.uses_heuristic:
                with chosen.guard():
                    own = getattr(algorithm, "heuristic", None) or own_heuristic(chosen.problem)
                    heuristic = own.name
                if f"{entry.name} ({heuristic})" in entrants:
                    heuristic = given
            label = entry.name if heuristic is None else f"{entry.name} ({heuristic})"
            contestant = Contestant(
                label=label, algorithm=entry.name, heuristic=heuristic, optimal=algorithm.optimal
            )
            entrants[label] = Entrant(contestant, algorithm, given, left, stopped)
    return list(entrants.values()), unsuitable


def _made(
    chosen: Chosen, name: str, heuristic: str | None, limits: Limits
) -> tuple[Any, Limits, BuildStoppedError | None]:
    """An algorithm, what making it has left of the limits, and what has stopped it."""
    with building_within(limits) as left:
        try:
            return choose_algorithm(chosen, name, heuristic), left(), None
        except BuildStoppedError as stopped:
            cls = chosen.registry.algorithms.get(name).algorithm
            return make_algorithm(cls), left(), stopped


def run_fields(result: SearchResult[Any, Any]) -> dict[str, Any]:
    """The fields of `searchkit.comparison.Run` that a result has."""
    document = as_json(Document.of(result, puzzle="", parameters={}, start=None, goal=None))
    figures: dict[str, Any] = document["statistics"]
    figures["stored_bytes"] = figures.pop("bytes")
    del figures["setup_seconds"]
    names = ("status", "limit", "engine", "cost", "optimal", "lower_bound", "within")
    return {name: document[name] for name in names} | figures | {
        "reason": result.reason or result.unfinished,
        "engine_reason": missing_code(result),
        "moves": None if result.solution is None else len(result.solution),
    }  # fmt: skip


def own_board(chosen: Chosen) -> Board:
    """The start that the problem has."""
    return Board(number=1, name="start", text=chosen.start_text(), is_own=True)


def choose_boards(chosen: Chosen, options: Mapping[str, Any]) -> tuple[Board, ...]:
    """The boards that the options ask for."""
    source, number = options["boards"], options["random"]
    if source is None and number is None and options["scramble"] is None:
        return (own_board(chosen),)
    known: Mapping[str, str] = {}
    if source is not None and isinstance(chosen.problem, HasBoardSets):
        with chosen.guard():
            known = chosen.problem.board_sets()
    check_reads_boards(chosen, "--boards and --random")
    if source is None:
        seed, states = draw_states(chosen, options, number or 1)
        with chosen.guard():
            texts = [chosen.problem.format_state(state) for state in states]
        return tuple(
            Board(number=place, name=f"seed {seed} no. {place}", text=text)
            for place, text in enumerate(texts, start=1)
        )
    if source in known:
        return _known_boards(chosen, source)
    return _boards_of_file(chosen, source, ", ".join(sorted(known)) or "none")


def _known_boards(chosen: Chosen, name: str) -> tuple[Board, ...]:
    problem = chosen.problem
    assert isinstance(problem, HasBoardSets)
    with chosen.guard():
        boards = tuple(
            Board(
                number=number, name=each.name, text=problem.format_state(each.start),
                known_cost=each.cost,
            )
            for number, each in enumerate(problem.board_set(name), start=1)
        )  # fmt: skip
        if not boards:
            raise ProblemError(f"board set {name} is empty")
        return boards


def _boards_of_file(chosen: Chosen, source: str, known: str) -> tuple[Board, ...]:
    """The boards of a file; every line is read before any is searched."""
    boards: list[Board] = []
    bad: list[tuple[int, str]] = []
    with opened(source, f"sets that the puzzle knows: {known}") as file:
        for line, text in lines_of(file):
            try:
                board_on(chosen, text)
                boards.append(Board(number=len(boards) + 1, name=f"line {line}", text=str(text)))
            except UsageError as error:
                bad.append((line, one_line(error)))
            if len(boards) + len(bad) > MOST_BOARDS:
                raise UsageError(f"{name_of(source)} has more than {MOST_BOARDS:,} boards")
    if not boards and not bad:
        raise no_boards(source)
    if bad:
        others = ", ".join(str(number) for number, _ in bad[1:MOST_SHOWN])
        more = f" and {len(bad) - MOST_SHOWN} more" if len(bad) > MOST_SHOWN else ""
        also = f"; also bad: line {others}{more}" if others else ""
        raise UsageError(f"{name_of(source)}, line {bad[0][0]}: {bad[0][1]}{also}")
    return tuple(boards)
