"""Walking distance in plain Python: breadth-first search over matrices of counts."""

from __future__ import annotations

from functools import cache


@cache
def walks(lines, width, blank):
    """Moves from the goal to every (matrix, line of the blank): rows are lines, columns goals."""
    matrix = tuple(
        tuple((width - (line == blank)) * (line == goal) for goal in range(lines))
        for line in range(lines)
    )
    found = {(matrix, blank): 0}
    queue = [(matrix, blank)]
    for entry in queue:
        matrix, empty = entry
        for other in (empty - 1, empty + 1):
            if not 0 <= other < lines:
                continue
            for goal in range(lines):
                if matrix[other][goal]:
                    after = [list(row) for row in matrix]
                    after[other][goal] -= 1
                    after[empty][goal] += 1
                    key = tuple(map(tuple, after)), other
                    if key not in found:
                        found[key] = found[entry] + 1
                        queue.append(key)
    return found


def slow_walking_distance(puzzle, state):
    """The moves that rows need and those that columns need."""
    columns = puzzle.board.columns
    rows = puzzle.board.cells // columns
    tiles, goal = puzzle.packing.unpack(state), puzzle.packing.unpack(puzzle.goal)
    total = 0
    for lines, width, line in (
        (rows, columns, lambda cell: cell // columns),
        (columns, rows, lambda cell: cell % columns),
    ):
        matrix = [[0] * lines for _ in range(lines)]
        for cell, tile in enumerate(tiles):
            if tile:
                matrix[line(cell)][line(goal.index(tile))] += 1
        key = tuple(map(tuple, matrix)), line(tiles.index(0))
        total += walks(lines, width, line(goal.index(0)))[key]
    return total
