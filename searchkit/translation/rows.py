"""The cells of many values at once, as a matrix: what is sampled and compared, some thousands."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from searchkit.translation.cells import cells_of
from searchkit.translation.types import (
    MOST_NUMBER,
    Atom,
    Atoms,
    Bits,
    Bool,
    Char,
    Grid,
    Int,
    Listed,
    Maybe,
    Never,
    Record,
    Seq,
    Type,
    items_of,
)

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
            return _rows_of_maybe(kind, values, atoms)
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


def _rows_of_maybe(kind: Maybe, values: Sequence[Any], atoms: Atoms) -> Rows:
    rows = np.zeros((len(values), kind.cells), dtype=np.int64)
    there = [i for i, each in enumerate(values) if each is not None]
    rows[there, 0] = 1
    rows[there, 1:] = _rows(kind.item, [values[i] for i in there], atoms)
    return rows


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
