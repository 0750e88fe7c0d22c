"""What rules look up: lists of the author's object, and what they calculate of moves alone.

Machine code knows arrays of integers. Lists within lists become arrays with rows filled up to one
length, and where lengths differ, these are kept beside them; rows that stand for sets become masks.
What an expression of a rule makes of a move alone is calculated once, for every move.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Sequence
from collections.abc import Set as AnySet
from typing import Any, NamedTuple

import attrs

from searchkit.bits import WORD_BITS
from searchkit.packed import DEAD_END
from searchkit.problem import INFINITY

FILLER = -(1 << 63)
"""What fills up rows; no list holds it."""
BY_MOVE = "by_move"
"""The table with a row of numbers for each move."""


class NotListedError(Exception):
    """A value is neither a number nor lists of numbers; the message says what it is."""


def as_number(value: Any) -> int:
    """A number as rules calculate with it; `NotListedError` for what is none."""
    if isinstance(value, enum.Enum):
        value = value.value
    if value.__class__ is float and value == INFINITY:
        return DEAD_END
    if hasattr(value, "__index__") and not getattr(value, "shape", ()):
        return int(value.__index__())
    if value.__class__.__name__ in ("bool", "bool_"):
        return int(value)
    raise NotListedError(f"{value!r:.40}, which is not a whole number")


def is_listed(value: Any) -> bool:
    """Whether a value is a list of something, or a set."""
    if isinstance(value, (str, bytes, enum.EnumMeta)):
        return False
    return isinstance(value, (Sequence, AnySet)) or bool(getattr(value, "shape", ()))


@attrs.frozen
class Nested:
    """Lists within lists, `depth` deep."""

    name: str
    value: Any
    depth: int

    @classmethod
    def of(cls, name: str, value: Any) -> Nested:
        """A list of the author's; `NotListedError` for what machine code cannot look up."""
        rows = _rows(value)
        depth = _depth(rows)
        _check_depth(rows, depth)
        return cls(name, rows, depth)

    def at(self, level: int) -> list[tuple[Any, ...]]:
        """All rows that `level` indices lead to."""
        rows = [self.value]
        for _ in range(level):
            rows = [each for row in rows for each in row]
        return rows

    def is_ragged(self, level: int) -> bool:
        """Whether rows that `level` indices lead to have different lengths."""
        return len({len(row) for row in self.at(level)}) > 1

    def padded(self) -> Any:
        """The rows, filled up."""
        sizes = [max([1, *map(len, self.at(level))]) for level in range(self.depth)]
        return _padded(self.value, sizes)

    def lengths(self, level: int) -> Any:
        """The lengths of the rows that `level` indices lead to, filled up."""
        sizes = [max([1, *map(len, self.at(each))]) for each in range(level)]
        return _padded(_mapped(self.value, level, len), sizes, 0)

    def masks(self, shift: int, word: int, *, is_sum: bool) -> Any:
        """Word `word` of the innermost rows as sets, from bit `shift` on; or as sums of bits."""

        def mask(row: tuple[int, ...]) -> int:
            found = 0
            for each in row:
                place = each + shift
                if place // WORD_BITS == word:
                    bit = 1 << place % WORD_BITS
                    found = found ^ bit if is_sum else found | bit
            return found

        level = self.depth - 1
        sizes = [max([1, *map(len, self.at(each))]) for each in range(level)]
        return _padded(_mapped(self.value, level, mask), sizes, 0)


def _rows(value: Any) -> Any:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if not is_listed(value):
        return as_number(value)
    return tuple(map(_rows, sorted(value) if isinstance(value, AnySet) else value))


def _depth(rows: Any) -> int:
    return 1 + max(map(_depth, rows), default=0) if isinstance(rows, tuple) else 0


def _check_depth(rows: Any, depth: int) -> None:
    if not isinstance(rows, tuple):
        if depth:
            raise NotListedError("numbers and lists beside each other")
    else:
        for each in rows:
            _check_depth(each, depth - 1)


def _mapped(rows: Any, level: int, function: Any) -> Any:
    return tuple(_mapped(each, level - 1, function) for each in rows) if level else function(rows)


def _padded(rows: Any, sizes: list[int], filler: int = FILLER) -> Any:
    if not sizes:
        return rows
    first, *rest = sizes
    empty: Any = filler if not rest else ()
    filled = (*rows, *[empty] * (first - len(rows)))
    return tuple(_padded(each, rest, filler) for each in filled) if rest else filled


class Static(NamedTuple):
    """The value of an expression that no state changes: one value, or one for each move."""

    values: list[Any]
    by_move: bool
    of_self: bool

    def items(self, length: int) -> list[int] | None:
        """The values as indices of a field of that length; None where one is no such index."""
        try:
            numbers = [as_number(each) for each in self.values]
        except NotListedError:
            return None
        return numbers if all(0 <= each < length for each in numbers) else None


@attrs.define
class Tables:
    """The tables of one object with kernels, as they are asked for."""

    author: Any
    moves: Sequence[tuple[Any, ...]]
    values: dict[str, Any] = attrs.field(factory=dict)
    nested: dict[str, Nested] = attrs.field(factory=dict)
    columns: list[list[int]] = attrs.field(factory=list)
    _names: dict[Any, str] = attrs.field(factory=dict)

    def column(self, numbers: list[int]) -> int:
        """Which column of the table of moves has these numbers."""
        if numbers not in self.columns:
            self.columns.append(numbers)
        return self.columns.index(numbers)

    def number(self, key: str, value: int, wanted: str) -> str:
        """The name of the table of one number that an expression, `key`, has."""
        name = self._named(("number", key), wanted)
        self.values[name] = value
        return name

    def rows(self, key: str, value: Any, wanted: str) -> Nested:
        """The lists that an expression, `key`, gives."""
        name = self._named(("rows", key), wanted)
        if name not in self.nested:
            self.nested[name] = Nested.of(name, value)
        return self.nested[name]

    def padded(self, nested: Nested) -> str:
        """The name of the table of the numbers in lists."""
        if nested.name not in self.values:
            self.values[nested.name] = nested.padded()
        return nested.name

    def lengths(self, nested: Nested, level: int) -> str:
        """The name of the table of the lengths of rows."""
        name = f"{nested.name}_lengths{level}"
        if name not in self.values:
            self.values[name] = nested.lengths(level)
        return name

    def masks(self, nested: Nested, shift: int, word: int, *, is_sum: bool) -> str:
        """The name of the table of rows as sets."""
        name = f"{nested.name}_{'sum' if is_sum else 'set'}{shift}_{word}"
        if name not in self.values:
            self.values[name] = nested.masks(shift, word, is_sum=is_sum)
        return name

    def finished(self) -> dict[str, Any]:
        """All tables by name."""
        found = dict(self.values)
        if self.columns:
            found[BY_MOVE] = tuple(zip(*self.columns, strict=True))
        return found

    def _named(self, key: Any, wanted: str) -> str:
        if key not in self._names:
            name = wanted if wanted[:1] != "_" else f"own{wanted}"
            taken = {*self._names.values(), BY_MOVE, "count", "index", "constants"}
            number = 1
            while not name or name in taken:
                number += 1
                name = f"{wanted or 'value'}{number}"
            self._names[key] = name
        return self._names[key]


def attribute_name(node: ast.expr) -> str:
    """What to call the table of an expression: the name of the attribute, if it is one."""
    return node.attr if isinstance(node, ast.Attribute) else ""
