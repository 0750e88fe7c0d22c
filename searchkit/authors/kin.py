"""Problems whose rules are the same: what was found out about one of them holds for the others.

Rules are code, and what the code can read: the attributes of the problem and of its classes, and
the globals and closures that functions name. Where all of these are as they were, only the start
may differ, and what a search rests on need not be asked for again from the beginning.
"""

from __future__ import annotations

import builtins
import marshal
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from enum import EnumType
from functools import cached_property, lru_cache, partial
from inspect import getattr_static, getclosurevars
from operator import attrgetter, is_, itemgetter
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MappingProxyType,
    MemberDescriptorType,
    MethodWrapperType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any, TypeVar

from searchkit.authors.blame import is_ours_class
from searchkit.authors.reach import (
    PLAIN,
    function_in,
    held_by,
    is_full,
    is_of_author,
    is_own_file,
    names_in,
    packages_of,
    slots_known,
)
from searchkit.authors.user_code import slots_of

MOST_CLASSES, MOST_OF_CLASS = 64, 8
"""How many classes are remembered, and of each, how many problems with rules of their own."""
MOST_ITEMS = 2000
"""What holds more than this is too large to be compared each time, ..."""
MOST_FLAT = 20_000
"""... and so are numbers and texts in a row that are as many."""
MOST_BYTES = 1 << 24
"""So are arrays of more bytes."""
MOST_FAILURES = 3
"""Of a class with so many problems that were too large, no more are looked at."""
MOST_FUNCTIONS = 300

_FIXED = PLAIN | {
    complex, range, type(...), type(NotImplemented), property, classmethod, staticmethod,
    cached_property, MemberDescriptorType, GetSetDescriptorType, WrapperDescriptorType, CodeType,
    ModuleType, type(lru_cache(abs)),
}  # fmt: skip
"""What cannot change by itself, but for what is looked at besides."""
_WHOLE = PLAIN - {float}
"""Of these, equal ones of one class are the same."""
_HOLDING = (dict, MappingProxyType, list, deque, tuple, set, frozenset)

_FILLED = (dict, list, set)
OURS = "searchkit_"
"""What the names begin with of what searchkit keeps in an author's class."""
SHARED = f"{OURS}shared"
"""The attribute of objects with what was made of their class: the same for the same kernels."""

T = TypeVar("T")
_Names = tuple[dict[str, Any], tuple[str, ...]]
"""Globals, and names of some."""


RULES = (
    "successors", "predecessors", "is_goal", "goal_states", "key", "heuristic", "default_heuristic",
    "certificate", "symmetries", "toggles", "operators", "control", "next_control", "inverse",
    "at_goal", "legal", "apply", "cost", "expand", "action", "rank", "unrank", "rank_after",
    "estimate", "change", "after", "begin", "follow", "recall", "__call__",
)  # fmt: skip
"""Methods on which an answer rests."""


MAKING = frozenset({"__init__", "__new__", "__post_init__", "__attrs_post_init__"})
"""What runs before any rule."""
ANY_NAME = frozenset({
    "__dict__", "vars", "getattr", "setattr", "attrgetter", "asdict", "astuple", "format_map",
    "__getattribute__", "__getstate__", "__reduce__", "__reduce_ex__", "str.format", "globals",
})  # fmt: skip
"""What may read, or write, an attribute whose name stands nowhere."""


class _TooLargeError(Exception):
    """There is too much to compare."""


class Kin:
    """Problems of one class, and of the same rules: `notes` has what was found out about them."""

    is_shared = False
    """Whether they have the same kernels, and may have other tables."""

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
        changing = [number for number, each in enumerate(values) if not _is_fixed(each)]
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
        self._changing_rules: list[tuple[int, int]] = []
        self._tokens_of(value, values, [])  # what is too large is soon told
        self._functions, self._cells, read, self._absent = _read_by(self._kinds, held)
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
        self._rules = self._current()
        hidden = [
            [name.startswith(("__", OURS)) or (name[:1] == "_" and isinstance(each, _FILLED))
             for name, each in vars(kind).items()]
            for kind in self._kinds
        ]  # fmt: skip
        self._private_of_kinds = [
            (kind, name)
            for kind in self._kinds
            for name, each in vars(kind).items()
            if name.startswith("_") and name[1:2] != "_" and isinstance(each, (dict, list, set))
        ]
        self._changing_rules = [
            (row, column)
            for row, each in enumerate(self._rules)
            for column, one in enumerate(each)
            if not (row < len(hidden) and hidden[row][column]) and not _is_fixed(one)
        ]
        self._tokens = self._tokens_of(value, own, self._rules)

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
        rules = self._current()
        return (
            _are_same(self._fixed_of(values), self._own)
            and len(rules) == len(self._rules)
            and all(map(_are_same, rules, self._rules))
            and self._tokens_of(value, values, rules) == self._tokens
        )

    def contents(self, value: Any) -> Any:
        """What is equal as long as nothing that fills up has changed; None if that is not known."""
        room = [MOST_ITEMS]
        try:
            _, values = self._attributes(value)
            own = [_token(values[number], room) for number, *_ in self._private]
            of_kinds = [vars(kind).get(name) for kind, name in self._private_of_kinds]
            return own, [_token(each, room) for each in of_kinds]
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

    def _current(self) -> list[tuple[Any, ...]]:
        """What the classes have, and what their functions name."""
        found = [tuple(vars(kind).values()) for kind in self._kinds]
        functions = self._functions
        found.append(tuple([each.__code__ for each in functions]))
        found.append(tuple([each.__defaults__ for each in functions]))
        found.append(tuple([tuple((each.__kwdefaults__ or {}).items()) for each in functions]))
        found.append(tuple([space.keys().isdisjoint(names) for space, names in self._absent]))
        found.append(tuple([each.cell_contents for each in self._cells]))
        found += [read(space) for space, read in self._read]
        return found

    def _fixed_of(self, own: list[Any]) -> list[Any]:
        """The attributes, without those that `_tokens_of` looks into."""
        fixed = own.copy()
        for number in self._changing:
            fixed[number] = None
        return fixed

    def _tokens_of(self, value: Any, own: list[Any], rules: list[tuple[Any, ...]]) -> list[Any]:
        """What tells whether things of a problem have changed that can change by themselves."""
        room, way = [MOST_ITEMS], (id(value),)
        return [
            *(_token(own[number], room, way) for number in self._changing),
            *(_token(rules[row][column], room, way) for row, column in self._changing_rules),
        ]


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


def _are_same(now: Sequence[Any], before: Sequence[Any]) -> bool:
    """Whether things that cannot change are the same, one by one."""
    return len(now) == len(before) and (
        all(map(is_, now, before)) or all(map(_is_same, now, before))
    )


def _is_same(now: Any, before: Any) -> bool:
    """Whether a value is equal to another, and what they hold is of the same types."""
    if now is before:
        return True
    if now.__class__ is not before.__class__ or now != before:
        return False
    with suppress(ValueError):  # not of plain things; sets may have another order
        if marshal.dumps(now, 2) == marshal.dumps(before, 2):
            return True
    return bool(_with_types(now) == _with_types(before))


def _with_types(value: Any) -> Any:
    """What is equal for equal values of the same types, within them too: 1 is not True, nor 1.0."""
    kind = value.__class__
    if isinstance(value, tuple):
        kinds = tuple(map(type, value))
        return kind, kinds, value if _WHOLE.issuperset(kinds) else tuple(map(_with_types, value))
    if isinstance(value, frozenset):
        return kind, frozenset(map(_with_types, value))
    if isinstance(value, (float, complex)):
        return kind, repr(value)
    if _is_frozen(kind):
        return kind, tuple((name, _with_types(each)) for name, each in _members_of(value).items())
    return kind, value


class _Fixed:
    """A value that cannot change, among tokens."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Fixed) and _is_same(self.value, other.value)

    __hash__ = None  # type: ignore[assignment]


def _are_fixed(values: Collection[Any]) -> bool:
    return PLAIN.issuperset(map(type, values)) or all(map(_is_fixed, values))


def _is_fixed(value: Any) -> bool:
    """Whether a value holds the same for ever, but for what is looked at besides."""
    kind: Any = type(value)
    if kind in _FIXED or isinstance(value, type):
        return True
    if kind is tuple:
        return _are_fixed(value)
    if isinstance(value, (tuple, frozenset)):
        return _are_fixed(value) and not getattr(value, "__dict__", None)
    if kind is FunctionType:
        return not vars(value)
    if kind in (BuiltinFunctionType, MethodWrapperType) or _is_frozen(kind):
        return _are_fixed(_members_of(value).values())
    has_more = hasattr(value, "__dict__") or slots_known(kind) or hasattr(value, "__len__")
    if has_more or hasattr(value, "tobytes"):
        return False
    try:
        hash(value)
    except (TypeError, ValueError):
        return False
    return True


@lru_cache(maxsize=1 << 10)
def _is_frozen(kind: Any) -> bool:
    """Whether objects of a class keep the attributes that they were made with."""
    if isinstance(kind, EnumType):
        return True
    declared = getattr(kind, "__dataclass_params__", None)
    is_frozen = declared is not None and declared.frozen
    return is_frozen or getattr(kind.__setattr__, "__module__", None) == "attr._make"


def _members_of(value: Any) -> dict[str, Any]:
    """What a value holds by names."""
    if isinstance(value, FunctionType):
        return vars(value)
    if isinstance(value, (BuiltinFunctionType, MethodWrapperType)):
        return {"__self__": value.__self__}
    kind: Any = type(value)
    found = dict(getattr(value, "__dict__", {}))
    for name in slots_known(kind):
        with suppress(AttributeError):  # it is empty; its class may fill it when it is asked for
            found[name] = object.__getattribute__(value, name)
    return found


def _token(value: Any, room: list[int], way: tuple[int, ...] = ()) -> Any:
    """What tells whether a value has the same content.

    `way` are the numbers of the objects that hold it.
    """
    room[0] -= 1
    if room[0] < 0:
        raise _TooLargeError
    if _is_fixed(value):
        return _Fixed(value)
    kind = value.__class__
    if id(value) in way:
        return kind, way.index(id(value))
    way = *way, id(value)
    base = next((each for each in _HOLDING if isinstance(value, each)), None)
    if base is not None and len(value) > MOST_FLAT:
        raise _TooLargeError
    inner: Any = None
    if base in (dict, MappingProxyType):
        inner = (
            _token_of_row(tuple(value), room, way),
            _token_of_row(tuple(value.values()), room, way),
        )
    elif base in (set, frozenset):
        if _are_fixed(value):
            inner = _Fixed(frozenset(value))
        else:
            inner = {id(each): _token(each, room, way) for each in value}
    elif base is not None:
        inner = _token_of_row(tuple(value), room, way)
    if kind in _HOLDING and inner is not None:
        return kind, inner
    if hasattr(value, "tobytes") and value.nbytes < MOST_BYTES:
        from hashlib import sha256  # noqa: PLC0415  (few problems have arrays)

        form = getattr(value, "shape", None), str(getattr(value, "dtype", ""))
        return kind, form, sha256(value.tobytes()).digest()
    if kind is bytearray and len(value) < MOST_FLAT:
        return kind, bytes(value)
    has_more = hasattr(value, "__dict__") or slots_known(kind) or hasattr(value, "__self__")
    if inner is None and not has_more:
        raise _TooLargeError
    is_by_content = base is not None or isinstance(kind.__hash__, FunctionType)
    members = _members_of(value)
    names, held = tuple(members), _token_of_row(tuple(members.values()), room, way)
    return None if is_by_content else id(value), kind, inner, names, held


def _token_of_row(values: tuple[Any, ...], room: list[int], way: tuple[int, ...]) -> Any:
    if _are_fixed(values):
        return _Fixed(values)
    if len(values) > room[0]:
        raise _TooLargeError
    return [_token(each, room, way) for each in values]


def _read_by(
    kinds: list[type], values: Iterable[Any]
) -> tuple[list[FunctionType], list[CellType], list[_Names], list[_Names]]:
    """The functions of some classes and of `values`, with those that they name; what they read.

    That is what they have from around them, and globals, by their names; then functions of Python's
    that they name, which globals could hide. Classes that they name are added to the `kinds`.
    """
    functions: list[FunctionType] = []
    cells: list[CellType] = []
    named: dict[int, tuple[dict[str, Any], dict[str, None]]] = {}
    absent: dict[int, tuple[dict[str, Any], dict[str, None]]] = {}
    packages = packages_of(kinds)
    todo: list[Any] = [each for kind in kinds for each in (type(kind), *vars(kind).values())]
    todo += values
    every: dict[str, None] = {}
    """All that functions read, by name: of whichever modules are met."""
    modules: list[ModuleType] = []

    def look_into(module: ModuleType, names: Iterable[str]) -> None:
        inner = vars(module)
        more = {each: None for each in names if each in inner}
        named.setdefault(id(inner), (inner, {}))[1].update(more)
        todo.extend(inner[each] for each in more)

    seen: set[int] = set()
    for value in todo:  # grows as it goes, and so holds all whose numbers are in `seen`
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, ModuleType) and is_own_file(vars(value).get("__file__")):
            modules.append(value)
            look_into(value, every)
        if isinstance(value, type) and value not in kinds and is_of_author(value, packages):
            kinds.append(value)
            todo += (type(value), *vars(value).values())
        function = function_in(value)
        if function is None:
            todo += held_by(value, packages)
            continue
        if value is not function:
            todo += (
                function,
                getattr(value, "__self__", None),
                *getattr(value, "args", ()),
                *getattr(value, "keywords", {}).values(),
            )
            continue
        if not is_of_author(function, packages):
            continue
        if len(functions) == MOST_FUNCTIONS:
            raise _TooLargeError
        functions.append(function)
        todo += (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
        space = function.__globals__
        names = named.setdefault(id(space), (space, {}))[1]
        read = list(names_in(function.__code__))
        new = [name for name in read if name in space]
        names.update(dict.fromkeys(new))
        hidden = [name for name in read if name not in space and hasattr(builtins, name)]
        absent.setdefault(id(space), (space, {}))[1].update(dict.fromkeys(hidden))
        every.update(dict.fromkeys(read))
        for module in modules:
            look_into(module, read)
        full = [cell for cell in function.__closure__ or () if is_full(cell)]
        cells += full
        todo += [space[name] for name in new]
        todo += [cell.cell_contents for cell in full]
    present = [(space, tuple(names)) for space, names in named.values()]
    return functions, cells, present, [(space, tuple(each)) for space, each in absent.values()]


def is_read(owner: Any, attribute: str) -> bool:
    """Returns whether rules of an object or class, or what they call, may read an attribute."""
    return any(name in ("", attribute) for name, _ in read_by([owner], _written_in))


def _written_in(function: FunctionType) -> Iterable[str]:
    """The names that an author's function reads; methods that attrs and dataclasses make do more.

    These compare and show whole objects.
    """
    is_made = function.__code__.co_filename.startswith("<")
    return () if is_made else names_in(function.__code__)


def read_by(
    owners: Iterable[Any], names_of: Callable[[FunctionType], Iterable[str]]
) -> Iterator[tuple[str, str]]:
    """The names that rules may read, each with a function that does; "" stands for all names.

    Whatever has the name of something that a rule names may be called by it. So may the special
    methods of what an owner holds or a rule names: what needs no state, Python finds out once.
    """
    todo: list[Any] = []
    places: list[Any] = []
    """Classes and modules, in which names are looked up."""
    named = set(RULES)
    kinds = [own if isinstance(own, type) else type(own) for own in owners]
    packages = packages_of(each for kind in kinds for each in kind.__mro__)
    packages -= {"builtins", "typing", "searchkit", "abc"}

    def look_into(place: Any, names: Iterable[str]) -> None:
        todo.extend(getattr_static(place, each, None) for each in names)

    for own, kind in zip(owners, kinds, strict=True):
        todo += [kind, *held_by(own, packages)]
    seen: set[int] = set()
    for value in todo:  # grows as it goes, and so holds all whose numbers are in `seen`
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, type):
            special = {n for n in dir(value) if n[:2] == n[-2:] == "__"} - MAKING
            places.append(value)
            look_into(value, named | special)
        elif isinstance(value, ModuleType):
            places.append(value)
            look_into(value, named)
        held = held_by(value, packages)
        if isinstance(value, partial):
            held = [value.func, *value.args, *value.keywords.values()]
        todo += held
        function = None if held else function_in(value)
        if function is None or not is_of_author(function, packages):
            continue
        name, space = function.__qualname__, getclosurevars(function).nonlocals
        todo += (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
        found = set(names_of(function))
        for each in found:
            yield ("" if each in ANY_NAME else each), name
            other = space.get(each, function.__globals__.get(each))
            todo += [] if isinstance(other, type) else [other]
        todo += space.values()
        for place in places:
            look_into(place, found - named)
        named |= found
