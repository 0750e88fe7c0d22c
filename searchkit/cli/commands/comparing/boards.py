"""Which boards are compared on: one start, a file of them, random ones, or a set that is known."""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping
from typing import Any

from searchkit.capabilities import HasBoardSets, HasParse, HasRandomState, HasStart
from searchkit.cli.support.choice import Chosen
from searchkit.cli.support.errors import say
from searchkit.comparison import Board
from searchkit.errors import ParseError, ProblemError, UnsuitableError, UsageError
from searchkit.puzzles import with_start
from searchkit.scramble import scramble
from searchkit.texts.amounts import one_line
from searchkit.texts.text_files import MOST_BYTES, read_bytes, read_stream

STDIN = "-"
COMMENT = "#"
MOST_SHOWN = 8
MOST_READ = 1 << 28
"""The most bytes of a file of boards, which is read whole."""


def choose_boards(chosen: Chosen, options: Mapping[str, Any], *, quiet: bool) -> tuple[Board, ...]:
    """The boards that the options ask for."""
    source, number = options["boards"], options["random"]
    if source is not None:
        known = _known_sets(chosen)
        if source in known:
            return _known_boards(chosen, source)
        return _boards_of_file(chosen, source, sorted(known))
    if number is not None or options["scramble"] is not None:
        return _random_boards(chosen, number or 1, options["scramble"], options["seed"], quiet)
    return (Board(number=1, name="start", text=chosen.start_text(), is_own=True),)


def _known_sets(chosen: Chosen) -> Mapping[str, str]:
    with chosen.guard():
        return chosen.problem.board_sets() if isinstance(chosen.problem, HasBoardSets) else {}


def _known_boards(chosen: Chosen, name: str) -> tuple[Board, ...]:
    problem = chosen.problem
    assert isinstance(problem, HasBoardSets)
    _check_readable(chosen)
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


def _boards_of_file(chosen: Chosen, source: str, known: list[str]) -> tuple[Board, ...]:
    """The boards of a file, one a line; lines that begin with # are comments.

    Every line is read before any is searched; a bad one is named by its number.
    """
    _check_readable(chosen)
    boards: list[Board] = []
    bad: list[tuple[int, str]] = []
    for number, line in enumerate(_lines(source, known), start=1):
        text = line.strip()
        if not text or text.startswith(COMMENT):
            continue
        if len(text) > MOST_BYTES:
            bad.append((number, f"it is longer than {MOST_BYTES:,} characters; no board is"))
            continue
        try:
            with_start(chosen.name, chosen.problem, text)
        except UsageError as error:
            bad.append((number, one_line(error)))
        else:
            boards.append(Board(number=len(boards) + 1, name=f"line {number}", text=text))
    name = "stdin" if source == STDIN else source
    if bad:
        others = ", ".join(str(number) for number, _ in bad[1:MOST_SHOWN])
        more = f" and {len(bad) - MOST_SHOWN} more" if len(bad) > MOST_SHOWN else ""
        also = f"; also bad: line {others}{more}" if others else ""
        raise UsageError(f"{name}, line {bad[0][0]}: {bad[0][1]}{also}")
    if not boards:
        raise UsageError(f"{name} has no boards; write one on each line")
    return tuple(boards)


def _lines(source: str, known: list[str]) -> list[str]:
    try:
        if source != STDIN:
            data = read_bytes(source, MOST_READ)
        elif sys.stdin is None or sys.stdin.closed:
            raise ParseError("-: standard input is closed; give a file with boards")
        else:
            data = read_stream(sys.stdin.buffer, MOST_READ, "-")
        return data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise UsageError(f"{source} is not a UTF-8 text: {error.reason}") from error
    except ParseError as error:
        sets = f"; sets that the puzzle knows: {', '.join(known) or 'none'}"
        raise UsageError(f"{error}{sets}") from error


def _random_boards(
    chosen: Chosen, number: int, steps: int | None, seed: int | None, quiet: bool
) -> tuple[Board, ...]:
    """Random or scrambled starts, the same for every call with a seed."""
    problem = chosen.problem
    _check_readable(chosen)
    if seed is None:
        seed = random.SystemRandom().randrange(10**6)
        if not quiet:
            say("note", f"--seed {seed} gives these boards again")
    rng = random.Random(seed)
    boards = []
    for place in range(1, number + 1):
        with chosen.guard():
            if steps is not None:
                state = scramble(problem, steps, rng)
            elif isinstance(problem, HasRandomState):
                state = problem.random_state(rng)
            else:
                raise UnsuitableError(
                    f"puzzle {chosen.name} cannot draw a random state; add --scramble 20"
                )
            text = problem.format_state(state)
        boards.append(Board(number=place, name=f"seed {seed} no. {place}", text=text))
    return tuple(boards)


def _check_readable(chosen: Chosen) -> None:
    if not isinstance(chosen.problem, HasStart):
        raise UnsuitableError(f"puzzle {chosen.name} has a fixed start; drop --boards and --random")
    if not isinstance(chosen.problem, HasParse):
        raise UnsuitableError(
            f"puzzle {chosen.name} cannot read states; drop --boards and --random"
        )
