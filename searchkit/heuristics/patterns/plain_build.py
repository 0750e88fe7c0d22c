"""Small pattern databases built in plain Python, which looks at every move on the way."""

from __future__ import annotations

from searchkit.heuristics.patterns.database import MOST_VALUE, UNREACHED, PatternDatabase
from searchkit.heuristics.patterns.laws import moves_before
from searchkit.heuristics.patterns.solved import made_database, solved
from searchkit.pattern_space import PatternSpace, SolvedSpace

MOST_ENTRIES = 1 << 20


def plain_build(space: PatternSpace, group: int, most: int) -> PatternDatabase | None:
    """The database of a group; None if more than `most` are reached.

    Breadth-first search from the goals, over entries with masks of places:
    O(entries * places * operators), some ten thousand moves a second.
    """
    import numpy as np  # noqa: PLC0415  (takes long to import)

    entries = space.entries(group)
    if entries > MOST_ENTRIES:
        return None
    if isinstance(space, SolvedSpace):
        return solved(space, group) if entries <= most else None
    distance: dict[int, int] = {}
    seen: dict[int, int] = {}
    layer: dict[int, int] = {}
    for word, mask in space.goals(group):
        layer[word] = layer.get(word, 0) | mask
    level = 0
    while layer:
        following: dict[int, int] = {}
        for word, mask in layer.items():
            fresh = space.spread(word, group, mask) & ~seen.get(word, 0)
            if not fresh:
                continue
            seen[word] = seen.get(word, 0) | fresh
            distance.setdefault(word, level)
            if len(distance) > most:
                return None
            for before, landing in moves_before(space, group, word, fresh):
                following[before] = following.get(before, 0) | landing
        layer = following
        level += 1
    values = np.full(entries, UNREACHED, dtype=np.uint8)
    counts = [0] * level
    for word, steps in distance.items():
        if steps > MOST_VALUE:
            return None
        values[space.rank(word, group)] = steps
        counts[steps] += 1
    return made_database(space, group, values, counts, seconds=0.0)
