"""A small pattern database, whose numbers are random."""

from __future__ import annotations

import numpy as np

from searchkit.heuristics.patterns import PatternDatabase


def database(entries: int = 1001, *, halved: bool = False, seed: int = 1) -> PatternDatabase:
    size = (entries + 1) // 2 if halved else entries
    values = np.random.default_rng(seed).integers(0, 12, size).astype(np.uint8)
    return PatternDatabase(
        identity={"puzzle": "toy-é", "pattern": "1.2", "edges": [[1], [0]], "seed": 7},
        entries=entries,
        values=values,
        counts=(1, 2, entries - 3),
        seconds=1.2345,
        halved=halved,
    )
