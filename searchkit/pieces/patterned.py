"""What a puzzle of pieces says of its pattern databases."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from searchkit.errors import UnsuitableError
from searchkit.pattern_space import Pattern
from searchkit.pieces.choosing import DEFAULT_MEMORY, choose_groups
from searchkit.pieces.databases import PieceSpace, space_of
from searchkit.pieces.groups import groups_named
from searchkit.pieces.layout import Layout
from searchkit.pieces.views import maps_of
from searchkit.texts.amounts import AUTO, memory, memory_named

AMOUNTS = ("1MB", "16MB", "256MB", "2GB")


class Patterned:
    """Databases of any pieces, by name, or as many as an amount of memory allows."""

    layout: Layout
    goal: Any

    def patterns_named(self, name: str) -> tuple[Pattern, ...]:
        """Groups of pieces, by their names: see `searchkit.pieces.groups`.

        `auto` and `auto=1GB` are as many as that much memory allows, 256 MB by default.
        """
        most = memory_named(name, DEFAULT_MEMORY)
        if most is None:
            return groups_named(self.layout.definition, name)
        groups = self._groups_within(most)
        if not groups:
            raise UnsuitableError(
                f"no pattern database of {self.layout.definition.name} fits into {memory(most)}; "
                f"allow more, like {AUTO}=1GB, or name pieces"
            )
        return groups

    def pattern_space(self: Any, groups: Sequence[Pattern]) -> PieceSpace:
        """The space of pattern databases for some groups of pieces."""
        return space_of(self, groups)

    def patterns_by_memory(self) -> list[str]:
        """Some amounts of memory that allow different databases."""
        found: dict[tuple[Pattern, ...], str] = {}
        for size in AMOUNTS:
            most = memory_named(name := f"{AUTO}={size}", DEFAULT_MEMORY)
            groups = self._groups_within(most or 0)
            if groups:
                found.setdefault(groups, name)
        return list(found.values())

    def best_heuristics(self) -> tuple[str, ...]:
        """The databases that the default amount of memory allows."""
        return (f"pdb:{AUTO}",) if self._groups_within(DEFAULT_MEMORY) else ()

    def _groups_within(self: Any, most: int) -> tuple[Pattern, ...]:
        return _chosen(self.layout, self.goal, most)


@lru_cache(maxsize=16)
def _chosen(layout: Layout, goal: Any, most: int) -> tuple[Pattern, ...]:
    """As many groups as that many bytes allow, made once for puzzles of one layout and goal."""
    pattern = layout.unpack(goal if isinstance(goal, tuple) else (goal,))
    return choose_groups(layout, most, maps_of(layout, pattern))
