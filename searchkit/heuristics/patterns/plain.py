"""Pattern databases of ordinary problems, looked up in a form that is translated like any rule."""

from __future__ import annotations

from typing import Any

from searchkit.heuristic import Heuristic
from searchkit.heuristics.kinds import MOST_LOOKED_UP
from searchkit.heuristics.maximum import PackedMaximum, PlainMaximum
from searchkit.heuristics.patterns.database import UNREACHED
from searchkit.heuristics.patterns.heuristic import PatternHeuristic
from searchkit.problem import INFINITY


class PlainPatterns(Heuristic[Any, Any]):
    """What a `PatternHeuristic` of an ordinary problem says, from scratch."""

    def __init__(self, looked_up: PatternHeuristic) -> None:
        space = looked_up.space
        self.name, self.given, self.space = looked_up.name, looked_up.given, space
        self.images = tuple((image, tuple(space.groups_of(image))) for image in range(space.images))
        self.values = tuple(tuple(each.values.tolist()) for each in looked_up.databases)
        self.additive = space.additive

    def __call__(self, state: Any) -> float:
        """The largest bound of all images; written so that it is translated."""
        best = 0
        for image, groups in self.images:
            total = 0
            for group in groups:
                word = self.space.locate(state, image, group)
                value = self.values[group][self.space.rank(word, group)]
                if value == UNREACHED:
                    return INFINITY
                total = total + value if self.additive else max(total, value)
            best = max(best, total)
        return best


def parts_of(heuristic: Any) -> tuple[Any, ...] | None:
    """The heuristics of which one is the largest; None for another."""
    return heuristic.both if isinstance(heuristic, (PlainMaximum, PackedMaximum)) else None


def plain_form(heuristic: Any) -> Any:
    """A heuristic of an ordinary problem, with databases in the form that is translated."""
    parts = parts_of(heuristic)
    if parts is not None:
        return PlainMaximum(*map(plain_form, parts))
    return PlainPatterns(heuristic) if isinstance(heuristic, PatternHeuristic) else heuristic


def why_no_form(heuristic: Heuristic[Any, Any]) -> str | None:
    """Why one of searchkit's own has no such form; None if it has."""
    if not isinstance(heuristic, PatternHeuristic):
        return f"heuristic {heuristic.name} has no translation"
    if any(each.halved for each in heuristic.databases):
        return f"heuristic {heuristic.name} has two entries in a byte; build it with one"
    entries = sum(each.entries for each in heuristic.databases)
    if entries > MOST_LOOKED_UP:
        return (
            f"heuristic {heuristic.name} has {entries:,} entries, more than {MOST_LOOKED_UP:,}; "
            "take smaller patterns, or write the problem as a PackedProblem"
        )
    return None
