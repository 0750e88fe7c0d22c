"""Keys of dicts and sets of the author's, looked up at once, also of one that a state chooses."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable
from enum import Enum
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from searchkit.translation import comparison, loops, sequences, sets
from searchkit.translation.builders import cell_of, read, write
from searchkit.translation.comparison import FALSE, and_then, fixed_items, known_truth
from searchkit.translation.memory import joined_type, kind_of, loaded, type_of, within_bounds
from searchkit.translation.refusals import describe, refuse
from searchkit.translation.sequences import (
    as_row,
    at_place,
    in_items,
    is_found,
    place_in_row,
    row_of_like,
)
from searchkit.translation.sets import grid_place, is_any_set
from searchkit.translation.translator import Translator
from searchkit.translation.types import Atom, Bool, Char, Grid, Int, Seq, names_of
from searchkit.translation.values import (
    CONSTANTS,
    FUNCTIONS,
    SMALL,
    Chosen,
    Items,
    Joined,
    Known,
    Objects,
    Place,
    Scalar,
    Stream,
    Value,
)
from searchkit.translation.variables import kept

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
MOST_BITS, BITS_FOR_ONE = 1 << 24, 256
"""How many bits a set may have as a table over its range, and how many for each member."""
MOST_AS_ONE = 1 << 60
"""How many places a range may have for keys to be numbered by them, and hashed by their numbers."""
LOW_BITS = 30
_LOW, _HIGH = 0x5851F42D, 0x1CE4E5B9
"""Odd numbers below 2^31 and 2^29: times the low bits of such a number, and the others."""

Column = np.ndarray[Any, Any]
NONE = Known(None)


class _Numbered(NamedTuple):
    """Keys as rows of numbers, and the numbers of the one that is looked for.

    `owners` are the numbers of these keys among all; others are longer or shorter than it can be.
    """

    rows: np.ndarray[Any, Any]
    owners: Column
    parts: list[Scalar]

    def grid(self) -> Grid:
        """The ranges of the numbers."""
        lows, highs = self.rows.min(axis=0).tolist(), self.rows.max(axis=0).tolist()
        sizes = (high - low + 1 for low, high in zip(lows, highs, strict=True))
        return Grid(tuple(lows), tuple(sizes))

    def numbers(self, grid: Grid) -> Column:
        """The place of each key in the grid."""
        numbers = np.zeros(len(self.owners), dtype=np.int64)
        for column, low, size in zip(self.rows.T, grid.lows, grid.sizes, strict=True):
            numbers = numbers * size + column - low
        return numbers


def _are_chars(texts: list[str]) -> bool:
    return set(map(len, texts)) <= {1}


def _array(numbers: Iterable[int]) -> Column:
    return np.array(list(numbers), dtype=np.int64)


def _slots_for(wanted: Column, count: int) -> Column:
    """For each key a slot of its own out of `count`: the first free one from the wanted one on."""
    slots, taken = wanted.copy(), np.zeros(count, dtype=bool)
    left = np.arange(len(wanted))
    while len(left):
        # Of several that want one slot the first has it, and the others want the next.
        first = np.unique(slots[left], return_index=True)[1]
        free = first[~taken[slots[left[first]]]]
        taken[slots[left[free]]] = True
        left = np.delete(left, free)
        slots[left] = slots[left] + 1 & count - 1
    return slots


_CHOSEN = (dict, set, frozenset, *FUNCTIONS)


def found_in_dict(t: Translator, known: dict[Any, Any], key: Value) -> Value:
    """An item of a dict of the author's; leaves the state to Python if there is none."""
    place = t.forms.key_place(t, known, key)
    return at_place(t, place, KeyError, lambda at: _item_of(t, known, at))


def key_place(t: Translator, known: Any, key: Value) -> str | None:
    """A name for the place of a key among those that are known, -1 if it is not there."""
    key = t.forms.held(t, key)
    found = _numbered(t, list(known), key)
    if found is None:
        return _place_one_by_one(t, tuple(known), key)
    if not len(found.owners):
        return None
    grid = found.grid()
    if grid.size > MOST_AS_ONE:
        return _hashed(t, found)
    numbers = found.numbers(grid)
    text, test = grid_place(t, grid, Items(tuple(found.parts)))
    result = t.text.temporary("-1", "found")
    if grid.size > MOST_PLACES:
        with t.text.block(f"if {test}:"):
            _look_up_number(t, result, t.text.temporary(text, "key"), numbers, found)
        return result
    table = np.full(grid.size, -1, dtype=np.int64)
    table[numbers] = found.owners
    with t.text.block(f"if {test}:"):
        t.text.line(f"{result} = {_table(t, table).cell(f'({text})')}")
    return result


def _place_one_by_one(t: Translator, known: tuple[Any, ...], key: Value) -> str | None:
    if not known:
        return None
    if len(known) > MOST_COMPARED:
        raise refuse(
            t,
            f"looks for {describe(key)} among {len(known)} keys one by one",
            "use numbers, texts, or tuples of these as keys",
        )
    with t.text.apart():
        alike = isinstance(type_of(t, Known(known)), Seq)
    if not alike:
        raise refuse(t, "looks up a dict with unlike keys", "use keys of one kind")
    return place_in_row(t, as_row(t, Known(known)), key)


def in_known_set(t: Translator, known: Any, item: Value) -> Scalar:
    """Whether something is in a set, or the key of a dict, of the author's."""
    if not known:
        return FALSE
    if len(known) <= 4:
        ordered = sorted(known, key=repr)  # in every process
        return in_items(t, Items(tuple(Known(each) for each in ordered), tuple), item)
    if len(known) > MOST_COMPARED:
        found = _numbered(t, list(known), t.forms.held(t, item))
        if found is not None and len(found.owners):
            grid = found.grid()
            if grid.size <= min(MOST_BITS, BITS_FOR_ONE * len(known)):
                return _bit_of(t, found, grid)
    return is_found(t.forms.key_place(t, known, item))


def _bit_of(t: Translator, found: _Numbered, grid: Grid) -> Scalar:
    """Whether a key is known, by a table of bits."""
    numbers = found.numbers(grid)
    bits = np.zeros((grid.size >> 6) + 1, dtype=np.int64)
    np.bitwise_or.at(bits, numbers >> 6, np.int64(1) << (numbers & 63))
    text, test = grid_place(t, grid, Items(tuple(found.parts)))

    def there() -> Scalar:
        key = t.text.temporary(text, "key")
        cell = _table(t, bits).cell(t.text.temporary(f"{key} >> 6", "at"))
        return Scalar.truth(f"({cell} >> ({key} & 63) & 1 != 0)")

    return and_then(t, Scalar.truth(f"({test})"), there)


def _table(t: Translator, numbers: Column) -> Place:
    """A row of numbers among the constants."""
    key = numbers.tobytes()
    if key not in t.kept:
        t.kept[key] = len(t.numbers)
        t.numbers += numbers.tolist()
    kind = Seq(Int(), len(numbers), len(numbers))
    bounds = int(numbers.min()), int(numbers.max())
    return Place(kind, CONSTANTS, "", t.kept[key], is_stable=True, bounds=bounds)


def _look_up_number(
    t: Translator, result: str, key: str, numbers: Column, found: _Numbered
) -> None:
    """Find a key by its one number, which a table has in the slot that it is hashed to."""
    bits = (2 * len(numbers)).bit_length()
    low, high = numbers & (1 << LOW_BITS) - 1, numbers >> LOW_BITS
    hashes = (low * _LOW + high * _HIGH & FULL) * _LAST & FULL
    slots = _slots_for(hashes >> HASH_BITS - bits, 1 << bits)
    keys, owners = np.full((2, 1 << bits), -1, dtype=np.int64)
    keys[slots], owners[slots] = numbers, found.owners
    row, others = _table(t, keys), _table(t, owners)
    mixed = f"({key} & {(1 << LOW_BITS) - 1}) * {_LOW}"
    if int(numbers.max()) >> LOW_BITS:
        mixed = f"{mixed} + ({key} >> {LOW_BITS}) * {_HIGH}"
    mixed = f"({mixed} & {FULL}) * {_LAST} & {FULL}"
    at = t.text.temporary(f"({mixed}) >> {HASH_BITS - bits}", "at")
    there = t.text.temporary(row.cell(at), "there")
    with t.text.loop(f"while {there} >= 0 and {there} != {key}:"):
        t.text.line(f"{at} = {at} + 1 & {(1 << bits) - 1}")
        t.text.line(f"{there} = {row.cell(at)}")
    with t.text.block(f"if {there} >= 0:"):
        t.text.line(f"{result} = {others.cell(at)}")


def _hashed(t: Translator, found: _Numbered) -> str:
    """The same by a table with open addressing, where numbers would be too large."""
    count, width = found.rows.shape
    bits = (2 * count).bit_length()
    factors = np.array(_FACTORS[:width], dtype=np.int64)
    hashes = ((found.rows * factors).sum(axis=1) & FULL) * _LAST & FULL
    slots = np.full(1 << bits, -1, dtype=np.int64)
    slots[_slots_for(hashes >> HASH_BITS - bits, 1 << bits)] = np.arange(count)
    keys, places = _table(t, found.rows.ravel()), _table(t, slots)
    owners = _table(t, found.owners)
    names = [t.text.temporary(t.forms.small(t, each), "key") for each in found.parts]
    terms = (f"{name} * {factor}" for name, factor in zip(names, _FACTORS, strict=False))
    text = f"({' + '.join(terms)} & {FULL}) * {_LAST} & {FULL}"
    at = t.text.temporary(f"({text}) >> {HASH_BITS - bits}", "at")
    result = t.text.temporary(places.cell(at), "found")
    others = (f"{keys.cell(f'{result} * {width} + {i}')} != {n}" for i, n in enumerate(names))
    with t.text.loop(f"while {result} >= 0 and ({' or '.join(others)}):"):
        t.text.line(f"{at} = {at} + 1 & {len(slots) - 1}")
        t.text.line(f"{result} = {places.cell(at)}")
    with t.text.block(f"if {result} >= 0:"):
        t.text.line(f"{result} = {owners.cell(result)}")
    return result


def _numbered(t: Translator, known: list[Any], key: Value) -> _Numbered | None:
    """The keys as rows of numbers; None if they are not."""
    if isinstance(key, Scalar) or (isinstance(key, Known) and not isinstance(key.value, tuple)):
        column = _column(t, known, key)
        if column is None:
            return None
        return _Numbered(column[0][:, np.newaxis], np.arange(len(known)), [column[1]])
    kind = kind_of(key)
    if kind not in (tuple, str) or not set(map(type, known)) <= {kind}:
        return None
    key = t.forms.held(t, key)
    if isinstance(key, Place) and isinstance(key.type, Seq) and not key.type.is_fixed:
        return _padded(t, known, key)
    items = fixed_items(t, key)
    if items is None:
        return None
    lengths = np.array(list(map(len, known)), dtype=np.int64)
    owners = np.flatnonzero(lengths == len(items))
    alike = known if len(owners) == len(known) else [known[i] for i in owners.tolist()]
    rows = []
    parts: list[Scalar] = []
    columns = zip(*alike, strict=True) if alike else [()] * len(items)
    for item, column in zip(items, columns, strict=True):
        found = _numbered(t, list(column), item)
        if found is None or len(found.owners) < len(owners):
            return None
        rows.append(found.rows)
        parts += found.parts
    if not 0 < len(parts) <= MOST_PARTS:
        return None
    return _Numbered(np.concatenate(rows, axis=1), owners, parts)


def _padded(t: Translator, known: list[Any], key: Place) -> _Numbered | None:
    """The same of a key that may be longer or shorter: its length, items, and zeros."""
    most = min(key.type.most, max(map(len, known)))
    length = t.forms.length(t, key)
    if most >= MOST_PARTS or not isinstance(key.type.item, (Int, Bool, Char, Atom)):
        return None
    owners = [i for i, each in enumerate(known) if len(each) <= most]
    fit = [known[i] for i in owners]
    rows = np.zeros((len(fit), most + 1), dtype=np.int64)
    rows[:, 0] = list(map(len, fit))
    parts = [length]
    for i in range(most):
        item = loaded(t, t.forms.item_at(t, key, str(i)))
        column = _column(t, [each[i] for each in fit if len(each) > i], item)
        if column is None:
            return None
        numbers, number = column
        rows[rows[:, 0] > i, i + 1] = numbers
        text = f"({number.text} if {length.text} > {i} else 0)"
        parts.append(Scalar(Int(), text, min(number.low, 0), max(number.high, 0)))
    return _Numbered(rows, np.array(owners, dtype=np.int64), parts)


def _column(t: Translator, known: list[Any], key: Value) -> tuple[Column, Scalar] | None:
    """Values as numbers, and one that is looked for; None if they are not of its kind."""
    kinds = set(map(type, known))
    if isinstance(key, Known):
        if kinds | {type(key.value)} <= {str} and _are_chars([key.value, *known]):
            return _array(map(ord, known)), Scalar.whole(ord(key.value))
        if key.value.__class__ is not int or not kinds <= {int}:
            return None
    elif not isinstance(key, Scalar):
        return None
    if isinstance(key, Known) or isinstance(key.type, (Int, Bool)):
        is_fit = kinds <= {int, bool} and max(map(abs, known), default=0) < SMALL
        return (_array(known), t.forms.number(t, key, "looks for")) if is_fit else None
    number = Scalar(Int(), key.text, key.low, key.high)
    if isinstance(key.type, Char) and kinds <= {str} and _are_chars(known):
        return _array(map(ord, known)), number
    if isinstance(key.type, Atom) and key.type.kind is str and kinds <= {str}:
        return _array(map(t.atoms.code, known)), number
    return None


def _is_object(value: Any) -> bool:
    """Whether a value is an object of the author's that is no record."""
    kind = type(value)
    is_library = kind.__module__.partition(".")[0] in sys.stdlib_module_names
    is_plain = not is_library and not isinstance(value, (type, Enum)) and names_of(kind) is None
    return is_plain and hasattr(value, "__dict__")


def choice(t: Translator, values: tuple[Any, ...], place: str) -> Chosen | Objects | None:
    """One of several dicts, sets, functions or objects; None if they are something else."""
    if values and _is_object(values[0]) and len(set(map(type, values))) == 1:
        return Objects(values, place)
    if not values or not any(isinstance(each, _CHOSEN) for each in values):
        return None
    if len({isinstance(each, dict) for each in values}) > 1:
        raise refuse(t, "chooses between dicts and other values", "use values of one kind")
    return Chosen(values, place)


def _item_of(t: Translator, known: dict[Any, Any], place: str) -> Value:
    values = tuple(known.values())
    what, cure = "looks up a dict with unlike values", "use values of one kind, or lists"
    found = choice(t, values, place)
    return found or loaded(t, t.forms.item_at(t, row_of_like(t, Known(values), what, cure), place))


def indexed(t: Translator, value: Value, index: Value) -> Value:
    """`value[index]`."""
    if isinstance(value, Chosen):
        place, pairs = _pair_place(t, value, index), _pairs(value)
        return at_place(t, place, KeyError, lambda at: _item_of(t, pairs, at))
    is_row = isinstance(value, Known) and isinstance(value.value, (tuple, list))
    if is_row and not isinstance(index, Known):
        values: Any = value.value  # type: ignore[union-attr]
        if any(isinstance(each, _CHOSEN) or _is_object(each) for each in values):
            count = Scalar.whole(len(values))
            number = t.forms.index_within(t, t.forms.number(t, index, "indexes by"), count)
            found = choice(t, tuple(values), kept(t, number, "place").text)
            if found is not None:
                return found
    return sequences.indexed(t, value, index)


def attribute_of_one(t: Translator, value: Objects, name: str) -> Value:
    """An attribute of one of several objects."""
    parts = tuple(getattr(each, name) for each in value.values if hasattr(each, name))
    if len(parts) < len(value.values):
        raise refuse(t, f"uses .{name} of objects of which some have none", "give it to all")
    what, cure = f"uses .{name} of unlike kinds", "use values of one kind, or lists"
    found = choice(t, parts, value.place)
    if found is not None:
        return found
    row = row_of_like(t, Known(parts), what, cure)
    return loaded(t, t.forms.item_at(t, row, value.place))


def _kept_item(t: Translator, known: dict[Any, Any], place: str) -> Value:
    """An item of a dict; one of several sets as a row, which can be one of two values."""
    found = _item_of(t, known, place)
    is_set = isinstance(found, Chosen) and not any(isinstance(e, dict) for e in found.values)
    return t.forms.held(t, found) if is_set else found


def looked_up_by(
    t: Translator,
    owner: Value,
    key: Value,
    found: Callable[[Value], Value],
    missing: Callable[[], Value],
) -> Value:
    """What `found` makes of the value of a key, or what is there for one that is missing."""
    if isinstance(owner, Chosen):
        known, place = _pairs(owner), _pair_place(t, owner, key)
    else:
        assert isinstance(owner, Known)
        known = owner.value
        if isinstance(key, Known):
            return found(Known(known[key.value])) if key.value in known else missing()
        place = t.forms.key_place(t, known, key)
    if place is None:
        return missing()
    return either(t, is_found(place), lambda: found(_kept_item(t, known, place)), missing)


def value_or(t: Translator, owner: Value, key: Value, default: Value = NONE) -> Value:
    """`dict.get`."""
    return t.forms.looked_up_by(t, owner, key, lambda found: found, lambda: default)


def _pairs(value: Chosen) -> dict[Any, Any]:
    """All keys behind the number of their dict or set."""
    return {
        (i, *_flat(key)): (each[key] if isinstance(each, dict) else True)
        for i, each in enumerate(value.values)
        for key in each
    }


def _flat(key: Any) -> tuple[Any, ...]:
    return key if isinstance(key, tuple) else (key,)


def _pair_place(t: Translator, value: Chosen, key: Value) -> str | None:
    keys = [key for each in value.values for key in each]
    if len({isinstance(each, tuple) for each in keys}) > 1:
        raise refuse(t, "looks up a dict with unlike keys", "use keys of one kind")
    parts: tuple[Any, ...] = (key,)
    if keys and isinstance(keys[0], tuple):
        found = fixed_items(t, t.forms.held(t, key))
        if found is None or kind_of(key) is not tuple:
            return None
        parts = tuple(found)
    place = Scalar(Int(), value.place, 0, len(value.values) - 1)
    return t.forms.key_place(t, _pairs(value), Items((place, *parts)))


def _row_of_chosen(t: Translator, value: Chosen, rows: Callable[[Any], tuple[Any, ...]]) -> Value:
    known = Known(tuple(rows(each) for each in value.values))
    what = "chooses between unlike dicts or sets"
    row = row_of_like(t, known, what, "use like keys and values")
    return loaded(t, t.forms.item_at(t, row, value.place))


def whole_set(t: Translator, value: Value) -> Value:
    """One of several sets as a row of its members; any other value as it is."""
    is_one = isinstance(value, Chosen) and is_any_set(value)
    return _row_of_chosen(t, value, lambda each: each) if is_one else value  # type: ignore[arg-type]


def row_of(t: Translator, value: Value) -> Place:
    """A set as a row of members."""
    whole = whole_set(t, value)
    return whole if isinstance(whole, Place) else sets.row_of(t, whole)


def combined_sets(t: Translator, op: ast.operator, left: Value, right: Value) -> Value:
    """`|`, `&`, `-` and `^` of sets."""
    if not isinstance(op, (ast.Sub, ast.BitAnd)):  # these look up members in it
        right = whole_set(t, right)
    return sets.combined_sets(t, op, whole_set(t, left), right)


def as_compared(t: Translator, value: Value) -> Value:
    """A value in a form that is compared: one of several sets as a row of its members."""
    return comparison.as_compared(t, whole_set(t, value))


def contains(t: Translator, value: Value, item: Value) -> Scalar:
    """`item in value`."""
    if isinstance(value, Chosen):
        return is_found(_pair_place(t, value, item))
    return sequences.contains(t, value, item)


def stream(t: Translator, value: Value) -> Stream:
    """What going through a value gives."""
    if isinstance(value, Chosen):
        return loops.stream(t, _row_of_chosen(t, value, tuple))
    return loops.stream(t, value)


def length_of(t: Translator, value: Value) -> Scalar | Known:
    """`len`."""
    if isinstance(value, Chosen):
        return sequences.length_of(t, _row_of_chosen(t, value, tuple))
    return sequences.length_of(t, value)


def held(t: Translator, value: Value) -> Value:
    """A sequence of which items can be taken by number: known, items, or in memory."""
    if isinstance(value, Chosen) and not any(isinstance(each, dict) for each in value.values):
        return _row_of_chosen(t, value, lambda each: each)
    return sequences.held(t, value)


def chosen_method(t: Translator, value: Chosen, name: str) -> Callable[..., Value] | None:
    """A method of one of several dicts."""
    if not all(isinstance(each, dict) for each in value.values):
        return None
    if name in ("items", "keys", "values"):
        view = lambda each: tuple(getattr(each, name)())  # noqa: E731
        return lambda owner: t.forms.stream(t, _row_of_chosen(t, owner, view))._replace(
            is_iterator=False
        )
    return partial(value_or, t) if name == "get" else None


def either(
    t: Translator, test: Scalar, first: Callable[[], Value], second: Callable[[], Value]
) -> Value:
    """One of two values, of which only that one is evaluated."""
    known = known_truth(test)
    if known is not None:
        return first() if known else second()
    with t.text.apart() as lines:
        one = first()
    with t.text.apart() as others:
        other = second()
    are_known = not lines and not others and isinstance(one, Known) and isinstance(other, Known)
    if are_known and (type(one.value), one.value) == (type(other.value), other.value):  # type: ignore[union-attr]
        return one
    both = isinstance(one, Items) and isinstance(other, Items) and one.kind is other.kind
    if both and len(one.items) == len(other.items) and not lines and not others:  # type: ignore[union-attr]
        pairs = zip(one.items, other.items, strict=True)  # type: ignore[union-attr]
        choice = kept(t, test)
        items = tuple(either(t, choice, lambda a=a: a, lambda b=b: b) for a, b in pairs)  # type: ignore[misc]
        return Items(items, one.kind)  # type: ignore[union-attr]
    kind = joined_type(t, type_of(t, one), type_of(t, other))
    if isinstance(kind, Bool) and not lines and not others:
        texts = [t.forms.truth(t, each).text for each in (one, other)]
        return Scalar(kind, f"({texts[0]} if {test.text} else {texts[1]})", 0, 1)
    cell = cell_of(t, kind, "value")
    for end, block, value in ((f"if {test.text}:", lines, one), ("else:", others, other)):
        with t.text.block(end):
            t.text.lines += block
            write(t, cell, value)
    found = read(cell)
    if isinstance(found, Scalar) and isinstance(kind, Int):
        numbers = [t.forms.number(t, each, "") for each in (one, other)]
        low, high = min(e.low for e in numbers), max(e.high for e in numbers)
        return found._replace(low=max(low, found.low), high=min(high, found.high))
    if isinstance(found, Place):
        is_fresh = not t.forms.is_mutable(t, kind) or all(
            isinstance(each, (Items, Joined)) or getattr(each, "is_fresh", False)
            for each in (one, other)
        )
        return within_bounds(t, found, one, other)._replace(is_fresh=is_fresh)
    return found
