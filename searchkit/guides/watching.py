"""What a goal test asks of a state: its values are given to it as ones that note comparisons.

As in search-based testing of software, where the failed comparison says what an input lacks (Korel,
"Automated software test data generation", 1990).
"""

from __future__ import annotations

import builtins
import copy
import dataclasses
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple

import attrs

Path = tuple[Any, ...]
"""Where a part of a state is: numbers of items, names of attributes, or `len` of what is there."""

DEEPEST = 6
"""Parts of parts further down are not watched."""
MOST_ASKED = 1 << 14
"""A test that asks more of one state has no end, perhaps: no search need ever come to it."""
NEGATED = {
    "__eq__": "__ne__", "__ne__": "__eq__", "__lt__": "__ge__", "__ge__": "__lt__",
    "__gt__": "__le__", "__le__": "__gt__", "__contains__": "without", "__bool__": "__not__",
}  # fmt: skip


class Question(NamedTuple):
    """A comparison of a part of a state with a value, and its answer."""

    path: Path
    asks: str
    """The method of Python's that compares."""
    other: Any
    answer: bool

    @property
    def is_equal(self) -> bool:
        """Whether a part was said to equal what it was compared with."""
        return (self.asks, self.answer) in (("__eq__", True), ("__ne__", False))


def questions(is_goal: Callable[[Any], Any], state: Any) -> tuple[list[Question], bool]:
    """What `is_goal` asks of a state that is no goal, in order, and whether it is one.

    Nothing where it cannot say. A comparison of two parts of the state is none that can be told,
    and left out.
    """
    asked = _Asked()
    try:
        with_len = _with_own_len(is_goal)
        is_end = bool(with_len(_watched(state, (), asked)))
    except KeyboardInterrupt:
        raise
    except BaseException:  # by a state that is none, it may even leave Python
        return [], False
    finally:
        asked.is_over = True
    return ([], True) if is_end else (asked.questions, False)


@attrs.define(eq=False, repr=False)
class _Asked:
    """What is noted of one call; of a watched value that the test has kept, nothing any more."""

    questions: list[Question] = attrs.field(factory=list, init=False)
    is_over: bool = attrs.field(default=False, init=False)

    def note(self, question: Question) -> None:
        if self.is_over:
            return
        if len(self.questions) >= MOST_ASKED:
            raise OverflowError("a goal test without an end")
        self.questions.append(question)


def _with_own_len(is_goal: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same function, which calls a `len` that is seen: Python's own gives a plain number."""
    function = getattr(is_goal, "__func__", is_goal)
    if not isinstance(function, FunctionType) or "len" in function.__globals__:
        return is_goal

    def seen_len(value: Any) -> Any:
        number = builtins.len(value)
        if not isinstance(value, _Seen):
            return number
        return _watched(number, (*value._path, builtins.len), value._asked)

    names = {**function.__globals__, "len": seen_len}
    made = FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made if function is is_goal else made.__get__(is_goal.__self__)  # type: ignore[attr-defined]


class _Seen:
    """Base of the classes of values that note what they are compared with."""

    _own: Any
    """The plain value."""
    _path: Path
    _asked: _Asked


def _watched(value: Any, path: Path, asked: _Asked) -> Any:
    """A value that equals another, and notes in `asked` what it is compared with."""
    cls: Any = type(value)
    if len(path) > DEEPEST:
        return value
    if cls in (int, str, float, frozenset):
        made = _class_of(cls)(value)
    elif isinstance(value, tuple):
        items = [_watched(each, (*path, i), asked) for i, each in enumerate(value)]
        made = tuple.__new__(_class_of(cls), items)
    elif dataclasses.is_dataclass(value) or attrs.has(cls):
        made = copy.copy(value)
        for name in _names_of(cls):
            own = getattr(value, name)
            object.__setattr__(made, name, _watched(own, (*path, name), asked))
        return made
    else:
        return value
    made._own, made._path, made._asked = value, path, asked
    return made


def _names_of(cls: type) -> list[str]:
    if attrs.has(cls):
        return [each.name for each in attrs.fields(cls)]
    return [each.name for each in dataclasses.fields(cls)]


@cache
def _class_of(base: type) -> Any:
    """The class of values like those of `base` that note comparisons."""
    names: dict[str, Any] = {
        name: _comparing(base, name)
        for name in ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
    }
    names["__hash__"] = lambda self: hash(self._own)
    names["__reduce__"] = lambda self: (_same, (self._own,))  # what is copied or sent is plain
    names["__bool__"] = lambda self: _noted(self, "__bool__", None, bool(self._own))
    if hasattr(base, "__contains__"):
        names["__contains__"] = _containing
    if hasattr(base, "issubset"):
        names["issubset"] = lambda self, other: self <= frozenset(other)
        names["issuperset"] = lambda self, other: self >= frozenset(other)
    if issubclass(base, tuple):
        names["index"] = lambda self, *other: self._own.index(*other)
        names["count"] = lambda self, other: self._own.count(other)
    if base is str:
        names["__getitem__"] = _letter
        names["__iter__"] = lambda self: (self[i] for i in range(len(self._own)))
    return type(f"Seen_{base.__name__}", (base, _Seen), names)


def _same(value: Any) -> Any:
    return value


def _comparing(base: type, name: str) -> Callable[[Any, Any], Any]:
    compare = getattr(base, name)

    def method(self: Any, other: Any) -> Any:
        if _has_seen(other):
            return compare(self._own, _plain(other))
        answer = compare(self._own, other)
        if answer is NotImplemented:
            if name not in ("__eq__", "__ne__"):
                return answer
            answer = (self._own == other) is (name == "__eq__")
        return _noted(self, name, other, answer)

    return method


def _containing(self: Any, other: Any) -> bool:
    answer = _plain(other) in self._own
    return answer if _has_seen(other) else _noted(self, "__contains__", other, answer)


def _letter(self: Any, place: Any) -> Any:
    letter = self._own[place]
    if not isinstance(place, int):
        return letter
    return _watched(letter, (*self._path, place % len(self._own)), self._asked)


def _noted(seen: Any, asks: str, other: Any, answer: bool) -> bool:
    seen._asked.note(Question(seen._path, asks, other, answer))
    return answer


def _has_seen(value: Any) -> bool:
    """Whether a value is, or has, one that is watched."""
    if isinstance(value, (tuple, list)) and not isinstance(value, _Seen):
        return any(map(_has_seen, value))
    return isinstance(value, _Seen)


def _plain(value: Any) -> Any:
    """The same value with nothing in it that is watched."""
    if isinstance(value, _Seen):
        return value._own
    if type(value) in (tuple, list):
        return type(value)(map(_plain, value))
    return value
