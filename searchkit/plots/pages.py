"""The reports: a comparison, or an exploration, on one page of HTML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from searchkit.comparison import Comparison, Run
from searchkit.comparison.comparison import environment
from searchkit.comparison.tables import basis, notes, summary_table
from searchkit.explore import Exploration
from searchkit.limits import Iteration
from searchkit.plots import html
from searchkit.plots.comparing import comparison_plot
from searchkit.plots.figure import Plot
from searchkit.plots.iterations import iterations_plot
from searchkit.plots.layers import layers_plot
from searchkit.texts.amounts import memory, plural
from searchkit.texts.amounts import seconds as shown_seconds


def comparison_page(comparison: Comparison) -> str:
    """Medians, plots, and every run, with the command and the machine that they are of."""
    plot = comparison_plot(comparison)
    return html.page(plot.title, _comparison_parts(comparison, plot))


def _comparison_parts(comparison: Comparison, plot: Plot) -> Iterator[str]:
    yield html.code(comparison.command)
    for line in comparison.disagreements:
        yield html.paragraph(f"The engines disagree: {line}", "bad")
    table = summary_table(comparison)
    yield html.table(table.head, table.rows, table.numbers)
    yield html.paragraph(basis(comparison), "note")
    for line in notes(comparison):
        yield html.paragraph(line, "note")
    yield html.heading("Nodes, time and memory")
    yield html.picture(plot, "compared-")
    for number, run in enumerate(_deepest(comparison)):
        if number == 0:
            yield html.heading("Iterations of the longest searches")
        board = comparison.boards[run.board - 1]
        rows = [Iteration(**row) for row in run.iterations if row["bound"] is not None]
        yield html.picture(
            iterations_plot(rows, f"{run.contestant}, {board.name}"), f"iterations-{number}-"
        )
    yield html.heading("What was measured")
    yield html.paragraph(
        "Each run had a process of its own, and machine code was loaded before it began. Time is "
        "that of the search; memory is the most that was resident during the search, above what "
        "was just before it.", "note",
    )  # fmt: skip
    settings = {name: value for name, value in comparison.settings.items() if name != "limits"}
    limits = comparison.settings.get("limits", {})
    yield html.pairs(
        {"puzzle": comparison.puzzle}
        | comparison.parameters
        | {"goal": comparison.goal}
        | settings
        | {f"limit: {name}": value for name, value in limits.items()}
        | environment()
    )
    yield html.folded(f"all {plural(len(comparison.runs), 'run')}", _runs_table(comparison))


def _deepest(comparison: Comparison) -> Iterator[Run]:
    """Of each contestant that deepens, the run that expanded most."""
    for contestant in comparison.contestants:
        runs = [
            run for run in comparison.runs
            if run.contestant == contestant.label and len(run.iterations) > 1
        ]  # fmt: skip
        if runs:
            yield max(runs, key=lambda run: run.expanded or 0)


def _runs_table(comparison: Comparison) -> str:
    numbers = ["repeat", comparison.cost_name, "expanded", "memory", "seconds"]
    head = ["board", "engine", "outcome", *numbers]
    rows = []
    for run in comparison.runs:
        board = comparison.boards[run.board - 1]
        rows.append([
            board.name if board.text is None else f"{board.name}: {board.text}",
            run.contestant,
            run.outcome if run.reason is None else f"{run.outcome}: {run.reason}",
            run.repeat,
            "" if run.cost is None else run.cost,
            "" if run.expanded is None else f"{run.expanded:,}",
            "" if run.peak_bytes is None else memory(run.peak_bytes),
            "" if run.seconds is None else f"{run.seconds:.6f}",
        ])  # fmt: skip
    return html.table(head, rows, numbers)


def exploration_page(
    found: Exploration, puzzle: str, command: str, about: Mapping[str, Any]
) -> str:
    """The layers as a plot and as a table, with the command and the machine that they are of."""
    plot = layers_plot(found, puzzle)
    states = plural(found.states, "state")
    told = f"{states} reached; it was stopped, and the last layer may lack states"
    if found.complete:
        told = (
            f"{states}, the farthest {plural(found.depth, 'move')} away, {found.mean:.3f} on "
            "average"
        )
    columns: dict[str, list[str]] = {
        f"moves from the {found.origin}": [str(depth) for depth in range(len(found.layers))],
        "states": [f"{count:,}" for count in found.layers],
    }
    if found.canonical_layers is not None:
        columns["canonical"] = [f"{count:,}" for count in found.canonical_layers]
    statistics = found.statistics
    figures = {
        "expanded": f"{statistics.expanded:,}",
        "generated": f"{statistics.generated:,}",
        "branching": f"{found.branching:.3f} successors on average",
        "stored": f"{statistics.stored:,} at most ({memory(statistics.bytes)})",
        "time": shown_seconds(statistics.seconds),
        "engine": found.engine,
    }
    return html.page(plot.title, [
        html.code(command),
        html.paragraph(told),
        html.picture(plot, "layers-"),
        html.table(list(columns), zip(*columns.values(), strict=True), columns),
        html.heading("What was done"),
        html.pairs({"puzzle": puzzle, **about, **figures, **environment()}),
    ])  # fmt: skip
