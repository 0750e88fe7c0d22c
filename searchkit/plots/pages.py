"""The reports: a comparison, or an exploration, on one page of HTML that needs no other file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from searchkit.comparison import Comparison, Run
from searchkit.comparison.comparison import environment
from searchkit.comparison.tables import ShownTable, basis, notes, summary_table
from searchkit.explore import Exploration
from searchkit.limits import Iteration
from searchkit.plots.comparing import comparison_plot
from searchkit.plots.layers import iterations_plot, layers_plot
from searchkit.render.page import template
from searchkit.texts.amounts import memory, plural


def comparison_page(comparison: Comparison) -> str:
    """Medians, plots, and every run, with the command and the machine that they are of."""
    plot = comparison_plot(comparison)
    settings = dict(comparison.settings)
    limits = settings.pop("limits", {})
    about = (
        {"puzzle": comparison.puzzle}
        | comparison.parameters
        | {"goal": comparison.goal}
        | settings
        | {f"limit: {name}": value for name, value in limits.items()}
        | environment()
    )
    return template(__package__, "comparison.html").render(
        title=plot.title,
        command=comparison.command,
        comparison=comparison,
        summary=summary_table(comparison),
        notes=[basis(comparison), *notes(comparison)],
        plot=plot,
        iterations=[
            iterations_plot(
                [Iteration(**row) for row in run.iterations if row["bound"] is not None],
                f"{run.contestant}, {comparison.boards[run.board - 1].name}",
            )
            for run in _deepest(comparison)
        ],
        about=_known(about),
        runs_title=f"all {plural(len(comparison.runs), 'run')}",
        runs=_runs_table(comparison),
    )


def _deepest(comparison: Comparison) -> Iterator[Run]:
    """Of each contestant that deepens, the run that expanded most."""
    for contestant in comparison.contestants:
        runs = [
            run for run in comparison.runs
            if run.contestant == contestant.label and len(run.iterations) > 1
        ]  # fmt: skip
        if runs:
            yield max(runs, key=lambda run: run.expanded or 0)


def _runs_table(comparison: Comparison) -> ShownTable:
    numbers = ("repeat", comparison.cost_name, "expanded", "memory", "seconds")
    rows = []
    for run in comparison.runs:
        board = comparison.boards[run.board - 1]
        rows.append([
            board.name if board.text is None else f"{board.name}: {board.text}",
            run.contestant,
            run.outcome if run.reason is None else f"{run.outcome}: {run.reason}",
            str(run.repeat),
            "" if run.cost is None else str(run.cost),
            "" if run.expanded is None else f"{run.expanded:,}",
            "" if run.peak_bytes is None else memory(run.peak_bytes),
            "" if run.seconds is None else f"{run.seconds:.6f}",
        ])  # fmt: skip
    return ShownTable(["board", "engine", "outcome", *numbers], rows, numbers)


def exploration_page(
    found: Exploration[Any], puzzle: str, command: str, about: Mapping[str, Any]
) -> str:
    """The layers as a plot and as a table, with the command and the machine that they are of."""
    plot, columns = layers_plot(found, puzzle), found.columns
    figures = found.work | {"engine": found.engine}
    return template(__package__, "exploration.html").render(
        title=plot.title,
        command=command,
        found=found,
        plot=plot,
        columns=list(columns),
        rows=[[f"{number:,}" for number in row] for row in zip(*columns.values(), strict=True)],
        about=_known({"puzzle": puzzle, **about, **figures, **environment()}),
    )


def _known(values: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [(name, value) for name, value in values.items() if value is not None]
