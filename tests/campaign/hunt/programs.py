# ruff: noqa: B023, E501  (lines of makers, which are called at once)
"""Random ordinary problems as text: rules made of a grammar of what authors write."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from hunt import habits
from hunt.decimals import Decimals
from hunt.recursions import Recursions

HEAD = """\
import math
from collections import deque
from itertools import combinations, product
from searchkit import Costs, Problem, Step

TABLE = [[1, 2], [3], [], [4, 5, 6], [0]]
PAIRS = ((0, 1), (1, -1), (-2, 3))
NAMES = {"a": 1, "b": -2, "c": 0}
SPARSE = {0: 4, 1: 7, 5: -3, -2: 0}
WALLS = {(0, 0), (1, 2), (3, 3), (-1, 1)}
ODD = frozenset({1, 3, 5, -1})
N = 3


def clamp(x, low=-9, high=9):
    if x < low:
        return low
    return high if x > high else x


def first_over(values, least=1):
    for v in values:
        if v > least:
            return v
    return None


def change(values, i, by=1):
    values[i] += by


def counted(values):
    for i, v in enumerate(values):
        if v < 0:
            continue
        yield i, v


"""

KINDS = {
    "five": "tuple of five numbers",
    "vary": "tuple of up to six numbers",
    "pairs": "three pairs",
    "grid": "two rows of three numbers",
    "word": "text of four letters",
    "mixed": "a number, a tuple of numbers, a truth value",
    "setful": "a number and a frozenset",
    "maybe": "a number or None, and a number",
}


def random_state(rng: random.Random, kind: str) -> Any:
    """A state of a kind."""
    number = lambda: rng.choice((0, 0, 1, 1, 2, 3, 4, 5, -1, -2, 7))  # noqa: E731
    if kind == "five":
        return tuple(number() for _ in range(5))
    if kind == "vary":
        return tuple(number() for _ in range(rng.randrange(7)))
    if kind == "pairs":
        return tuple((number(), number()) for _ in range(3))
    if kind == "grid":
        return tuple(tuple(number() for _ in range(3)) for _ in range(2))
    if kind == "word":
        return "".join(rng.choice("abc_") for _ in range(4))
    if kind == "mixed":
        return number(), tuple(number() for _ in range(rng.randrange(5))), rng.random() < 0.5
    if kind == "setful":
        return number(), frozenset(rng.sample(range(6), rng.randrange(6)))
    return (None if rng.random() < 0.4 else number()), number()


@dataclass
class Writer(habits.Habits, Decimals, Recursions):
    """Writes one program."""

    rng: random.Random
    kind: str
    lines: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    """The variables in sight, and of which sort each is."""
    deep: int = 2
    made: int = 0
    loops: int = 0
    recursive: float = 0.3
    """How many programs have methods that call themselves."""

    def line(self, text: str) -> None:
        self.lines.append("    " * self.deep + text)

    @contextmanager
    def block(self, head: str) -> Any:
        self.line(head)
        before = dict(self.names)
        self.deep += 1
        yield
        self.deep -= 1
        if self.rng.random() < 0.85:  # else names may have no value afterwards
            self.names = {name: sort for name, sort in self.names.items() if name in before}

    def of(self, sort: str) -> list[str]:
        return [name for name, each in self.names.items() if each == sort]

    def new(self, sort: str, bound: bool = True) -> str:
        """A variable to assign: a new one, or one that is there."""
        old = self.of(sort)
        if old and self.rng.random() < 0.35:
            return self.rng.choice(old)
        self.made += 1
        name = f"{sort.lower()}{self.made}"
        if bound:
            self.names[name] = sort
        return name

    def pick(self, makes: list[Callable[[], str]]) -> str:
        return self.rng.choice(makes)()

    # expressions: each sort has atoms and makers

    def I(self, d: int = 2) -> str:  # noqa: E743, N802
        r = self.rng
        atoms = [lambda: str(r.choice((0, 1, 2, 3, -1, -2, 5))), lambda: "N"]
        atoms += [lambda: r.choice(self.of("I"))] * 6 * bool(self.of("I"))
        atoms += (
            [lambda: f"{r.choice(self.of('L'))}[{r.choice((0, 1, -1, -2))}]"]
            * 2
            * bool(self.of("L"))
        )
        atoms += (
            [lambda: f"{r.choice(self.of('T'))}[{r.choice((0, 1, -1))}]"] * 2 * bool(self.of("T"))
        )
        if d <= 0:
            return self.pick(atoms)
        e = d - 1
        makes: list[Callable[[], str]] = [
            *atoms[:4],
            lambda: f"({self.I(e)} {r.choice('+-+-*')} {self.I(e)})",
            lambda: (
                f"({self.I(e)} {r.choice(('//', '%'))} {r.choice(('2', '3', '-2', '4', '-3', self.I(0)))})"
            ),
            lambda: f"({self.I(e)} {r.choice('&|^')} {self.I(e)})",
            lambda: (
                f"({self.I(e)} {r.choice(('<<', '>>'))} {r.choice(('1', '2', '20', '(' + self.I(0) + ' & 3)'))})"
            ),
            lambda: f"abs({self.I(e)})",
            lambda: f"-{self.I(e)}",
            lambda: f"~{self.I(e)}",
            lambda: f"{r.choice(('min', 'max'))}({self.I(e)}, {self.I(e)})",
            lambda: f"{r.choice(('sum', 'len', 'min', 'max'))}({self.seq(e)})",
            lambda: f"{r.choice(('min', 'max'))}({self.seq(e)}, default={self.I(0)})",
            lambda: (
                f"len({self.pick([lambda: self.S(e), lambda: self.W(e), lambda: self.seq(e)])})"
            ),
            lambda: f"{self.seq(e)}[{self.I(0)}]",
            lambda: f"{self.seq(e)}.{r.choice(('count', 'index'))}({self.I(0)})",
            lambda: f"({self.I(e)} if {self.B(e)} else {self.I(e)})",
            lambda: f"({self.I(e)} {r.choice(('and', 'or'))} {self.I(e)})",
            lambda: f"int({self.B(e)})",
            lambda: f"sum({self.comp('I', e)})",
            lambda: f"sum({self.comp('B', e)})",
            lambda: f"sum(1 for _ in {self.iterable(e)})",
            lambda: f"next(({self.comp('I', e)}), {self.I(0)})",
            lambda: f"divmod({self.I(e)}, {r.choice(('3', '-2', self.I(0)))})[{r.choice('01')}]",
            lambda: f"clamp({self.I(e)}{r.choice(('', ', 0', ', high=5', ', -1, 4'))})",
            lambda: f"(first_over({self.seq(e)}) or {self.I(0)})",
            lambda: f"SPARSE.get({self.I(e)}, {self.I(0)})",
            lambda: f"SPARSE[{self.I(0)}]",
            lambda: f"TABLE[{self.I(0)}][{r.choice(('0', '-1', self.I(0)))}]",
            lambda: f"PAIRS[{self.I(0)}][{r.choice(('0', '1', '-1'))}]",
            lambda: f"NAMES[{self.C(e)}]",
            lambda: f"NAMES.get({self.C(e)}, 9)",
            lambda: f"ord({self.C(e)})",
            lambda: f"{self.W(e)}.{r.choice(('count', 'find', 'index'))}({self.C(0)})",
            lambda: f"max({self.seq(e)}, key=lambda v: {self.bound('v', 'I', lambda: self.I(e))})",
            lambda: f"self.helper({self.I(e)}, {self.seq(e)})",
            lambda: f"({self.I(0)} ** {r.choice(('2', '3', '(' + self.I(0) + ' & 3)'))})",
            lambda: f"({self.I(e)} * {r.choice(('1000003', '99999999', '4294967296'))})",
            lambda: f"({self.B(e)} + {self.I(e)})",
            lambda: f"{self.P(e)}[{r.choice(('0', '1', '-1'))}]",
            lambda: self.whole(e),
        ]
        return self.pick(makes)

    def bound(self, name: str, sort: str, make: Callable[[], str]) -> str:
        """What `make` makes where a name is bound besides."""
        before = dict(self.names)
        self.names[name] = sort
        text = make()
        self.names = before
        return text

    def B(self, d: int = 2) -> str:  # noqa: N802
        r = self.rng
        atoms = [lambda: r.choice(("True", "False"))]
        atoms += [lambda: r.choice(self.of("B"))] * 4 * bool(self.of("B"))
        atoms += [lambda: f"({self.I(0)} {r.choice(('<', '==', '!=', '>='))} {self.I(0)})"] * 3
        if d <= 0:
            return self.pick(atoms[1:])
        e = d - 1
        makes: list[Callable[[], str]] = [
            lambda: f"({self.I(e)} {r.choice(('<', '<=', '==', '!=', '>'))} {self.I(e)})",
            lambda: f"({self.I(e)} < {self.I(e)} <= {self.I(e)})",
            lambda: f"({self.I(0)} == {self.I(0)} != {self.I(0)})",
            lambda: f"(not {self.B(e)})",
            lambda: f"({self.B(e)} {r.choice(('and', 'or'))} {self.B(e)})",
            lambda: f"({self.B(e)} {r.choice('^&|')} {self.B(e)})",
            lambda: f"({self.T(e)} {r.choice(('<', '<=', '==', '!=', '>'))} {self.T(e)})",
            lambda: f"({self.P(e)} {r.choice(('<', '<=', '==', '!=', '>'))} {self.P(e)})",
            lambda: f"({self.L(e)} {r.choice(('<', '==', '!='))} {self.L(e)})",
            lambda: f"({self.W(e)} {r.choice(('<', '==', '!='))} {self.W(e)})",
            lambda: f"({self.S(e)} {r.choice(('<', '<=', '==', '!='))} {self.S(e)})",
            lambda: f"({self.I(e)} {r.choice(('in', 'not in'))} {self.seq(e)})",
            lambda: f"({self.I(e)} {r.choice(('in', 'not in'))} {self.S(e)})",
            lambda: (
                f"({self.I(e)} in {r.choice(('SPARSE', 'ODD', 'range(3)', 'range(-4, 6, 3)', '(1, 2, 5)'))})"
            ),
            lambda: f"({self.P(e)} in {r.choice(('WALLS', 'PAIRS'))})",
            lambda: f"({self.C(e)} in {self.W(e)})",
            lambda: (
                f"bool({self.pick([lambda: self.I(e), lambda: self.seq(e), lambda: self.W(e), lambda: self.S(e)])})"
            ),
            lambda: f"{r.choice(('any', 'all'))}({self.comp('B', e)})",
            lambda: f"{r.choice(('any', 'all'))}({self.seq(e)})",
            lambda: f"(first_over({self.seq(e)}, {self.I(0)}) is {r.choice(('None', 'not None'))})",
            lambda: f"(first_over({self.seq(e)}) == {self.I(0)})",
            lambda: f"((w := {self.I(e)}) > 1 and w < {self.I(0)})",
            lambda: f"self.test({self.I(e)}, {self.B(e)})",
            lambda: f"{self.S(e)}.{r.choice(('issubset', 'isdisjoint'))}({self.S(e)})",
            lambda: f"({self.B(e)} == {self.I(e)})",
            lambda: self.ordered(e),
        ]
        return self.pick(makes)

    def C(self, d: int = 1) -> str:  # noqa: N802
        r = self.rng
        atoms = [lambda: repr(r.choice("abc_"))]
        if self.of("C"):
            atoms += [lambda: r.choice(self.of("C"))] * 3
        if d > 0:
            atoms += [
                lambda: f"{self.W(d - 1)}[{self.I(0)}]",
                lambda: f"chr(97 + {self.I(0)} % 3)",
                lambda: f"'abc_'[{self.I(0)}]",
            ]
        return self.pick(atoms)

    def W(self, d: int = 1) -> str:  # noqa: N802
        r = self.rng
        atoms = [lambda: repr("".join(r.choice("abc_") for _ in range(r.randrange(4))))]
        if self.of("W"):
            atoms += [lambda: r.choice(self.of("W"))] * 4
        if d > 0:
            e = d - 1
            atoms += [
                lambda: f"({self.W(e)} + {self.W(e)})",
                lambda: f"{self.W(e)}{self.slice()}",
                lambda: f"''.join({self.comp('C', e)})",
                lambda: f"''.join(sorted({self.W(e)}))",
                lambda: f"{self.W(e)}.replace({self.C(0)}, {self.C(0)})",
                lambda: f"({self.C(e)} * ({self.I(0)} & 3))",
            ]
        return self.pick(atoms)

    def P(self, d: int = 1) -> str:  # noqa: N802
        atoms = [lambda: f"({self.I(max(0, d - 1))}, {self.I(0)})", lambda: f"PAIRS[{self.I(0)}]"]
        if self.of("P"):
            atoms += [lambda: self.rng.choice(self.of("P"))] * 4
        if self.of("G") and self.kind == "pairs":
            atoms += [lambda: f"{self.rng.choice(self.of('Q'))}[{self.I(0)}]"] * bool(self.of("Q"))
        return self.pick(atoms)

    def slice(self) -> str:
        ends = ["", "", "1", "2", "-1", "-2", "9", self.I(0)]
        a, b = self.rng.choice(ends), self.rng.choice(ends)
        step = self.rng.choice(("", "", "", "", ":", ":-1", ":2", ":-2"))
        return f"[{a}:{b}{step}]"

    def T(self, d: int = 2) -> str:  # noqa: N802
        r = self.rng
        atoms = [lambda: "(" + "".join(f"{self.I(0)}, " for _ in range(r.randrange(4))) + ")"]
        if self.of("T"):
            atoms += [lambda: r.choice(self.of("T"))] * 4
        if d > 0:
            e = d - 1
            atoms += [
                lambda: f"{self.T(e)}{self.slice()}",
                lambda: f"({self.T(e)} + {self.T(e)})",
                lambda: f"(*{self.seq(e)}, {self.I(e)})",
                lambda: f"({self.I(e)}, *{self.seq(e)}, *{self.seq(0)})",
                lambda: f"tuple({self.L(e)})",
                lambda: f"tuple({self.comp('I', e)})",
                lambda: (
                    f"tuple(sorted({self.pick([lambda: self.seq(e), lambda: self.S(e)])}{r.choice(('', ', reverse=True', ', key=lambda v: -v', ', key=lambda v: v % 3'))}))"
                ),
                lambda: f"({self.T(e)} * {r.choice(('2', '0', '(' + self.I(0) + ' % 7)'))})",
                lambda: f"({self.T(e)} if {self.B(e)} else {self.T(e)})",
                lambda: f"tuple(reversed({self.seq(e)}))",
                lambda: f"({self.T(e)} {r.choice(('or', 'and'))} {self.T(e)})",
            ]
        return self.pick(atoms)

    def L(self, d: int = 2) -> str:  # noqa: N802
        r = self.rng
        atoms = [lambda: "[" + ", ".join(self.I(0) for _ in range(r.randrange(4))) + "]"]
        if self.of("L"):
            atoms += [lambda: r.choice(self.of("L"))] * 4
        if self.of("G"):
            atoms += [lambda: f"{r.choice(self.of('G'))}[{r.choice(('0', '1', '-1'))}]"] * 2
        if d > 0:
            e = d - 1
            atoms += [
                lambda: f"{self.L(e)}{self.slice()}",
                lambda: f"({self.L(e)} + {self.L(e)})",
                lambda: f"list({self.seq(e)})",
                lambda: f"[{self.comp('I', e)}]",
                lambda: f"sorted({self.seq(e)})",
                lambda: f"([{self.I(0)}] * {r.choice(('5', '2', '(' + self.I(0) + ' % 7)'))})",
                lambda: f"{self.L(e)}.copy()",
                lambda: f"[*{self.seq(e)}, {self.I(e)}]",
                lambda: f"list(range({self.I(0)} % 9, {self.I(e)} % 9))",
            ]
        return self.pick(atoms)

    def S(self, d: int = 1) -> str:  # noqa: N802
        r = self.rng
        atoms = [
            lambda: "{" + ", ".join(self.I(0) for _ in range(1 + r.randrange(3))) + "}",
            lambda: r.choice(("ODD", "set()", "frozenset()")),
        ]
        if self.of("S"):
            atoms += [lambda: r.choice(self.of("S"))] * 5
        if d > 0:
            e = d - 1
            atoms += [
                lambda: f"set({self.seq(e)})",
                lambda: f"frozenset({self.seq(e)})",
                lambda: f"({self.S(e)} {r.choice('&|-^')} {self.S(e)})",
                lambda: "{" + self.comp("I", e) + "}",
            ]
        return self.pick(atoms)

    def seq(self, d: int = 1) -> str:
        return self.pick([lambda: self.L(d), lambda: self.T(d), lambda: self.T(d)])

    def iterable(self, d: int = 1) -> str:
        r = self.rng
        return self.pick(
            [
                lambda: self.seq(d),
                lambda: self.seq(d),
                lambda: (
                    f"range({self.I(0)} % 9, {self.I(0)} % 9{r.choice(('', '', ', -1', ', 2'))})"
                ),
                lambda: f"range({r.choice(('2', '3', '4'))})",
                lambda: f"reversed({self.seq(d)})",
                lambda: f"sorted({self.S(d)})",
            ]
        )

    def comp(self, sort: str, d: int) -> str:
        """The inside of a comprehension whose items are of a sort."""
        r = self.rng
        one = getattr(self, sort)
        test = lambda: f" if {self.B(d - 1)}" if r.random() < 0.4 else ""  # noqa: E731
        style = r.randrange(5)
        before = dict(self.names)
        name = r.choice(("x", "y", *self.of("I")[:1]))
        if style <= 1:
            head = f"for {name} in {self.iterable(d - 1)}"
            self.names[name] = "I"
        elif style == 2:
            head = f"for k, {name} in enumerate({self.seq(d - 1)}{r.choice(('', ', 1'))})"
            self.names["k"] = self.names[name] = "I"
        elif style == 3:
            head = f"for k, {name} in zip({self.seq(d - 1)}, {self.seq(d - 1)})"
            self.names["k"] = self.names[name] = "I"
        elif sort == "C" or r.random() < 0.3:
            head = f"for ch in {self.W(d - 1)}"
            self.names["ch"] = "C"
        else:
            head = f"for k, {name} in counted({self.seq(d - 1)})"
            self.names["k"] = self.names[name] = "I"
        text = f"{one(d - 1)} {head}{test()}"
        self.names = before
        return text

    # statements

    def statements(self, most: int, d: int) -> None:
        for _ in range(1 + self.rng.randrange(most)):
            self.statement(d)

    def statement(self, d: int) -> None:
        r = self.rng
        kind = r.choice(
            ["assign"] * 6 + ["update"] * 3 + ["mutate"] * 6 + ["alias"] * 2 + ["unpack"] * 2
            + ["if"] * 3 * (d > 0) + ["for"] * 3 * (d > 0) + ["while"] * (d > 0)
            + ["grid"] * 2 + ["child"] * 2 + ["end"] + ["def"] + ["none"] + ["set"] * 2
            + ["dict", "dict", "iterator", "pairs", "record", "names", "names", "inner", "attribute", "members"]
            + ["steps"] + ["decimal"] * 2 + ["try"] * 2 * (d > 0) + ["queue", "live", "live", "walrus"] * (d > 0)
            + ["recurse"] * 2
        )  # fmt: skip
        getattr(self, f"do_{kind}")(d)

    def do_assign(self, d: int) -> None:
        sort = self.rng.choice("IIIBLLTTWPSC")
        text = getattr(self, sort)(2)
        self.line(f"{self.new(sort)} = {text}")

    def do_update(self, d: int) -> None:
        r = self.rng
        sort = r.choice([each for each in "ILTWS" if self.of(each)] or ["I"])
        if not self.of(sort):
            self.do_assign(d)
            return
        name = r.choice(self.of(sort))
        if sort == "I":
            self.line(f"{name} {r.choice(('+', '-', '*', '//', '%', '^', '|', '&'))}= {self.I(1)}")
        elif sort == "S":
            self.line(f"{name} {r.choice('|&-^')}= {self.S(1)}")
        else:
            self.line(f"{name} += {getattr(self, sort)(1)}")

    def do_mutate(self, d: int) -> None:
        r = self.rng
        if not self.of("L"):
            text = self.seq(1)
            self.line(f"{self.new('L')} = list({text})")
        a = r.choice(self.of("L"))
        i, j = (r.choice(("0", "1", "-1", self.I(0))) for _ in "ij")
        self.line(
            self.pick(
                [
                    lambda: f"{a}[{i}] = {self.I(2)}",
                    lambda: f"{a}[{i}] {r.choice('+-*^')}= {self.I(1)}",
                    lambda: f"{a}[{i}], {a}[{j}] = {a}[{j}], {a}[{i}]",
                    lambda: f"{a}.append({self.I(2)})",
                    lambda: f"{a}.insert({i}, {self.I(1)})",
                    lambda: f"{self.new('I')} = {a}.pop({r.choice(('', '0', i))})",
                    lambda: f"{a}.pop()",
                    lambda: f"{a}.remove({self.I(0)})",
                    lambda: f"{a}.reverse()",
                    lambda: f"{a}.sort()",
                    lambda: f"{a}.extend({self.seq(1)})",
                    lambda: f"del {a}[{i}]",
                    lambda: f"change({a}, {i}{r.choice(('', ', 2', ', by=-1'))})",
                    lambda: (
                        f"{a}[{r.choice(('', '1', '0'))}:{r.choice(('2', '-1', ''))}] = {self.seq(1)}"
                    ),
                    lambda: f"{a}.clear()",
                    lambda: f"self.touch({a}, {self.I(0)})",
                ]
            )
        )

    def do_alias(self, d: int) -> None:
        r = self.rng
        if self.of("L"):
            old = r.choice(self.of("L"))
            self.line(
                f"{self.new('L')} = {r.choice((old, old, old + '[:]', 'list(' + old + ')', 'self.same(' + old + ')'))}"
            )
        else:
            self.do_mutate(d)

    def do_unpack(self, d: int) -> None:
        r = self.rng
        one = lambda: self.new("I")  # noqa: E731
        right = self.pick(
            [
                lambda: f"{self.I(1)}, {self.I(1)}",
                lambda: self.P(1),
                lambda: f"divmod({self.I(1)}, 3)",
            ]
        )
        if r.random() < 0.7:
            self.line(f"{one()}, {one()} = {right}")
        else:
            right = self.seq(1)
            self.line(f"{one()}, *{self.new('L')} = {right}")

    def do_if(self, d: int) -> None:
        with self.block(
            f"if {self.pick([lambda: self.B(2), lambda: self.B(1), lambda: self.I(1), lambda: self.seq(1)])}:"
        ):
            self.statements(3, d - 1)
        if self.rng.random() < 0.4:
            with self.block("else:"):
                self.statements(2, d - 1)

    def do_for(self, d: int) -> None:
        r = self.rng
        style = r.randrange(6)
        item = r.choice(("i", "j", self.new("I", bound=False)))
        bound: dict[str, str] = {item: "I"}
        if style <= 2:
            head = f"for {item} in {self.iterable(1)}:"
        elif style == 3:
            head = f"for k, {item} in enumerate({self.seq(1)}):"
            bound["k"] = "I"
        elif style == 4:
            head = f"for k, {item} in {r.choice(('PAIRS', 'counted(' + self.seq(1) + ')', 'SPARSE.items()', 'combinations(range(3), 2)', 'product(range(2), range(-1, 1))'))}:"
            bound["k"] = "I"
        else:
            head = f"for ch in {self.W(1)}:"
            bound = {"ch": "C"}
        self.loops += 1
        with self.block(head):
            self.names.update(bound)
            self.statements(3, d - 1)
            if r.random() < 0.3:
                with self.block(f"if {self.B(1)}:"):
                    self.line(r.choice(("break", "continue")))
                self.statements(1, d - 1)
        self.loops -= 1
        if r.random() < 0.15:
            with self.block("else:"):
                self.statements(1, d - 1)

    def do_while(self, d: int) -> None:
        name = self.new("I")
        self.line(f"{name} = {self.rng.randrange(4)}")
        self.loops += 1
        with self.block(f"while {name} > 0{self.rng.choice(('', ' and ' + self.B(1)))}:"):
            self.line(f"{name} -= 1")
            before = self.names.pop(name)
            self.statements(2, d - 1)
            self.names[name] = before
        self.loops -= 1

    def do_grid(self, d: int) -> None:
        r = self.rng
        if not self.of("G"):
            text = self.pick(
                [
                    lambda: f"[{self.L(1)}, {self.L(1)}]",
                    lambda: f"[[{self.I(0)}] * 3 for _ in range(2)]",
                    lambda: f"[list({self.T(1)}), [0, 1]]",
                ]
                + [lambda: "[list(row) for row in s]"] * (3 * (self.kind in ("grid", "pairs")))
            )
            self.line(f"{self.new('G')} = {text}")
            return
        g = r.choice(self.of("G"))
        i, j = (r.choice(("0", "1", "-1", self.I(0))) for _ in "ij")
        self.line(
            self.pick(
                [
                    lambda: f"{g}[{i}][{j}] = {self.I(1)}",
                    lambda: f"{g}[{i}][{j}] += {self.I(1)}",
                    lambda: f"{g}[0][{i}], {g}[1][{j}] = {g}[1][{j}], {g}[0][{i}]",
                    lambda: f"{self.new('L')} = {g}[{i}]",
                    lambda: f"{g}[{i}].append({self.I(1)})",
                    lambda: f"{self.new('I')} = {g}[{i}].pop()",
                    lambda: f"{g}[{i}] = {self.L(1)}",
                    lambda: f"{g}.append({self.L(1)})",
                    lambda: f"{self.new('G')} = {g}",
                    lambda: f"{self.new('G')} = [row[:] for row in {g}]",
                    lambda: f"{self.new('I')} = sum(sum(row) for row in {g})",
                    lambda: f"{g}[0], {g}[1] = {g}[1], {g}[0]",
                ]
            )
        )

    def do_set(self, d: int) -> None:
        r = self.rng
        if not self.of("S"):
            text = self.S(1)
            self.line(f"{self.new('S')} = set({text})")
            return
        name = r.choice(self.of("S"))
        self.line(
            self.pick(
                [
                    lambda: f"{name}.add({self.I(1)})",
                    lambda: f"{name}.discard({self.I(1)})",
                    lambda: f"{name}.remove({self.I(0)})",
                    lambda: f"{name}.update({self.seq(1)})",
                    lambda: f"{self.new('S')} = {name}",
                    lambda: f"{self.new('S')} = {name} | {self.S(1)}",
                    lambda: f"{self.new('I')} = sum({name})",
                ]
            )
        )

    def do_def(self, d: int) -> None:
        r = self.rng
        if self.loops:
            return
        name = f"f{self.made}"
        self.made += 1
        style = r.randrange(3)
        if style == 0:
            with self.block(f"def {name}(v, u={self.I(0)}):"):
                self.names.update(v="I", u="I")
                if r.random() < 0.5:
                    with self.block(f"if {self.B(1)}:"):
                        self.line(f"return {self.I(1)}")
                self.line(f"return {self.I(2)}")
        else:
            text = self.bound("v", "I", lambda: self.I(1))
            self.line(f"{name} = lambda v: {text}")
        self.statements(1, 1)
        text = self.I(0)
        self.line(f"{self.new('I')} = {name}({text})")

    def do_none(self, d: int) -> None:
        self.made += 1
        name = f"m{self.made}"
        self.line(f"{name} = first_over({self.seq(1)})")
        with self.block(f"if {name}{self.rng.choice(('', ' is not None', ' is None', ' == 2'))}:"):
            text = self.I(0)
            self.line(f"{self.new('I')} = {self.rng.choice((name + ' + 1', text))}")

    def do_child(self, d: int) -> None:
        text = self.child()
        if self.yields:
            cost = self.rng.choice(("", "", f", {self.rng.randrange(1, 4)}", f", abs({self.I(0)})"))
            self.line(f"yield Step({self.a_label()}, {text}{cost})")
        else:
            self.line(f"found.append(Step({self.a_label()}, {text}))")

    yields = True

    def child(self) -> str:
        r = self.rng
        i = lambda: self.I(1)  # noqa: E731
        lists = self.of("L")
        if self.kind == "five":
            makes = [
                lambda: f"({i()}, {i()}, {i()}, {i()}, {i()})",
                lambda: f"tuple({r.choice(lists or ['list(s)'])})",
                lambda: f"({self.T(1)} + s)[:5]",
                lambda: "(e, *s[:4])" if "e" in self.names else "s[::-1]",
                lambda: f"(*s[2:], {i()}, {i()})",
            ]
        elif self.kind == "vary":
            makes = [
                lambda: self.T(2),
                lambda: f"tuple({r.choice(lists or ['s'])})",
                lambda: f"(*s[1:], {i()})",
            ]
        elif self.kind == "pairs":
            makes = [
                lambda: f"({self.P(1)}, {self.P(1)}, s[{self.I(0)}])",
                lambda: f"tuple((y, x) for x, y in s{r.choice(('', '[::-1]'))})",
                lambda: "tuple(sorted(s))",
                lambda: f"(*s[1:], ({i()}, {i()}))",
                lambda: f"tuple({self.P(1)} if k == {self.I(0)} else p for k, p in enumerate(s))",
            ]
        elif self.kind == "grid":
            makes = [
                lambda: f"(({i()}, {i()}, {i()}), s[{self.I(0)}])",
                lambda: "s[::-1]",
                lambda: f"tuple(tuple({self.bound('x', 'I', i)} for x in row) for row in s)",
            ]
            if self.of("G"):
                makes += [lambda: f"tuple(tuple(row) for row in {r.choice(self.of('G'))})"] * 3
                makes += [lambda: f"tuple(map(tuple, {r.choice(self.of('G'))}))"]
        elif self.kind == "word":
            makes = [
                lambda: f"{self.W(2)}",
                lambda: f"s[1:] + {self.C(1)}",
                lambda: (
                    f"''.join({self.C(1)} if k == {self.I(0)} else ch for k, ch in enumerate(s))"
                ),
                lambda: f"({self.W(1)} + s)[:4]",
            ]
        elif self.kind == "mixed":
            makes = [
                lambda: f"({i()}, {self.T(2)}, {self.B(1)})",
                lambda: f"(s[0], tuple({r.choice(lists or ['s[1]'])}), not s[2])",
            ]
        elif self.kind == "setful":
            makes = [
                lambda: f"({i()}, frozenset({self.S(1)}))",
                lambda: f"({i()}, s[1] {r.choice('|-^&')} {{{self.I(0)}}})",
                lambda: f"({i()}, frozenset({self.comp('I', 1)}))",
            ]
        else:
            makes = [
                lambda: f"({r.choice(('None', i()))}, {i()})",
                lambda: f"(first_over({self.seq(1)}), {i()})",
                lambda: f"({i()} if {self.B(1)} else None, {i()})",
                lambda: "(m, b)",
            ]
        return self.pick(makes)

    def do_end(self, d: int) -> None:
        if d == 2 and self.loops == 0:
            return
        self.line(self.rng.choice(("pass", "break", "continue")) if self.loops else "pass")

    def begin(self) -> None:
        """Give names to what is in a state."""
        self.names = {}
        r = self.rng
        if self.kind == "five":
            self.names["s"] = "T"
            if r.random() < 0.6:
                self.line("a, b, c, d, e = s")
                self.names.update(dict.fromkeys("abcde", "I"))
        elif self.kind == "vary":
            self.names["s"] = "T"
        elif self.kind == "pairs":
            self.line("(a, b), p, q = s")
            self.names.update(a="I", b="I", p="P", q="P")
        elif self.kind == "grid":
            self.line("p, q = s")
            self.names.update(p="T", q="T")
        elif self.kind == "word":
            self.names["s"] = "W"
            self.line("a = s.find('_')")
            self.names["a"] = "I"
        elif self.kind == "mixed":
            self.line("a, t, b1 = s")
            self.names.update(a="I", t="T", b1="B")
        elif self.kind == "setful":
            self.line("a, z = s")
            self.names.update(a="I", z="S")
        else:
            self.line("m, b = s")
            self.names.update(b="I")
            with self.block("if m is None:"):
                self.line(f"m = {self.rng.choice(('0', 'b', 'None'))}")
            if r.random() < 0.5:
                self.line("c = m or 1")
                self.names["c"] = "I"

    def program(self) -> str:
        """The text of a module with one problem, `Made`."""
        r = self.rng
        self.lines = (HEAD + habits.HEAD).splitlines()
        self.deep = 0
        self.line("class Made(Problem):")
        self.deep = 1
        self.line("costs = Costs.INTEGER")
        self.lines += habits.METHODS.splitlines()
        self.line("")
        for name, given, sorts, sort in (
            ("helper", "v, t", {"v": "I", "t": "T"}, "I"),
            ("test", "v, u=True", {"v": "I", "u": "B"}, "B"),
        ):
            with self.block(f"def {name}(self, {given}):"):
                self.names = dict(sorts)
                if r.random() < 0.5:
                    with self.block(f"if {self.deeper(lambda: self.B(1))}:"):
                        self.line(f"return {self.deeper(lambda: getattr(self, sort)(1))}")
                self.line(f"return {self.deeper(lambda: getattr(self, sort)(1))}")
            self.line("")
        with self.block("def touch(self, values, i):"):
            self.line("values[i] = 2")
            self.line(r.choice(("values.append(1)", "values[0] += 1", "values = []", "return i")))
        with self.block("def same(self, values):"):
            self.line("return values")
        self.line("")
        if r.random() < self.recursive:
            self.recursive_methods()
        self.yields = r.random() < 0.85
        with self.block("def successors(self, s):"):
            self.begin()
            if not self.yields:
                self.line("found = []")
            self.statements(7, 2)
            self.do_child(0)
            if not self.yields:
                self.line("return found")
        self.line("")
        with self.block("def is_goal(self, s):"):
            self.begin()
            if r.random() < 0.4:
                self.yields = False
                self.line("found = []")
                self.statements(3, 1)
            self.line(
                f"return {self.pick([lambda: self.B(2), lambda: self.I(1), lambda: self.seq(1)])}"
            )
        self.line("")
        with self.block("def heuristic(self, s):"):
            self.begin()
            if r.random() < 0.4:
                self.yields = False
                self.line("found = []")
                self.statements(3, 1)
            if r.random() < 0.5:
                self.line(f"return abs({self.I(2)})")
            else:
                with self.block(f"if {self.B(1)}:"):
                    self.line(r.choice(("return 0", "return math.inf", f"return abs({self.I(1)})")))
                self.line(f"return abs({self.F(3)})")
        return "\n".join(self.lines) + "\n"

    def deeper(self, make: Callable[[], str]) -> str:
        """What calls no helper of its own class (which would not end)."""
        while "self." in (text := make()):
            pass
        return text
