"""A layout written down: states of an ordinary problem as words that other processes know, too.

What is on disk, or sent to workers, has one layout for all. So it is closed: no process makes
room in it, or numbers an atom, by itself.
"""

from __future__ import annotations

import enum
import sys
from collections.abc import Hashable, Mapping
from functools import reduce
from typing import Any

import attrs
import numpy as np

from searchkit.authors.user_code import short
from searchkit.bits import WORD_BITS
from searchkit.errors import UnsuitableError, UsageError
from searchkit.problem import Problem
from searchkit.tables.signed import WRONG_CONTENT
from searchkit.translation.cells import are_written, read
from searchkit.translation.layout import (
    COLUMNS,
    MOST_STATE_WORDS,
    MOST_WIDE,
    WIDE_COLUMNS,
    Layout,
    LayoutTables,
)
from searchkit.translation.types import (
    MOST_CELLS,
    Atom,
    Atoms,
    Bits,
    Bool,
    Char,
    Float,
    Grid,
    Int,
    Listed,
    Maybe,
    Never,
    Record,
    Seq,
    Type,
    names_of,
)

PLAIN: dict[str, type] = {
    **{each.__name__: each for each in (tuple, list, str, bytes, frozenset, int, bool, float)},
    "None": type(None),
}
PARTS: dict[type, tuple[str, ...]] = {
    Float: ("form",),
    Atom: ("kind",),
    Maybe: ("item",),
    Seq: ("item", "least", "most", "kind"),
    Record: ("items", "kind"),
    Bits: ("universe", "kind"),
    Grid: ("lows", "sizes", "is_bare"),
    Listed: ("size", "kind"),
}
"""What is written down of a type."""
SIMPLE = {each.__name__: each for each in (Never, Int, Bool, Char)}


@attrs.frozen(repr=False)
class StoredLayout:
    """What the words of states mean: a type, where its cells lie, and the values of atoms."""

    layout: Layout
    atoms: Atoms

    @classmethod
    def of(cls, layout: Layout, atoms: Atoms) -> StoredLayout:
        """A layout as it is, from now on closed."""
        layout.is_closed = atoms.is_closed = True
        return cls(layout, atoms)

    def key_of(self, state: Any) -> Any:
        """The words of an author's state; None if it has none, so that nobody has met it."""
        return self.layout.known(state, self.atoms)

    def state_of(self, key: Any) -> Any:
        """The state with these words, as its author made it."""
        return read(self.layout.kind, self.layout.unpack(key), 0, self.atoms)

    def are_keys(self, rows: np.ndarray[Any, Any]) -> bool:
        """Whether rows are words of states: nothing is set beside their cells, which are in range.

        Machine code takes lengths and codes of atoms for indexes.
        """
        cells = self.layout.unpacked(rows)
        again = self.layout.packed(cells)
        if again is None or not np.array_equal(again, rows):
            return False
        return are_written(self.layout.kind, cells, self.atoms)

    def content(self, problem: Problem[Any, Any]) -> dict[str, Any]:
        """All of it as JSON; `UnsuitableError` where it has classes that cannot be named."""
        layout, names = self.layout, _Names(problem)
        return {
            "type": names.written(layout.kind),
            "atoms": [names.noted(each) for each in self.atoms.values],
            "words": layout.words,
            "word_of": layout.word_of,
            "left": [list(each) for each in layout.left],
            **{name: getattr(layout.tables, name).tolist() for name in COLUMNS},
            "wide": layout.tables.wide[: int(layout.tables.ends[-1]) * WIDE_COLUMNS].tolist(),
        }

    @classmethod
    def read(
        cls, content: Mapping[str, Any], problem: Problem[Any, Any], place: object = "a table"
    ) -> StoredLayout:
        """The layout that was written down of such a problem, at a place.

        Raises `UsageError` if the problem has no such states, or it is damaged.
        """
        names = _Names(problem)
        try:
            kind = names.type_of(content["type"])
            atoms = Atoms()
            for each in content["atoms"]:
                atoms.code(names.value(each))
            columns = {name: _numbers(content[name]) for name in COLUMNS}
            columns["wide"] = columns["wide"][: MOST_WIDE * WIDE_COLUMNS]
            layout = Layout(
                kind,
                int(content["words"]),
                _numbers(content["word_of"]).tolist(),
                LayoutTables.of(**columns),
                [(int(w), int(at), int(count)) for w, at, count in content["left"]],
            )
            _check(layout)
            if len(atoms.values) != len(content["atoms"]):
                raise ValueError("an atom is there twice")
        except WRONG_CONTENT as error:
            raise UsageError(
                f"{place}: the layout of states cannot be used for {type(problem).__name__}: "
                f"{short(error, 120)}; explore again into an empty folder"
            ) from error
        return cls.of(layout, atoms)


def _check(layout: Layout) -> None:
    """Raise `ValueError` for what would be read or written out of its bounds."""
    tables, cells, words = layout.tables, layout.kind.cells, layout.words
    if cells > MOST_CELLS or not 1 <= words <= MOST_STATE_WORDS:
        raise ValueError(f"{cells} cells in {words} words")
    if {len(each) for each in (layout.word_of, *tables[:5])} != {cells}:
        raise ValueError(f"its columns do not have {cells} cells each")
    shifts = tables.shifts
    if sorted(layout.word_of) != layout.word_of or not all(0 <= w < words for w in layout.word_of):
        raise ValueError("its cells lie in no word")
    if len(tables.ends) != words + 1 or tables.ends[0] or (np.diff(tables.ends) < 0).any():
        raise ValueError("its pieces lie in no word")
    if int(tables.ends[-1]) > MOST_WIDE:
        raise ValueError("it lacks pieces")
    if (shifts < 0).any() or (shifts >= WORD_BITS).any():
        raise ValueError("its cells lie outside of their words")
    for cell, shift, above, _, w in layout._wide():
        if not (0 <= cell < cells and 0 <= w < words and 0 <= shift < 64 and 0 <= above < 64):
            raise ValueError("a piece lies outside of its word")
    _check_bits(layout)


def _check_bits(layout: Layout) -> None:
    """Raise `ValueError` unless each bit is one cell's, and cells have the values of their bits."""
    taken = [0] * layout.words
    columns = map(layout.column, ("lows", "shifts", "masks", "least", "fulls"))
    pieces = sorted(layout._wide(), key=lambda piece: piece[2])
    for cell, (w, low, shift, mask, least, full) in enumerate(
        zip(layout.word_of, *columns, strict=True)
    ):
        own = [(above, mask, at, w) for each, at, above, mask, w in pieces if each == cell]
        width = 0
        for above, bits, at, word in [(0, mask, shift, w), *own]:
            if above != width or bits < 0 or bits & bits + 1 or taken[word] & bits << at:
                raise ValueError(f"the bits of cell {cell} are not its own")
            taken[word] |= bits << at
            width += bits.bit_length()
        if full != (1 << width) - 1 or not (least <= low <= least + full if own else least == low):
            raise ValueError(f"the values of cell {cell} are not those of its {width} bits")
    for w, at, count in layout.left:
        if not (0 <= w < layout.words and at >= 0 and count >= 0 and at + count <= WORD_BITS):
            raise ValueError("bits that are left lie outside of their word")
        if taken[w] >> at & (1 << count) - 1:
            raise ValueError("bits that are left are a cell's")
    if any(word >> WORD_BITS for word in taken):
        raise ValueError("its cells lie outside of their words")
    ends = layout.column("ends")
    for w in range(layout.words):
        if any(piece[-1] != w for piece in layout._wide()[ends[w] : ends[w + 1]]):
            raise ValueError("its pieces lie in other words")


def _numbers(content: Any) -> np.ndarray[Any, Any]:
    if not isinstance(content, list) or not all(type(each) is int for each in content):
        raise TypeError(f"{content!r:.60} are not whole numbers")
    return np.array(content, dtype=np.int64)


@attrs.frozen(repr=False)
class _Names:
    """Types and values as JSON; classes by the names that they have where the problem's has its.

    The module that a file is loaded as may have another name in each process.
    """

    problem: Problem[Any, Any]

    def written(self, kind: Type) -> list[Any]:
        """A type, by its name and its parts."""
        if kind == Int(truths=True):
            return ["Int", True]
        parts = (getattr(kind, name) for name in PARTS.get(type(kind), ()))
        return [type(kind).__name__, *map(self._written_part, parts)]

    def _written_part(self, part: Any) -> Any:
        if isinstance(part, type):
            return self.named(part)
        if type(part) in PARTS or type(part).__name__ in SIMPLE:
            return self.written(part)
        return list(map(self._written_part, part)) if isinstance(part, tuple) else part

    def type_of(self, content: Any) -> Type:
        """The type that was written; one of `WRONG_CONTENT` if it is none."""
        name, *parts = content
        if name in SIMPLE and not parts:
            made: Type = SIMPLE[name]()
            return made
        match name, parts:
            case "Float", [str() as form]:
                return Float(form)
            case "Int", [True]:
                return Int(truths=True)
            case "Atom", [kind]:
                return Atom(None if kind is None else self.class_of(kind))
            case "Maybe", [item]:
                return Maybe(self.type_of(item))
            case "Seq", [item, int() as least, int() as most, kind] if 0 <= least <= most:
                return Seq(self.type_of(item), least, most, self.class_of(kind))
            case "Record", [list() as items, kind]:
                return Record(tuple(map(self.type_of, items)), self.class_of(kind))
            case "Bits", [["Grid", list() as lows, list() as sizes, bool() as bare], kind]:
                lows, sizes = (_numbers(each).tolist() for each in (lows, sizes))
                if len(lows) == len(sizes) and min(sizes, default=0) >= 0:
                    return Bits(Grid(tuple(lows), tuple(sizes), bare), self.class_of(kind))
            case "Bits", [["Listed", int() as size, own], kind] if size >= 0:
                listed = Listed(size, None if own is None else self.class_of(own))
                return Bits(listed, self.class_of(kind))
        raise ValueError(f"{content!r:.60} is not a type of states")

    def noted(self, value: Hashable) -> Any:
        """A value of an atom."""
        if isinstance(value, str) and any("\ud800" <= letter <= "\udfff" for letter in value):
            return ["text", value.encode("utf-16-le", "surrogatepass").hex()]
        if value is None or value.__class__ in (bool, int, str):
            return value
        if isinstance(value, enum.Enum):
            return ["member", self.named(type(value)), value.name]
        if value.__class__ is float:
            return ["float", float.hex(value)]
        if value.__class__ is bytes:
            return ["bytes", value.hex()]
        if value.__class__ is tuple:
            return ["tuple", *map(self.noted, value)]
        raise UnsuitableError(
            f"states hold {short(value, 60)}, which cannot be written down; use texts, numbers or "
            "members of an enumeration"
        )

    def value(self, content: Any) -> Hashable:
        """The value that was noted."""
        if content is None or isinstance(content, (bool, int, str)):
            return content
        match content:
            case ["member", kind, str() as name]:
                found = self.class_of(kind)
                if issubclass(found, enum.Enum):
                    member: enum.Enum = found[name]
                    return member
            case ["float", str() as text]:
                return float.fromhex(text)
            case ["text", str() as text]:
                return bytes.fromhex(text).decode("utf-16-le", "surrogatepass")
            case ["bytes", str() as text]:
                return bytes.fromhex(text)
            case ["tuple", *items]:
                return tuple(map(self.value, items))
        raise ValueError(f"{content!r:.60} is not the value of an atom")

    def named(self, kind: type) -> Any:
        """A class; `UnsuitableError` if it would not be found by its name."""
        for name, each in PLAIN.items():
            if each is kind:
                return name
        module = "" if kind.__module__ == type(self.problem).__module__ else kind.__module__
        content = [module, kind.__qualname__]
        try:
            if self.class_of(content) is kind:
                return content
        except WRONG_CONTENT:
            pass
        raise UnsuitableError(
            f"states hold objects of the class {kind.__qualname__}, which is not found by that "
            "name; define it at the top level of a module"
        )

    def class_of(self, content: Any) -> type:
        """The class that was named: a plain one, or one of states in a module that is loaded."""
        if isinstance(content, str):
            return PLAIN[content]
        module, name = content
        there = sys.modules.get(module or type(self.problem).__module__)
        found = reduce(getattr, name.split("."), there)
        if not isinstance(found, type) or not (issubclass(found, enum.Enum) or names_of(found)):
            raise ValueError(f"{name} is not a class of states")
        return found
