"""Problems whose rules are the same: what was found out about one of them holds for the others.

Rules are code, and what the code can read: the attributes of the problem and of its classes, and
the globals and closures that functions name. Where all of these are as they were, only the start
may differ, and what a search rests on need not be asked for again from the beginning.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from functools import cached_property
from itertools import chain
from operator import attrgetter, itemgetter
from types import CellType, FunctionType
from typing import Any, TypeVar

from searchkit.authors.blame import is_ours_class
from searchkit.authors.contents import (
    MOST_ITEMS,
    Snapshot,
    TooLargeError,
    are_same,
    is_fixed,
)
from searchkit.authors.named import is_read
from searchkit.authors.reach import Place, is_of_author, names_in, packages_of, places_in, reached
from searchkit.authors.user_code import slots_of

MOST_CLASSES, MOST_OF_CLASS = 64, 8
"""How many classes are remembered, and of each, how many problems with rules of their own."""
MOST_FAILURES = 3
"""Of a class with so many problems that were too large, no more are looked at."""
MOST_FUNCTIONS = 300

_FILLED = (dict, list, set)
OURS = "searchkit_"
"""What the names begin with of what searchkit keeps in an author's class."""
SHARED = f"{OURS}shared"
"""The attribute of objects with what was made of their class: the same for the same kernels."""

_of_function = attrgetter("__code__"), attrgetter("__defaults__"), attrgetter("__kwdefaults__")

T = TypeVar("T")
_Names = tuple[dict[str, Any], tuple[str, ...]]
"""Globals, and names of some."""


class Kin:
    """Problems of one class, and of the same rules: `notes` has what was found out about them."""

    is_shared = False
    """Whether they have the same kernels, and may have other tables."""
    _filled: Snapshot | None = None

    def __init__(self, value: Any, apart: Sequence[Any], *, are_read: bool = False) -> None:
        self.notes: dict[Any, Any] = {}
        self._kinds = [kind for kind in type(value).__mro__ if not is_ours_class(kind)]
        slots = slots_of(type(value))
        self._slots = attrgetter("__class__", "__class__", *slots)
        self._names, values = self._attributes(value)
        names = (*self._names, "", "", *slots)
        self._apart: list[int] = []
        for each in apart:
            found = [number for number, name in enumerate(names)
                     if name and _is_it(values[number], each)
                     and (are_read or not is_read(value, name))]  # fmt: skip
            self._apart += [number for number in found if number not in self._apart][:1]
        changing = [number for number, each in enumerate(values) if not is_fixed(each)]
        held = [each for number, each in enumerate(values) if number not in self._apart]
        # What is private and fills up is what was computed before, most likely.
        self._private = [
            (number, values[number], copy(values[number]))
            for number in changing
            if names[number].startswith("_") and isinstance(values[number], (dict, list, set))
        ]
        for number in (*self._apart, *(number for number, *_ in self._private)):
            values[number] = None
        self._changing = [number for number in changing if values[number] is not None]
        self._own = self._fixed_of(values)
        self._changing_rules: list[int] = []
        self._shot_of(value, values, [])  # what is too large is soon told
        self._functions, self._cells, read, absent = _read_by(self._kinds, held)
        self._absent = [(space.keys(), names) for space, names in absent if names]
        self._read = [
            # One name is asked for twice, to get a tuple; one that is gone is a `KeyError`.
            (space, itemgetter(*names, *(names if len(names) == 1 else ())))
            for space, names in read
            if names
        ]
        self._note_rules(value, values)

    def _note_rules(self, value: Any, own: list[Any]) -> None:
        for kind in self._kinds:
            getattr(kind, "__annotations__", None)  # which puts them there, where there are none
        # They show what is there by then.
        self._spaces = [vars(kind) for kind in self._kinds]
        self._names_of_kinds = self._named()
        self._said = self._of_functions()
        _, *defaults = self._said
        self._with_defaults = [
            [number for number, each in enumerate(column) if each is not None]
            for column in defaults
        ]
        self._rules = self._current(self._said)
        hidden = [
            name.startswith(("__", OURS)) or (name[:1] == "_" and isinstance(each, _FILLED))
            for space in self._spaces
            for name, each in space.items()
        ]
        self._private_of_kinds = [
            (kind, name)
            for kind in self._kinds
            for name, each in vars(kind).items()
            if name.startswith("_") and name[1:2] != "_" and isinstance(each, (dict, list, set))
        ]
        self._changing_rules = [
            number
            for number, each in enumerate(self._rules)
            if not (number < len(hidden) and hidden[number]) and not is_fixed(each)
        ]
        self._shot = self._shot_of(value, own, self._rules)

    def note(self, name: Any, make: Callable[[], T]) -> T:
        """What was noted under a name; made where there is nothing."""
        found: T | None = self.notes.get(name)
        if found is None:
            found = self.notes[name] = make()
        return found

    def has(self, value: Any, apart: Sequence[Any]) -> bool:
        """Whether the rules of a problem of the class are these; `apart` may be others."""
        names, values = self._attributes(value)
        if names != self._names:
            return False
        for number in self._apart:
            if not any(_is_it(values[number], each) for each in apart):
                return False
            values[number] = None
        for number, same, equal in self._private:
            if values[number] is not same and values[number] != equal:
                return False
            values[number] = None
        if self._named() != self._names_of_kinds:  # of one that is renamed the values are the same
            return False
        said = self._of_functions()
        if said != self._said:  # of equal defaults the types are compared as well, below
            return False
        rules = self._current(said)
        return (
            are_same(self._fixed_of(values), self._own)
            and are_same(rules, self._rules)
            and self._shot.is_of(self._changing_in(values, rules), (value,))
        )

    def contents(self, value: Any) -> Any:
        """What is the same until something that fills up has changed; None if that is not known."""
        try:
            _, values = self._attributes(value)
            own = [values[number] for number, *_ in self._private]
            filled = *own, *(vars(kind).get(name) for kind, name in self._private_of_kinds)
            if self._filled is None or not self._filled.is_of(filled):
                self._filled = Snapshot(filled, [MOST_ITEMS])
            return self._filled
        except Exception:
            return None

    def _attributes(self, value: Any) -> tuple[tuple[str, ...], list[Any]]:
        kind, own = type(value), getattr(value, "__dict__", {})
        names = tuple(own)
        late = [name for name in names if isinstance(getattr(kind, name, None), cached_property)]
        if late:
            names = tuple(name for name in names if name not in late)
        # Methods of its own say no more than the functions that they are made of.
        values = [
            getattr(each, "__func__", None) if getattr(each, "__self__", None) is value else each
            for each in map(own.__getitem__, names)
        ]
        return names, [*values, *self._slots(value)]

    def _named(self) -> list[Any]:
        """How many things each class has, and their names, in the order of `_current`."""
        return [*map(len, self._spaces), *chain.from_iterable(self._spaces)]

    def _of_functions(self) -> list[list[Any]]:
        """The code of functions, their defaults, and those of arguments that have to be named."""
        return [[*map(get, self._functions)] for get in _of_function]

    def _current(self, said: list[list[Any]]) -> list[Any]:
        """What the classes have, and what their functions name; and defaults in what was `said`."""
        found = [*chain.from_iterable([space.values() for space in self._spaces])]
        (_, *defaults), numbers = said, self._with_defaults
        listed, named = (
            [column[n] for n in few] for column, few in zip(defaults, numbers, strict=True)
        )
        found += listed
        found += [part for each in named for pair in each.items() for part in pair]
        found += [names.isdisjoint(hidden) for names, hidden in self._absent]
        found += [each.cell_contents for each in self._cells]
        for space, read in self._read:
            found += read(space)
        return found

    def _fixed_of(self, own: list[Any]) -> list[Any]:
        """The attributes, without those that `_shot_of` looks into."""
        fixed = own.copy()
        for number in self._changing:
            fixed[number] = None
        return fixed

    def _shot_of(self, value: Any, own: list[Any], rules: list[Any]) -> Snapshot:
        """What tells whether things of a problem have changed that can change by themselves."""
        return Snapshot(self._changing_in(own, rules), [MOST_ITEMS], (value,))

    def _changing_in(self, own: list[Any], rules: list[Any]) -> tuple[Any, ...]:
        """What can change by itself."""
        found = [own[number] for number in self._changing]
        return *found, *[rules[number] for number in self._changing_rules]


_known: dict[Any, list[Kin]] = {}
_failures: dict[Any, int] = {}


def kind_of(value: object) -> Any:
    """Returns what problems of the same kernels have in common: a class, or what is `SHARED`."""
    return getattr(value, SHARED, type(value))


def kin_of(value: Any, apart: Sequence[Any] = (), *, are_read: bool = False) -> Kin:
    """Problems, or heuristics, with the rules of this one: as far as can be told, else new ones.

    `apart` are values of attributes in which they may differ: starts, say, if rules do not read
    those (or whether they do, if `are_read`). O(attributes and names).
    """
    kind = kind_of(value)
    known = _known.get(kind)
    if known is None:
        if len(_known) >= MOST_CLASSES:
            forget_kin()
        known = _known[kind] = []
        if kind is not type(value):
            known.append(_alone(is_shared=True))
    if known and known[0].is_shared:
        return known[0]
    for number, kin in enumerate(known):
        try:
            if kin.has(value, apart):
                if number:
                    known.insert(0, known.pop(number))
                return kin
        except Exception:  # what an author's values do when they are compared
            continue
    if _failures.get(kind, 0) >= MOST_FAILURES:
        return _alone()
    try:
        new = Kin(value, apart, are_read=are_read)
    except Exception:
        _failures[kind] = _failures.get(kind, 0) + 1
        return _alone()
    known.insert(0, new)
    del known[MOST_OF_CLASS:]
    return new


def _alone(*, is_shared: bool = False) -> Kin:
    """A problem that is compared with none, or all of a class."""
    made = object.__new__(Kin)
    made.notes, made.is_shared = {}, is_shared
    return made


def forget_kin() -> None:
    """Forget all that was found out."""
    _known.clear()
    _failures.clear()


def _is_it(value: Any, other: Any) -> bool:
    return value is other or (value.__class__ is other.__class__ and bool(value == other))


def _read_by(
    kinds: list[type], values: Iterable[Any]
) -> tuple[list[FunctionType], list[CellType], list[_Names], list[_Names]]:
    """The functions of some classes and of `values`, with those that they name; what they read.

    That is what they have from around them, and globals, by their names; then functions of Python's
    that they name, which globals could hide. Classes that they name are added to the `kinds`.
    """
    functions: dict[int, FunctionType] = {}
    cells: dict[int, CellType] = {}
    named: dict[int, tuple[dict[str, Any], dict[str, None]]] = {}
    absent: dict[int, tuple[dict[str, Any], dict[str, None]]] = {}
    packages = packages_of(kinds)
    known = set(kinds)
    roots = [Place(None, "", each) for each in (*map(type, kinds), *values)]
    roots += [place for kind in kinds for place in places_in(kind)]
    for owner, name, value in reached(roots, packages):
        if isinstance(owner, CellType):
            cells[id(owner)] = owner
        elif isinstance(owner, dict):
            named.setdefault(id(owner), (owner, {}))[1][name] = None
        if isinstance(value, type) and value not in known and is_of_author(value, packages):
            known.add(value)
            kinds.append(value)
        if not isinstance(value, FunctionType) or id(value) in functions:
            continue
        if not is_of_author(value, packages):
            continue
        if len(functions) == MOST_FUNCTIONS:
            raise TooLargeError
        functions[id(value)] = value
        space = value.__globals__
        names = names_in(value.__code__)
        hidden = {each: None for each in names if each not in space and hasattr(builtins, each)}
        absent.setdefault(id(space), (space, {}))[1].update(hidden)
    present, missing = (
        [(space, tuple(names)) for space, names in each.values()] for each in (named, absent)
    )
    return [*functions.values()], [*cells.values()], present, missing
