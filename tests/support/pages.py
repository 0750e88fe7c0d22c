"""Reading a page as a browser would, and puzzles to make pages of."""

from __future__ import annotations

import json
from collections.abc import Iterable
from html.parser import HTMLParser
from typing import Any

from searchkit import BreadthFirst, Problem, Step, solve
from searchkit.picture import Picture, Piece
from searchkit.render import Player

EVIL = "</script><img src=x onerror=\"window.evil='yes'\">\"'&<!--<script>window.evil=1</script>"


class Page(HTMLParser):
    """The elements of a page: (tag, attributes), and the texts in them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self._open = [""]
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        self.texts.append((self._open[-1], data))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of each element of a kind."""
        return [attributes for name, attributes in self.elements if name == tag]

    def inside(self, tag: str) -> list[str]:
        """The texts in elements of a kind."""
        return [text for name, text in self.texts if name == tag]

    @property
    def data(self) -> Any:
        """What the page plays."""
        return json.loads(self.inside("script")[0])


def player_of(problem: Problem[Any, Any], **more: Any) -> Player:
    """A player of a shortest solution."""
    solution = solve(problem, BreadthFirst()).solution
    assert solution is not None
    return Player(problem, [solution], **more)


class Hostile(Problem[int, int]):
    """Everything that it says is meant to break out of a page."""

    def initial_states(self) -> list[int]:
        return [0]

    def successors(self, state: int) -> Iterable[Step[int, int]]:
        return [Step(state, state + 1)]

    def is_goal(self, state: int) -> bool:
        return state == 3

    def format_action(self, action: int) -> str:
        return f"{EVIL}{action}"

    def format_state(self, state: int) -> str:
        return f"{EVIL}{state}\x00\x1b\ud800\u2028"

    def render(self, state: int) -> str:
        return f"{EVIL}\n{state}\x00\x1b\ud800\u2028"


class HostilePicture(Hostile):
    """Its pictures, too."""

    def picture(self, state: int) -> Picture:
        label = f"{EVIL}{state}\x00\x1b\ud800\u2028"
        return Picture(4, 1, [Piece(EVIL, state + 0.5, 0.5, label=label)], words=f"{EVIL}{state}")
