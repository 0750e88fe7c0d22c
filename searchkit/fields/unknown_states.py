"""Symbolic states: a number is unknown until a rule asks for it.

They do what those of `searchkit.fields.states` do, and say the same where something is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from searchkit.errors import ProblemError, UnsuitableError
from searchkit.fields.declared import Array, Field, Set
from searchkit.fields.layout import Layout
from searchkit.fields.states import State, checked_members
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


class UnknownState(State):
    """The fields of a state as numbers that are not known yet."""

    def __init__(self, layout: Layout, run: Run) -> None:
        self.__dict__["fields"] = layout.fields
        for name, field in layout.fields.items():
            if field.values <= MOST_VALUES:
                known = _identity(field.low, field.below)
                self.put(name, [Number(run, each, known) for each in layout.numbers[name]])  # type: ignore[misc]

    def __getattr__(self, name: str) -> Any:
        self._check(name)
        return super().__getattr__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._check(name)
        super().__setattr__(name, value)

    def _check(self, name: str) -> None:
        """Raise `UnsuitableError` for a field that is not looked at."""
        field = self.fields.get(name)
        if field is not None and field.values > MOST_VALUES:
            raise UnsuitableError(
                f"the field {name} has {field.values:,} values, more than {MOST_VALUES:,}"
            )


def _changed_by(
    change: Callable[[UnknownMembers, Any], UnknownMembers],
) -> tuple[Callable[..., None], Callable[[UnknownMembers, Any], UnknownMembers]]:
    """The method that changes a set by others as an operator does, and the operator of a copy."""

    def update(self: UnknownMembers, *others: Iterable[Any]) -> None:
        for other in others:
            change(self, other)

    return update, lambda self, other: change(self.copy(), other)


class UnknownMembers:
    """The members of a set: whether each is there."""

    def __init__(self, name: str, field: Field, bits: Any) -> None:
        self.name, self.field, self.bits = name, field, list(getattr(bits, "bits", bits))

    @classmethod
    def of(cls, name: str, field: Field, members: Any) -> UnknownMembers:
        """The set of some numbers, which must be within the bounds."""
        if isinstance(members, UnknownMembers) and len(members.bits) == field.length:
            return cls(name, field, members)
        return cls(name, field, [0] * field.length)._put(members, 1)

    @classmethod
    def of_bits(cls, name: str, field: Field, bits: list[Any]) -> UnknownMembers:
        """The set of the places of bits."""
        return cls(name, field, bits)

    def _members(self, given: Iterable[Any]) -> list[int]:
        return list(map(int, checked_members(self.name, self.field, given)))

    def _put(self, given: Iterable[Any], bit: int) -> UnknownMembers:
        for each in self._members(given):
            self.bits[each] = bit
        return self

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
        self._put((member,), 1)

    def remove(self, member: Any) -> None:
        """Remove a member, which must be there."""
        (each,) = self._members((member,))
        if not self.bits[each]:
            raise ProblemError(f"{self.name} has no member {each} to remove; use discard")
        self.bits[each] = 0

    def discard(self, member: Any) -> None:
        """Remove a member if it is there."""
        self._put((member,), 0)

    def clear(self) -> None:
        """Remove all members."""
        self.bits = [0] * len(self.bits)

    def __ior__(self, other: Any) -> UnknownMembers:
        return self._put(other, 1)

    def __isub__(self, other: Any) -> UnknownMembers:
        return self._put(other, 0)

    def __ixor__(self, other: Any) -> UnknownMembers:
        for each in set(self._members(other)):
            self.bits[each] = self.bits[each] ^ 1
        return self

    def __iand__(self, other: Any) -> UnknownMembers:
        kept = set(self._members(other))
        self.bits = [bit if i in kept else 0 for i, bit in enumerate(self.bits)]
        return self

    def copy(self) -> UnknownMembers:
        """Another set of the same members."""
        return UnknownMembers(self.name, self.field, self)

    update, __or__ = _changed_by(__ior__)
    difference_update, __sub__ = _changed_by(__isub__)
    intersection_update, __and__ = _changed_by(__iand__)
    symmetric_difference_update, __xor__ = _changed_by(__ixor__)

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

    issubset, issuperset = __le__, __ge__

    def isdisjoint(self, other: Any) -> bool:
        """Whether no member of another is there."""
        return not any(0 <= each < len(self.bits) and self.bits[each] for each in other)

    def __getattr__(self, name: str) -> Any:
        return getattr(set(self), name)

    __hash__ = None  # type: ignore[assignment]


UnknownState._sets = UnknownMembers


def numbers_in(state: UnknownState) -> list[Any]:
    """What each number of a state has become; no method, as a field may have any name."""
    found: list[Any] = []
    for name, field in state.fields.items():
        value = state.__dict__.get(name)
        if value is None:
            found += [None] * field.length
        elif isinstance(field, Set):
            found += value.bits
        else:
            found += value if isinstance(field, Array) else [value]
    return found


def values_of(layout: Layout, numbers: list[Any]) -> dict[str, Any]:
    """The values of fields, as `Layout.pack` takes them, of all numbers of a state.

    Those that are None have the least value.
    """
    found: dict[str, Any] = {}
    for name, field in layout.fields.items():
        given = [numbers[i] for i in layout.numbers[name]]
        own = [field.low if each is None else each for each in given]
        if isinstance(field, Set):
            found[name] = [i for i, each in enumerate(own) if each]
        else:
            found[name] = own if isinstance(field, Array) else own[0]
    return found


def numbers_of(layout: Layout, state: Any) -> tuple[int, ...]:
    """The numbers of a state, counted through the fields."""
    fields, found = layout.unpack(state), list[int]()
    for name, numbers in layout.numbers.items():
        value: Any = getattr(fields, name)
        if isinstance(value, set):
            found += (int(i in value) for i in range(len(numbers)))
        else:
            found += [value] if isinstance(value, int) else value
    return tuple(found)
