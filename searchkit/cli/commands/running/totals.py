"""How many solutions there are in all, where one of each class of first steps was kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from searchkit.result import SearchResult
from searchkit.transforms import FirstStepFixed

LISTED_FOR_TOTAL = 100_000
"""How many solutions are listed to find the total where first steps are of unequal classes."""


def without_symmetry(
    fixed: FirstStepFixed,
    result: SearchResult[Any, Any],
    firsts: Counter[Any] | None,
    is_late: Callable[[], bool],
) -> tuple[int, str] | None:
    """How many solutions there are without symmetry, and the sum that says so.

    `firsts` counts the solutions by first action, if they were listed. None if not all
    solutions are known, or if too many would have to be listed.
    """
    count = result.count
    if not count or not result.complete:
        return None
    sizes = {len(actions) for actions in fixed.classes}
    if len(sizes) == 1:
        size = sizes.pop()
        return count * size, f"{count:,} × {size}"
    if not firsts:
        if count > LISTED_FOR_TOTAL:
            return None
        firsts = Counter()
        for solution in result.solutions or ():
            if is_late():
                return None
            firsts[solution.steps[0].action] += 1
    by_size: Counter[int] = Counter()
    for action, number in firsts.items():
        by_size[fixed.orbit_size(action)] += number
    parts = sorted(by_size.items())
    return (
        sum(size * number for size, number in parts),
        " + ".join(f"{number:,} × {size}" for size, number in parts),
    )
