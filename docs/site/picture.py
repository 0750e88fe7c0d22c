"""Draws the picture of the README and the home page: two optimal solutions that play side by side.

The boards are those of `searchkit.render`. All movement is CSS, so the picture is one file that
plays wherever an image is shown. It follows the light or dark theme, and keeps still for readers
who prefer reduced motion.

    python docs/site/picture.py      writes docs/site/picture.svg
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import attrs

from searchkit import Bidirectional, IDAStar, Problem, SearchResult, solve
from searchkit.render.drawings import drawing
from searchkit.render.films import Cast, Film, Placed, film, picture_of
from searchkit_peg import hoppers
from searchkit_sliding import WalkingDistance, fifteen_puzzle

FILE = Path(__file__).with_name("picture.svg")
SVG = "{http://www.w3.org/2000/svg}"
SIDE, GAP, WORDS = 5.0, 0.9, 1.75
"""The side of a board, the room around it, and the height of the words below it."""
WIDTH, HEIGHT = 2 * SIDE + 3 * GAP, SIDE + WORDS + 1.6 * GAP
WAIT, HOLD, FADE = 1.6, 2.6, 0.5
"""Seconds before the first movement, after the last, and for pieces to vanish and to return."""
STYLE = """\
text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
.card { fill: var(--card); stroke: var(--rule); stroke-width: 0.03; }
.name { font-size: 0.46px; font-weight: 650; fill: var(--ink); }
.cost { font-size: 0.42px; fill: var(--muted); }
.rail { fill: var(--rule); } .bar { fill: var(--main); }
line { stroke: var(--line); stroke-width: 0.055; stroke-linecap: round; }
.cell > :first-child { stroke: var(--board-edge); stroke-width: 0.03; }
.cell.board > :first-child { fill: var(--board); }
.cell.frame > :first-child { fill: var(--frame); }
.cell .mark { fill: none; stroke: var(--mark); stroke-width: 0.055; }
.piece { stroke-width: 0.035; }
.piece text { text-anchor: middle; font-weight: 620; fill: currentcolor; stroke: none; }
"""
PAINT = "fill: var(--{0}); stroke: var(--{0}-edge); color: var(--on-{0})"
CALM = "@media (prefers-reduced-motion: reduce) { * { animation: none !important; } }"

Stops = list[tuple[float, str]]
"""Declarations of CSS, and the second at which they hold."""


@attrs.frozen
class Board:
    """One of the boards: what is solved, and the seconds from movement to movement."""

    name: str
    problem: Problem[Any, Any]
    result: SearchResult[Any, Any]
    beat: float


def boards() -> list[Board]:
    """A random 15-puzzle, and Hoppers, with solutions that are proved optimal."""
    puzzle = fifteen_puzzle()
    puzzle = puzzle.with_start(puzzle.random_state(random.Random(1)))
    solved = solve(puzzle, IDAStar(WalkingDistance(puzzle)))
    pegs = hoppers()
    return [
        Board("15-puzzle", puzzle, solved, 0.4),
        Board("Hoppers", pegs, solve(pegs, Bidirectional()), 0.8),
    ]


def picture() -> str:
    """The picture as SVG."""
    ET.register_namespace("", SVG.strip("{}"))
    root = ET.Element(SVG + "svg", {"viewBox": f"0 0 {WIDTH:g} {HEIGHT:g}", "role": "img"})
    title, style = _add(root, "title"), _add(root, "style")
    _add(root, "rect", "card", x=0.03, y=0.03, width=WIDTH - 0.06, height=HEIGHT - 0.06, rx=0.5)
    shown = boards()
    title.text = " and ".join(f"{each.name} solved in {each.result.cost} moves" for each in shown)
    rules = [STYLE, *(f".{name} {{ {PAINT.format(name)} }}" for name in ("plain", "accent"))]
    for number, board in enumerate(shown):
        rules.extend(_board(root, number, board))
    text = "\n".join([*rules, CALM])
    dark = f"@media (prefers-color-scheme: dark) {{ :root {{ {_colours('dark', text)} }} }}"
    style.text = f"\n:root {{ {_colours('light', text)} }}\n{dark}\n{text}\n"
    return ET.tostring(root, encoding="unicode") + "\n"


def _board(root: ET.Element, number: int, board: Board) -> Iterator[str]:
    """Draw a board and the words below it; the rules that move its pieces."""
    solution = board.result.solution
    assert board.result.optimal
    assert solution is not None
    cast = Cast()
    played = film(board.problem, solution, cast)
    start = picture_of(board.problem, solution.start)
    assert start is not None
    x, y = GAP + number * (SIDE + GAP), 0.8 * GAP
    scale = SIDE / max(start.width, start.height)
    left, top = (x + (SIDE - scale * start.width) / 2, y + (SIDE - scale * start.height) / 2)
    group = _add(root, "g", transform=f"translate({left:.4g} {top:.4g}) scale({scale:.4g})")
    group.extend(ET.fromstring(drawing(start, cast.roles, played.start)))
    rail = _add(root, "g", transform=f"translate({x:.4g} {y + SIDE + 0.4:.4g})")
    _add(rail, "rect", "rail", width=SIDE, height=0.09, rx=0.045)
    bar = _add(rail, "rect", "bar", width=SIDE, height=0.09, transform="scale(0 1)")
    _add(root, "text", "name", x=x, y=y + SIDE + 1.15).text = board.name
    words = _add(root, "text", "cost", x=x, y=y + SIDE + 1.75)
    words.text = f"{board.result.cost} moves, optimal"
    yield from _rules(number, board.beat, played, cast, bar, group[1])


def _rules(
    number: int, beat: float, played: Film, cast: Cast, bar: ET.Element, pieces: ET.Element
) -> Iterator[str]:
    frames = [played.start, *(frame for shot in played.shots for frame in shot.frames)]
    ends = [WAIT + beat * (k + 2 / 3) for k in range(len(frames) - 1)]
    over = ends[-1] + HOLD
    whole = over + 2 * FADE

    def rule(element: ET.Element, name: str, stops: Stops) -> str:
        """The pieces come back to the start while they are not seen."""
        name = f"{name}{number}"
        element.set("id", name)
        before, after = stops[-1][1], stops[0][1]
        stops = [*stops, (over + FADE, before), (over + FADE + 0.001, after), (whole, after)]
        return _animation(name, stops, whole)

    def glides(values: list[str]) -> Stops:
        """From value to value, each change in two thirds of a beat."""
        stops = [(0.0, values[0])]
        for end, (old, new) in zip(ends, pairwise(values), strict=True):
            if old != new:
                stops += [(end - 2 / 3 * beat, old), (end, new)]
        return stops

    yield _animation(
        f"all{number}",
        [
            (0, "opacity: 1"),
            (over, "opacity: 1"),
            (over + FADE, "opacity: 0"),
            (whole, "opacity: 1"),
        ],
        whole,
    )
    pieces.set("id", f"all{number}")
    steps = [f"transform: scaleX({k / len(ends):.3g})" for k in range(len(frames))]
    yield rule(bar, "bar", glides(steps))
    for role, piece in enumerate(pieces):
        placed = [next((p for p in f.pieces or () if p.role == role), None) for f in frames]
        values = list(_values(placed))
        if len(set(values)) > 1:
            yield rule(piece, f"p{role}-", glides(values))


def _values(placed: Iterable[Placed | None]) -> Iterator[str]:
    """What is said of a piece in each frame; one that is gone vanishes where it was last."""
    placed = list(placed)
    coloured = len({each.colour for each in placed if each}) > 1
    vanishes = None in placed
    where = ""
    for each in placed:
        if each is None:
            yield f"{where} scale(0.3); opacity: 0"
            continue
        where = f"transform: translate({each.x:.4g}px, {each.y:.4g}px)"
        paint = f"; {PAINT.format(each.colour)}" if coloured else ""
        yield where + paint + ("; opacity: 1" if vanishes else "")


def _animation(name: str, stops: Stops, whole: float) -> str:
    keys = " ".join(f"{100 * time / whole:.6g}% {{ {css} }}" for time, css in stops)
    return f"#{name} {{ animation: {name} {whole:g}s infinite; }}\n@keyframes {name} {{ {keys} }}"


def _colours(theme: str, used_by: str) -> str:
    """The colours of a theme of the player that are used."""
    text = (files("searchkit.render") / f"{theme}.css").read_text(encoding="utf-8")
    used = set(re.findall(r"var\((--[\w-]+)\)", used_by))
    found = re.findall(r"(--[\w-]+): ([^;]+);", text)
    return " ".join(f"{name}: {value};" for name, value in found if name in used)


def _add(parent: ET.Element, tag: str, kind: str = "", **attributes: float | str) -> ET.Element:
    element = ET.SubElement(parent, SVG + tag, {"class": kind} if kind else {})
    for name, value in attributes.items():
        element.set(name, value if isinstance(value, str) else f"{value:.4g}")
    return element


if __name__ == "__main__":
    FILE.write_text(picture(), encoding="utf-8")
