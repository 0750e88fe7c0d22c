"""A figure with its words, written as SVG or PNG, the same bytes for the same figures.

Plots are made without pyplot, which keeps figures and wants a screen. In SVG, text stays text.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#1f2328"
FAINT = "#8b949e"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f")
"""M. Okabe and K. Ito, Color Universal Design, 2008, less those unseen on white or on black."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
"""Marks tell the contestants apart where colours do not."""

_STYLE: dict[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "searchkit",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": FAINT,
    "grid.alpha": 0.35,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    **dict.fromkeys(
        ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), INK
    ),
}
_NO_DATE = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}
PNG_DPI = 150


@contextmanager
def new_figure(title: str, width: float, height: float) -> Iterator[Figure]:
    """A figure of the given size in inches, whose parts make room for each other.

    When it is drawn, all parts are placed for ever: where they are must not depend on what is
    written first.
    """
    from matplotlib.figure import Figure  # noqa: PLC0415  (an optional library, and slow to load)

    with style():
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure
        figure.suptitle(title, x=0.01, ha="left", fontsize=13)
        figure.draw_without_rendering()
        figure.set_layout_engine("none")


@contextmanager
def style() -> Iterator[None]:
    """Figures are made and written in this context, whatever the user's own style is."""
    import matplotlib  # noqa: PLC0415  (an optional library, and slow to load)

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        yield


def colour(number: int) -> str:
    """The colour of the contestant or series with that number, from 0."""
    return COLOURS[number % len(COLOURS)]


def marker(number: int) -> str:
    """Its mark."""
    return MARKERS[number % len(MARKERS)]


def log_axis(axes: Axes, which: str, unit: str = "") -> None:
    """Make an axis logarithmic, with ticks like 10 k or 10 ms; small values are not cut off."""
    from matplotlib.ticker import EngFormatter, LogLocator, NullFormatter  # noqa: PLC0415

    axis = axes.xaxis if which == "x" else axes.yaxis
    (axes.set_xscale if which == "x" else axes.set_yscale)("log")
    low, high = sorted(axis.get_view_interval())
    if low > 0 and high / low < 100:  # less than two decades would have one tick, or none
        axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    else:
        axis.set_major_locator(LogLocator(numticks=7))
    axis.set_minor_formatter(NullFormatter())
    axis.set_major_formatter(EngFormatter(unit=unit, sep=" " if unit else ""))


@attrs.frozen(kw_only=True)
class Plot:
    """A figure; `title` names it, `description` says what it shows to who cannot see it."""

    title: str
    description: str
    figure: Any

    def to_bytes(self, kind: str) -> bytes:
        """The figure as "svg" or "png". The same figure gives the same bytes."""
        out = io.BytesIO()
        with style():
            self.figure.savefig(
                out,
                format=kind,
                metadata=_NO_DATE[kind],
                dpi=PNG_DPI,
                transparent=kind == "svg",
                facecolor="white" if kind == "png" else "none",
            )
        if kind == "png":
            return out.getvalue()
        text = out.getvalue().decode("utf-8")
        words = f'<title id="title">{escape(self.title)}</title>'
        words += f"<desc>{escape(self.description)}</desc>"
        place = text.index(">", text.index("<svg"))
        head = f'{text[:place]} role="img" aria-labelledby="title"'
        return f"{head}>\n {words}{text[place + 1 :]}".encode()

    def inline(self, prefix: str) -> str:
        """The figure as an element of HTML, in the colour of the text around it.

        `prefix` keeps its names apart from those of others on the page.
        """
        text = self.to_bytes("svg").decode("utf-8")
        text = text[text.index("<svg") :]
        text = re.sub(r'\b(id|aria-labelledby)="([^"]*)"', rf'\1="{prefix}\2"', text)
        text = re.sub(r'(url\(#|href="#)', rf"\1{prefix}", text)
        return text.replace(INK, "currentColor").replace(FAINT, "var(--faint)")
