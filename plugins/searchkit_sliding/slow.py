"""The rules a second time, as plainly as can be: the judge of the packed ones.

Nothing of the other modules is used here, on purpose.
"""

from __future__ import annotations

import attrs

from searchkit import ParseError, StartAndGoal, Step
from searchkit.certificates import Certificate, entries

Tiles = tuple[int, ...]


@attrs.frozen
class PlainSliding(StartAndGoal[Tiles, object]):
    """The sliding puzzle over tuples of tiles, 0 for the blank.

    The board is a rectangle of `columns`, or, if that is None, given by the pairs of cells that
    are `links`. An action is the tile that moves; or, on a rectangle, a letter: where it slides
    (`moves` is "slide"), or where the blank goes ("blank").
    """

    start: Tiles
    goal: Tiles
    columns: int | None
    links: frozenset[frozenset[int]]
    moves: str = "tile"

    undirected = True

    def successors(self, state: Tiles) -> list[Step[Tiles, object]]:
        """A step per cell next to the blank, in ascending order of the cells."""
        blank = state.index(0)
        steps = []
        for cell, tile in enumerate(state):
            if self._adjacent(cell, blank):
                after = list(state)
                after[blank] = tile
                after[cell] = 0
                steps.append(Step(self._action(tile, cell, blank), tuple(after)))
        return steps

    def _action(self, tile: int, cell: int, blank: int) -> object:
        if self.moves == "tile" or self.columns is None:
            return tile
        rows, columns = (
            after - before
            for before, after in zip(
                divmod(cell, self.columns), divmod(blank, self.columns), strict=True
            )
        )
        if self.moves == "blank":
            rows, columns = -rows, -columns
        return {(-1, 0): "U", (1, 0): "D", (0, -1): "L", (0, 1): "R"}[rows, columns]

    def _adjacent(self, cell: int, other: int) -> bool:
        if self.columns is None:
            return frozenset((cell, other)) in self.links
        rows_apart = abs(cell // self.columns - other // self.columns)
        columns_apart = abs(cell % self.columns - other % self.columns)
        return rows_apart + columns_apart == 1

    def check_certificate(self, start: Tiles, certificate: Certificate) -> str | None:
        """Whether a parity that no move changes tells the start from the goal.

        A move swaps the blank with a tile and takes it to a cell of the other colour. So the
        number of moves is even if the blank ends on a cell of the colour that it began on, and
        odd if not; and the number of swaps that make the goal of the start must be so, too.
        """
        if certificate.kind != "parity":
            return (
                f"{certificate.kind!r} is not a kind of certificate here; known: parity, closed set"
            )
        cycles, swaps, distance, colours = entries(
            certificate.data,
            {"cycles": list[list[int]], "swaps": int, "blank_distance": int, "colours": list[int]},
        )
        if self._follow(cycles, start) != self.goal:
            return "its cycles do not make the goal of the start"
        if swaps != sum(len(cycle) - 1 for cycle in cycles):
            return f"its cycles are not made of {swaps} swaps"
        blank, target = start.index(0), self.goal.index(0)
        if distance != self._distance(blank, target):
            return f"the blank is {self._distance(blank, target)} cells from its goal cell"
        cells = range(len(start))
        if len(colours) != len(cells) or not {0, 1}.issuperset(colours):
            return "it does not give each cell a colour, 0 or 1"
        for cell in cells:
            for other in cells:
                if self._adjacent(cell, other) and colours[cell] == colours[other]:
                    return f"the cells {cell} and {other} are neighbours of one colour"
        if swaps % 2 == (colours[blank] + colours[target]) % 2:
            return f"{swaps} swaps agree with the way of the blank to its goal cell"
        return None

    def _follow(self, cycles: list[list[int]], start: Tiles) -> Tiles | None:
        """The tiles after those on each cycle have gone on by one cell; None if that is none."""
        along = [cell for cycle in cycles for cell in cycle]
        if len(set(along)) != len(along) or not set(range(len(start))).issuperset(along):
            return None
        if any(len(cycle) < 2 for cycle in cycles):
            return None
        after = list(start)
        for cycle in cycles:
            for number, cell in enumerate(cycle):
                after[cycle[(number + 1) % len(cycle)]] = start[cell]
        return tuple(after)

    def _distance(self, cell: int, other: int) -> int:
        """How many steps from cell to neighbouring cell there are between two cells."""
        cells = range(len(self.goal))
        near = {cell}
        steps = 0
        while other not in near:
            near |= {far for far in cells if any(self._adjacent(far, each) for each in near)}
            steps += 1
        return steps

    def format_state(self, state: Tiles) -> str:
        """The tiles in order, separated by spaces if there are more than ten cells."""
        words = [str(tile) for tile in state]
        return "".join(words) if len(words) <= 10 else " ".join(words)

    def parse(self, text: str) -> Tiles:
        """Read what `format_state` writes."""
        words = text.split() if len(self.goal) > 10 else list(text.strip())
        for word in words:
            if word not in [str(tile) for tile in self.goal]:
                raise ParseError(f"{word!r} in {text!r} is not a tile")
        state = tuple(int(word) for word in words)
        if sorted(state) != sorted(self.goal):
            raise ParseError(f"{text!r} does not have every tile of the goal once")
        return state
