"""What is wanted of a state, and how much of it is missing: counted, or by learned ways.

Goal counting (Hoffmann, "FF: the fast-forward planning system", 2001) without declared goals: the
rules' own goal test says what it compares.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from math import fsum
from operator import itemgetter, ne
from typing import Any, Protocol

import attrs

from searchkit.guides.watching import NEGATED, Path, Question, questions
from searchkit.guides.ways import Ways, is_row

MOST_SUPPOSED = 300
"""How often a state is supposed to have what was missing, to see what else is."""
MOST_IN_VAIN = 100
"""After so many states in a row that told nothing new, none is asked."""
MOST_ALTERNATIVES = 64
MOST_OTHERS = 256
"""How many wishes are kept, at most, that are for no value of their own."""
_EQUAL = ("__eq__", "__ne__")
LONG = 1 << 16
"""Whole numbers from here on are taken for sets of bits."""


class Wanted(Protocol):
    """What a part of a state should be."""

    def missing(self, value: Any, ways: Ways | None) -> float:
        """How much it lacks: counted, or how many steps away by `ways`; 0 if nothing."""


@attrs.frozen(eq=False)
class Value:
    """One value."""

    path: Path
    value: Any

    def missing(self, value: Any, ways: Ways | None) -> float:
        """Steps, or bits that differ, or 1."""
        if value == self.value:
            return 0
        graph = None if ways is None else ways.changed.get(self.path)
        if graph is not None:
            return graph.far(value, self.value)
        if type(value) is int and type(self.value) is int and max(value, self.value) >= LONG:
            return int(value ^ self.value).bit_count()
        if isinstance(value, int) and self.path and self.path[-1] is len:
            return float(abs(value - self.value))
        return 1


@attrs.frozen(eq=False)
class Row:
    """Items at some places of a row, or the letters of a text."""

    path: Path
    places: tuple[int, ...]
    items: tuple[Any, ...]
    _read: Callable[[Any], Any] = attrs.field(init=False)
    _place: dict[Any, int] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "_read", itemgetter(*self.places))
        places = dict(zip(self.items, self.places, strict=True))
        object.__setattr__(self, "_place", places if len(places) == len(self.items) else {})

    def missing(self, value: Any, ways: Ways | None) -> float:
        """Items that are elsewhere, or how far away they are."""
        graph = None if ways is None or not self._place else ways.moved.get(self.path)
        if graph is not None and isinstance(value, tuple) and is_row(value):
            place, far = self._place, graph.far
            return sum(far(i, place[each]) for i, each in enumerate(value) if each in place)
        items = self._read(value)
        return float(sum(map(ne, items if len(self.places) > 1 else (items,), self.items)))


@attrs.frozen(eq=False)
class Parts:
    """Something of each of some parts."""

    parts: tuple[tuple[Any, Wanted], ...]

    def missing(self, value: Any, ways: Ways | None) -> float:
        """What all parts lack together."""
        return sum(each.missing(value[i], ways) for i, each in self.parts)


@attrs.frozen(eq=False)
class Members:
    """A set."""

    path: Path
    members: frozenset[Any]

    def missing(self, value: Any, ways: Ways | None) -> float:
        """Members too many, and too few: each that is wanted costs as much as the nearest one."""
        over, lacking = value - self.members, self.members - value
        most = max(len(over), len(lacking))
        if not over or not lacking or len(over) * len(lacking) > 100:
            return most
        graph = None if ways is None else ways.exchanged.get(self.path)
        far = _unlike if graph is None else graph.far
        # Their order differs between processes, and a sum of floats by it.
        least = fsum(min(far(each, wanted) for each in over) for wanted in lacking)
        return least + most - len(lacking)


@attrs.frozen(eq=False)
class Asked:
    """A comparison with the answer True."""

    asks: str
    other: Any

    def missing(self, value: Any, ways: Ways | None) -> float:
        """The difference of numbers, what sets have too many or too few, or 1."""
        other, asks = self.other, self.asks
        if asks in ("__bool__", "__not__"):
            size = len(value) if hasattr(value, "__len__") else abs(value)
            return size if asks == "__not__" else size == 0
        if asks in ("__contains__", "without"):
            return (other in value) is (asks == "without")
        if getattr(value, asks)(other) is True:
            return 0
        if asks == "__ne__":
            return 1
        if isinstance(value, frozenset):
            return max(1, len(other - value if asks in ("__gt__", "__ge__") else value - other))
        return max(1, abs(value - other)) if isinstance(value, (int, float)) else 1


def _unlike(value: Any, wanted: Any) -> float:
    """How much of a stack is to be taken off, as a part of the whole; 1 if they are no stacks."""
    if not (isinstance(value, tuple) and isinstance(wanted, tuple)) or len(value) == len(wanted):
        return float(value != wanted)
    alike = 0
    for one, other in zip(value, wanted, strict=False):
        if one != other:
            break
        alike += 1
    return 1 - alike / max(len(value), len(wanted))


def wanted_of(value: Any, path: Path = ()) -> Wanted:
    """A whole value as something wanted."""
    if isinstance(value, (tuple, str)) and value:
        if any(isinstance(each, (tuple, frozenset)) for each in value):
            return Parts(tuple((i, wanted_of(each, (*path, i))) for i, each in enumerate(value)))
        return Row(path, tuple(range(len(value))), tuple(value))
    return Members(path, value) if isinstance(value, frozenset) else Value(path, value)


@attrs.define(eq=False, repr=False)
class Wishes:
    """All that is known to be wanted of a state before it is a goal."""

    is_goal: Callable[[Any], Any]
    goals: Sequence[Any] = ()
    """All goals, where they are listed."""
    ways: Ways = attrs.field(factory=Ways)
    version: int = attrs.field(default=0, init=False)
    """How often something was learned."""
    wholes: list[Any] = attrs.field(factory=list, init=False)
    """Some goals, or what was supposed to be one and is."""
    is_asking: bool = attrs.field(init=False)
    """Whether states are still asked what they lack."""
    _in_vain: int = attrs.field(default=0, init=False)
    _values: dict[Path, list[Any]] = attrs.field(factory=dict, init=False)
    """Values of parts, any one of which will do."""
    _others: dict[tuple[Path, str, Any], Asked] = attrs.field(factory=dict, init=False)
    _compiled: list[tuple[Path, list[Wanted]]] = attrs.field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        self.is_asking = not self.goals
        if self.goals:
            self._values[()] = self.wholes = list(self.goals[:MOST_ALTERNATIVES])
            self._compile()

    def learn(self, state: Any) -> bool:
        """Ask of a state that is no goal what it lacks; whether anything is new.

        It is supposed to have that, and asked again: a test that stops at the first failure then
        tells the next.
        """
        if not self.is_asking:
            return False
        is_new = False
        for _ in range(MOST_SUPPOSED):
            asked, is_end = questions(self.is_goal, state)
            if is_end and state not in self.wholes:
                self.wholes.append(state)
            if not asked:
                break
            supposed = state
            for number, question in enumerate(asked, 1):
                is_last = number == len(asked)
                found = self._learned(question, is_last=is_last)
                is_new |= found
                if found and not question.is_equal and _wants_equal(question, is_last=is_last):
                    supposed = _with(supposed, question.path, question.other)
            if supposed is state:
                break
            state = supposed
        self._in_vain = 0 if is_new else self._in_vain + 1
        self.is_asking = self._in_vain < MOST_IN_VAIN
        if is_new:
            self._compile()
        return is_new

    def _learned(self, question: Question, *, is_last: bool) -> bool:
        """Note what a question asks for, if that is new."""
        path, asks, other, answer = question
        if not path and question.is_equal:
            return False  # it was looked up, in what a test remembers: that is no other wish
        if _wants_equal(question, is_last=is_last):
            known = self._values.setdefault(path, [])
            is_new = not any(each is other or each == other for each in known)
            if is_new and len(known) < MOST_ALTERNATIVES:
                known.append(other)
                return True
            return False
        if not is_last and (asks != "__contains__" or answer):
            return False
        wanted = NEGATED[asks] if answer else asks
        try:
            is_new = (path, wanted, other) not in self._others
        except TypeError:  # cannot be hashed
            return False
        if is_new and len(self._others) < MOST_OTHERS:
            self._others[path, wanted, other] = Asked(wanted, other)
            return True
        return False

    def learn_step(self, before: Any, after: Any) -> None:
        """Note how parts change from a state to the next."""
        if self.ways.learn(before, after):
            self.version += 1

    def missing(self, state: Any) -> tuple[float, float]:
        """What a state lacks: as a count, and in steps by what is known of these."""
        count = far = 0.0
        for path, wanted in self._compiled:
            try:
                value = _part(state, path)
                count += min(each.missing(value, None) for each in wanted)
                far += min(each.missing(value, self.ways) for each in wanted)
            except Exception:
                count, far = count + 1, far + 1
        return count, far

    def _compile(self) -> None:
        """Join what is wanted of single items of a row, which is counted faster so."""
        self.version += 1
        rows: dict[Path, dict[int, Any]] = {}
        found: list[tuple[Path, list[Wanted]]] = []
        for path, values in self._values.items():
            if path and isinstance(path[-1], int) and len(values) == 1 and _is_leaf(values[0]):
                rows.setdefault(path[:-1], {})[path[-1]] = values[0]
            else:
                found.append((path, [wanted_of(each, path) for each in values]))
        for path, items in rows.items():
            found.append((path, [Row(path, tuple(items), tuple(items.values()))]))
        self._compiled = found + [(path, [each]) for (path, *_), each in self._others.items()]


def _wants_equal(question: Question, *, is_last: bool) -> bool:
    """Whether a part should equal what it was compared with: the last answer was the wrong one."""
    if is_last:
        return question.asks in _EQUAL and not question.is_equal
    return question.asks == "__eq__" or (question.asks == "__ne__" and question.is_equal)


def _is_leaf(value: Any) -> bool:
    return not isinstance(value, (tuple, frozenset)) and not (
        isinstance(value, str) and len(value) > 1
    )


def _part(state: Any, path: Iterable[Any]) -> Any:
    """The part of a state at a path."""
    for each in path:
        if each is len:
            state = len(state)
        else:
            state = getattr(state, each) if isinstance(each, str) else state[each]
    return state


def _with(state: Any, path: Path, value: Any) -> Any:
    """The state with another part at a path; the same where there can be none."""
    if not path:
        return value
    first, rest = path[0], path[1:]
    try:
        if isinstance(first, str):
            made = copy.copy(state)
            object.__setattr__(made, first, _with(getattr(state, first), rest, value))
            return made
        items = list(state)
        items[first] = _with(items[first], rest, value)
        return "".join(items) if isinstance(state, str) else tuple.__new__(type(state), items)
    except Exception:
        return state
