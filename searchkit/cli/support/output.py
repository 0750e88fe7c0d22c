"""Tables, pictures and numbers on the terminal."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from searchkit.algorithms.weights import rounded_up
from searchkit.cli.support.errors import say
from searchkit.cli.support.streams import for_drawing
from searchkit.problem import Costs, Problem
from searchkit.result import Improvement, SearchResult, Solution
from searchkit.running.compiler import NO_NUMBA, numba_folder
from searchkit.solving.plan import IN_TRIAL, TRIAL_NODES
from searchkit.texts.amounts import plural, seconds
from searchkit.texts.harmless import harmless

if TYPE_CHECKING:
    from rich.console import Console

    from searchkit.explore import Exploration

GAP = 3
LEAST_TEXT = 8
"""A column of words is not squeezed to less for the sake of numbers."""
WIDTH_WITHOUT_TERMINAL = 200
"""A table that goes to a file or a pipe is not squeezed."""


def width() -> int:
    """Columns of the terminal, or of `COLUMNS`."""
    return shutil.get_terminal_size().columns


def console(*, stderr: bool = False) -> Console:
    """A console that prints text as it is; it respects `NO_COLOR` and `COLUMNS`.

    What comes from elsewhere must be made `harmless` before.
    """
    from rich.console import Console  # noqa: PLC0415  (only commands that need it pay for it)

    made = Console(file=for_drawing(stderr=stderr), highlight=False, markup=False, emoji=False)
    if not made.is_terminal and "COLUMNS" not in os.environ:
        made.width = WIDTH_WITHOUT_TERMINAL
    return made


def draw(text: str) -> None:
    """Print what may have colours; see `searchkit.texts.harmless`."""
    click.echo(text, file=for_drawing(stderr=False))


def print_table(
    head: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    right: Iterable[str] = (),
    spare: Iterable[str] = (),
    title: str | None = None,
    stderr: bool = False,
) -> None:
    """Print a table; the columns named in `right` are aligned to the right.

    Where the table is too wide, those named in `spare` are left out, then words are folded,
    and numbers at last.
    """
    from rich import box  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    to_the_right = set(right)
    cells = [[harmless(str(cell)) for cell in row] for row in rows]
    out = console(stderr=stderr)
    for name in spare:
        if _least_width(head, cells, head) > out.width:
            place = head.index(name)
            head = [*head[:place], *head[place + 1 :]]
            cells = [[*row[:place], *row[place + 1 :]] for row in cells]
    numbers = _least_width(head, cells, to_the_right)
    for name in head:
        is_number = name in to_the_right
        table.add_column(
            Text(name),
            justify="right" if is_number else "left",
            overflow="fold",
            no_wrap=is_number and numbers <= out.width,
        )
    for row in cells:
        table.add_row(*map(Text, row))
    with out.capture() as captured:
        if title is not None:
            out.print(Text(harmless(title), style="bold"))
        out.print(table)
    for line in captured.get().splitlines():
        if line.strip():
            click.echo(line.rstrip(), file=for_drawing(stderr=stderr))
    click.echo(err=stderr)


def _least_width(head: Sequence[str], rows: Sequence[Sequence[str]], whole: Collection[str]) -> int:
    """How wide a table is at least in which no cell of the columns named in `whole` is folded."""
    total = GAP * len(head) - 1
    for number, name in enumerate(head):
        widest = max(map(cells_of, [name, *(row[number] for row in rows)]))
        total += widest if name in whole else min(widest, LEAST_TEXT)
    return total


def print_pairs(pairs: Iterable[tuple[str, object]], *, stderr: bool = False) -> None:
    """Print names and values, a line each, the values aligned."""
    shown = [(name, str(value)) for name, value in pairs]
    longest = max((len(name) for name, _ in shown), default=0)
    for name, value in shown:
        click.echo(f"{name:<{longest}}  {value}", err=stderr)


def side_by_side(pictures: Iterable[str], columns: int) -> Iterator[str]:
    """Lines that show the pictures in rows no wider than `columns`, if each is narrower."""
    row: list[list[str]] = []
    used = 0
    for picture in pictures:
        lines = picture.split("\n")
        wide = max(map(cells_of, lines))
        if row and used + GAP + wide > columns:
            yield from _joined(row)
            yield ""
            row, used = [], 0
        used += wide + (GAP if row else 0)
        row.append(lines)
    if row:
        yield from _joined(row)


def _joined(row: list[list[str]]) -> Iterator[str]:
    widths = [max(map(cells_of, lines)) for lines in row]
    for number in range(max(map(len, row))):
        line = ""
        for lines, wide in zip(row, widths, strict=True):
            part = lines[number] if number < len(lines) else ""
            line += part + " " * (wide - cells_of(part) + GAP)
        yield line.rstrip()


def cells_of(text: str) -> int:
    """How many columns of the terminal a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # noqa: PLC0415

    return cell_len(text)


def length(problem: Problem[Any, Any], solution: Solution[Any, Any]) -> str:
    """How long `solution` is, in words: moves where every move costs 1."""
    steps = plural(len(solution), "move")
    return steps if problem.costs is Costs.UNIT else f"{cost(problem, solution.cost)} in {steps}"


def cost(problem: Problem[Any, Any], total: int) -> str:
    """A cost in words: a number of moves where every move costs 1."""
    return plural(total, "move") if problem.costs is Costs.UNIT else f"cost {total:,}"


def print_improvements(
    problem: Problem[Any, Any], rows: Iterable[Improvement], *, stderr: bool = False
) -> None:
    """Print the solutions of an anytime search, one after another."""
    unit = "moves" if problem.costs is Costs.UNIT else "cost"
    rows = list(rows)
    by = [name for name in ("width", "weight") if any(getattr(row, name) for row in rows)][:1]
    head = [*by, unit, "within", "expanded", "time"]
    print_table(
        head,
        (
            (
                *(f"{row.width or row.weight or ''}" for _ in by),
                f"{row.cost:,}",
                "" if row.within is None else rounded_up(row.within),
                f"{row.expanded:,}",
                seconds(row.seconds),
            )
            for row in rows
        ),
        right=head,
        stderr=stderr,
    )


def missing_code(found: SearchResult[Any, Any] | Exploration[Any]) -> str | None:
    """Why the reference engine did more than a trial, where nobody asked for it; else None."""
    reason = found.engine_reason
    if found.engine != "reference" or reason == IN_TRIAL:
        return None
    return reason if found.statistics.expanded > TRIAL_NODES else None


def note_engine(found: SearchResult[Any, Any] | Exploration[Any]) -> None:
    """Say why the reference engine did more than a trial, where nobody asked for it."""
    reason = missing_code(found)
    is_said = reason == NO_NUMBA and numba_folder() is None  # before the command began
    if reason is not None and not is_said:
        say("note", f"the reference engine ran, for there is no machine code: {reason}")
