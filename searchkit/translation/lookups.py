"""Keys of dicts and sets of the author's that are looked up at once: a table over their range."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from searchkit.translation.bit_sets import BitSets
from searchkit.translation.types import Atom, Bool, Char, Grid, Int, Seq
from searchkit.translation.values import SMALL, Items, Known, Place, Scalar, Value

MOST_PLACES = 1 << 14
"""How large such a table may be; other keys are compared one by one."""


class Lookups(BitSets):
    """Where keys are that states decide."""

    def _key_place(self, known: Any, key: Value) -> str | None:
        """A name for the place of a key among those that are known, -1 if it is not there."""
        key = self.held(key)
        found = self._numbered(known, key)
        if found is None:
            return super()._key_place(known, key)
        numbers, number = found
        if max(abs(each) for row in numbers for each in row) >= SMALL:
            return super()._key_place(known, key)
        columns = list(zip(*numbers, strict=True))
        lows = tuple(map(min, columns))
        sizes = tuple(max(each) - low + 1 for each, low in zip(columns, lows, strict=True))
        grid = Grid(lows, sizes, not isinstance(number, Items))
        if grid.size > MOST_PLACES:
            return super()._key_place(known, key)
        table = [-1] * grid.size
        for i, each in enumerate(numbers):
            place = grid.place(each[0] if grid.is_bare else each, self.atoms)
            table[place] = i
        row = self.constant(tuple(table), Seq(Int(), grid.size, grid.size, tuple))
        where = self._grid_place(grid, number)
        assert where is not None
        text, test = where
        result = self.text.temporary("-1", "found")
        with self.text.block(f"if {test}:"):
            self.text.line(f"{result} = {row.cell(f'({text})')}")
        return result

    def _numbered(
        self, known: Collection[Any], key: Value
    ) -> tuple[list[tuple[int, ...]], Value] | None:
        """The keys as numbers or rows of numbers, and the one that is looked for; None if not."""
        if isinstance(key, Scalar):
            column = self._column(list(known), key)
            return None if column is None else ([(each,) for each in column[0]], column[1])
        if not all(each.__class__ is tuple and each for each in known):
            return None
        count = len(next(iter(known)))
        if any(len(each) != count for each in known) or self.kind_of(key) is not tuple:
            return None
        if isinstance(key, Place) and isinstance(key.type, Seq) and not key.type.is_fixed:
            return None
        parts = self._parts(key)[0] if isinstance(key, (Items, Place)) else None
        if parts is None or len(parts) != count:
            return None
        rows = [
            self._column(list(each), part)
            for each, part in zip(zip(*known, strict=True), parts, strict=True)
        ]
        columns = [each for each in rows if each is not None]
        if len(columns) < count:
            return None
        numbers = list(zip(*(each for each, _ in columns), strict=True))
        return numbers, Items(tuple(number for _, number in columns))

    def _column(self, known: list[Any], key: Value) -> tuple[list[int], Scalar] | None:
        """Values as numbers, and one that is looked for; None if they are not of its kind."""
        if isinstance(key, Known):
            if key.value.__class__ is int and all(each.__class__ is int for each in known):
                return known, self.number(key, "looks for")
            return None
        if not isinstance(key, Scalar):
            return None
        if isinstance(key.type, (Int, Bool)):
            if all(each.__class__ in (int, bool) for each in known):
                return [int(each) for each in known], self.number(key, "looks for")
            return None
        number = Scalar(Int(), key.text, key.low, key.high)
        texts = all(each.__class__ is str for each in known)
        if isinstance(key.type, Char) and texts and all(len(each) == 1 for each in known):
            return list(map(ord, known)), number
        if isinstance(key.type, Atom) and key.type.kind is str and texts:
            return list(map(self.atoms.code, known)), number
        return None
