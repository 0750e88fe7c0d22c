"""Which boards are compared on: one start, a file of them, random ones, or a set that is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from searchkit.capabilities import HasBoardSets
from searchkit.cli.support.boards import boards_of, check_reads_boards, name_of
from searchkit.cli.support.choice import Chosen, draw_states
from searchkit.cli.support.files import opened
from searchkit.cli.support.options import MOST_BOARDS
from searchkit.comparison import Board
from searchkit.errors import ProblemError, UsageError

MOST_SHOWN = 8


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
        for line in boards_of(file, chosen, source):
            if line.started is None:
                bad.append((line.number, line.error))
            else:
                name = f"line {line.number}"
                boards.append(Board(number=len(boards) + 1, name=name, text=line.text))
            if len(boards) + len(bad) > MOST_BOARDS:
                raise UsageError(f"{name_of(source)} has more than {MOST_BOARDS:,} boards")
    if bad:
        others = ", ".join(str(number) for number, _ in bad[1:MOST_SHOWN])
        more = f" and {len(bad) - MOST_SHOWN} more" if len(bad) > MOST_SHOWN else ""
        also = f"; also bad: line {others}{more}" if others else ""
        raise UsageError(f"{name_of(source)}, line {bad[0][0]}: {bad[0][1]}{also}")
    return tuple(boards)
