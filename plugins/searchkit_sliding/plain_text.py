"""The rules as a file of their own, for those who check a proof without searchkit."""

from __future__ import annotations

from typing import Any

TEXT = '''"""The sliding puzzle {start} -> {goal}, by itself: 0 is the blank, BESIDE the board."""

START, GOAL = {start!r}, {goal!r}
BESIDE = {beside}


def far_from(cell):
    """How many moves away each cell is."""
    far, queue = {{cell: 0}}, [cell]
    for here in queue:
        for there in BESIDE[here]:
            if there not in far:
                far[there] = far[here] + 1
                queue.append(there)
    return far


FAR = {{tile: far_from(cell) for cell, tile in enumerate(GOAL)}}


def text(tiles):
    return {between!r}.join(map(str, tiles))


def tiles_of(state):
    return tuple(map(int, {words}))


def starts():
    return [text(START)]


def goal(state):
    return state == text(GOAL)


def successors(state):
    tiles = tiles_of(state)
    blank = tiles.index(0)
    for cell in BESIDE[blank]:
        after = list(tiles)
        after[blank], after[cell] = tiles[cell], 0
        yield tiles[cell], text(after), 1


def manhattan(state):
    return sum(FAR[tile][cell] for cell, tile in enumerate(tiles_of(state)) if tile)


heuristics = {{"manhattan": manhattan}}
'''


def plain_text(puzzle: Any) -> str:
    """The file for a puzzle of one start."""
    rules, is_short = puzzle.slow_rules(), puzzle.board.cells <= 10
    return TEXT.format(
        start=rules.start,
        goal=rules.goal,
        beside=[list(cells) for cells in puzzle.board.adjacency],
        between="" if is_short else " ",
        words="state" if is_short else "state.split()",
    )
