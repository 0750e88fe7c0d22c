"""Types of fixed size for the values that states are made of, and how a value becomes numbers.

A value of a type lies in memory as a row of *cells*, each a 64-bit integer. Equal values of a type
have equal cells, and unlike values have unlike ones.
"""

from __future__ import annotations

import enum
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import fields as dataclass_fields
from dataclasses import is_dataclass
from itertools import accumulate, chain
from math import inf, isnan, prod
from operator import add, sub
from typing import Any, NamedTuple

import attrs

from searchkit.authors.user_code import short
from searchkit.translation.stored_classes import attributes_of, stored, why_not_stored

MOST_NUMBER = 1 << 40
"""Numbers are between this and its negative: sums and differences of them fit into a word."""
MOST_CELLS = 1 << 14
"""How many numbers a state may hold: more than the words of a packed state have room for."""
MOST_APART = 4
"""How many items a tuple has at most that keeps them apart: see `alike`."""
MOST_WORDS = 64
"""How many texts of letters alone one place may have to be taken as names."""
MOST_UNIVERSE = 1024
"""How many members a set may have all in all to be kept as bits."""
ONE_CELL, SEVERAL_CELLS = 62, 32
"""How many members of a set one cell tells of: where there is one cell, and of several."""


class Unfit(Exception):  # noqa: N818  (no fault of anybody's)
    """A value that does not fit a type, or has none; the text says why, of the value."""


@attrs.frozen(repr=False)
class Never:
    """The type of items where no item has been seen."""

    cells = 0


@attrs.frozen(repr=False)
class Int:
    """A whole number whose absolute value is below `MOST_NUMBER`.

    With `truths`, True and False may be among the values, as the numbers that they equal.
    """

    truths: bool = False
    cells = 1


@attrs.frozen(repr=False)
class Float:
    """A number that may have a decimal point, by the bits of the float; no state holds one.

    `form` says what it is in Python: a float (FLOAT), a whole number or infinity (WHOLE), or either
    (EITHER).
    """

    form: str = "float"
    cells = 1


FLOAT, WHOLE, EITHER = "float", "whole", "either"
MOST_EXACT = 1 << 53
"""Up to it, and to its negative, a float stands for each whole number."""


def is_exact(number: float) -> bool:
    """Whether a float stands for a number: it is one, or a whole number that is small enough."""
    return not isnan(number) if isinstance(number, float) else abs(number) <= MOST_EXACT


@attrs.frozen(repr=False)
class Bool:
    """True (1) or False (0)."""

    cells = 1


@attrs.frozen(repr=False)
class Char:
    """A text of one character: its code point."""

    cells = 1


@attrs.frozen(repr=False)
class Atom:
    """What rules only compare: None, members of enumerations, names. Its number in `Atoms`.

    `kind` is the class of all its values, or None where they are of several.
    """

    kind: type | None = None
    cells = 1


@attrs.frozen(repr=False)
class Maybe:
    """None, or False, (cells 0, and zeros) or an item (1, and its cells)."""

    item: Type
    empty: Any = None

    @property
    def cells(self) -> int:
        """One more than its item."""
        return 1 + self.item.cells


@attrs.frozen(repr=False)
class Seq:
    """From `least` to `most` items of one type.

    Unless the length is fixed it is the first cell, and what is behind the last item is zero.
    `kind` is the class: tuple, list, str (of Char), bytes, or frozenset, whose items are sorted by
    their cells.
    """

    item: Type
    least: int
    most: int
    kind: type = tuple

    @property
    def is_fixed(self) -> bool:
        """Whether all have one length."""
        return self.least == self.most

    @property
    def start(self) -> int:
        """At which cell the items begin."""
        return 0 if self.is_fixed else 1

    @property
    def cells(self) -> int:
        """Those of `most` items, and one for the length where it is not fixed."""
        return self.start + self.most * self.item.cells


@attrs.frozen(repr=False)
class Record:
    """One item of each type, one behind the other; of a plain tuple, or a class with names."""

    items: tuple[Type, ...]
    kind: type = tuple

    @property
    def cells(self) -> int:
        """Those of all items."""
        return sum(each.cells for each in self.items)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the items, in their order; empty for a plain tuple."""
        return names_of(self.kind) or ()

    def starts(self) -> tuple[int, ...]:
        """At which cell each item begins."""
        *starts, _ = accumulate((each.cells for each in self.items), initial=0)
        return tuple(starts)


@attrs.frozen(repr=False)
class Object(Record):
    """A record whose items are given other values in place, within `bounds`, by its author."""

    labels: tuple[str, ...] = ()
    bounds: tuple[tuple[int, int], ...] = ()
    """Of each item: the least and the largest of its numbers."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the items, in their order."""
        return self.labels


class Grid(NamedTuple):
    """The whole numbers of a range, or tuples with one of each of several ranges.

    `lows` are the least numbers, `sizes` how many there are. A tuple's place counts its last
    number fastest. `is_bare` says that members are numbers, not tuples of one.
    """

    lows: tuple[int, ...]
    sizes: tuple[int, ...]
    is_bare: bool = False

    @property
    def size(self) -> int:
        """How many members there are."""
        return prod(self.sizes)

    def place(self, member: Any, atoms: Atoms) -> int:
        """The number of a member; `Unfit` if it is none."""
        numbers = (member,) if self.is_bare else member
        is_alike = numbers.__class__ is tuple and len(numbers) == len(self.lows)
        if not is_alike or any(each.__class__ is not int for each in numbers):
            raise Unfit(f"{short(member, 60)} is not a member like the others of its set")
        place = 0
        for number, low, size in zip(numbers, self.lows, self.sizes, strict=True):
            if not low <= number < low + size:
                raise Unfit(f"{short(member, 60)} is outside the members that were met before")
            place = place * size + number - low
        return place

    def member(self, place: int, atoms: Atoms) -> Any:
        """The member with that number."""
        numbers = []
        for low, size in zip(reversed(self.lows), reversed(self.sizes), strict=True):
            place, rest = divmod(place, size)
            numbers.append(low + rest)
        return numbers[0] if self.is_bare else tuple(reversed(numbers))


class Listed(NamedTuple):
    """Members by the numbers that they have in `Atoms`, from 0 to below `size`.

    `kind` is their class, or None where they are of several.
    """

    size: int
    kind: type | None = None

    def place(self, member: Any, atoms: Atoms) -> int:
        """The number of a member; `Unfit` if there is no room for it."""
        place = atoms.code(member)
        if place >= self.size:
            raise Unfit(f"{short(member, 60)} is outside the members that were met before")
        return place

    def member(self, place: int, atoms: Atoms) -> Any:
        """The member with that number."""
        return atoms.value(place)


@attrs.frozen(repr=False)
class Bits:
    """A set of members of a small universe, a bit for each.

    Member `i` is bit `i % width` of cell `i // width`.
    """

    universe: Grid | Listed
    kind: type = frozenset

    @property
    def width(self) -> int:
        """How many members a cell tells of."""
        return ONE_CELL if self.universe.size <= ONE_CELL else SEVERAL_CELLS

    @property
    def cells(self) -> int:
        """As many as the universe takes."""
        return -(-self.universe.size // self.width)


@attrs.frozen(repr=False)
class Open:
    """A set that a rule has made: `bits`, and a row of the members that these have no room for."""

    bits: Bits
    rest: Seq

    @property
    def kind(self) -> type:
        """The class of the set."""
        return self.bits.kind

    @property
    def cells(self) -> int:
        """Those of both."""
        return self.bits.cells + self.rest.cells


Type = Never | Int | Float | Bool | Char | Atom | Maybe | Seq | Record | Bits | Open

NONE = Atom(type(None))


class Atoms:
    """The numbers of values that are only compared; values are added until they are closed."""

    def __init__(self) -> None:
        self.is_closed = False
        self.has_words = False
        """Whether texts were taken for values that are only compared."""
        self.values: list[Hashable] = []
        self._codes: dict[Hashable, int] = {}

    def copy(self) -> Atoms:
        """The same numbers, to which others may be added."""
        same = Atoms()
        same.is_closed, same.has_words = self.is_closed, self.has_words
        same.values, same._codes = self.values.copy(), self._codes.copy()
        return same

    def code(self, value: Hashable) -> int:
        """The number of a value, which is added if it is new; `Unfit` if that cannot be."""
        code = self._codes.get(value)
        if code is None:
            if self.is_closed:
                raise Unfit(f"{short(value, 60)} is not among the values that were met before")
            own = type(value).__eq__
            if isinstance(value, enum.Enum) and hasattr(own, "__code__") and not is_generated(own):
                raise Unfit(f"{short(value, 60)} is of a class that says what equals what")
            code = self._codes[value] = len(self.values)
            self.values.append(value)
        return code

    def value(self, code: int) -> Any:
        """The value with a number; `Unfit` if there is none."""
        if not 0 <= code < len(self.values):
            raise Unfit(f"there is no atom {code}")
        return self.values[code]


def names_of(kind: type) -> tuple[str, ...] | None:
    """The names of the items of a named tuple, a frozen dataclass or attrs class, or their like.

    None for any other class, and for one whose objects are made or compared in a way of their own.
    """
    if issubclass(kind, tuple):
        names = getattr(kind, "_fields", None)
        return tuple(names) if names and _is_like_tuple(kind) else None
    own = (getattr(kind, name) for name in ("__eq__", "__hash__", "__init__"))
    if kind.__new__ is not object.__new__ or not all(map(is_generated, own)):
        known = stored(kind)
        return None if known is None else known.names
    if attrs.has(kind) and getattr(kind, "__setattr__", None) is not object.__setattr__:
        each = attrs.fields(kind)
        if all(one.init and one.eq and one.converter is None for one in each):
            return tuple(one.name for one in each)
    if is_dataclass(kind) and kind.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        fields = dataclass_fields(kind)
        if kind.__dataclass_params__.eq and all(each.init and each.compare for each in fields):  # type: ignore[attr-defined]
            return tuple(each.name for each in fields)
    return None


def _is_like_tuple(kind: type) -> bool:
    """Whether a class is made as named tuples are, and compares and looks up items as a tuple."""
    own = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__iter__")
    also = ("__getitem__", "__len__", "__contains__", "__getattribute__")
    is_alike = all(getattr(kind, name) is getattr(tuple, name) for name in (*own, *also))
    return is_alike and is_generated(kind.__new__)


def is_generated(function: Any) -> bool:
    """Whether a method was written by attrs or dataclasses: it stands in no file."""
    code = getattr(function, "__code__", None)
    name = "" if code is None else code.co_filename
    # Cells of notebooks and prompts have names like "<ipython-input-1>".
    return name == "<string>" or name.startswith("<attrs generated ")


def items_of(value: Any) -> tuple[Any, ...]:
    """The items of a value of a class that `names_of` knows, in their order."""
    if isinstance(value, tuple):
        return tuple(value)
    kind = type(value)
    names = names_of(kind) or ()
    if stored(kind) is None:
        return tuple(getattr(value, name) for name in names)
    found = attributes_of(value, names)
    if found is None:
        raise Unfit(
            f"{short(value, 60)} has other attributes than its class stores, or lists in them: "
            "store tuples"
        )
    return found


class Wanted(NamedTuple):
    """Which types are looked for."""

    atoms: Atoms
    words: bool
    floats: bool


def type_of(
    values: Iterable[Any], atoms: Atoms, *, words: bool = True, floats: bool = False
) -> Type:
    """The narrowest type that has all the values; `Unfit` if there is none.

    Without `floats` there is none for numbers with a decimal point. With `words`, texts that are
    words of several letters, of which there are few, are atoms; else they are rows of characters.
    O(cells of all values).
    """
    return _type_of(list(values), Wanted(atoms, words, floats))


def _type_of(values: Sequence[Any], wanted: Wanted) -> Type:
    atoms = wanted.atoms
    kinds = set(map(type, values))
    if not kinds:
        return Never()
    if kinds <= {int, bool}:
        if kinds == {bool}:
            return Bool()
        if not -MOST_NUMBER < min(values) <= max(values) < MOST_NUMBER:
            bits = max(values, key=abs).bit_length()
            raise Unfit(f"a number of {bits} bits is too large; the largest are below 2**40")
        return Int(truths=bool in kinds)
    if wanted.floats and kinds <= {int, bool, float} and all(map(is_exact, values)):
        is_whole = all(each.__class__ is not float or each in (inf, -inf) for each in values)
        return Float(WHOLE if is_whole else FLOAT if kinds == {float} else EITHER)
    if type(None) in kinds and len(kinds) > 1:
        others = _type_of([each for each in values if each is not None], wanted)
        return Atom(None) if isinstance(others, Atom) else Maybe(others)
    if kinds == {str}:
        found = set(values)
        if all(len(each) == 1 for each in found):
            return Char()
        if wanted.words and len(found) <= MOST_WORDS and all(each.isidentifier() for each in found):
            atoms.has_words = True
            return Atom(str)
        return Seq(Char(), min(map(len, values)), max(map(len, values)), str)
    if kinds <= {frozenset, set}:
        if len(kinds) > 1:
            raise Unfit("sets that can and sets that cannot change are mixed")
        return _set_type(values, kinds.pop(), wanted)
    if len(kinds) == 1:
        (kind,) = kinds
        if kind in (tuple, list):
            return _sequence_type(values, kind, wanted)
        if kind is bytes:
            return Seq(Int(), min(map(len, values)), max(map(len, values)), bytes)
        if names_of(kind) is not None:
            columns = zip(*map(items_of, values), strict=True)
            return Record(tuple(_type_of(each, wanted) for each in columns), kind)
    return atom_type(values, kinds, atoms)


def atom_type(values: Sequence[Any], kinds: set[type], atoms: Atoms) -> Atom:
    """The type of values of the classes `kinds`, which are only compared; `Unfit` of others."""
    for kind in kinds:
        if kind not in (int, bool, str, type(None)) and not issubclass(kind, enum.Enum):
            one = next(each for each in values if type(each) is kind)
            if kind in (tuple, list, set, frozenset, bytes):  # which alone would do
                other = next(each for each in values if type(each) is not kind)
                raise Unfit(f"{short(one, 60)} and {short(other, 60)} are mixed; use one class")
            raise Unfit(f"{short(one, 60)} {_a(kind)}")
    for each in dict.fromkeys(values):
        atoms.code(each)
    return Atom(next(iter(kinds)) if len(kinds) == 1 else None)


def _a(kind: type) -> str:
    if kind is float:
        return "is a number with a decimal point"
    if kind.__module__ == "numpy":
        return "is of a class of numpy; use int(...) of it, and tuple(array.tolist())"
    is_made = is_dataclass(kind) or attrs.has(kind)
    why = _why_not_named(kind) if is_made else why_not_stored(kind)
    own = f", {why}" if why and kind.__module__ != "builtins" else ""
    return (
        f"is of class {kind.__name__}{own}: make it a NamedTuple or a frozen dataclass, or use a "
        "tuple"
    )


def _why_not_named(kind: Any) -> str:
    """Why a dataclass or attrs class is no record, as a clause about it."""
    own: Any = dataclass_fields(kind) if is_dataclass(kind) else attrs.fields(kind)
    if kind.__setattr__ is object.__setattr__:
        return "which is not frozen"
    for each in own:
        if not getattr(each, "compare", getattr(each, "eq", True)):
            return f"whose comparisons leave out .{each.name}"
        if not each.init or getattr(each, "converter", None) is not None:
            return f"whose .{each.name} is not what it is given"
    names = ("__eq__", "__hash__", "__init__")
    written = [name for name in names if not is_generated(getattr(kind, name))]
    return f"whose {written[0] if written else '__eq__'} is not the one that is made for it"


def _sequence_type(values: Sequence[Any], kind: type, wanted: Wanted) -> Type:
    lengths = set(map(len, values))
    if len(lengths) == 1:
        plain = _alike_at_sight(values)
        if plain is not None:
            (length,) = lengths
            return Seq(plain, length, length, kind)
        columns = [_type_of(each, wanted) for each in zip(*values, strict=True)]
        same, length = alike(columns, kind), lengths.pop()
        # Items of which one is only compared, and others are numbers, are not alike.
        return Record(tuple(columns), kind) if same is None else Seq(same, length, length, kind)
    items = [item for each in values for item in each]
    return Seq(_type_of(items, wanted), min(lengths), max(lengths), kind)


def _alike_at_sight(values: Sequence[Any]) -> Type | None:
    """The type of the items of sequences that are all small numbers, or all letters; else None."""
    items = values[0] if len(values) == 1 else list(chain.from_iterable(values))
    kinds = set(map(type, items))
    if kinds == {int}:
        return Int() if min(items) > -MOST_NUMBER and max(items) < MOST_NUMBER else None
    if kinds == {str}:
        return Char() if set(map(len, items)) == {1} else None
    return None


def _set_type(values: Sequence[Any], kind: type, wanted: Wanted) -> Type:
    members = set().union(*values)
    universe = _universe(members, wanted.atoms)
    if universe is not None:
        return Bits(universe, kind)
    if kind is set:
        raise Unfit("the members of a set are too many to be listed")
    lengths = set(map(len, values))
    return Seq(_type_of(list(members), wanted), min(lengths), max(lengths), kind)


def _universe(members: set[Any], atoms: Atoms) -> Grid | Listed | None:
    """A universe that has all the members; None if they are too many."""
    kinds = set(map(type, members))
    if kinds <= {int}:
        grid = _grid([(each,) for each in members], is_bare=True)
    elif (
        kinds == {tuple}
        and len(set(map(len, members))) == 1
        and all(each.__class__ is int for member in members for each in member)
    ):
        grid = _grid(list(members), is_bare=False)
    else:
        if any(kind is float or kind.__hash__ is None for kind in kinds):
            return None
        try:
            ordered = sorted(members)
        except TypeError:
            ordered = list(members)
        codes = [atoms.code(each) for each in ordered]
        kind = kinds.pop() if len(kinds) == 1 else None
        return Listed(max(codes) + 1, kind) if max(codes) < MOST_UNIVERSE else None
    return grid if grid.size <= MOST_UNIVERSE else None


def _grid(members: Sequence[tuple[int, ...]], *, is_bare: bool) -> Grid:
    """The ranges of numbers; those that begin a little above 0 begin with 0."""
    if not members:
        return Grid((0,), (0,), is_bare)
    columns = list(zip(*members, strict=True))
    least, most = ([fold(each) for each in columns] for fold in (min, max))
    lows = tuple(
        0 if 0 < low <= high + 1 - low else low for low, high in zip(least, most, strict=True)
    )
    sizes = tuple(high + 1 - low for high, low in zip(most, lows, strict=True))
    return Grid(lows, sizes, is_bare)


def join(a: Type, b: Type) -> Type | None:
    """The narrowest type that has the values of both; None if there is none."""
    if a == b or isinstance(b, Never):
        return a
    if isinstance(a, Never):
        return b
    if isinstance(a, (Int, Bool)) and isinstance(b, (Int, Bool)):
        return Int(truths=has_truths(a) or has_truths(b))
    if isinstance(a, (Int, Bool, Float)) and isinstance(b, (Int, Bool, Float)):
        forms = {each.form if isinstance(each, Float) else WHOLE for each in (a, b)}
        return Float(forms.pop() if len(forms) == 1 else EITHER)
    for one, other in ((a, b), (b, a)):
        if one == NONE and not isinstance(other, Atom):
            if not isinstance(other, Maybe):
                return Maybe(other)
            return None if other.empty is False else other
    if isinstance(a, (Atom, Char)) and isinstance(b, (Atom, Char)):
        kinds = {str if isinstance(each, Char) else each.kind for each in (a, b)}
        return Atom(kinds.pop() if len(kinds) == 1 else None)
    for one, other in ((a, b), (b, a)):
        if isinstance(one, Maybe):
            if isinstance(other, Maybe) and other.empty is not one.empty:
                return None
            item = join(one.item, other.item if isinstance(other, Maybe) else other)
            if isinstance(item, Atom):
                return Atom(None)
            return None if item is None else attrs.evolve(one, item=item)
        if isinstance(one, Char) and isinstance(other, Seq) and other.kind is str:
            return Seq(Char(), min(1, other.least), max(1, other.most), str)
    for one, other in ((a, b), (b, a)):
        if not isinstance(one, (Bits, Open)):
            continue
        if isinstance(other, Seq) and isinstance(other.item, Never):
            return one if one.kind is other.kind else None
        if isinstance(one, Open) and isinstance(other, (Bits, Open)):
            more = other if isinstance(other, Open) else Open(other, one.rest)
            bits, rest = join(one.bits, more.bits), join(one.rest, more.rest)
            is_found = isinstance(bits, Bits) and isinstance(rest, Seq)
            return Open(bits, rest) if is_found else None  # type: ignore[arg-type]
    if isinstance(a, Bits) and isinstance(b, Bits):
        return _join_sets(a, b)
    if isinstance(a, Seq) and isinstance(b, Seq):
        item = join(a.item, b.item)
        if item is None or a.kind is not b.kind:
            return None
        return Seq(item, min(a.least, b.least), max(a.most, b.most), a.kind)
    return _join_records(a, b)


def parts_of(kind: Type) -> tuple[Type, ...]:
    """The types that a type is made of, of its items: one for all, or one each."""
    return (kind.item,) if isinstance(kind, (Seq, Maybe)) else getattr(kind, "items", ())


def has_truths(kind: Type) -> bool:
    """Whether True or False may be among the values of a type, or in them."""
    own = isinstance(kind, Bool) or (isinstance(kind, Int) and kind.truths)
    return own or any(map(has_truths, parts_of(kind)))


def adds_truths(kind: Type, within: Type) -> bool:
    """Whether True or False may be among values of a type where another has numbers alone."""
    if isinstance(within, Maybe):
        return adds_truths(kind.item if isinstance(kind, Maybe) else kind, within.item)
    if isinstance(within, Record) and isinstance(kind, (Record, Seq)):
        items = kind.items if isinstance(kind, Record) else (kind.item,) * len(within.items)
        return any(map(adds_truths, items, within.items))
    if isinstance(within, Seq) and isinstance(kind, (Record, Seq)):
        return any(adds_truths(each, within.item) for each in parts_of(kind))
    return within == Int() and has_truths(kind)


def with_truths(kind: Type) -> Any:
    """The type where True and False may be among all numbers; of the same cells."""
    if isinstance(kind, (Seq, Maybe)):
        return attrs.evolve(kind, item=with_truths(kind.item))
    if isinstance(kind, Record):
        return attrs.evolve(kind, items=tuple(map(with_truths, kind.items)))
    return Int(truths=True) if isinstance(kind, Int) else kind


def alike(kinds: Sequence[Type], kind: type) -> Type | None:
    """The type of the items of a sequence of class `kind`; None if they are kept apart.

    So are whole numbers and floats in a short tuple, places and what a step to them costs, and
    words and members of an enumeration.
    """
    same: Type | None = Never()
    for each in dict.fromkeys(kinds):
        same = None if same is None else join(same, each)
    if kind is not tuple or len(kinds) > MOST_APART:
        return same
    classes = {each.kind for each in kinds if isinstance(each, Atom) and each != NONE}
    are_named = len(classes) > 1 and None not in classes
    is_mixed = isinstance(same, Float) and same.form == EITHER
    is_mixed = is_mixed and any(isinstance(each, Int) for each in kinds)
    return None if are_named or is_mixed else same


def _join_records(a: Type, b: Type) -> Type | None:
    """Of two records, or of one that is a plain tuple and a row of items."""
    pair = [
        (each.items if isinstance(each, Record) else (each.item,) * each.most, each.kind)
        for each in (a, b)
        if isinstance(each, Record) or (isinstance(each, Seq) and each.is_fixed)
    ]
    if len(pair) < 2 or pair[0][1] is not pair[1][1] or len(pair[0][0]) != len(pair[1][0]):
        return None
    items = [join(one, other) for one, other in zip(pair[0][0], pair[1][0], strict=True)]
    known = [each for each in items if each is not None]
    return Record(tuple(known), pair[0][1]) if len(known) == len(items) else None


def _join_sets(a: Bits, b: Bits) -> Type | None:
    if a.kind is not b.kind:
        return None
    one, other = a.universe, b.universe
    if one.size == 0 or other.size == 0:
        return b if one.size == 0 else a
    if isinstance(one, Listed) and isinstance(other, Listed):
        kind = one.kind if one.kind is other.kind else None
        return Bits(Listed(max(one.size, other.size), kind), a.kind)
    if (
        not isinstance(one, Grid)
        or not isinstance(other, Grid)
        or one.is_bare is not other.is_bare
        or len(one.lows) != len(other.lows)
    ):
        return None
    lows = tuple(map(min, one.lows, other.lows))
    ends = map(max, *(map(add, each.lows, each.sizes) for each in (one, other)))
    sizes = tuple(map(sub, ends, lows))
    grid = Grid(lows, sizes, one.is_bare)
    return Bits(grid, a.kind) if grid.size <= MOST_UNIVERSE else None
