"""Plots of a comparison: nodes, time and memory of each contestant, and how they grow."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

from searchkit.comparison import Comparison, Run
from searchkit.comparison.tables import basis
from searchkit.plots.figure import Plot, colour, log_axis, marker, new_figure
from searchkit.texts.amounts import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANELS = (
    ("expanded", "States expanded", "", 1.0),
    ("seconds", "Time of the search", "s", 1e-6),
    ("peak_bytes", "Peak memory above the program", "B", 4096.0),
)
"""A measure of runs, its name, its unit, and what is drawn instead of less, on a log scale."""
AXIS = {"": "states", "s": "seconds", "B": "bytes"}
KEY = "mark: median  ·  bar: quartiles  ·  line: least to most  ·  dots: single runs"
MOST_DOTS = 2000


def comparison_plot(comparison: Comparison) -> Plot:
    """Nodes, time and memory by contestant; below, nodes and time by the cost of the solution."""
    boards = plural(len(comparison.boards), "board")
    title = f"{comparison.puzzle}: {boards} compared"
    costs = {run.cost for run in comparison.runs if run.solved and run.optimal}
    height = 1.8 + 0.42 * max(1, len(comparison.contestants))
    rows = 2 if len(costs) > 1 else 1
    with new_figure(title, 11, height + (3.9 if rows == 2 else 0.0)) as figure:
        parts = figure.subfigures(rows, 1, height_ratios=[height, 3.9][:rows], squeeze=False)
        _by_contestant(parts[0][0], comparison)
        if rows == 2:
            _by_cost(parts[1][0], comparison)
    return Plot(title=title, description=_description(comparison), figure=figure)


def _description(comparison: Comparison) -> str:
    parts = []
    for summary in comparison.summaries:
        spreads = summary.common
        figures = [
            f"{name.lower()} {_amount(spreads[field].median)} {unit}".rstrip()
            for field, name, unit, _ in PANELS if field in spreads
        ]  # fmt: skip
        solved = f"solved {summary.solved} of {summary.runs}"
        parts.append(f"{summary.contestant.label}: {', '.join([solved, *figures])}.")
    return f"{basis(comparison)}. {' '.join(parts)}"


def _amount(number: float) -> str:
    return f"{number:,.0f}" if number >= 1000 else f"{number:,.4g}"


def _by_contestant(figure: Figure, comparison: Comparison) -> None:
    panels = figure.subplots(1, len(PANELS), sharey=True)
    labels = [each.label for each in comparison.contestants]
    for axes, (field, name, unit, least) in zip(panels, PANELS, strict=True):
        for place, summary in enumerate(comparison.summaries):
            _dots(axes, comparison, place, field, least)
            spread = summary.common.get(field)
            if spread is not None:
                low, lower, middle, upper, high = (
                    max(least, value) for value in
                    (spread.least, spread.lower, spread.median, spread.upper, spread.most)
                )  # fmt: skip
                axes.plot([low, high], [place, place], color=colour(place), linewidth=1.2)
                axes.plot([lower, upper], [place, place], color=colour(place), linewidth=5,
                          solid_capstyle="butt", alpha=0.55)  # fmt: skip
                axes.plot([middle], [place], marker(place), color=colour(place), markersize=8)
        log_axis(axes, "x", unit)
        axes.set_title(name)
        axes.set_xlabel(f"{AXIS[unit]} (logarithmic)")
        axes.grid(visible=False, axis="y")
        axes.tick_params(axis="y", length=0)
        axes.set_ylim(len(labels) - 0.4, -0.6)
    panels[0].set_yticks(range(len(labels)), _tick_labels(comparison))
    figure.supxlabel(KEY, fontsize=9)


def _tick_labels(comparison: Comparison) -> list[str]:
    return [
        each.contestant.label
        if each.solved == each.runs
        else f"{each.contestant.label}\nsolved {each.solved} of {each.runs}"
        for each in comparison.summaries
    ]


def _dots(axes: Axes, comparison: Comparison, place: int, field: str, least: float) -> None:
    """One faint dot for each solved run, below the line, in the order of the runs."""
    label = comparison.contestants[place].label
    values = [
        max(least, getattr(run, field)) for run in _solved(comparison, label)
        if getattr(run, field) is not None
    ]  # fmt: skip
    if len(values) > MOST_DOTS:
        return
    heights = [place + 0.22 + 0.14 * (number * 0.618 % 1) for number in range(len(values))]
    axes.plot(values, heights, ".", color=colour(place), alpha=0.5, markersize=4,
              markeredgewidth=0)  # fmt: skip


def _solved(comparison: Comparison, label: str) -> list[Run]:
    return [run for run in comparison.runs if run.contestant == label and run.solved]


def _by_cost(figure: Figure, comparison: Comparison) -> None:
    """How the work grows with the cost of an optimal solution of the board."""
    optimal: dict[int, int] = {
        run.board: run.cost for run in comparison.runs
        if run.solved and run.optimal and run.cost is not None
    }  # fmt: skip
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415  (an optional library)

    unit = "moves" if comparison.cost_name == "moves" else "cost"
    panels = figure.subplots(1, 2)
    for axes, (field, name, measured, least) in zip(panels, PANELS[:2], strict=True):
        for place, contestant in enumerate(comparison.contestants):
            values: dict[int, list[float]] = {}
            for run in _solved(comparison, contestant.label):
                value = getattr(run, field)
                if run.board in optimal and value is not None:
                    values.setdefault(optimal[run.board], []).append(max(least, value))
            costs = sorted(values)
            medians = [statistics.median(values[cost]) for cost in costs]
            axes.plot(costs, medians, marker=marker(place), color=colour(place), linewidth=1.2,
                      markersize=5, label=contestant.label)  # fmt: skip
        log_axis(axes, "y", measured)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel(f"length of an optimal solution ({unit})")
        axes.set_ylabel(f"{AXIS[measured]} (logarithmic)")
        axes.set_title(f"{name}, median by length")
    if len(comparison.contestants) > 1:
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=min(4, len(labels)))
