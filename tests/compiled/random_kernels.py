"""Functions as kernel files have them, made at random, to compare machine code with Python."""

from __future__ import annotations

from random import Random

BEGIN = """
import numpy as np
from searchkit.compiled.specialise.kernels.prelude import called, entry, inlined

LIMIT = 7
WIDE = False


@inlined
def both(x, y):
    return x - y, (x ^ y) & 63


@called
def checked(x, t):
    if x == 61:
        raise IndexError("never that", x, t[0])
    elif x == 62:
        raise ValueError("nor that", 62)
    return x + t[1]
"""
FUNCTION = """

@entry
def random_{number}(a, b, t, u, small):
    c, d = a & 31, b
    e = np.int64(small[a & 3])
    going = a < b
{body}
    return a, b, c, d, e, going
"""
NUMBERS = ("a", "b", "c", "d", "e")
DEEPEST = 3


class Maker:
    """Makes the text of one function."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.loops = 0

    def text(self, number: int) -> str:
        """The function of that number."""
        return FUNCTION.format(number=number, body="\n".join(self.block(1, 6)))

    def block(self, depth: int, most: int = 3) -> list[str]:
        """Some statements, with their indents."""
        made = [self.statement(depth) for _ in range(self.random.randint(1, most))]
        return ["    " * depth + line for lines in made for line in lines]

    def statement(self, depth: int) -> list[str]:
        """The lines of a statement; those of blocks within have the indent of this one already."""
        kinds = ["assign", "assign", "pair", "item", "add", "flag", "fill", "call"]
        kinds += ["branch", "repeat", "count", "leave"] if depth < DEEPEST else ["leave"]
        lines: list[str] = getattr(self, self.random.choice(kinds))(depth)
        return lines

    def number(self, deep: int = 2) -> str:
        """An expression of a small number."""
        choose = self.random.choice
        if deep == 0 or self.random.random() < 0.2:
            return choose([*NUMBERS, str(self.random.randint(-9, 9)), "LIMIT", "t[a & 7]", "t[-1]"])
        one, other = self.number(deep - 1), self.number(deep - 1)
        return choose([
            f"({one} {choose('+-*&|^')} {other}) % 97",
            f"({one} {choose(['//', '%'])} {self.random.choice([-7, -2, 3, 5])})",
            f"({one} >> {self.random.randint(0, 3)}) + (({other} & 15) << 2)",
            f"-{one} % 50", f"(~{one} & 31)", f"{choose(['min', 'max'])}({one}, {other})",
            f"({one} if {self.condition()} else {other})", f"u[{one} & 1, {other} & 3]",
            f"u[{one} & 1][{other} & 3]", f"np.int64(small[{one} & 3]) + 1",
            f"both({one}, {other})[1]",
            f"checked({one} & 31, t)", f"(a, {one})[1]", f"abs({one})", f"int({self.condition()})",
        ])  # fmt: skip

    def condition(self, deep: int = 1) -> str:
        """An expression of a truth value."""
        choose, sign = self.random.choice, self.random.choice(["<", "<=", "==", "!=", ">", ">="])
        if deep == 0:
            return choose([f"({choose(NUMBERS)} {sign} {self.random.randint(-5, 40)})", "going"])
        one, other = self.condition(deep - 1), self.condition(deep - 1)
        return choose([
            f"({one} and {other})", f"({one} or {other})", f"(not {one})", one,
            f"(-3 <= {choose(NUMBERS)} {sign} {choose(NUMBERS)})", f"bool({self.number(0)} & 1)",
        ])  # fmt: skip

    def assign(self, depth: int) -> list[str]:
        return [f"{self.random.choice(NUMBERS)} = {self.number()}"]

    def pair(self, depth: int) -> list[str]:
        one, other = self.random.sample(NUMBERS, 2)
        made = self.random.choice(["both({}, {})", "{}, {}"])
        return [f"{one}, {other} = {made.format(self.number(1), self.number(1))}"]

    def item(self, depth: int) -> list[str]:
        target = self.random.choice(["t[{} & 7]", "u[{} & 1, 2]", "t[-1 - ({} & 7)]"])
        sign = self.random.choice(["", "+", "^", "-"])
        return [f"{target.format(self.number(1))} {sign}= {self.number()} % 50"]

    def add(self, depth: int) -> list[str]:
        name = self.random.choice(NUMBERS)
        return [f"{name} += {self.number(1)}", f"{name} %= 61"]

    def flag(self, depth: int) -> list[str]:
        return [f"going = {self.condition()}"]

    def fill(self, depth: int) -> list[str]:
        begin = self.random.randint(0, 4)
        return [f"for i in range(len(t[{begin}:{begin + 3}])):", f"    t[{begin} + i] = i + 1"]

    def call(self, depth: int) -> list[str]:
        return [f"checked({self.number(1)} & 31, t)"]

    def branch(self, depth: int) -> list[str]:
        test = self.random.choice([self.condition(2), self.number(1), "LIMIT == 7", "WIDE"])
        lines = [f"if {test}:", *self.inner(depth)]
        if self.random.random() < 0.6:
            lines += ["else:", *self.inner(depth)]
        return lines

    def repeat(self, depth: int) -> list[str]:
        self.loops += 1
        name = f"n_{self.loops}"
        test = self.random.choice(["True", f"{name} < 5", f"{name} < 9 and {self.condition()}"])
        lines = [f"{name} = 0", f"while {test}:", f"    {name} += 1"]
        lines += ["    if " + name + " > 6:", "        break", *self.inner(depth)]
        return lines if test == "True" else lines + self.otherwise(depth)

    def count(self, depth: int) -> list[str]:
        self.loops += 1
        bounds = self.random.choice([
            "5", "c & 7", "-2, d & 3", "2, 9, 3", "7, -8, -1", "9, 0, -4", "b & 3, 8, 2",
        ])  # fmt: skip
        lines = [f"for i_{self.loops} in range({bounds}):", f"    d = (d + i_{self.loops}) % 31"]
        return lines + self.inner(depth) + self.otherwise(depth)

    def leave(self, depth: int) -> list[str]:
        if depth == 1 or self.random.random() < 0.3:
            return [
                f"if {self.condition()} and a > 20:",
                f"    return b, a, {self.number(1)}, d, e, going",
            ]
        if not self.loops:
            return ["pass"]
        return [f"e = {self.number(1)}"]

    def otherwise(self, depth: int) -> list[str]:
        return ["else:", *self.inner(depth)] if self.random.random() < 0.3 else []

    def inner(self, depth: int) -> list[str]:
        """A block within a statement at a depth, which gives it that indent."""
        lines = ["    " * 1 + line[4 * (depth + 1) :] for line in self.block(depth + 1)]
        if self.random.random() < 0.25 and self.loops and depth > 1:
            lines.append(f"    e = {self.random.randint(0, 9)}")
        return lines
