"""Boards that others have published, with the lengths of their optimal solutions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from searchkit import UnsuitableError
from searchkit.capabilities import KnownBoard
from searchkit_sliding.board import Board
from searchkit_sliding.packing import Packing

KORF_FELNER = "R. E. Korf and A. Felner, Disjoint pattern database heuristics, 2002"
SETS = {
    "korf100": (4, "100 random 15-puzzles (R. E. Korf, Depth-First Iterative-Deepening, 1985)"),
    "korf24": (5, f"50 random 24-puzzles ({KORF_FELNER})"),
}
"""By name, the rows of the square boards, whose goals have the blank first, and a line on them."""


class PublishedBoards:
    """What a sliding puzzle says of published boards that suit its board and its goal."""

    board: Board
    packing: Packing
    goal: Any

    def board_sets(self) -> Mapping[str, str]:
        """The sets for squares whose goal has its tiles in order, and the blank first or last.

        In print it is first; where it is last, the boards are turned by half a turn.
        """
        if self._is_turned is None:
            return {}
        return {name: text for name, (rows, text) in SETS.items() if rows == self.board.rows}

    def board_set(self, name: str) -> Sequence[KnownBoard]:
        """The boards of a set, named by their numbers in print. O(cells) for each board."""
        if name not in self.board_sets():
            raise UnsuitableError(
                f"board set {name!r} is not for this board and goal; it is for squares whose goal "
                "has its tiles in order and the blank first or last"
            )
        return [
            KnownBoard(
                name=f"{name} {number}",
                start=self.packing.pack(half_turn(tiles) if self._is_turned else tiles),
                cost=cost,
            )
            for number, tiles, cost in published(name)
        ]

    @property
    def _is_turned(self) -> bool | None:
        """Whether boards must be turned for the goal; None if they do not suit."""
        tiles = list(range(self.board.cells))
        if self.board.columns is None or self.board.columns != self.board.rows:
            return None
        goal = list(self.packing.unpack(self.goal))
        return {tuple(tiles): False, (*tiles[1:], 0): True}.get(tuple(goal))


def half_turn(tiles: Sequence[int]) -> list[int]:
    """The position on the board turned by half a turn, its tiles renamed so that goal is goal.

    >>> half_turn([0, 1, 2, 3])
    [1, 2, 3, 0]
    """
    return [(len(tiles) - tile) % len(tiles) for tile in reversed(tiles)]


@cache
def published(name: str) -> tuple[tuple[int, tuple[int, ...], int], ...]:
    """The boards of a set as they were printed: number, tiles, and optimal length."""
    import csv  # noqa: PLC0415  (both for those who ask for boards)
    from importlib.resources import files  # noqa: PLC0415

    text = files("searchkit_sliding").joinpath("data", f"{name}.csv").read_text(encoding="utf-8")
    return tuple(
        (int(row["id"]), tuple(map(int, row["start"].split())), int(row["optimal_length"]))
        for row in csv.DictReader(text.splitlines())
    )
