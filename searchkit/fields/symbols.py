"""Numbers of which only a set of values is known, for rules that are run on all states at once.

A rule is run as it is written, on a state of such numbers. Where it asks something that the values
still possible answer in different ways, the run takes one of the answers, keeps the values that
give it, and the rule is run again for the others: the runs together are all that the rule does.
(J. C. King, Symbolic execution and program testing, 1976.)
"""

from __future__ import annotations

import gc
import operator
import threading
import weakref
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import attrs

from searchkit.errors import ProblemError, UnsuitableError
from searchkit.fields.declared import Array, Field, Set
from searchkit.fields.layout import Layout
from searchkit.fields.states import State, checked_members

Values = tuple[int, ...]
MOST_RUNS = 1 << 12
"""A rule that has to be run more often, for one move, is given up."""
MOST_COLLECTED = 3
"""How often what is left of runs is looked for."""
KEEPS = "it keeps numbers of the state that it was asked about"


class _Runs(threading.local):
    """Those of this thread of which numbers are still there."""

    def __init__(self) -> None:
        self.kept: weakref.WeakSet[Run] = weakref.WeakSet()


_runs = _Runs()


@attrs.define(eq=False)
class Run:
    """One run of a rule: what it has been told of each number, and what it could have been told."""

    domains: Mapping[int, Values]
    script: list[int]
    """The answers to give; after them, the first ones."""
    possible: dict[int, Values] = attrs.field(factory=dict)
    """The values of numbers that the rule has asked about."""
    given: list[int] = attrs.field(factory=list)
    others: list[list[int]] = attrs.field(factory=list)
    """The scripts of the runs for other answers."""
    is_over: bool = False
    """Whether the rule has returned: what it keeps of the state can be told apart no more."""

    def __attrs_post_init__(self) -> None:
        _runs.kept.add(self)

    def values(self, number: int) -> Values:
        """The values that a number of the state still can have."""
        found = self.possible.get(number)
        return self.domains[number] if found is None else found

    def asked(self, number: int, table: Mapping[int, Hashable]) -> Any:
        """What a table says of a number: one of its answers, and the values that give it."""
        parts: dict[Hashable, list[int]] = {}
        for value in self.values(number):
            parts.setdefault(table[value], []).append(value)
        answers = list(parts)
        which = 0
        if len(answers) > 1:
            if self.is_over:
                raise UnsuitableError(KEEPS)
            at = len(self.given)
            if at < len(self.script):
                which = self.script[at]
            else:
                self.others += [[*self.given, other] for other in range(1, len(answers))]
            self.given.append(which)
        self.possible[number] = tuple(parts[answers[which]])
        return answers[which]


def all_runs(
    domains: Mapping[int, Values], rule: Callable[[Run], Any]
) -> Iterator[tuple[Run, Any, Exception | None]]:
    """Every way through a rule, with what it returns or raises.

    No state goes two ways, and every state goes one. `UnsuitableError` if there are too many.
    """
    scripts: list[list[int]] = [[]]
    for _ in range(MOST_RUNS):
        if not scripts:
            return
        run = Run(domains, scripts.pop())
        try:
            found, error = rule(run), None
        except UnsuitableError:
            raise
        except Exception as raised:  # of the author's code
            found, error = None, raised
        run.is_over = True
        yield run, found, error
        scripts += run.others
    raise UnsuitableError(f"it goes more than {MOST_RUNS:,} ways")


class Number:
    """What a rule has made of one number of the state: a value for each of its values."""

    __slots__ = ("of", "run", "table")

    def __init__(self, run: Run, of: int, table: Mapping[int, Any]) -> None:
        self.run, self.of, self.table = run, of, table

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return int  # so that `isinstance` says of it what it says of the numbers it stands for

    def within(self, run: Run | None) -> Any:
        """Itself in its own run; in another, where a cache of the author's had it, its value."""
        return self if run is self.run else self.known()

    def known(self) -> Any:
        """The value, as one of those that it can have."""
        return self.run.asked(self.of, self.table)

    def results(self) -> set[Any]:
        """The values that it can have."""
        return {self.table[value] for value in self.run.values(self.of)}

    def mapped(self, function: Callable[[Any], Any]) -> Any:
        """What a function makes of it; what it raises, where it raises something."""
        table: dict[int, Any] = {}
        errors: dict[int, Exception | None] = {}
        for value in self.run.values(self.of):
            try:
                table[value], errors[value] = function(self.table[value]), None
            except Exception as error:
                errors[value] = error
        if any(errors.values()):
            kinds = {value: repr(error) for value, error in errors.items()}
            kind = self.run.asked(self.of, kinds)
            if kind != repr(None):
                raise next(e for e in errors.values() if e is not None and repr(e) == kind)
        return Number(self.run, self.of, table)

    def joined(self, function: Callable[[Any, Any], Any], other: Any) -> Any:
        """What a function makes of it and of another number."""
        if not isinstance(other, Number):
            return self.mapped(lambda value: function(value, other))
        if other.run is not self.run:
            return function(self.known(), other.known())
        if other.of == self.of:
            # As one table, so that what raises is found in the same way.
            both = {
                each: (self.table[each], other.table[each]) for each in self.run.values(self.of)
            }
            return Number(self.run, self.of, both).mapped(lambda pair: function(*pair))
        if len(other.results()) <= len(self.results()):
            value = other.known()
            return self.mapped(lambda mine: function(mine, value))
        value = self.known()
        return other.mapped(lambda theirs: function(value, theirs))

    def __bool__(self) -> bool:
        return bool(self.mapped(bool).known())

    def __index__(self) -> int:
        return int(self.known())

    __int__ = __index__

    def __copy__(self) -> Number:
        return self

    def __deepcopy__(self, memo: Any) -> Number:
        return self  # a copy of its run would be asked in its place

    def __float__(self) -> float:
        return float(self.known())

    def __hash__(self) -> int:
        return hash(self.known())

    def __repr__(self) -> str:
        return repr(self.known())

    def __str__(self) -> str:
        return str(self.known())

    def __format__(self, form: str) -> str:
        return format(self.known(), form)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.known(), name)


def _binary(function: Callable[[Any, Any], Any]) -> tuple[Any, Any]:
    def of_left(self: Number, other: Any) -> Any:
        return self.joined(function, other)

    def of_right(self: Number, other: Any) -> Any:
        return self.joined(lambda mine, theirs: function(theirs, mine), other)

    return of_left, of_right


def _compared(function: Callable[[Any, Any], Any]) -> Any:
    def of_left(self: Number, other: Any) -> Any:
        found = self.joined(function, other)  # a truth value, as rules may ask `is True`
        return found.known() if type(found) is Number else found

    return of_left


for _name in ("add", "sub", "mul", "floordiv", "truediv", "mod", "pow", "and", "or", "xor",
              "lshift", "rshift"):  # fmt: skip
    _left, _right = _binary(getattr(operator, f"__{_name}__"))
    setattr(Number, f"__{_name}__", _left)
    setattr(Number, f"__r{_name}__", _right)
Number.__divmod__ = lambda self, other: (self // other, self % other)  # type: ignore[operator]
Number.__rdivmod__ = lambda self, other: (other // self, other % self)  # type: ignore[attr-defined]
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Number, f"__{_name}__", _compared(getattr(operator, f"__{_name}__")))
for _name in ("neg", "pos", "abs", "invert"):
    _function = getattr(operator, f"__{_name}__")
    setattr(Number, f"__{_name}__", lambda self, _function=_function: self.mapped(_function))


_PARTS = tuple, list, frozenset, Number
_CACHE = type(lru_cache(len))


def forget_runs() -> bool:
    """Take the numbers of runs out of an author's caches, which a search asks as well.

    Such as a rule has put into dictionaries and sets, or behind `functools.lru_cache`. Returns
    whether nothing is left of them. O(all objects), where something was kept.
    """
    for _ in range(MOST_COLLECTED):
        if not _runs.kept:
            return True
        gc.collect()  # does nothing while another thread collects
        if _runs.kept:
            _forget(list(_runs.kept))
    gc.collect()
    return not _runs.kept


def _forget(todo: list[Any]) -> None:
    held: set[int] = set(map(id, todo))
    found, holders = list[Any](), list[Any]()
    while todo:
        ours = [todo, found, holders]
        found = [each for each in gc.get_referrers(*todo) if all(each is not own for own in ours)]
        todo = [each for each in found if isinstance(each, _PARTS) and id(each) not in held]
        held.update(map(id, todo))
        holders += [each for each in found if isinstance(each, (dict, set, _CACHE))]
        del ours
    for each in holders:
        if isinstance(each, set):
            each.difference_update([member for member in each if id(member) in held])
        elif not isinstance(each, dict):
            each.cache_clear()
        elif not any(getattr(owner, "__dict__", None) is each for owner in gc.get_referrers(each)):
            for key in [key for key, value in each.items() if held & {id(key), id(value)}]:
                del each[key]


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
