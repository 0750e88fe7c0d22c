"""The kernels by which tiles are found and moved, whether a position is one word or several."""

from __future__ import annotations

from typing import Any

from searchkit.bits import lowest_one, replace_word, zero_state


class TileMoves:
    """Over positions of one word: a tile slides to the blank (see `Packing` for the tables).

    The control state is the cell of the blank, an operator the cell that it moves to.
    """

    tables: Any

    def next_control(self, control: int, operator: int) -> int:
        """The cell that the blank moves to."""
        return operator

    def inverse(self, control: int, operator: int) -> int:
        """Back to the cell that the blank came from."""
        return control

    def control(self, state: Any) -> int:
        """Kernel: the cell of the blank."""
        return lowest_one((state - self.tables.ones) & ~state & self.tables.highs) >> 2

    def place(self, state: Any, tile: int) -> int:
        """Kernel: the cell of a tile, or of the blank, tile 0."""
        other = state ^ tile * self.tables.ones
        return lowest_one((other - self.tables.ones) & ~other & self.tables.highs) >> 2

    def tile(self, state: Any, cell: int) -> int:
        """Kernel: the tile on a cell."""
        found: int = state >> 4 * cell & 15
        return found

    def put(self, state: Any, tile: int, cell: int) -> Any:
        """Kernel: the tile put on an empty cell."""
        return state | tile << 4 * cell

    def apply(self, state: Any, control: int, operator: int) -> Any:
        """Kernel: the tile of the cell `operator` slides to the blank."""
        tile = state >> 4 * operator & 15
        return state ^ tile << 4 * operator ^ tile << 4 * control


class WideTileMoves(TileMoves):
    """The same over positions of several words."""

    def control(self, state: Any) -> int:
        """Kernel: the cell of the blank."""
        return self.place(state, 0)

    def place(self, state: Any, tile: int) -> int:
        """Kernel: the cell of a tile, or of the blank, tile 0."""
        for word in range(len(state)):
            ones = self.tables.ones[word]
            other = state[word] ^ tile * ones
            found = (other - ones) & ~other & self.tables.highs[word]
            if found != 0:
                cell: int = word * self.tables.per_word + lowest_one(found) // self.tables.bits
                return cell
        return 0

    def tile(self, state: Any, cell: int) -> int:
        """Kernel: the tile on a cell."""
        found = 0
        for word in range(len(state)):
            found |= state[word] & self.tables.field[cell][word]
        return found >> int(self.tables.shift[cell])

    def put(self, state: Any, tile: int, cell: int) -> Any:
        """Kernel: the tile put on an empty cell."""
        for word in range(len(state)):
            state = replace_word(state, word, state[word] | tile * self.tables.unit[cell][word])
        return state

    def apply(self, state: Any, control: int, operator: int) -> Any:
        """Kernel: the tile of the cell `operator` slides to the blank."""
        tile = self.tile(state, operator)
        for word in range(len(state)):
            moved = tile * (self.tables.unit[operator][word] + self.tables.unit[control][word])
            state = replace_word(state, word, state[word] ^ moved)
        return state


class BoundBetween(TileMoves):
    """The Manhattan distance between any two positions: parts of solutions are searched with it.

    A tile's cell in the target is looked up where a position has the cell with the number of the
    tile.
    """

    def aim(self, target: Any) -> Any:
        """Kernel: the cell of each tile, in the bits where a position has its cell."""
        cells = zero_state(self.tables.words)
        for cell in range(len(self.tables.apart)):
            cells = self.put(cells, cell, self.tile(target, cell))
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
