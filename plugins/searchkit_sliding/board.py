"""Boards: cells, which of them are neighbours, and their picture; small questions about graphs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from searchkit import UsageError
from searchkit.heuristic import distances_from
from searchkit.problem import derived


def grid_adjacency(rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
    """The neighbours of every cell of a grid numbered in reading order: up, left, right, down.

    >>> grid_adjacency(2, 2)
    ((1, 2), (0, 3), (0, 3), (1, 2))
    """
    return tuple(
        tuple(
            (row + down) * columns + column + right
            for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0))
            if 0 <= row + down < rows and 0 <= column + right < columns
        )
        for row in range(rows)
        for column in range(columns)
    )


@attrs.frozen
class Board:
    """Numbered cells with neighbours: a tile may slide to the blank from a neighbouring cell.

    `adjacency` lists the neighbours of every cell, in the order in which the blank tries them.
    The graph must be connected. A rectangle also has `columns`; any other board may have a
    `template` of its picture, with `{0}` where the tile of cell 0 goes, and so on.

    >>> print(Board.rectangle(2, 3).picture([1, 2, 3, 4, 5, 0]))
    ┌───┬───┬───┐
    │ 1 │ 2 │ 3 │
    ├───┼───┼───┤
    │ 4 │ 5 │   │
    └───┴───┴───┘
    """

    name: str
    adjacency: tuple[tuple[int, ...], ...]
    columns: int | None = None
    template: str | None = None
    distances: tuple[tuple[int, ...], ...] = derived(lambda self: self._distances())
    colours: tuple[int, ...] | None = derived(lambda self: self._colours())

    @classmethod
    def rectangle(cls, rows: int, columns: int) -> Board:
        """The board of `rows` x `columns` cells."""
        return cls(f"{rows}x{columns}", grid_adjacency(rows, columns), columns)

    def __attrs_post_init__(self) -> None:
        rows, columns = self.rows, self.columns
        if rows is None or columns is None:
            return
        if self.cells != rows * columns or self.adjacency != grid_adjacency(rows, columns):
            raise UsageError(
                f"board {self.name!r} with columns={columns} is not a rectangle; use "
                "Board.rectangle, or leave columns out"
            )

    def _distances(self) -> tuple[tuple[int, ...], ...]:
        # The neighbours are checked here, as the first field that needs them.
        _check_neighbours(self.name, self.adjacency)
        cells = range(self.cells)
        reached = [distances_from(cell, self.adjacency.__getitem__) for cell in cells]
        far = next((cell for cell in cells if cell not in reached[0]), None)
        if far is not None:
            raise UsageError(
                f"board {self.name!r} has no way from cell 0 to cell {far}; connect it"
            )
        return tuple(tuple(map(each.__getitem__, cells)) for each in reached)

    def _colours(self) -> tuple[int, ...] | None:
        # None if some cycle is odd.
        colours = tuple(distance % 2 for distance in self.distances[0])
        for cell, neighbours in enumerate(self.adjacency):
            if any(colours[neighbour] == colours[cell] for neighbour in neighbours):
                return None
        return colours

    @property
    def cells(self) -> int:
        """The number of cells."""
        return len(self.adjacency)

    @property
    def rows(self) -> int | None:
        """The number of rows of a rectangle, else None."""
        return None if self.columns is None else self.cells // self.columns

    def picture(self, tiles: Sequence[int]) -> str:
        """The board with the tile on every cell, 0 for the blank."""
        width = len(str(self.cells - 1))
        labels = [str(tile or "").rjust(width) for tile in tiles]
        if self.columns is not None:
            return _draw_rectangle(labels, self.columns)
        if self.template is not None:
            drawn = self.template.format(*labels)
            return "\n".join(line.rstrip() for line in drawn.split("\n"))
        return "\n".join(f"{cell}: {label}".rstrip() for cell, label in enumerate(labels))


def _check_neighbours(name: str, adjacency: tuple[tuple[int, ...], ...]) -> None:
    cells = len(adjacency)
    if cells < 2:
        raise UsageError(f"board {name!r} has {cells} cells; use at least 2")
    for cell, neighbours in enumerate(adjacency):
        if len(set(neighbours)) != len(neighbours) or cell in neighbours:
            raise UsageError(
                f"cell {cell} of board {name!r} has neighbours {neighbours}; "
                "name each other cell at most once"
            )
        for neighbour in neighbours:
            if not 0 <= neighbour < cells or cell not in adjacency[neighbour]:
                raise UsageError(
                    f"cell {cell} of board {name!r} has neighbour {neighbour}, which is "
                    "a cell that does not have it as a neighbour in turn; list both"
                )


def _draw_rectangle(labels: Sequence[str], columns: int) -> str:
    bar = "─" * (len(labels[0]) + 2)

    def rule(left: str, middle: str, right: str) -> str:
        return left + middle.join([bar] * columns) + right

    rows = [
        "│" + "│".join(f" {label} " for label in labels[first : first + columns]) + "│"
        for first in range(0, len(labels), columns)
    ]
    inside = f"\n{rule('├', '┼', '┤')}\n".join(rows)
    return "\n".join([rule("┌", "┬", "┐"), inside, rule("└", "┴", "┘")])


Adjacency = Sequence[Sequence[int]]


def is_biconnected(adjacency: Adjacency) -> bool:
    """Whether a graph of three or more vertices stays connected without any one of them.

    O(vertices x edges).

    >>> is_biconnected([[1, 2], [0, 2], [0, 1]]), is_biconnected([[1], [0, 2], [1]])
    (True, False)
    """

    def is_connected_without(removed: int) -> bool:
        reached = distances_from(
            int(removed == 0), lambda vertex: (n for n in adjacency[vertex] if n != removed)
        )
        return len(reached) == len(adjacency) - 1

    return len(adjacency) >= 3 and all(map(is_connected_without, range(len(adjacency))))


def automorphisms(
    adjacency: Adjacency, fixed: int, image_of_fixed: int | None = None
) -> Iterator[tuple[int, ...]]:
    """Every map of a connected graph onto itself that keeps the vertex `fixed`; identity first.

    If `image_of_fixed` is given, every map that takes `fixed` there.

    A map is given by the images of the vertices. Backtracking: fast on graphs with few
    automorphisms, such as boards; their number can be exponential.

    >>> list(automorphisms([[1, 2], [0, 3], [0, 3], [1, 2]], fixed=0))
    [(0, 1, 2, 3), (0, 2, 1, 3)]
    """
    neighbours = [frozenset(each) for each in adjacency]
    distances = distances_from(fixed, adjacency.__getitem__)
    order = sorted(range(len(adjacency)), key=distances.__getitem__)
    images: dict[int, int] = {}

    def fits(vertex: int, image: int) -> bool:
        return len(neighbours[vertex]) == len(neighbours[image]) and all(
            (known in neighbours[vertex]) == (images[known] in neighbours[image])
            for known in images
        )

    def extend(index: int) -> Iterator[tuple[int, ...]]:
        if index == len(order):
            yield tuple(images[vertex] for vertex in range(len(order)))
            return
        vertex = order[index]
        candidates: Sequence[int] = [fixed if image_of_fixed is None else image_of_fixed]
        if index > 0:
            parent = next(known for known in neighbours[vertex] if known in images)
            candidates = sorted(neighbours[images[parent]].difference(images.values()))
            if vertex in candidates:  # so that the identity comes first
                candidates = [vertex, *(each for each in candidates if each != vertex)]
        for image in candidates:
            if fits(vertex, image):
                images[vertex] = image
                yield from extend(index + 1)
                del images[vertex]

    return extend(0)
