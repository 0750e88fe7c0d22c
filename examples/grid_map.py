"""A map of squares with walls: the way from S to G in eight directions, without cutting corners.

A straight step costs 5 and a diagonal one 7, which is nearly 5 times the root of 2. Other maps are
read from files, with `-p squares=FILE`.

    searchkit run --plugin examples/grid_map.py grid-map
"""

from searchkit import Costs, Parameter, hookimpl
from searchkit.fields import Fields, Int

MAP = "S.....#.\n.####.#.\n.#......\n.#.####.\n...#...G"


class GridMap(Fields):
    costs = Costs.INTEGER
    undirected = True

    def __init__(self, squares):
        rows = squares.splitlines()
        width = max(map(len, rows)) + 2
        rows = ["#" * width, *(f"#{row}".ljust(width, "#") for row in rows), "#" * width]
        marks = "".join(rows)
        if marks.count("S") != 1 or marks.count("G") != 1:
            raise ValueError("a map has one S and one G")
        self.free = [[mark != "#" for mark in row] for row in rows]
        steps = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
        self.moves = {f"{down:+d}{right:+d}": (down, right) for down, right in steps}
        self.declare(row=Int(len(rows)), column=Int(width))
        (row, column), self.end = (divmod(marks.index(each), width) for each in "SG")
        self.start = self.pack(row=row, column=column)
        self.goal = self.pack(row=self.end[0], column=self.end[1])

    def legal(self, s, down, right):
        row, column = s.row + down, s.column + right
        return self.free[row][column] and self.free[s.row][column] and self.free[row][s.column]

    def apply(self, s, down, right):
        s.row += down
        s.column += right

    def cost(self, s, down, right):
        return 7 if down and right else 5

    def estimate(self, s):
        """The cost if there were no walls."""
        down, right = abs(s.row - self.end[0]), abs(s.column - self.end[1])
        return 5 * max(down, right) + 2 * min(down, right)


@hookimpl
def searchkit_register_puzzles(register):
    squares = Parameter("squares", MAP, "a map of . # S G, or the name of a file", path=True)
    register(
        "grid-map",
        GridMap,
        summary="the cheapest way across a map",
        parameters=[squares],
    )
