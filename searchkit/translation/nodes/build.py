"""Makes nodes: bodies, names, room in memory, constants, and what names have been found to hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from searchkit.translation.cells import cells_of
from searchkit.translation.nodes.lattice import ANY, Heap, Lattice, Ref, is_flat, is_scalar
from searchkit.translation.nodes.node import (
    BEYOND,
    BOOL,
    CONSTANTS,
    FRAME,
    INT,
    SMALL,
    Node,
    name,
    number,
)
from searchkit.translation.nodes.values import EVER, ONCE, Known, Place, Row
from searchkit.translation.types import (
    Atom,
    Atoms,
    Bool,
    Char,
    Int,
    Maybe,
    Never,
    Record,
    Seq,
    Unfit,
    type_of,
)

MOST_CONSTANTS = 1 << 20
"""How many numbers kernels may look up."""


class Refused(Exception):  # noqa: N818  (today's translator is asked)
    """What these nodes have no form for."""

    def __init__(self, what: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {what}")


class Bottom(Exception):  # noqa: N818  (a signal)
    """There is no value here: nothing has given one so far."""


class Variable:
    """What a name of the author's has been found to hold."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.type: Any = Never()
        self.low, self.high = SMALL, -SMALL
        self.known: Any = None
        """A `Known` that it always is, or another value that is not in memory."""
        self.rounds = 0
        self.place: Place | None = None
        self.count = 0
        self.is_argument = False
        self.alias: Any = None


class Build(Lattice):
    """The nodes of one kernel, in one round."""

    def __init__(self, atoms: Atoms, constants: list[int], *, words: bool) -> None:
        super().__init__()
        self.atoms, self.constants, self.words = atoms, constants, words
        self.variables: dict[Any, Variable] = {}
        self.heaps: dict[Any, Heap] = {}
        self.rows: dict[Any, int] = {}
        self.types: dict[Any, Any] = {}
        self.kept: list[Any] = []
        self.titles: set[str] = set()
        self.is_hopeful = True
        """Whether lists and dicts of what is known are taken for constants: none is changed."""
        self.spoilt: set[Any] = set()
        """Those that are changed."""
        self.displays: dict[int, Any] = {}
        self.static: frozenset[int] = frozenset()
        """The heaps of which one object is known at a time."""
        self.begin(0)

    def begin(self, cells: int) -> None:
        """Begin a round; states take the first cells."""
        self.body: list[Node] = []
        self.cells, self.count, self.labels = cells, 0, 0
        self.changed, self.grows = False, False
        self.facts: list[tuple[str, int, int]] = []
        self.tests: dict[str, Node] = {}
        self.single: set[str] = set()
        self.given: dict[str, Node] = {}
        """What names were given that stay what they are."""
        self.origins: dict[str, int] = {}
        """The cells of the state that names hold."""
        self.ever = cells
        self.elsewhere: list[Any] = []
        """The types of what names stand for without a variable."""
        self.line = 0
        self.seen: dict[Any, int] = {}
        for each in self.variables.values():
            each.place, each.alias = None, None

    # Bodies

    def emit(self, node: Node) -> None:
        """Add what is done."""
        node.line = self.line
        self.body.append(node)

    @contextmanager
    def inside(self, body: list[Node]) -> Iterator[None]:
        """Add to another body."""
        outer, self.body, mark = self.body, body, len(self.facts)
        try:
            yield
        finally:
            self.body = outer
            del self.facts[mark:]

    @property
    def is_over(self) -> bool:
        """Whether nothing is reached here."""
        return bool(self.body) and self.body[-1].kind in ("leave", "trap", "return")

    def choose(self, test: Node, yes: Any, no: Any = None) -> None:
        """An `if`: functions make its bodies."""
        bodies: tuple[list[Node], list[Node]] = ([], [])
        for each, make, holds in zip(bodies, (yes, no), (True, False), strict=True):
            if make is not None:
                with self.inside(each):
                    self.assume(test, holds)
                    self.alone(make)
        self.emit(Node("if", None, [test], bodies=bodies))
        over = [bool(b) and b[-1].kind in ("leave", "trap", "return") for b in bodies]
        if over[0] is not over[1]:
            self.assume(test, over[1])
        if all(over):
            # What comes after is not reached, and says so.
            self.emit(Node("trap", None))

    def alone(self, make: Any) -> None:
        """Make a body, which ends where there is no value."""
        try:
            make()
        except Bottom:
            self.trap()

    def trap(self, test: Node | None = None) -> None:
        """Leave the state to Python, where a test holds."""
        if test is None:
            self.emit(Node("trap", None))
        elif test.kind == "number":
            if test.what:
                self.emit(Node("trap", None))
                raise Bottom
        else:
            self.emit(Node("if", None, [test], bodies=([Node("trap", None, line=self.line)], [])))
            self.assume(test, False)

    @contextmanager
    def block(self) -> Iterator[int]:
        """What may be left for its end: the number of the block."""
        self.labels += 1
        label, body = self.labels, []
        with self.inside(body):
            yield label
        self.emit(Node("block", label, bodies=[body]))

    def assume(self, test: Node, holds: bool) -> None:
        """Note what follows for names from a test, up to the end of this body."""
        if test.kind == "name":
            if test.what in self.tests:
                self.assume(self.tests[test.what], holds)
        elif test.kind == "not":
            self.assume(test.args[0], not holds)
        elif test.kind == "both":
            if holds is (test.what == "and"):
                for each in test.args:
                    self.assume(each, holds)
        elif test.kind == "compare":
            sign = test.what if holds else _OPPOSITE[test.what]
            for (one, other), way in zip(
                (test.args, test.args[::-1]), (sign, _TURNED[sign]), strict=True
            ):
                if one.kind == "name" and self.is_fixed(one.what):
                    low, high = self.bounds_of(other)
                    if way in ("Lt", "LtE"):
                        self.facts.append((one.what, -BEYOND, high - (way == "Lt")))
                    elif way in ("Gt", "GtE"):
                        self.facts.append((one.what, low + (way == "Gt"), BEYOND))
                    elif way == "Eq":
                        self.facts.append((one.what, low, high))

    def is_fixed(self, title: str) -> bool:
        """Whether a name is given no other value before a body ends."""
        return title[0] != "v" or title in self.single

    def bounds_of(self, node: Node) -> tuple[int, int]:
        """Between which numbers a node is, by all that is known here."""
        low, high = node.low, node.high
        if node.kind == "name":
            for title, least, most in self.facts:
                if title == node.what:
                    low, high = max(low, least), min(high, most)
        return (low, high) if low <= high else (node.low, node.high)

    def narrowed(self, node: Node) -> Node:
        """A node with the bounds that are known here."""
        if node.kind != "name" or not self.facts or not isinstance(node.type, Int):
            return node
        low, high = self.bounds_of(node)
        return Node(node.kind, node.what, node.args, node.type, low, high)

    def leave(self, label: int) -> None:
        """Go to the end of a block."""
        self.emit(Node("leave", label))

    @contextmanager
    def counting(self, low: Node, high: Node, step: int = 1) -> Iterator[Node]:
        """A loop over a range: its number."""
        i = self.fresh("i")
        body: list[Node] = []
        bounds = (low.low, high.high - 1) if step > 0 else (high.low + 1, low.high)
        with self.inside(body):
            yield name(i, INT, min(bounds), max(bounds))
        self.emit(Node("count", i, [low, high, number(step)], bodies=[body]))

    @contextmanager
    def endless(self) -> Iterator[None]:
        """A loop that is left by leaving what is around it."""
        body: list[Node] = []
        with self.inside(body):
            yield
        self.emit(Node("loop", None, bodies=[body]))

    # Names and memory

    def fresh(self, hint: str = "t") -> str:
        """A name that is not used yet."""
        self.count += 1
        return f"{hint}{self.count}"

    def held(self, node: Node, hint: str = "t") -> Node:
        """A node as a name, unless it is one or a number."""
        if node.kind == "number" or (node.kind == "name" and node.what[0] != "v"):
            return node
        title = self.fresh(hint)
        self.emit(Node("set", title, [node]))
        if isinstance(node.type, Bool):
            self.tests[title] = node
        if node.kind == "load":
            if (
                node.what == FRAME
                and node.args[0].kind == "number"
                and node.args[0].what < self.ever
            ):
                self.origins[title] = node.args[0].what
        elif node.kind in ("name", "binary") and self._is_settled(node):
            self.given[title] = node
        return name(title, node.type, node.low, node.high)

    def _is_settled(self, node: Node) -> bool:
        """Whether a sum or name stays what it is up to the end of this body."""
        if node.kind == "name":
            return self.is_fixed(node.what)
        return node.kind == "number" or all(map(self._is_settled, node.args))

    def let(self, title: str, node: Node) -> None:
        """Give a name a value."""
        self.emit(Node("set", title, [node]))

    def slot(self, kind: Any, lasts: str = ONCE) -> Place:
        """Room for a value in the frame."""
        place = Place(kind, FRAME, number(self.cells), lasts)
        self.cells += kind.cells
        return place

    def load(self, memory: str, at: Node, kind: Any) -> Node:
        """A cell, looked at now."""
        low, high = (0, 1) if isinstance(kind, Bool) else (-SMALL, SMALL)
        if isinstance(kind, (Char, Atom)):
            low, high = 0, max(len(self.atoms.values), 0x110000)
        return self.held(Node("load", memory, [at], kind, low, high))

    def put(self, at: Node, node: Node) -> None:
        """Write a cell."""
        self.emit(Node("store", FRAME, [at, node]))

    def shown(self, key: Any, value: Any) -> Known | None:
        """A list or dict that is written out, as a constant; None for one that is changed."""
        if not self.is_hopeful or key in self.spoilt:
            return None
        self.kept.append(value)
        self.displays[id(value)] = key
        return Known(value)

    def changes(self, value: Any) -> Refused:
        """The error for a change of what is known; one that is written out is no longer."""
        key = self.displays.get(id(value.value)) if isinstance(value, Known) else None
        if key is not None:
            self.spoilt.add(key)
        return Refused("changes what is the author's", self.line)

    # Numbers

    def plus(self, one: Node, other: Node | int) -> Node:
        """A sum of small numbers, of addresses or lengths."""
        other = number(other) if isinstance(other, int) else other
        if one.kind == "number" and other.kind == "number":
            return number(one.what + other.what)
        if one.kind == "number":
            one, other = other, one
        if other.kind == "number":
            if other.what == 0:
                return one
            if one.kind == "binary" and one.what == "Add" and one.args[1].kind == "number":
                return self.plus(one.args[0], one.args[1].what + other.what)
        return Node("binary", "Add", [one, other], INT, one.low + other.low, one.high + other.high)

    def minus(self, one: Node, other: Node | int) -> Node:
        """A difference of small numbers."""
        if isinstance(other, int):
            return self.plus(one, -other)
        if other.kind == "number":
            return self.plus(one, -other.what)
        low, high = one.low - other.high, one.high - other.low
        return Node("binary", "Sub", [one, other], INT, low, high)

    def times(self, one: Node, size: int) -> Node:
        """A multiple of a small number."""
        if size == 1:
            return one
        if one.kind == "number":
            return number(one.what * size)
        low, high = sorted((one.low * size, one.high * size))
        return Node("binary", "Mult", [one, number(size)], INT, low, high)

    def compare(self, sign: str, one: Node, other: Node | int) -> Node:
        """A comparison, of which the answer may be known."""
        other = number(other) if isinstance(other, int) else other
        one, other = self.narrowed(one), self.narrowed(other)
        answer = _known(sign, one, other)
        if answer is not None:
            return number(answer, BOOL)
        return Node("compare", sign, [one, other], BOOL, 0, 1)

    def negated(self, test: Node) -> Node:
        """What is true where a test is not."""
        if test.kind == "number":
            return number(1 - test.what, BOOL)
        return test.args[0] if test.kind == "not" else Node("not", None, [test], BOOL, 0, 1)

    def both(self, sign: str, tests: Sequence[Node]) -> Node:
        """Several tests by `and` or `or`, none of which changes anything."""
        left = []
        for each in tests:
            if each.kind == "number":
                if bool(each.what) is (sign == "or"):
                    return number(each.what, BOOL)
            else:
                left.append(each)
        if not left:
            return number(sign == "and", BOOL)
        return left[0] if len(left) == 1 else Node("both", sign, left, BOOL, 0, 1)

    # What is known

    def type_of_known(self, value: Any) -> Any:
        """The type of the author's value; None if it has none."""
        try:
            key = (type(value), value) if isinstance(value, (int, str)) else id(value)
            if key not in self.types:
                self.kept.append(value)
                self.types[key] = self._type_of([value])
            return self.types[key]
        except TypeError:
            return None

    def _type_of(self, values: Sequence[Any]) -> Any:
        try:
            return type_of(values, self.atoms, words=self.words)
        except (Unfit, TypeError, ValueError):
            return None

    def type_of_items(self, values: Sequence[Any]) -> Any:
        """The type of all of several values; None if there is none."""
        key = ("items", tuple(map(id, values)))
        if key not in self.types:
            self.kept.append(values)
            self.types[key] = self._type_of(list(values))
        return self.types[key]

    def constant(self, kind: Any, value: Any) -> Place:
        """Where a value that is known is among the constants."""
        try:
            cells = cells_of(kind, value, self.atoms)
        except Unfit as error:
            raise Refused(str(error), self.line) from error
        return Place(kind, CONSTANTS, number(self.numbers(cells)), EVER)

    def numbers(self, cells: Sequence[int]) -> int:
        """Where numbers are among the constants."""
        key = tuple(cells)
        if key not in self.rows:
            if len(self.constants) + len(cells) > MOST_CONSTANTS:
                raise Refused("large tables", self.line)
            self.rows[key] = len(self.constants)
            self.constants.extend(cells)
        return self.rows[key]

    def variable(self, key: Any) -> Variable:
        """What is known of a name, by scope and name."""
        if key not in self.variables:
            title = "v_" + re.sub(r"\W", "_", key[-1])
            while title in self.titles:
                title += f"_{len(self.titles)}"
            self.titles.add(title)
            self.variables[key] = Variable(title)
        return self.variables[key]

    def heap(self, key: Any, kind: type) -> Heap:
        """The objects that one place of the program makes."""
        if key not in self.heaps:
            self.heaps[key] = Heap(kind)
        return self.heaps[key].root()

    def one_at_a_time(self) -> frozenset[int]:
        """The heaps of which the program knows one object at a time, so that it has one place.

        One variable that is given a value by one line is all that refers to them, beside arguments
        of functions, which are given anew before they are used.
        """
        times: dict[int, int] = {}

        def met(kind: Any, much: int) -> None:
            if isinstance(kind, Ref):
                key = id(kind.heap)
                times[key] = times.get(key, 0) + much
            elif isinstance(kind, Record):
                for each in kind.items:
                    met(each, much)
            elif isinstance(kind, (Seq, Maybe)):
                met(kind.item, much)

        for each in self.variables.values():
            # A variable that lines give several values may hold what was made before.
            met(each.type, 0 if each.is_argument else 1 if each.count == 1 else 2)
        for kind in self.elsewhere:
            met(kind, 2)
        roots = {id(each.root()): each.root() for each in self.heaps.values()}
        for root in roots.values():
            met(root.item, 2)
        return frozenset(
            k
            for k, each in roots.items()
            if times.get(k, 0) <= 1 and each.length not in (None, ANY)
        )

    def grow(self, variable: Variable, kind: Any, low: int, high: int) -> None:
        """Let a name hold values of a type, between bounds."""
        joined = self.join(variable.type, kind)
        if joined is None:
            raise Refused(f"{variable.title} holds {variable.type} and {kind}", self.line)
        if not isinstance(joined, (Int, Bool)):
            low, high = 0, 0
        low, high = min(low, variable.low), max(high, variable.high)
        variable.rounds += 1
        if variable.rounds > 40:
            low = variable.low if low >= variable.low else -SMALL
            high = variable.high if high <= variable.high else SMALL
        low, high = max(low, -SMALL), min(high, SMALL)
        if (joined, low, high) != (variable.type, variable.low, variable.high):
            variable.type, variable.low, variable.high = joined, low, high
            self.changed = True


_OPPOSITE = {"Lt": "GtE", "LtE": "Gt", "Gt": "LtE", "GtE": "Lt", "Eq": "NotEq", "NotEq": "Eq"}
_TURNED = {"Lt": "Gt", "LtE": "GtE", "Gt": "Lt", "GtE": "LtE", "Eq": "Eq", "NotEq": "NotEq"}
_ANSWERS = {
    "Lt": lambda a, b: (a.high < b.low, a.low >= b.high),
    "LtE": lambda a, b: (a.high <= b.low, a.low > b.high),
    "Eq": lambda a, b: (a.low == a.high == b.low == b.high, a.high < b.low or b.high < a.low),
}


def _known(sign: str, one: Node, other: Node) -> bool | None:
    if sign in ("Gt", "GtE"):
        return _known({"Gt": "Lt", "GtE": "LtE"}[sign], other, one)
    if sign == "NotEq":
        found = _known("Eq", one, other)
        return None if found is None else not found
    yes, no = _ANSWERS[sign](one, other)
    return True if yes else False if no else None


__all__ = ["Bottom", "Build", "Known", "Refused", "Row", "Variable", "is_flat", "is_scalar"]
