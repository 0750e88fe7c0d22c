"""A state as its author sees it: numbers, lists and sets, each within its bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar

from searchkit.errors import ProblemError
from searchkit.fields.declared import Array, Field, Set


class State:
    """The fields of one state, which rules change in place; it shows itself as its fields."""

    __slots__ = ()
    fields: ClassVar[Mapping[str, Field]] = {}
    _sets: ClassVar[Any]
    """What the members of a set are made by."""

    def put(self, name: str, numbers: list[int]) -> None:
        """Give a field its numbers, which fit."""
        field = self.fields[name]
        value: Any = numbers[0]
        if isinstance(field, Set):
            value = self._sets.of_bits(name, field, numbers)
        elif isinstance(field, Array):
            value = Items(name, field, numbers)
        object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        raise _no_field(name, self.fields)

    def __setattr__(self, name: str, value: Any) -> None:
        field = self.fields.get(name)
        if field is None:
            raise _no_field(name, self.fields)
        if isinstance(field, Set):
            value = self._sets.of(name, field, value)
        elif isinstance(field, Array):
            value = list(value)
            if len(value) != field.length:
                raise ProblemError(
                    f"{name} becomes {len(value)} numbers; it is an Array of {field.length}"
                )
            value = Items(
                name, field, [_fitting(name, field, i, each) for i, each in enumerate(value)]
            )
        else:
            value = _fitting(name, field, None, value)
        object.__setattr__(self, name, value)

    def copy(self) -> State:
        """Another state with the same values, to be changed."""
        made = self.__class__.__new__(self.__class__)
        for name in self.fields:
            value = getattr(self, name)
            if not isinstance(value, int):
                value = value.__class__(name, self.fields[name], value)
            object.__setattr__(made, name, value)
        return made

    def values(self) -> tuple[Any, ...]:
        """The values of the fields, in their order, as what cannot change."""
        return tuple(
            value if isinstance(value, int) else tuple(value)
            for value in (getattr(self, name) for name in self.fields)
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.values() == other.values()

    def __hash__(self) -> int:
        return hash(self.values())

    def __repr__(self) -> str:
        return ", ".join(f"{name}={getattr(self, name)!r}" for name in self.fields)


_item, _has = list.__getitem__, set.__contains__


class Items(list[int]):
    """The numbers of an array."""

    def __init__(self, name: str, field: Field, items: Iterable[int]) -> None:
        super().__init__(items)
        self.name, self.field = name, field

    def __getitem__(self, index: Any) -> Any:
        if index.__class__ is int and index < 0:
            raise _no_index(self.name, self.field, index)
        try:
            return _item(self, index)
        except IndexError:
            raise _no_index(self.name, self.field, index) from None

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, slice):
            places, values = range(len(self))[index], list(value)
            if len(places) != len(values):
                raise ProblemError(
                    f"{len(places)} items of {self.name} become {len(values)}; it keeps its length"
                )
            for place, each in zip(places, values, strict=True):
                self[place] = each
            return
        if not 0 <= index < len(self):
            raise _no_index(self.name, self.field, index)
        super().__setitem__(index, _fitting(self.name, self.field, index, value))


def _joined_by(method: str) -> Callable[[Members, Iterable[int]], Members]:
    """The operator that joins a set with another as a method of Python's sets does."""

    def join(self: Members, other: Iterable[int]) -> Members:
        members = set(other)
        self._check(members)
        return Members(self.name, self.field, getattr(set, method)(self, members))

    return join


def _changed_by(method: str) -> Callable[..., None]:
    """The method of Python's sets, by members which must be within the bounds."""

    def change(self: Members, *others: Iterable[Any]) -> None:
        found = [set(each) for each in others]
        for each in found:
            self._check(each)
        getattr(set, method)(self, *found)

    return change


class Members(set[int]):
    """The members of a set, in their order."""

    def __init__(self, name: str, field: Field, members: Iterable[int]) -> None:
        super().__init__(members)
        self.name, self.field = name, field

    @classmethod
    def of(cls, name: str, field: Field, members: Iterable[Any]) -> Members:
        """The set of some numbers, which must be within the bounds."""
        if isinstance(members, Members) and members.field is field:  # then they are
            return cls(name, field, members)  # which Python copies as it is, by no iterator
        return cls(name, field, checked_members(name, field, members))

    @classmethod
    def of_bits(cls, name: str, field: Field, bits: Iterable[int]) -> Members:
        """The set of the places of bits."""
        return cls(name, field, (i for i, bit in enumerate(bits) if bit))

    def __iter__(self) -> Iterator[int]:
        return iter(sorted(super().__iter__()))

    def __repr__(self) -> str:
        return "{" + ", ".join(map(str, self)) + "}"

    def __contains__(self, member: object) -> bool:
        if not 0 <= member < self.field.length:  # type: ignore[operator]
            self._check((member,))
        return _has(self, member)

    def add(self, member: int) -> None:
        """Add a member, which must be within the bounds."""
        self._check((member,))
        super().add(member)

    def remove(self, member: int) -> None:
        """Remove a member, which must be there."""
        self._check((member,))
        if member not in self:
            raise ProblemError(f"{self.name} has no member {member} to remove; use discard")
        super().remove(member)

    def discard(self, member: Any) -> None:
        """Remove a member if it is there."""
        self._check((member,))
        super().discard(member)

    def _check(self, members: Iterable[Any]) -> None:
        checked_members(self.name, self.field, members)

    update = _changed_by("update")
    difference_update = _changed_by("difference_update")
    intersection_update = _changed_by("intersection_update")
    symmetric_difference_update = _changed_by("symmetric_difference_update")
    __or__ = __ior__ = _joined_by("union")  # type: ignore[assignment]
    __and__ = __iand__ = _joined_by("intersection")  # type: ignore[assignment]
    __sub__ = __isub__ = _joined_by("difference")  # type: ignore[assignment]
    __xor__ = __ixor__ = _joined_by("symmetric_difference")  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Iterable) and set(self) == set(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __le__(self, other: Any) -> bool:
        return set(self) <= set(other)

    def __ge__(self, other: Any) -> bool:
        return set(self) >= set(other)

    __hash__ = None


State._sets = Members


def state_class(fields: Mapping[str, Field]) -> type[State]:
    """The class of states with these fields."""
    return type("State", (State,), {"__slots__": tuple(fields), "fields": fields})


def checked_members(name: str, field: Field, members: Iterable[Any]) -> list[int]:
    """The members; `ProblemError` for one that a set cannot have."""
    members = list(members)
    for each in members:
        if not 0 <= each < field.length:
            raise ProblemError(f"{each} is not a member of {name}, which is a Set({field.length})")
    return members


def _fitting(name: str, field: Field, index: int | None, value: Any) -> int:
    if value.__class__ is not int:  # what is not known yet says that it is one
        value = getattr(value, "value", value)
    where = name if index is None else f"{name}[{index}]"
    if not hasattr(value, "__index__"):
        raise ProblemError(f"{where} becomes {value!r:.40}; it must be a whole number")
    if not field.low <= value < field.below:
        raise ProblemError(
            f"{where} becomes {value}; it must be from {field.low} to {field.below - 1}"
        )
    return value if value.__class__ is int else int(value)


def _no_index(name: str, field: Field, index: Any) -> ProblemError:
    return ProblemError(f"{name}[{index}] is not there; indices are from 0 to {field.length - 1}")


def _no_field(name: str, fields: Mapping[str, Field]) -> AttributeError:
    return AttributeError(f"there is no field {name!r}; the fields are {', '.join(fields)}")
