"""The page that plays solutions: one file of HTML that loads nothing from anywhere.

What comes from a puzzle is escaped by the template engine, by the writer of XML, or, in the
data block, by writing no `<`, `>` or `&` at all; the script puts it into text nodes and
attributes only. A content security policy lets nothing but the page's own script and styles run.
"""

from __future__ import annotations

import hashlib
import html
import json
from base64 import b64encode
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.errors import UsageError
from searchkit.problem import Problem
from searchkit.render.drawings import drawing
from searchkit.render.films import Cast, Film, Frame, Text, film, picture_of
from searchkit.result import Solution
from searchkit.texts.files import write_whole

if TYPE_CHECKING:
    from jinja2 import Template

FORMAT = "searchkit-player/1"
MOST_SOLUTIONS = 20
"""The most solutions among which a page offers a choice: the first ones."""
FRAME_HEIGHT = 640
"""The height of a page in a notebook, in pixels."""


def _first(given: Iterable[Solution[Any, Any]]) -> tuple[Solution[Any, Any], ...]:
    return tuple(islice(given, MOST_SOLUTIONS))


@attrs.frozen
class Player:
    """Plays solutions in a page; of many, the first `MOST_SOLUTIONS`.

    `title` and `summary` head the page. States are drawn by `text`, or else by the problem.
    Below them stands `proof`, the lines of one, if any.
    Jupyter shows the page where a cell ends with the player.

    >>> from searchkit import BreadthFirst, Problem, Step, solve
    >>> class Walk(Problem[int, str]):
    ...     def initial_states(self):
    ...         return [2]
    ...     def successors(self, state):
    ...         return [Step("left", state - 1), Step("right", state + 1)]
    ...     def is_goal(self, state):
    ...         return state == 0
    >>> player = Player(Walk(), [solve(Walk(), BreadthFirst()).solution], title="a walk")
    >>> " ".join(step["move"] for step in player.document()["solutions"][0]["steps"])
    'left left'
    """

    problem: Problem[Any, Any]
    solutions: tuple[Solution[Any, Any], ...] = attrs.field(converter=_first)
    title: str = "A solution"
    summary: str = ""
    text: Text | None = None
    proof: str = ""

    def __attrs_post_init__(self) -> None:
        if not self.solutions:
            raise UsageError("there is no solution to play; give one or more")

    def document(self) -> dict[str, Any]:
        """What the page plays, as JSON. O(solutions x states x pieces)."""
        return _document(self, self._films(Cast()))

    def html(self) -> str:
        """The page. Raises `ProblemError` if pictures of the problem cannot be used."""
        cast = Cast()
        films = self._films(cast)
        board = ""
        if films[0].start.pieces is not None:
            picture = picture_of(self.problem, self.solutions[0].start)
            assert picture is not None
            board = drawing(picture, cast.roles, films[0].start)
        data = _for_script(_document(self, films))
        style, script = _style(), _file("player.js")
        page = template(__package__, "page.html").render(
            title=self.title,
            summary=self.summary,
            proof=self.proof,
            films=films,
            board=_markup(board),
            data=_markup(data),
            style=_markup(style),
            script=_markup(script),
            style_hash=_hash(style),
            script_hash=_hash(script),
        )
        return page.encode("utf-8", "replace").decode("utf-8")  # half a character has no code

    def save(self, path: Path | str) -> None:
        """Write the page to a file; `OSError`, with the old file left, if it cannot be written."""
        write_whole(Path(path), self.html().encode("utf-8"))

    def _films(self, cast: Cast) -> list[Film]:
        return [film(self.problem, solution, cast, self.text) for solution in self.solutions]

    def _repr_html_(self) -> str:
        return framed(self.html(), FRAME_HEIGHT)


def styled(board: str) -> str:
    """A page that shows nothing but a picture."""
    return (
        "<!doctype html><meta charset=utf-8><title>searchkit</title>"
        f'<style>{_style()}</style><body class="bare">{board}'
    )


def framed(page: str, height: int) -> str:
    """The page in a frame of its own, in which it can neither see nor disturb what is around."""
    return (
        f'<iframe srcdoc="{html.escape(page)}" sandbox="allow-scripts" title="searchkit" '
        f'style="width: 100%; height: {height}px; border: 0"></iframe>'
    )


def _document(player: Player, films: Iterable[Film]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "title": player.title,
        "solutions": [
            {
                "cost": each.cost,
                "state": each.state,
                "start": _frame(each.start),
                "steps": [
                    attrs.asdict(shot, recurse=False) | {"frames": list(map(_frame, shot.frames))}
                    for shot in each.shots
                ],
            }
            for each in films
        ],
    }


def _frame(frame: Frame) -> dict[str, Any]:
    if frame.pieces is None:
        return {"words": frame.words, "text": frame.text}
    return {
        "words": frame.words,
        "pieces": [
            [placed.role, round(placed.x, 3), round(placed.y, 3), placed.colour, placed.label]
            for placed in frame.pieces
        ],
    }


def _for_script(document: dict[str, Any]) -> str:
    """JSON without the characters that could end a script or begin a tag."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    for mark in "<>&":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text


@cache
def _file(name: str) -> str:
    return (files("searchkit.render") / name).read_text(encoding="utf-8")


@cache
def _style() -> str:
    light, dark = _file("light.css").strip(), _file("dark.css").strip()
    return (
        f":root {{ {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root:not([data-theme]) {{ {dark} }} }}\n"
        f":root[data-theme=dark] {{ {dark} }}\n{_file('page.css')}"
    )


@cache
def template(package: str, name: str) -> Template:
    """The template of that name in a folder of searchkit; what it is given is escaped."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415  (pages only)

    environment = Environment(
        loader=PackageLoader(package, "."), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    return environment.get_template(name)


def _markup(text: str) -> Any:
    from markupsafe import Markup  # noqa: PLC0415

    return Markup(text)


def _hash(text: str) -> str:
    """The source expression of an inline script or style in a content security policy."""
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
