"""Where the fields of a state are in its words; states as texts, `offset=0,3,1`, and as numbers."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import accumulate
from typing import Any

import attrs

from searchkit.bits import WORD_BITS
from searchkit.errors import ParseError, ProblemError, UsageError
from searchkit.fields.declared import Array, Field, Set
from searchkit.fields.states import State, state_class
from searchkit.problem import derived


@attrs.frozen
class Slot:
    """A field of a state: `per` numbers a word from `word` on, the first at bit `shift`."""

    name: str
    field: Field
    word: int
    shift: int
    per: int

    @property
    def is_wide(self) -> bool:
        """Whether the field takes several words."""
        return self.per < self.field.length

    @property
    def mask(self) -> int:
        """The bits of one number, at the lowest place."""
        return (1 << self.field.bits) - 1

    @property
    def words(self) -> int:
        """How many words the field takes."""
        return -(-self.field.length // self.per)

    def place(self, index: int) -> tuple[int, int]:
        """The word and the shift of a number."""
        return self.word + index // self.per, self.shift + index % self.per * self.field.bits

    def whole(self, part: int = 0) -> int:
        """The bits of all its numbers in its word `part`, where they are."""
        count = min(self.per, self.field.length - part * self.per)
        return (1 << count * self.field.bits) - 1 << self.shift


@attrs.frozen
class Layout:
    """The fields of a state in the fewest words that taking the longest first finds."""

    fields: Mapping[str, Field] = attrs.field(hash=False)
    slots: dict[str, Slot] = derived(lambda self: _placed(self.fields)[0])
    words: int = derived(lambda self: _placed(self.fields)[1])
    state: type[State] = derived(lambda self: state_class(self.fields))
    numbers: dict[str, range] = derived(lambda self: _numbered(self.fields))
    """By field: its numbers, which are counted through all of them."""
    _places: dict[str, tuple[tuple[int, int], ...]] = derived(
        lambda self: {
            name: tuple(map(slot.place, range(slot.field.length)))
            for name, slot in self.slots.items()
        }
    )
    """The word and the shift of each number of a field."""

    @property
    def key(self) -> tuple[Any, ...]:
        """What machine code depends on."""
        return tuple(self.slots.values())

    def pack(self, values: Mapping[str, Any]) -> Any:
        """The state with these values of all fields; `UsageError` where one does not fit."""
        known = ", ".join(self.slots)
        for name in values:
            if name not in self.slots:
                raise UsageError(f"there is no field {name!r}; the fields are {known}")
        fields = self.state.__new__(self.state)
        for name, slot in self.slots.items():
            if name not in values:
                raise UsageError(f"the field {name} is missing; give each of {known}")
            object.__setattr__(fields, name, _checked(name, slot.field, values[name]))
        return self.packed(fields)

    def packed(self, fields: State) -> Any:
        """The state of fields; `UsageError` where methods of lists and sets left what none has."""
        words = [0] * self.words
        for name, slot in self.slots.items():
            field, places, value = slot.field, self._places[name], getattr(fields, name)
            low, below = field.low, field.below
            if isinstance(field, Set):
                for member in set.__iter__(value):
                    if not 0 <= member < field.length:
                        return self.pack(_values(fields))
                    word, shift = places[member]
                    words[word] |= 1 << shift
                continue
            items = value if isinstance(field, Array) else (value,)
            if len(items) != field.length:
                return self.pack(_values(fields))
            for (word, shift), item in zip(places, items, strict=True):
                if item.__class__ is not int or not low <= item < below:
                    return self.pack(_values(fields))
                words[word] |= item - low << shift
        return words[0] if self.words == 1 else tuple(words)

    def are_states(self, rows: Any) -> bool:
        """Whether all rows have numbers in range, and nothing beside. O(rows x numbers)."""
        import numpy as np  # noqa: PLC0415  (few searches read files)

        words = rows.view(np.uint64).reshape(len(rows), -1)
        used = [0] * self.words
        for slot in self.slots.values():
            for part in range(slot.words):
                used[slot.word + part] |= slot.whole(part)
        if (words & ~np.array(used, np.uint64)).any():
            return False
        for name, slot in self.slots.items():
            most = slot.field.below - slot.field.low - 1
            for word, shift in self._places[name] if most != slot.mask else ():
                if ((words[:, word] >> np.uint64(shift) & np.uint64(slot.mask)) > most).any():
                    return False
        return True

    def unpack(self, state: Any) -> State:
        """The fields of a state."""
        words = (state,) if self.words == 1 else state
        found = self.state.__new__(self.state)
        for name, slot in self.slots.items():
            low, mask = slot.field.low, slot.mask
            if slot.is_wide:
                numbers = [
                    (words[word] >> shift & mask) + low
                    for word, shift in map(slot.place, range(slot.field.length))
                ]
            else:
                whole, bits = words[slot.word] >> slot.shift, slot.field.bits
                numbers = [
                    (whole >> shift & mask) + low
                    for shift in range(0, bits * slot.field.length, bits)
                ]
            found.put(name, numbers)
        return found


@lru_cache(256)
def layout_of(fields: tuple[tuple[str, Field], ...]) -> Layout:
    """The layout of fields by name: puzzles of one shape share it."""
    return Layout(dict(fields))


def _numbered(fields: Mapping[str, Field]) -> dict[str, range]:
    ends = [*accumulate((field.length for field in fields.values()), initial=0)]
    return {name: range(*ends[i : i + 2]) for i, name in enumerate(fields)}


def _values(fields: State) -> dict[str, Any]:
    return {name: getattr(fields, name) for name in fields.fields}


def _checked(name: str, field: Field, value: Any) -> Any:
    """The value of a field; `UsageError` for one that it cannot have."""
    if isinstance(field, Set):
        members = _listed(name, value, "numbers")
        for each in members:
            if not 0 <= each < field.length:
                raise UsageError(
                    f"{name} holds {each}; it is a Set of numbers from 0 to {field.length - 1}"
                )
        return {*members}
    is_array = isinstance(field, Array)
    items = _listed(name, value, f"{field.length} numbers") if is_array else [_number(name, value)]
    if len(items) != field.length:
        raise UsageError(f"{name} has {len(items)} numbers; it is an Array of {field.length}")
    low, below = field.low, field.below
    for i, item in enumerate(items):
        if not low <= item < below:
            where = f"{name}[{i}]" if is_array else name
            raise UsageError(f"{where} is {item}; it must be from {low} to {below - 1}")
    return items if is_array else items[0]


def _listed(name: str, value: Any, what: str) -> list[int]:
    try:
        return [each if each.__class__ is int else _number(name, each) for each in value]
    except TypeError:
        raise UsageError(f"{name} is {value!r:.60}; it must be {what}") from None


def _number(name: str, value: Any) -> int:
    value = getattr(value, "value", value)
    if not hasattr(value, "__index__"):
        raise UsageError(f"{name} is {value!r:.60}; it must be a whole number")
    return int(value.__index__())


def _placed(fields: Mapping[str, Field]) -> tuple[dict[str, Slot], int]:
    """The slots and how many words: the longest first, each where there is room."""
    slots: dict[str, Slot] = {}
    used: list[int] = []
    for name, field in sorted(fields.items(), key=lambda each: -each[1].size):
        bits = field.bits
        if field.size > WORD_BITS:
            per = WORD_BITS // bits
            words = -(-field.length // per)
            even = 1 << per.bit_length() - 1  # to divide by it is a shift
            if -(-field.length // even) == words:
                per = even
            slots[name] = Slot(name, field, len(used), 0, per)
            last = field.length - (words - 1) * per
            used += [WORD_BITS] * (words - 1) + [last * bits]
            continue
        word = next(
            (w for w, taken in enumerate(used) if taken + field.size <= WORD_BITS), len(used)
        )
        if word == len(used):
            used.append(0)
        slots[name] = Slot(name, field, word, used[word], field.length)
        used[word] += field.size
    return {name: slots[name] for name in fields}, len(used)


_NUMBERS = re.compile(r"-?[0-9]{1,20}(?:,-?[0-9]{1,20})*")


def format_fields(layout: Layout, state: Any) -> str:
    """The fields of a state, on one line."""
    fields = layout.unpack(state)
    return " ".join(f"{name}={_text(getattr(fields, name))}" for name in layout.slots)


def _text(value: Any) -> str:
    if isinstance(value, int):
        return str(value)
    items = ",".join(map(str, value))
    return f"{{{items}}}" if isinstance(value, set) else items


def parse_fields(layout: Layout, text: str) -> Any:
    """The state that a text gives the fields of; `ParseError` if there is none."""
    found: dict[str, Any] = {}
    for part in text.split():
        name, sign, value = part.partition("=")
        slot = layout.slots.get(name)
        if not sign or slot is None:
            example = " ".join(f"{name}=..." for name in layout.slots)
            raise ParseError(f"{part!r:.40} gives no field; write {example}, without other spaces")
        if name in found:
            raise ParseError(f"{name} is given twice")
        if isinstance(slot.field, Set):
            if value[:1] + value[-1:] != "{}":
                raise ParseError(f"{part!r:.40} is not a set; write its members as {name}={{1,2}}")
            value = value[1:-1]
        if value and not _NUMBERS.fullmatch(value):
            raise ParseError(f"{part!r:.40} has no numbers, separated by commas")
        numbers = [int(each) for each in value.split(",") if each]
        if not isinstance(slot.field, (Array, Set)):
            if len(numbers) != 1:
                raise ParseError(f"{part!r:.40} must be one number")
            found[name] = numbers[0]
        else:
            found[name] = numbers
    try:
        return layout.pack(found)
    except UsageError as error:
        raise ParseError(str(error)) from None


MOST_RANKS = 1 << 62


def ranks_of(layout: Layout, name: str) -> int:
    """How many states there are, reachable or not; `ProblemError` for too many to be numbered."""
    slots = layout.slots.values()
    count: int = math.prod(each.field.values**each.field.length for each in slots)
    if count > MOST_RANKS:
        raise ProblemError(
            f"{name}: ranked is true, but its fields have some 2**{count.bit_length() - 1} states"
        )
    return count


def rank_kernels(layout: Layout) -> tuple[ast.FunctionDef, ast.FunctionDef]:
    """The kernels `rank` and `unrank`. They take O(numbers), or O(fields) for powers of two."""
    parts = [(slot, part) for slot in layout.slots.values() for part in range(slot.words)]
    several = layout.words > 1
    rank, unrank = ["index = 0"], [f"word{i} = 0" for i in range(layout.words)]
    for slot, part in parts:
        word = f"state[{slot.word + part}]" if several else "state"
        rank += _digits_in(slot, part, word)
    for slot, part in reversed(parts):
        unrank += _digits_out(slot, part, f"word{slot.word + part}")
    rank.append("return index")
    words = ", ".join(f"word{i}" for i in range(layout.words))
    unrank.append(f"return ({words})" if several else "return word0")
    return written("rank(self, state)", *rank), written("unrank(self, index)", *unrank)


def _size(slot: Slot, part: int) -> tuple[int, int, bool]:
    """How many numbers a part of a field has, its bits, and whether all their values are used."""
    count = min(slot.per, slot.field.length - part * slot.per)
    return count, slot.field.bits, slot.field.values == 1 << slot.field.bits


def _digits_in(slot: Slot, part: int, word: str) -> list[str]:
    count, bits, whole = _size(slot, part)
    if whole:
        digits = f"{word} >> {slot.shift} & {(1 << bits * count) - 1}"
        return [f"index = index << {bits * count} | {digits}"]
    digit = f"({word} >> {slot.shift} + {bits} * i & {slot.mask})"
    return [f"for i in range({count}):", f"    index = index * {slot.field.values} + {digit}"]


def _digits_out(slot: Slot, part: int, word: str) -> list[str]:
    count, bits, whole = _size(slot, part)
    if whole:
        return [
            f"{word} |= (index & {(1 << bits * count) - 1}) << {slot.shift}",
            f"index = index >> {bits * count}",
        ]
    last = slot.shift + bits * (count - 1)
    return [
        f"for i in range({count}):",
        f"    {word} |= index % {slot.field.values} << {last} - {bits} * i",
        f"    index = index // {slot.field.values}",
    ]


def written(head: str, *lines: str) -> ast.FunctionDef:
    """The function of these lines."""
    made = ast.parse("\n    ".join([f"def {head}:", *lines])).body[0]
    assert isinstance(made, ast.FunctionDef)
    return made
