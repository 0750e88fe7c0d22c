"""The plots of an exploration and of a deepening search: states, layer by layer or in turns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from searchkit.explore import Exploration
from searchkit.limits import Iteration
from searchkit.plots.figure import Plot, colour, log_axis, new_figure


def layers_plot(found: Exploration[Any], puzzle: str) -> Plot:
    """Bars for the states of each layer, and a line for the share that is at most so far away.

    An exploration that was stopped has no shares; its last layer is hatched.
    """
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415  (an optional library)

    layers = found.layers
    title = f"{puzzle}: states by distance from the {found.origin}"
    with new_figure(title, 9, 5) as figure:
        axes = figure.add_subplot()
        bars = axes.bar(range(len(layers)), layers, width=0.8, color=colour(0), label="states")
        if found.canonical_layers is not None:
            canonical = found.canonical_layers
            axes.bar(range(len(canonical)), canonical, width=0.5, color=colour(5),
                     label="of these, stored (canonical)")  # fmt: skip
        if layers and not found.complete:
            bars[-1].set(hatch="//", alpha=0.5)
        axes.set_ylim(0.7, 3 * max((*layers, 1)))
        log_axis(axes, "y")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel(f"moves from the {found.origin}")
        axes.set_ylabel("states (logarithmic)")
        axes.grid(visible=False, axis="x")
        handles: list[Any] = list(axes.containers)
        if found.complete and len(layers) > 1:
            shares = [reached / found.states for reached in accumulate(layers)]
            share = axes.twinx()
            (line,) = share.plot(range(len(layers)), shares, color=colour(1), marker=".",
                                 label="share up to this distance (right axis)")  # fmt: skip
            share.set_ylim(0, 1.03)
            share.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
            share.set_ylabel("share of all states")
            share.grid(visible=False)
            share.spines["right"].set_visible(True)
            handles.append(line)
        if len(handles) > 1:
            figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))
    return Plot(title=title, description=_description(found), figure=figure)


def _description(found: Exploration[Any]) -> str:
    largest = max(range(len(found.layers)), key=found.layers.__getitem__, default=0)
    text = f"{found.states:,} states in {len(found.layers)} layers"
    if found.layers:
        text += f"; the largest is layer {largest} with {found.layers[largest]:,} states"
    if found.complete:
        return f"{text}; the mean distance is {found.mean:.3f}."
    return f"{text}; the exploration was stopped, and the last layer may lack states."


def iterations_plot(rows: Sequence[Iteration], title: str) -> Plot:
    """A bar for each iteration: nodes expanded, and in front those beyond the one before.

    An iteration expands all nodes up to its bound, so that what it has more than the one before are
    the nodes at its own level of f (R. E. Korf, 1985); in the last one, those up to the goal.
    """
    values = [row.expanded for row in rows]
    new = [max(0, value - before) for value, before in zip(values, [0, *values], strict=False)]
    places = range(len(rows))
    with new_figure(title, 9, 4.6) as figure:
        axes = figure.add_subplot()
        axes.bar(places, values, width=0.8, color=colour(5), label="expanded in this iteration")
        axes.bar(places, new, width=0.45, color=colour(0),
                 label="more than in the iteration before: nodes at this level")  # fmt: skip
        axes.set_ylim(0.7, 3 * max((*values, 1)))
        log_axis(axes, "y")
        step = -(-len(rows) // 20) or 1
        axes.set_xticks([*places][::step], [f"{row.bound:g}" for row in rows][::step])
        axes.set_xlabel("bound on f in this iteration")
        axes.set_ylabel("states expanded (logarithmic)")
        axes.grid(visible=False, axis="x")
        figure.legend(loc="outside lower center", ncols=2)
    total = sum(values)
    said = f"{len(rows)} iterations, {total:,} states expanded in all"
    if rows:
        said += f"; the last one, with bound {rows[-1].bound:g}, expanded {values[-1]:,}"
    return Plot(title=title, description=f"{said}.", figure=figure)
