"""How values show themselves in Jupyter: pictures and films in frames of their own."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from searchkit.picture import Picture
from searchkit.problem import Problem
from searchkit.render.drawings import svg
from searchkit.render.films import picture_of
from searchkit.render.page import Player, framed, styled
from searchkit.result import SearchResult, Solution

PICTURE_HEIGHT = 280
"""The height of a picture in a notebook, in pixels."""
MOST_MOVES = 200
"""How many moves of a solution are listed where it cannot be played."""


def picture_html(picture: Picture) -> str:
    """A picture in a frame."""
    return framed(styled(svg(picture)), PICTURE_HEIGHT)


def problem_html(problem: Problem[Any, Any]) -> str:
    """The first start of a problem, drawn, or as text."""
    start = next(iter(problem.initial_states()), None)
    name = f"<p><code>{escape(type(problem).__name__)}</code></p>"
    if start is None:
        return name
    picture = picture_of(problem, start)
    if picture is not None:
        return f"{name}\n{picture_html(picture)}"
    return f"{name}\n<pre>{escape(problem.render(start))}</pre>"


def solution_html(solution: Solution[Any, Any]) -> str:
    """The moves of a solution, which does not know its problem, as they are."""
    moves = [f"<code>{escape(str(each))}</code>" for each in solution.actions[:MOST_MOVES]]
    more = "" if len(solution) <= MOST_MOVES else " …"
    return f"<p>{len(solution)} steps, cost {solution.cost}: {' '.join(moves)}{more}</p>"


def result_html(result: SearchResult[Any, Any]) -> str:
    """How a search ended, and a page that plays what it has found."""
    name = f"{type(result.algorithm).__name__} ({result.engine} engine)"
    rows = {"algorithm": name} | result.statistics.shown()
    table = "".join(f"<tr><th>{name}</th><td>{escape(rows[name])}</td></tr>" for name in rows)
    head = f"<p>{escape(result.advice)}</p>\n<table>{table}</table>"
    if result.problem is None or result.solutions is None:
        return head
    title = type(result.problem).__name__
    player = Player(result.problem, result.solutions, title=title, summary=result.advice)
    return f"{player._repr_html_()}\n{head}"


def layers_html(layers: Sequence[int], head: str) -> str:
    """Numbers of states by distance, each with a bar as long as its share of the largest."""
    most = max(layers, default=1)
    rows = "".join(
        f'<tr><th>{depth}</th><td style="text-align: right">{count:,}</td>'
        f'<td><meter max="{most}" value="{count}">{count}</meter></td></tr>'
        for depth, count in enumerate(layers)
    )
    titles = "<tr><th>distance</th><th>states</th><th></th></tr>"
    return f"<p>{escape(head)}</p>\n<table>{titles}{rows}</table>"
