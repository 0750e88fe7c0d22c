"""The plot of a deepening search: the nodes of each iteration, and those that were new in it."""

from __future__ import annotations

from collections.abc import Sequence

from searchkit.limits import Iteration
from searchkit.plots.figure import Plot, colour, log_axis, new_figure


def iterations_plot(rows: Sequence[Iteration], title: str, bound: str = "f") -> Plot:
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
        axes.set_xlabel(f"bound on {bound} in this iteration")
        axes.set_ylabel("states expanded (logarithmic)")
        axes.grid(visible=False, axis="x")
        figure.legend(loc="outside lower center", ncols=2)
    total = sum(values)
    said = f"{len(rows)} iterations, {total:,} states expanded in all"
    if rows:
        said += f"; the last one, with bound {rows[-1].bound:g}, expanded {values[-1]:,}"
    return Plot(title=title, description=f"{said}.", figure=figure)
