"""The rules a second time, as plainly as can be: the judge of the packed ones.

Nothing of the other modules is used here, on purpose.
"""

from __future__ import annotations

import attrs

from searchkit import ParseError, Problem, Step

Tiles = tuple[int, ...]


@attrs.frozen
class PlainSliding(Problem[Tiles, int]):
    """The sliding puzzle over tuples of tiles, 0 for the blank; an action is the tile that moves.

    The board is a rectangle of `columns`, or, if that is None, given by the pairs of cells that
    are `links`.
    """

    start: Tiles
    goal: Tiles
    columns: int | None
    links: frozenset[frozenset[int]]

    undirected = True

    def initial_states(self) -> list[Tiles]:
        """The start."""
        return [self.start]

    def successors(self, state: Tiles) -> list[Step[int, Tiles]]:
        """A step per cell next to the blank, in ascending order of the cells."""
        blank = state.index(0)
        steps = []
        for cell, tile in enumerate(state):
            if self._adjacent(cell, blank):
                after = list(state)
                after[blank] = tile
                after[cell] = 0
                steps.append(Step(tile, tuple(after)))
        return steps

    def _adjacent(self, cell: int, other: int) -> bool:
        if self.columns is None:
            return frozenset((cell, other)) in self.links
        rows_apart = abs(cell // self.columns - other // self.columns)
        columns_apart = abs(cell % self.columns - other % self.columns)
        return rows_apart + columns_apart == 1

    def is_goal(self, state: Tiles) -> bool:
        """Whether every tile is where the goal has it."""
        return state == self.goal

    def format_state(self, state: Tiles) -> str:
        """The tiles in order, separated by spaces if there are more than ten cells."""
        words = [str(tile) for tile in state]
        return "".join(words) if len(words) <= 10 else " ".join(words)

    def parse(self, text: str) -> Tiles:
        """Read what `format_state` writes."""
        words = text.split() if len(self.goal) > 10 else list(text.strip())
        for word in words:
            if word not in [str(tile) for tile in self.goal]:
                raise ParseError(f"{word!r} in {text!r} is no tile")
        state = tuple(int(word) for word in words)
        if sorted(state) != sorted(self.goal):
            raise ParseError(f"{text!r} does not have every tile of the goal once")
        return state
