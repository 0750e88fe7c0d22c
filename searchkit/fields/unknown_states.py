"""Symbolic states: a number is unknown until a rule asks for it.

They do what those of `searchkit.fields.states` do, and say the same where something is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from searchkit.errors import ProblemError, UnsuitableError
from searchkit.fields.declared import Array, Field, Set
from searchkit.fields.layout import Layout
from searchkit.fields.symbols import Number, Run, Values

MOST_VALUES = 1 << 12
"""A number of more values is not looked at."""


def domains_of(layout: Layout) -> dict[int, Values]:
    """The values of each number of a state, the numbers counted through the fields."""
    found: dict[int, Values] = {}
    for slot in layout.slots.values():
        field = slot.field
        values = tuple(range(field.low, field.below)) if field.values <= MOST_VALUES else ()
        for _ in range(field.length):
            found[len(found)] = values
    return found


@lru_cache(maxsize=64)
def _identity(low: int, below: int) -> Mapping[int, int]:
    return {value: value for value in range(low, below)}


class UnknownState:
    """The fields of a state as numbers that are not known yet."""

    def __init__(self, layout: Layout, run: Run) -> None:
        own: dict[str, Any] = {"_layout": layout, "_run": run}
        first = 0
        for name, slot in layout.slots.items():
            field = slot.field
            if field.values > MOST_VALUES:
                first += field.length
                continue
            numbers = [
                Number(run, number, _identity(field.low, field.below))
                for number in range(first, first + field.length)
            ]
            first += field.length
            own[name] = numbers[0]
            if isinstance(field, Set):
                own[name] = UnknownMembers(name, field, numbers)
            elif isinstance(field, Array):
                own[name] = UnknownItems(name, field, numbers)
        self.__dict__.update(own)

    def __getattr__(self, name: str) -> Any:
        slot = self._layout.slots.get(name)
        if slot is None:
            raise AttributeError(f"there is no field {name!r}")
        raise UnsuitableError(
            f"the field {name} has {slot.field.values:,} values, more than {MOST_VALUES:,}"
        )

    def __setattr__(self, name: str, value: Any) -> None:
        slot = self._layout.slots.get(name)
        if slot is None:
            raise AttributeError(f"there is no field {name!r}")
        field = slot.field
        if field.values > MOST_VALUES:
            self.__getattr__(name)
        if isinstance(field, Set):
            bits: list[Any] = [0] * field.length
            if isinstance(value, UnknownMembers) and len(value.bits) == field.length:
                bits = list(value.bits)
            else:
                for each in _members(name, field, value):
                    bits[each] = 1
            value = UnknownMembers(name, field, bits)
        elif isinstance(field, Array):
            value = list(value)
            if len(value) != field.length:
                raise ProblemError(
                    f"{name} becomes {len(value)} numbers; it is an Array of {field.length}"
                )
            value = UnknownItems(name, field, [_fitting(name, field, each) for each in value])
        else:
            value = _fitting(name, field, value)
        self.__dict__[name] = value

    def numbers(self) -> list[Any]:
        """What each number of the state has become."""
        found: list[Any] = []
        for name, slot in self._layout.slots.items():
            value = self.__dict__.get(name)
            if value is None:
                found += [None] * slot.field.length
            elif isinstance(slot.field, Set):
                found += value.bits
            else:
                found += value if isinstance(slot.field, Array) else [value]
        return found


class UnknownItems(list[Any]):
    """The numbers of an array."""

    def __init__(self, name: str, field: Field, items: Iterable[Any]) -> None:
        super().__init__(items)
        self.name, self.field = name, field

    def _at(self, index: Any) -> int:
        at = int(index)
        if not 0 <= at < len(self):
            raise ProblemError(f"{self.name}[{at}] is not there")
        return at

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return list(self)[index]
        return super().__getitem__(self._at(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(self._at(index), _fitting(self.name, self.field, value))


class UnknownMembers:
    """The members of a set: whether each is there."""

    def __init__(self, name: str, field: Field, bits: list[Any]) -> None:
        self.name, self.field, self.bits = name, field, bits

    def _members(self, given: Iterable[Any]) -> list[int]:
        return _members(self.name, self.field, given)

    def __iter__(self) -> Iterator[int]:
        return iter([i for i, bit in enumerate(self.bits) if bit])

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __bool__(self) -> bool:
        return any(self.bits)

    def __contains__(self, member: Any) -> bool:
        (each,) = self._members((member,))
        return bool(self.bits[each])

    def add(self, member: Any) -> None:
        """Add a member, which must be within the bounds."""
        (each,) = self._members((member,))
        self.bits[each] = 1

    def remove(self, member: Any) -> None:
        """Remove a member, which must be there."""
        (each,) = self._members((member,))
        if not self.bits[each]:
            raise ProblemError(f"{self.name} has no member {each} to remove; use discard")
        self.bits[each] = 0

    def discard(self, member: Any) -> None:
        """Remove a member if it is there."""
        (each,) = self._members((member,))
        self.bits[each] = 0

    def clear(self) -> None:
        """Remove all members."""
        self.bits = [0] * len(self.bits)

    def update(self, *others: Iterable[Any]) -> None:
        """Add the members of others."""
        for other in others:
            self |= other

    def difference_update(self, *others: Iterable[Any]) -> None:
        """Remove the members of others."""
        for other in others:
            self -= other

    def intersection_update(self, *others: Iterable[Any]) -> None:
        """Keep what others have as well."""
        for other in others:
            self &= other

    def symmetric_difference_update(self, other: Iterable[Any]) -> None:
        """Add what is not there of another, and remove what is."""
        self ^= other

    def __ior__(self, other: Any) -> UnknownMembers:
        for each in self._members(other):
            self.bits[each] = 1
        return self

    def __isub__(self, other: Any) -> UnknownMembers:
        for each in self._members(other):
            self.bits[each] = 0
        return self

    def __ixor__(self, other: Any) -> UnknownMembers:
        for each in set(self._members(other)):
            self.bits[each] = self.bits[each] ^ 1
        return self

    def __iand__(self, other: Any) -> UnknownMembers:
        kept = set(self._members(other))
        self.bits = [bit if i in kept else 0 for i, bit in enumerate(self.bits)]
        return self

    def _copy(self) -> UnknownMembers:
        return UnknownMembers(self.name, self.field, list(self.bits))

    def copy(self) -> UnknownMembers:
        """Another set of the same members."""
        return self._copy()

    def __or__(self, other: Any) -> UnknownMembers:
        result = self._copy()
        result |= other
        return result

    def __sub__(self, other: Any) -> UnknownMembers:
        result = self._copy()
        result -= other
        return result

    def __and__(self, other: Any) -> UnknownMembers:
        result = self._copy()
        result &= other
        return result

    def __xor__(self, other: Any) -> UnknownMembers:
        result = self._copy()
        result ^= other
        return result

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Iterable):
            return False
        wanted = {int(each) for each in other}
        if any(not 0 <= each < len(self.bits) for each in wanted):
            return False
        return all(bool(bit) == (i in wanted) for i, bit in enumerate(self.bits))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __le__(self, other: Any) -> bool:
        wanted = {int(each) for each in other}
        return not any(bit for i, bit in enumerate(self.bits) if i not in wanted)

    def __ge__(self, other: Any) -> bool:
        return all(0 <= each < len(self.bits) and self.bits[each] for each in other)

    def issubset(self, other: Any) -> bool:
        """Whether another has all members."""
        return bool(self <= other)

    def issuperset(self, other: Any) -> bool:
        """Whether all members of another are there."""
        return bool(self >= other)

    def isdisjoint(self, other: Any) -> bool:
        """Whether no member of another is there."""
        return not any(0 <= each < len(self.bits) and self.bits[each] for each in other)

    def __getattr__(self, name: str) -> Any:
        return getattr(set(self), name)

    __hash__ = None  # type: ignore[assignment]


def values_of(layout: Layout, numbers: list[Any], default: Mapping[int, int]) -> dict[str, Any]:
    """The values of fields, as `Layout.pack` takes them, of all numbers of a state."""
    found: dict[str, Any] = {}
    first = 0
    for name, slot in layout.slots.items():
        field = slot.field
        own = numbers[first : first + field.length]
        own = [default[first + i] if each is None else each for i, each in enumerate(own)]
        first += field.length
        if isinstance(field, Set):
            found[name] = [i for i, each in enumerate(own) if each]
        else:
            found[name] = own if isinstance(field, Array) else own[0]
    return found


def _members(name: str, field: Field, given: Iterable[Any]) -> list[int]:
    found = [int(each) for each in given]
    for each in found:
        if not 0 <= each < field.length:
            raise ProblemError(f"{each} is not a member of {name}, which is a Set({field.length})")
    return found


def _fitting(name: str, field: Field, value: Any) -> Any:
    if not isinstance(value, Number):
        value = getattr(value, "value", value)
        if not hasattr(value, "__index__"):
            raise ProblemError(f"{name} becomes {value!r:.40}; it must be a whole number")
        value = int(value)
    if not field.low <= value < field.below:
        raise ProblemError(f"{name} becomes {value}, which is out of its range")
    return value
