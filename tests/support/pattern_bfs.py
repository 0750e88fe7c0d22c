"""Distances of patterns by a search of its own, and databases made with few compilations."""

from __future__ import annotations

from collections import deque

from searchkit.heuristics.patterns.compiled_build import build
from searchkit_sliding.patterns import SlidingPatterns

OPERATORS = 8
"""As if patterns had so many tiles: one number for all, as each needs machine code of its own."""


def placements(board, goals, blank):
    """How many moves of the tiles take them to `goals`, by their cells; the blank moves freely.

    0-1 breadth-first search over the cells of the tiles and of the blank, from the goal.
    """
    start = (*goals, blank)
    best = {start: 0}
    done = set()
    queue = deque([start])
    while queue:
        state = queue.popleft()
        if state in done:
            continue
        done.add(state)
        *tiles, empty = state
        for cell in board.adjacency[empty]:
            cost = int(cell in tiles)
            after = (*(empty if each == cell else each for each in tiles), cell)
            if best[state] + cost < best.get(after, 1 << 20):
                best[after] = best[state] + cost
                (queue.append if cost else queue.appendleft)(after)
    nearest = {}
    for (*tiles, _), cost in best.items():
        key = tuple(tiles)
        nearest[key] = min(cost, nearest.get(key, cost))
    return nearest


def space_of(puzzle, groups):
    """The pattern space of groups of tiles."""
    space = SlidingPatterns(puzzle, groups)
    assert space.operators == max(map(len, groups)) <= OPERATORS
    space.operators = OPERATORS
    return space


def state_with(puzzle, tiles, cells):
    """A position with these tiles on these cells, the rest in any order."""
    on = dict(zip(cells, tiles, strict=True))
    rest = iter(set(range(puzzle.board.cells)) - set(tiles))
    return puzzle.packing.pack(
        [on[c] if c in on else next(rest) for c in range(puzzle.board.cells)]
    )


_built = {}


def database_of(space, group):
    """The database of a group, built once for every identity."""
    key = repr(sorted(space.identity(group).items()))
    if key not in _built:
        _built[key] = build(space, group)
    return _built[key]


def databases_of(space):
    """The databases of all groups."""
    return [database_of(space, group) for group in range(len(space.groups))]
