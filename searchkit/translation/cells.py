"""Values written into the cells of their types, and read back."""

from __future__ import annotations

import sys
from collections.abc import Iterator, MutableSequence, Sequence
from itertools import chain
from typing import Any

import numpy as np

from searchkit.authors.user_code import short
from searchkit.kernel_language.floats import ENDLESS, WITHOUT_SIGN, number_of, word_of
from searchkit.translation.records import made_of
from searchkit.translation.types import (
    MOST_NUMBER,
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
    Unfit,
    atom_type,
    is_exact,
    items_of,
)


def write(kind: Type, value: Any, cells: MutableSequence[int], at: int, atoms: Atoms) -> None:
    """Put the cells of a value from `cells[at]` on; `Unfit` if it is not of the type.

    An atom that is new is added to `atoms`. O(cells).
    """
    match kind:
        case Int():
            is_number = value.__class__ is int or (kind.truths and value.__class__ is bool)
            if not is_number or not -MOST_NUMBER < value < MOST_NUMBER:
                raise Unfit(f"{short(value, 60)} is not a whole number below 2**40")
            cells[at] = int(value)
        case Float():
            if value.__class__ not in (int, bool, float) or not is_exact(value):
                raise Unfit(f"{short(value, 60)} is not a number that a float stands for")
            cells[at] = word_of(float(value))
        case Bool():
            if value.__class__ is not bool:
                raise Unfit(f"{short(value, 60)} is not True or False")
            cells[at] = int(value)
        case Char():
            if value.__class__ is not str or len(value) != 1:
                raise Unfit(f"{short(value, 60)} is not a text of one character")
            cells[at] = ord(value)
        case Atom():
            if kind.kind is not None and value.__class__ is not kind.kind:
                raise Unfit(f"{short(value, 60)} is not of class {kind.kind.__name__}")
            atom_type([value], {value.__class__}, atoms)
            cells[at] = atoms.code(value)
        case Maybe():
            cells[at] = int(value is not kind.empty)
            if not cells[at]:
                _clear(cells, at + 1, kind.item.cells)
            else:
                write(kind.item, value, cells, at + 1, atoms)
        case Seq():
            _write_sequence(kind, value, cells, at, atoms)
        case Record():
            _check_class(value, kind.kind)
            items = items_of(value)
            if len(items) != len(kind.items):
                raise Unfit(f"{short(value, 60)} does not have {len(kind.items)} items")
            for each, item in zip(kind.items, items, strict=True):
                write(each, item, cells, at, atoms)
                at += each.cells
        case Bits():
            _check_class(value, kind.kind)
            _clear(cells, at, kind.cells)
            for member in value:
                place = kind.universe.place(member, atoms)
                cells[at + place // kind.width] |= 1 << place % kind.width
        case Never():
            raise Unfit(f"{short(value, 60)} stands where nothing was met before")


def _write_sequence(
    kind: Seq, value: Any, cells: MutableSequence[int], at: int, atoms: Atoms
) -> None:
    _check_class(value, kind.kind)
    if not kind.least <= len(value) <= kind.most:
        raise Unfit(f"{short(value, 60)} has {len(value)} items")
    if not kind.is_fixed:
        cells[at] = len(value)
    at += kind.start
    each = kind.item.cells
    if kind.kind is frozenset:
        rows = sorted(cells_of(kind.item, item, atoms) for item in value)
        for i, row in enumerate(rows):
            cells[at + i * each : at + (i + 1) * each] = row
    elif isinstance(kind.item, Char) and kind.kind is str:
        cells[at : at + len(value)] = list(map(ord, value))
    elif isinstance(kind.item, Int) and all(map(_is_number, value)):
        cells[at : at + len(value)] = list(value)
    else:
        for i, item in enumerate(value):
            write(kind.item, item, cells, at + i * each, atoms)
    _clear(cells, at + len(value) * each, (kind.most - len(value)) * each)


def _is_number(value: Any) -> bool:
    return value.__class__ is int and -MOST_NUMBER < value < MOST_NUMBER


def _check_class(value: Any, kind: type) -> None:
    if value.__class__ is not kind:
        raise Unfit(f"{short(value, 60)} is a {value.__class__.__name__}, not a {kind.__name__}")


def _clear(cells: MutableSequence[int], at: int, count: int) -> None:
    for i in range(at, at + count):
        cells[i] = 0


def cells_of(kind: Type, value: Any, atoms: Atoms) -> list[int]:
    """The cells of a value; `Unfit` if it is not of the type."""
    cells = [0] * kind.cells
    write(kind, value, cells, 0, atoms)
    return cells


def read(kind: Type, cells: Sequence[int], at: int, atoms: Atoms) -> Any:
    """The value whose cells begin at `cells[at]`. O(cells)."""
    match kind:
        case Int():
            return int(cells[at])
        case Float():
            return number_of(cells[at])
        case Bool():
            return bool(cells[at])
        case Char():
            return chr(cells[at])
        case Atom():
            value = atoms.value(cells[at])
            is_other = kind.kind is not None and value.__class__ is not kind.kind
            return _equal_of(value, kind.kind) if is_other else value
        case Maybe():
            return read(kind.item, cells, at + 1, atoms) if cells[at] else kind.empty
        case Seq():
            length = kind.most if kind.is_fixed else cells[at]
            first, each = at + kind.start, kind.item.cells
            if isinstance(kind.item, Int):
                return kind.kind(map(int, cells[first : first + length]))
            items = [read(kind.item, cells, first + i * each, atoms) for i in range(length)]
            return "".join(items) if kind.kind is str else kind.kind(items)
        case Record():
            values = [
                read(each, cells, at + start, atoms)
                for each, start in zip(kind.items, kind.starts(), strict=True)
            ]
            return kind.kind(values) if kind.kind in (tuple, list) else made_of(kind.kind, values)
        case Bits():
            places = _ones(cells, at, kind)
            return kind.kind(kind.universe.member(place, atoms) for place in places)
        case Never():
            raise Unfit("a type without values has none to read")


def _equal_of(value: Any, kind: Any) -> Any:
    """What equals a value in another class: a text, or the member of an enumeration of texts."""
    return str.__str__(value) if kind is str else kind(value)


def _ones(cells: Sequence[int], at: int, kind: Bits) -> Iterator[int]:
    for i in range(kind.cells):
        for bit in range(kind.width):
            if cells[at + i] >> bit & 1:
                yield i * kind.width + bit


def are_written(kind: Type, cells: np.ndarray[Any, Any], atoms: Atoms) -> bool:
    """Whether rows of cells are such as `write` leaves them; O(cells).

    The order of the items of sets is not looked at.
    """
    is_used = np.ones(len(cells), dtype=bool)
    return all(bool(each.all()) for each in _fits(kind, iter(cells.T), is_used, atoms))


def _fits(
    kind: Type, columns: Iterator[np.ndarray[Any, Any]], is_used: Any, atoms: Atoms
) -> Iterator[np.ndarray[Any, Any]]:
    """For each of the next columns, in which rows it holds what it may: zeros in those not used."""

    def within(least: int, most: int) -> tuple[Any, Any]:
        column = next(columns)
        fits = (least <= column) & (column <= most)
        return column, np.where(is_used, fits, column == 0)

    match kind:
        case Bool():
            yield within(0, 1)[1]
        case Char():
            yield within(0, sys.maxunicode)[1]
        case Int():
            yield within(1 - MOST_NUMBER, MOST_NUMBER - 1)[1]
        case Float():
            column = next(columns)
            yield np.where(is_used, column & WITHOUT_SIGN <= ENDLESS, column == 0)
        case Atom():
            codes, fits = within(0, len(atoms.values) - 1)
            yield fits
            own = [_is_of(each, kind.kind) for each in atoms.values]
            yield ~is_used | np.array([*own, False])[np.where(fits, codes, -1)]
        case Maybe():
            flags, fits = within(0, 1)
            yield fits
            yield from _fits(kind.item, columns, is_used & (flags == 1), atoms)
        case Seq():
            lengths: Any = kind.most
            if not kind.is_fixed:
                lengths, fits = within(kind.least, kind.most)
                yield fits
            for i in range(kind.most):
                yield from _fits(kind.item, columns, is_used & (i < lengths), atoms)
        case Record():
            for each in kind.items:
                yield from _fits(each, columns, is_used, atoms)
        case Bits():
            for i in range(kind.cells):
                size = min(kind.width, kind.universe.size - i * kind.width)
                yield within(0, (1 << size) - 1)[1]
        case Never():
            yield ~is_used


def _is_of(value: Any, kind: type | None) -> bool:
    """Whether `read` finds a value of a class by an atom."""
    if kind is None or value.__class__ is kind:
        return True
    try:
        return bool(_equal_of(value, kind) == value)
    except (TypeError, ValueError):
        return False


Rows = np.ndarray[Any, Any]


class _OneByOne(Exception):  # noqa: N818  (a signal)
    """Values that are looked at one by one: the first that does not fit gets an error."""


def rows_of(kind: Type, values: Sequence[Any], atoms: Atoms) -> Rows:
    """A row for each value, of its cells; `Unfit` if one is not of the type.

    Atoms that are new are added to `atoms`. O(cells of all).
    """
    try:
        return _rows(kind, values, atoms)
    except _OneByOne:
        rows = [cells_of(kind, each, atoms) for each in values]
        return np.array(rows, dtype=np.int64).reshape(len(values), kind.cells)


def _rows(kind: Type, values: Sequence[Any], atoms: Atoms) -> Rows:
    match kind:
        case Int():
            _expect(kind.truths or set(map(type, values)) <= {int})
            return _numbers(values)[:, np.newaxis]
        case Bool():
            _expect(set(map(type, values)) <= {bool})
            return np.array(values, dtype=np.int64)[:, np.newaxis]
        case Char():
            _expect(set(map(type, values)) <= {str} and set(map(len, values)) <= {1})
            return _codes(values)[:, np.newaxis]
        case Atom():
            _expect(set(map(type, values)) <= {kind.kind})
            return np.array(list(map(atoms.code, values)), dtype=np.int64)[:, np.newaxis]
        case Maybe():
            rows = np.zeros((len(values), kind.cells), dtype=np.int64)
            there = [i for i, each in enumerate(values) if each is not None]
            rows[there, 0] = 1
            rows[there, 1:] = _rows(kind.item, [values[i] for i in there], atoms)
            return rows
        case Seq() if kind.kind is not frozenset:
            return _rows_of_sequences(kind, values, atoms)
        case Bits():
            return _rows_of_sets(kind, values, atoms)
        case Never():
            _expect(not values)
            return np.empty((0, 0), dtype=np.int64)
        case Record():
            _expect(set(map(type, values)) <= {kind.kind})
            items = list(map(items_of, values))
            _expect(set(map(len, items)) <= {len(kind.items)})
            columns = list(zip(*items, strict=True)) or [()] * len(kind.items)
            parts = map(_rows, kind.items, columns, [atoms] * len(columns))
            return np.concatenate([np.empty((len(values), 0), dtype=np.int64), *parts], axis=1)
    raise _OneByOne


def _expect(holds: bool) -> None:
    if not holds:
        raise _OneByOne


def _numbers(values: Sequence[Any]) -> Rows:
    _expect(set(map(type, values)) <= {int, bool})
    try:
        found = np.array(values, dtype=np.int64)
    except OverflowError:
        raise _OneByOne from None
    if found.size:
        _expect(bool(found.min() > -MOST_NUMBER and found.max() < MOST_NUMBER))
    return found


def _codes(texts: Sequence[str]) -> Rows:
    """The code points of texts, one behind the other."""
    whole = "".join(texts).encode("utf-32-le", "surrogatepass")
    return np.frombuffer(whole, dtype="<u4").astype(np.int64)


def _rows_of_sequences(kind: Seq, values: Sequence[Any], atoms: Atoms) -> Rows:
    _expect(set(map(type, values)) <= {kind.kind})
    lengths = np.array(list(map(len, values)), dtype=np.int64)
    _expect(bool(((lengths >= kind.least) & (lengths <= kind.most)).all()))
    if kind.kind is str and isinstance(kind.item, Char):
        items = _codes(values)[:, np.newaxis]
    else:
        items = _rows(kind.item, list(chain.from_iterable(values)), atoms)
    if kind.is_fixed:
        return items.reshape(len(values), kind.cells)
    rows = np.zeros((len(values), kind.cells), dtype=np.int64)
    rows[:, 0] = lengths
    size = kind.item.cells
    if size:
        places = rows[:, 1:].reshape(len(values), kind.most, size)
        places[np.arange(kind.most) < lengths[:, np.newaxis]] = items
        rows[:, 1:] = places.reshape(len(values), kind.most * size)
    return rows


def _rows_of_sets(kind: Bits, values: Sequence[Any], atoms: Atoms) -> Rows:
    _expect(set(map(type, values)) <= {kind.kind})
    members = list(chain.from_iterable(values))
    places = _places(kind.universe, members, atoms)
    owners = np.repeat(np.arange(len(values)), list(map(len, values)))
    rows = np.zeros((len(values), kind.cells), dtype=np.int64)
    # Members of a set differ, so that the sum of their bits has all of them.
    np.add.at(rows, (owners, places // kind.width), np.int64(1) << places % kind.width)
    return rows


def _places(universe: Grid | Listed, members: Sequence[Any], atoms: Atoms) -> Rows:
    """The numbers of members of sets."""
    if isinstance(universe, Listed):
        found = np.array(list(map(atoms.code, members)), dtype=np.int64)
        _expect(bool((found < universe.size).all()))
        return found
    count = len(universe.lows)
    numbers: list[Any] = list(members)
    if not universe.is_bare:
        _expect(set(map(type, members)) <= {tuple} and set(map(len, members)) <= {count})
        numbers = list(chain.from_iterable(members))
    _expect(set(map(type, numbers)) <= {int})
    rows = _numbers(numbers).reshape(len(members), count) - np.array(universe.lows, dtype=np.int64)
    _expect(bool(((rows >= 0) & (rows < np.array(universe.sizes))).all()))
    places = np.zeros(len(members), dtype=np.int64)
    for column, size in zip(rows.T, universe.sizes, strict=True):
        places = places * size + column
    return places
