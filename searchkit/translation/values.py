"""What an expression of the author's stands for while it is translated."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from types import FunctionType, MappingProxyType, MethodType
from typing import Any, NamedTuple

from searchkit.translation.text import Leave, Loop
from searchkit.translation.types import MOST_NUMBER, Bool, Int, Record, Type

SMALL = MOST_NUMBER
"""Numbers of cells and variables are between this and its negative."""
FRAME = "F"
STACK = "S"
"""Where the values of functions lie that call themselves."""
CONSTANTS = "self.tables.constants"
FUNCTIONS = (FunctionType, MethodType)


class Scalar(NamedTuple):
    """A value of one cell: an expression without effects, and bounds on the number."""

    type: Type
    text: str
    low: int = 1 - SMALL
    high: int = SMALL - 1

    @classmethod
    def truth(cls, text: str) -> Scalar:
        """The truth value of an expression."""
        return cls(Bool(), text, 0, 1)

    @classmethod
    def whole(cls, number: int) -> Scalar:
        """A number from 0 on that is known."""
        return cls(Int(), str(number), number, number)


class Words(NamedTuple):
    """The words of the state as a list that began as a part of it would have them.

    `word` names them, and `unfit` what is not 0 where some cell had no room in its field. The cells
    of the list are `shift` behind those of the state.
    """

    word: str
    unfit: str
    shift: int


class Interval(NamedTuple):
    """Bounds on all numbers in a value, and on those in each of its parts, where these are known.

    Of a value without numbers, they hold nothing.
    """

    low: int = SMALL
    high: int = -SMALL
    parts: tuple[Any, ...] = ()

    @property
    def bounds(self) -> tuple[int, int]:
        """Bounds on all numbers, whether there are any or not."""
        return (self.low, self.high) if self.low <= self.high else (0, 0)

    def joined(self, other: Interval) -> Interval:
        """Bounds on the numbers in either of two values."""
        pairs = zip(self.parts, other.parts, strict=True)
        is_alike = len(self.parts) == len(other.parts)
        parts = tuple(one.joined(each) for one, each in pairs) if is_alike else ()
        if NO_NUMBERS in (self, other):
            parts = self.parts or other.parts
        return Interval(min(self.low, other.low), max(self.high, other.high), parts)


NO_NUMBERS = Interval()
ANY_NUMBERS = Interval(1 - SMALL, SMALL - 1)


class Place(NamedTuple):
    """A value in memory: the cells from `base + shift` on."""

    type: Any
    """A `Type`."""
    memory: str
    base: str
    """A name, or nothing."""
    shift: int
    is_stable: bool = False
    """Whether the cells stay as they are for as long as the value is used."""
    is_fresh: bool = False
    """Whether nothing else in the author's program is this object."""
    root: Any = None
    """The variable that it is part of, if it is part of one."""
    path: tuple[int | None, ...] = ()
    """What leads from there: the number of an item of a record, or None for one of a row."""
    bounds: tuple[int, int] = (1 - SMALL, SMALL - 1)
    """Bounds on all numbers of it."""
    parts: tuple[Interval, ...] = ()
    """Bounds on those of each of its items, where these are known."""
    words: Words | None = None
    """Of a list that began as a part of the state."""
    is_field: bool = False
    """Whether it is an item of an `Object`: it keeps its length and bounds, and an index of it
    counts from 0; of a set, that members are in their order."""

    def at(self, offset: int | str = 0) -> str:
        """The index of a cell."""
        if isinstance(offset, int):
            shift = self.shift + offset
            if not self.base:
                return str(shift)
            return f"{self.base} + {shift}" if shift else self.base
        start = self.at()
        return offset if start == "0" else f"{start} + {offset}"

    def cell(self, offset: int | str = 0) -> str:
        """The text of a cell."""
        return f"{self.memory}[{self.at(offset)}]"

    def made(self) -> Place:
        """The same as what is made by now, and nothing else in the author's program is."""
        return self._replace(is_stable=True, is_fresh=True)


class Known(NamedTuple):
    """A value that no state changes: an object of Python."""

    value: Any


class Chosen(NamedTuple):
    """One of several dicts, sets or functions of the author's, by a number that a state decides."""

    values: tuple[Any, ...]
    place: str


class Objects(NamedTuple):
    """One of several objects of the author's, of one class, that are asked for their attributes."""

    values: tuple[Any, ...]
    place: str

    @property
    def kind(self) -> type:
        """The class."""
        return type(self.values[0])


class Items(NamedTuple):
    """A tuple or list of which each item is at hand; no memory holds it."""

    items: tuple[Any, ...]
    kind: type = tuple


class Function(NamedTuple):
    """A function of the author's, or a lambda, or a method with what it belongs to."""

    node: Any
    """Its definition, with names split."""
    scope: Any
    """Where it is defined, for an inner one; None for a function of a module or a class."""
    function: Any = None
    first: Any = None
    """Its first argument, if it is a method."""
    defaults: tuple[Any, ...] = ()
    """Of an inner one: the values of the last arguments."""
    kw_defaults: Mapping[str, Any] = MappingProxyType({})


class Joined(NamedTuple):
    """Sequences of one kind one behind the other, or a part of one, that no memory holds yet."""

    parts: tuple[Any, ...]
    """Items, places, and streams whose items are at hand."""
    kind: type


class Round(NamedTuple):
    """One round of a loop of the author's: where `break` and `continue` go."""

    stop: tuple[Loop, Leave]
    next: tuple[Loop, Leave]


class Stream(NamedTuple):
    """What can be gone through: by number, if `at` gives the item of a number, or by `each` alone.

    `each(body)` makes the loop and calls `body` in it with an item and its round. `count` is how
    many there are.
    """

    each: Callable[[Callable[[Any, Round], None]], None] | None = None
    count: Scalar | None = None  # type: ignore[assignment]
    at: Callable[[Scalar], Any] | None = None
    most: int = 0
    """A bound on how many there are, where there is no `count`."""
    is_ordered: bool = True
    """Whether Python has the same order."""
    is_mixed: bool = False
    """Whether the items are of several kinds, so that Python cannot sort them."""
    is_iterator: bool = True
    """Whether Python goes through it once only, and knows no length: all but ranges and views."""
    known: tuple[Any, ...] | None = None
    """The items, if no state decides about them."""
    row: Place | None = None
    """The list that is gone through, if it may grow or shrink on the way."""
    is_group: bool = False
    """Whether it is a part of a row that nothing changes: it may be gone through later."""
    slice: tuple[Place, str] | None = None
    """Of a slice, the sequence and the text of where it begins."""

    def item(self, number: str) -> Any:
        """The item of a number, by the text of that."""
        assert self.count is not None
        assert self.at is not None
        return self.at(Scalar(Int(), number, 0, max(0, self.count.high - 1)))


Value = Scalar | Place | Known | Chosen | Objects | Items | Joined | Function | Stream
Node = ast.AST


def without_names(value: Any) -> Any:
    """A tuple without the names of its items."""
    if isinstance(value, Known):
        return Known(tuple(value.value))
    if isinstance(value, Items):
        return Items(value.items, tuple)
    if isinstance(value, Place) and isinstance(value.type, Record):
        return value._replace(type=Record(value.type.items, tuple))
    return value
