"""The Manhattan distance between any two positions: what parts of solutions are searched with."""

from __future__ import annotations

from typing import Any

from searchkit.bits import replace_word


class BetweenPositions:
    """Kernels of a puzzle that look up `tables.apart`, the distances between cells.

    A tile's cell in the target is looked up where a position has the cell with the number of the
    tile.
    """

    tables: Any

    def tile(self, state: Any, cell: int) -> int:
        """Kernel: the tile on a cell."""
        raise NotImplementedError

    def aim(self, target: Any) -> Any:
        """Kernel: the cell of each tile, in the four bits where a position has its cell."""
        cells = 0
        for cell in range(len(self.tables.apart)):
            cells |= cell << 4 * self.tile(target, cell)
        return cells

    def bound_to(self, state: Any, aim: Any) -> int:
        """Kernel: the Manhattan distance to the position that `aim` was made of."""
        total = 0
        for cell in range(len(self.tables.apart)):
            tile = self.tile(state, cell)
            if tile != 0:
                total += self.tables.apart[cell][self.tile(aim, tile)]
        return total

    def bound_change(self, state: Any, control: int, operator: int, child: Any, aim: Any) -> int:
        """Kernel: the change by the tile that slides from cell `operator` to the blank's."""
        wanted = self.tile(aim, self.tile(state, operator))
        return int(self.tables.apart[control][wanted] - self.tables.apart[operator][wanted])


class BetweenWidePositions(BetweenPositions):
    """The same over positions of several words."""

    def aim(self, target: Any) -> Any:
        """Kernel: the cell of each tile, in the bits where a position has its cell."""
        cells = target
        for word in range(len(target)):
            held = 0
            for cell in range(len(self.tables.apart)):
                held += cell * self.tables.unit[self.tile(target, cell)][word]
            cells = replace_word(cells, word, held)
        return cells
