"""Plots are well-formed, the same for the same figures, say what they show, and need no network."""

from __future__ import annotations

import re
import struct
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest

from searchkit import Limits, UsageError
from searchkit.comparison import Board, Comparison, Contestant, Run
from searchkit.explore import Exploration, explore
from searchkit.limits import Iteration
from searchkit.plots import require_plots
from searchkit.plots.comparing import comparison_plot
from searchkit.plots.figure import INK, Plot
from searchkit.plots.layers import iterations_plot, layers_plot
from searchkit.plots.pages import comparison_page, exploration_page

SVG = "{http://www.w3.org/2000/svg}"
ODD = 'bo<ard> & "1"'


def comparison(boards: int = 3, contestants: int = 2, **more: Any) -> Comparison:
    names = ["bfs", "idastar (m)", *(f"other {number}" for number in range(8))][:contestants]
    runs = []
    for board in range(1, boards + 1):
        for place, name in enumerate(names):
            rows = ({"bound": 3, "expanded": 4, "generated": 5, "seconds": 0.1},
                    {"bound": 5, "expanded": 40, "generated": 50, "seconds": 0.2})  # fmt: skip
            runs.append(
                Run(
                    board=board, contestant=name, repeat=1, status="solved", cost=board + 4,
                    moves=board + 4, optimal=True, engine="reference", seconds=0.01 * board,
                    expanded=10**board * (place + 1), peak_bytes=0 if place else 10**6,
                    iterations=rows if name.startswith("ida") else (),
                )
            )  # fmt: skip
    made: dict[str, Any] = {
        "command": "searchkit compare 'a & b'", "puzzle": "walk", "parameters": {"size": "3"},
        "goal": "0", "settings": {"limits": {"time": 60.0}, "engine": "auto"},
        "boards": tuple(Board(number=n, name=ODD, text=f"s{n}") for n in range(1, boards + 1)),
        "contestants": tuple(
            Contestant(label=name, algorithm=name.split()[0], heuristic=None, optimal=True)
            for name in names
        ),
        "unsuitable": {}, "repeats": 1, "runs": runs,
    }  # fmt: skip
    return Comparison(**(made | more))


def exploration(**more: Any) -> Exploration[Any]:
    from searchkit_sliding import six_puzzle  # noqa: PLC0415

    return explore(six_puzzle(), engine="reference", **more)


ROWS = [Iteration(bound=b, expanded=e, generated=2 * e, seconds=0.1)
        for b, e in [(3, 4), (5, 40), (7, 25)]]  # fmt: skip
PLOTS: dict[str, Any] = {
    "comparison": lambda: comparison_plot(comparison()),
    "one board": lambda: comparison_plot(comparison(boards=1)),
    "ten contestants": lambda: comparison_plot(comparison(contestants=10)),
    "nothing run": lambda: comparison_plot(comparison(runs=[])),
    "nothing solved": lambda: comparison_plot(
        comparison(runs=[Run(board=1, contestant="bfs", repeat=1, status="crashed")])
    ),
    "layers": lambda: layers_plot(exploration(), "6-puzzle"),
    "layers cut": lambda: layers_plot(exploration(limits=Limits(expansions=100)), "6-puzzle"),
    "canonical": lambda: layers_plot(exploration(symmetry="auto"), "6-puzzle"),
    "iterations": lambda: iterations_plot(ROWS, "walk: iterations"),
    "no iterations": lambda: iterations_plot([], "walk: iterations"),
}


@cache
def drawn(name: str) -> tuple[Plot, ElementTree.Element]:
    """A plot and its drawing, which takes long."""
    plot = PLOTS[name]()
    return plot, ElementTree.fromstring(plot.to_bytes("svg"))


def texts(plot: Plot) -> str:
    return texts_of(ElementTree.fromstring(plot.to_bytes("svg")))


def texts_of(root: ElementTree.Element) -> str:
    return "\n".join("".join(each.itertext()) for each in root.iter(f"{SVG}text"))


@pytest.mark.slow_variants("ten contestants", "canonical", "one board", "nothing run", "layers cut")
@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_is_well_formed_and_says_what_it_shows(name: str) -> None:
    plot, root = drawn(name)
    assert root.get("role") == "img"
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert description is not None
    assert root.get("aria-labelledby") == title.get("id")
    assert (title.text, description.text) == (plot.title, plot.description)
    assert len(plot.description) > 20
    assert plot.title in texts_of(root)


@pytest.mark.slow_variants("comparison")
@pytest.mark.parametrize("name", ["comparison", "iterations"])
def test_the_same_figures_give_the_same_bytes(name: str) -> None:
    once, again = PLOTS[name](), PLOTS[name]()
    png = again.to_bytes("png")  # what is written first has no influence
    svg = once.to_bytes("svg")
    assert svg == again.to_bytes("svg")
    assert b"<dc:date>" not in svg
    assert png == once.to_bytes("png")


def test_png_has_its_size() -> None:
    data = PLOTS["iterations"]().to_bytes("png")
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    assert (width, height) == (9 * 150, int(4.6 * 150))


def test_axes_have_names_and_units() -> None:
    shown = texts_of(drawn("comparison")[1])
    for words in [
        "States expanded", "states (logarithmic)", "Time of the search", "seconds (logarithmic)",
        "Peak memory", "bytes (logarithmic)", "(moves)", "idastar (m)",
    ]:  # fmt: skip
        assert words in shown
    assert "moves from the goal" in texts_of(drawn("layers")[1])
    assert "bound on f" in texts_of(drawn("iterations")[1])


def test_unsolved_runs_are_told_in_the_plot() -> None:
    runs = comparison(boards=2).runs
    lost = Run(board=3, contestant="bfs", repeat=1, status="limit reached", limit="time")
    shown = texts(comparison_plot(comparison(runs=[*runs, lost])))
    assert "solved 2 of 3" in shown


def test_bars_are_the_figures() -> None:
    axes = iterations_plot(ROWS, "walk").figure.axes[0]
    heights = [[bar.get_height() for bar in container] for container in axes.containers]
    assert heights == [[4, 40, 25], [4, 36, 0]]
    found = exploration()
    axes = layers_plot(found, "6-puzzle").figure.axes[0]
    assert [bar.get_height() for bar in axes.containers[0]] == list(found.layers)


class Page(HTMLParser):
    """The tags of a page, which must be closed in order."""

    void = frozenset({"meta", "link", "br"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.ids: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.void:
            self.open.append(tag)
        self.attributes += attrs
        self.ids += [value or "" for name, value in attrs if name == "id"]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs
        self.ids += [value or "" for name, value in attrs if name == "id"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


PAGES: dict[str, Any] = {
    "comparison": cache(lambda: comparison_page(comparison())),
    "exploration": cache(
        lambda: exploration_page(
            exploration(), "6-puzzle", "searchkit explore 6-puzzle", {"start": "<x>"}
        )
    ),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_whole_and_needs_nothing_else(name: str) -> None:
    text = PAGES[name]()
    page = Page(text)
    assert len(page.ids) == len(set(page.ids))
    known = {f"#{name}" for name in page.ids}
    for attribute, value in page.attributes:
        if attribute in {"href", "xlink:href", "src"}:
            assert value in known
    for reference in re.findall(r"url\((#[^)]*)\)", text):
        assert reference in known
    assert "prefers-color-scheme: dark" in text
    assert INK not in text.partition("</style>")[2]  # it would not be seen on a dark page
    assert "<script" not in text


def test_pages_show_texts_as_they_are() -> None:
    text = PAGES["comparison"]()
    assert "searchkit compare &#39;a &amp; b&#39;" in text
    assert "bo&lt;ard&gt;" in text
    assert "<ard>" not in text
    assert "Iterations of the longest searches" in text
    assert "&lt;x&gt;" in PAGES["exploration"]()


def test_a_disagreement_is_on_the_page() -> None:
    runs = comparison(boards=1).runs
    wrong = Run(board=1, contestant="bfs", repeat=2, status="solved", cost=1, optimal=True)
    assert 'class="bad"' in comparison_page(comparison(boards=1, runs=[*runs, wrong]))
    assert 'class="bad"' not in comparison_page(comparison(boards=1, runs=runs))


def test_a_missing_library_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("searchkit.plots.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"--plot needs matplotlib.*pip install"):
        require_plots("--plot")


def test_the_library_is_loaded_only_to_draw() -> None:
    code = (
        "import sys, searchkit.cli.commands.compare, searchkit.cli.commands.explore; "
        "import searchkit.cli.commands.run, "
        "searchkit.plots.pages; sys.exit('matplotlib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=300).returncode == 0
