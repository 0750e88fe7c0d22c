"""Keys of dicts and sets of the author's that are looked up at once: a table over their range."""

from __future__ import annotations

from typing import Any

from searchkit.translation.bit_sets import BitSets
from searchkit.translation.memory import describe
from searchkit.translation.types import Atom, Bool, Char, Grid, Int, Seq
from searchkit.translation.values import SMALL, Items, Known, Place, Scalar, Value

MOST_PLACES = 1 << 14
"""How large a table over a range may be; other keys are hashed."""
MOST_PARTS = 16
"""How many numbers a key may have to be looked up so."""
MOST_COMPARED = 1000
"""How many keys are compared one by one, where they are nothing of that kind."""
HASH_BITS = 40
FULL = (1 << HASH_BITS) - 1
_FACTORS = tuple((1 << 17) + 2 * pow(3, i + 40, 65537) + 1 for i in range(MOST_PARTS))
"""Odd numbers below 2^18, so that no sum of products overflows."""
_LAST = 2654435  # likewise: 2^40 times it is below 2^62

Row = tuple[int, ...]


class Lookups(BitSets):
    """Where keys are that states decide."""

    def _key_place(self, known: Any, key: Value) -> str | None:
        """A name for the place of a key among those that are known, -1 if it is not there."""
        key = self.held(key)
        found = self._numbered(list(known), key)
        if found is None or max(map(_largest, found[0]), default=0) >= SMALL:
            if len(known) > MOST_COMPARED:
                raise self.refuse(
                    f"looks for {describe(key)} among {len(known)} keys one by one",
                    "use numbers, texts, or tuples of these as keys",
                )
            return super()._key_place(known, key)
        rows, parts = found
        there = [row for row in rows if row is not None]
        if not there:
            return None
        columns = list(zip(*there, strict=True))
        lows = tuple(map(min, columns))
        sizes = tuple(max(each) - low + 1 for each, low in zip(columns, lows, strict=True))
        grid = Grid(lows, sizes)
        if grid.size > MOST_PLACES:
            return self._hashed(rows, parts)
        table = [-1] * grid.size
        for i, row in enumerate(rows):
            if row is not None:
                table[grid.place(row, self.atoms)] = i
        places = self.constant(tuple(table), Seq(Int(), grid.size, grid.size, tuple))
        where = self._grid_place(grid, Items(tuple(parts)))
        assert where is not None
        text, test = where
        result = self.text.temporary("-1", "found")
        with self.text.block(f"if {test}:"):
            self.text.line(f"{result} = {places.cell(f'({text})')}")
        return result

    def _hashed(self, rows: list[Row | None], parts: list[Scalar]) -> str:
        """The same by a table with open addressing."""
        width, bits = len(parts), (2 * len(rows)).bit_length()
        slots = [-1] * (1 << bits)
        for i, row in enumerate(rows):
            if row is not None:
                slot = _hash(row) >> HASH_BITS - bits
                while slots[slot] >= 0:
                    slot = slot + 1 & len(slots) - 1
                slots[slot] = i
        flat = tuple(number for row in rows for number in row or (0,) * width)
        keys = self.constant(flat, Seq(Int(), len(flat), len(flat), tuple))
        places = self.constant(tuple(slots), Seq(Int(), len(slots), len(slots), tuple))
        names = [self.text.temporary(self.small(each), "key") for each in parts]
        terms = (f"{name} * {factor}" for name, factor in zip(names, _FACTORS, strict=False))
        text = f"({' + '.join(terms)} & {FULL}) * {_LAST} & {FULL}"
        at = self.text.temporary(f"({text}) >> {HASH_BITS - bits}", "at")
        result = self.text.temporary(places.cell(at), "found")
        others = (f"{keys.cell(f'{result} * {width} + {i}')} != {n}" for i, n in enumerate(names))
        with self.text.loop(f"while {result} >= 0 and ({' or '.join(others)}):"):
            self.text.line(f"{at} = {at} + 1 & {len(slots) - 1}")
            self.text.line(f"{result} = {places.cell(at)}")
        return result

    def _numbered(
        self, known: list[Any], key: Value
    ) -> tuple[list[Row | None], list[Scalar]] | None:
        """The keys as rows of numbers, and the numbers of the one that is looked for; None if not.

        The row of a key that it cannot be, because it is longer or shorter, is None.
        """
        if isinstance(key, Scalar) or (isinstance(key, Known) and not isinstance(key.value, tuple)):
            column = self._column(known, key)
            return None if column is None else ([(each,) for each in column[0]], [column[1]])
        kind = self.kind_of(key)
        if kind not in (tuple, str) or any(each.__class__ is not kind for each in known):
            return None
        key = self.held(key)
        if isinstance(key, Place) and isinstance(key.type, Seq) and not key.type.is_fixed:
            return self._padded(known, key)
        items = self._parts(key)[0]
        if items is None:
            return None
        alike = [each for each in known if len(each) == len(items)]
        rows: list[Row] = [() for _ in alike]
        parts: list[Scalar] = []
        for i, item in enumerate(items):
            found = self._numbered([each[i] for each in alike], item)
            if found is None or None in found[0]:
                return None
            rows = [row + (more or ()) for row, more in zip(rows, found[0], strict=True)]
            parts += found[1]
        if not 0 < len(parts) <= MOST_PARTS:
            return None
        made = iter(rows)
        return [next(made) if len(each) == len(items) else None for each in known], parts

    def _padded(self, known: list[Any], key: Place) -> tuple[list[Row | None], list[Scalar]] | None:
        """The same of a key that may be longer or shorter: its length, items, and zeros."""
        most = min(key.type.most, max(map(len, known)))
        length = self.length(key)
        if most >= MOST_PARTS or not isinstance(key.type.item, (Int, Bool, Char, Atom)):
            return None
        fit = [each for each in known if len(each) <= most]
        rows: list[Row] = [(len(each),) for each in fit]
        parts = [length]
        for i in range(most):
            item = self.loaded(self.item_at(key, str(i)))
            column = self._column([each[i] for each in fit if len(each) > i], item)
            if column is None:
                return None
            numbers, number = iter(column[0]), column[1]
            rows = [(*row, next(numbers) if row[0] > i else 0) for row in rows]
            text = f"({number.text} if {length.text} > {i} else 0)"
            parts.append(Scalar(Int(), text, min(number.low, 0), max(number.high, 0)))
        made = iter(rows)
        return [next(made) if len(each) <= most else None for each in known], parts

    def _column(self, known: list[Any], key: Value) -> tuple[list[int], Scalar] | None:
        """Values as numbers, and one that is looked for; None if they are not of its kind."""
        if isinstance(key, Known):
            if key.value.__class__ is int and all(each.__class__ is int for each in known):
                return known, self.number(key, "looks for")
            if not all(each.__class__ is str and len(each) == 1 for each in (key.value, *known)):
                return None
            code = ord(key.value)
            return list(map(ord, known)), Scalar(Int(), str(code), code, code)
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


def _largest(row: Row | None) -> int:
    return max(map(abs, row), default=0) if row else 0


def _hash(row: Row) -> int:
    total = sum(number * factor for number, factor in zip(row, _FACTORS, strict=False))
    return (total & FULL) * _LAST & FULL
