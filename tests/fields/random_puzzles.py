"""Random puzzles on fields, as texts: every construct that rules may hold, in random places."""

# ruff: noqa: E501, ISC004  (lines of texts)

import itertools
import linecache
import random

from searchkit.fields import Array, Fields, Int, Set

_numbers = itertools.count()


class Writer:
    """Writes one random class."""

    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.count = rng.choice([2, 3, 5, 8, 30])
        self.below = rng.choice([2, 3, 4, 7, 9])
        self.low = rng.choice([0, 0, 0, -2, 3])
        self.flags = rng.choice([3, 6, 40, 70])
        self.members = rng.choice([4, 9, 33, 66])
        self.single = rng.choice([2, 5, 40])

    def value(self, depth=0):
        """An expression of a small number of either sign."""
        rng = self.rng
        simple = [
            str(rng.randrange(-3, 9)), "x", "y", "s.one", f"s.many[{self.index()}]", "self.size",
            f"self.line[{self.at('LINE')}]", f"self.grid[{self.at('3')}][{self.at('2')}]",
            f"s.flags[{self.flag()}]", f"self.level(y, {rng.randrange(3)})",
            f"len(self.rows[{self.at('3')}])", "len(s.members)", "len(s.many)", "sum(s.flags)",
            "self.peek(s, 1)", "OFFSET", "max(s.many)", f"s.flags.count({rng.randrange(2)})",
            f"self.best[x, y] + {rng.randrange(4)}", "add(2, s.one)",
        ]  # fmt: skip
        if depth > 2 or rng.random() < 0.5:
            return rng.choice(simple)
        one, two = self.value(depth + 1), self.value(depth + 1)
        return rng.choice([
            f"({one} + {two})", f"({one} - {two})", f"abs({one})", f"min({one}, {two})",
            f"({one} if {self.test(depth + 1)} else {two})", f"({one}) % 5", f"({one}) // 3",
            f"sum(row + {one} for row in self.rows[{self.at('3')}])",
            f"max((row for row in self.rows[{self.at('3')}]), default={rng.randrange(4)})",
            f"sum(v * {rng.randrange(3)} for i, v in enumerate(s.many) if i < {two})",
            f"min(a + b for a, b in self.pairs) + {two}", f"max({one}, {two})",
        ])  # fmt: skip

    def at(self, length):
        """An index below a length that is a text."""
        if self.rng.random() < 0.4:
            return self.rng.choice(["x % 2", "y % 2", "0", "1"])
        return f"({self.rng.choice(['s.one', 'y', 'x + s.one'])}) % {length}"

    def index(self):
        return f"({self.rng.choice(['x', 'y', 's.one', 'x + y', '3'])}) % {self.count}"

    def flag(self):
        return f"({self.rng.choice(['x', 'y * 7', 's.one', 'x + y', '69'])}) % {self.flags}"

    def member(self):
        return f"({self.rng.choice(['x', 'y * 5', 's.one', 'x + y', '65'])}) % {self.members}"

    def members_of(self):
        return self.rng.choice([
            "self.rows[x % 3]", "self.rows[s.one % 3]", f"{{{self.member()}}}", "self.few",
            "self.by_pair[x, y]", "SOME",
        ])  # fmt: skip

    def test(self, depth=0):
        rng = self.rng
        simple = [
            f"{self.member()} in s.members", f"{self.member()} not in s.members", "s.members",
            f"s.members.isdisjoint({self.members_of()})", f"s.members >= self.rows[{self.at('3')}]",
            "s.members == self.few", "any(s.flags)", "not s.members", "all(s.flags)",
            f"any(v == {rng.randrange(4)} for v in s.many)", "s.many == self.whole",
            f"any(r in s.members for r in self.rows[{self.at('3')}])",
            f"all(r not in s.members for r in self.rows[{self.at('3')}])",
            f"s.many[{self.index()}] in (1, 3)", "s.one in range(1, 4)", "s.one in self.line",
            f"(s.members & {self.members_of()}) == self.few", "s.one in s.many",
            f"all(s.flags[f] for f in self.rows[{self.at('3')}] if f < 3)",
        ]  # fmt: skip
        if depth > 2 or rng.random() < 0.5:
            return rng.choice(simple)
        if rng.random() < 0.5:
            sign = rng.choice(["<", "==", ">=", "!="])
            return f"{self.value(depth + 1)} {sign} {self.value(depth + 1)}"
        return f"({self.test(depth + 1)} {rng.choice(['and', 'or'])} {self.test(depth + 1)})"

    def fit(self, value, low, below):
        return f"({value}) % {below - low} + {low}" if low else f"({value}) % {below}"

    def change(self, depth=0):
        """Lines that change the state, never beyond the bounds."""
        rng, low, below = self.rng, self.low, self.low + self.below
        simple = [
            f"s.one = {self.fit(self.value(), 0, self.single)}",
            f"s.many[{self.index()}] = {self.fit(self.value(), low, below)}",
            f"s.flags[{self.flag()}] ^= {rng.choice(['1', 'True', 'x & 1'])}",
            f"s.flags[{self.flag()}] |= {rng.randrange(2)}",
            f"s.flags[{self.flag()}] = {self.test()}",
            f"s.members.add({self.member()})", f"s.members.discard({self.member()})",
            f"s.members |= {self.members_of()}", f"s.members -= {self.members_of()}",
            f"s.members ^= {self.members_of()}", f"s.members &= {self.members_of()}",
            f"for r in self.rows[{self.at('3')}]:\n    s.members.add(r)",
            f"for r in self.small[{self.at('2')}]:\n    s.flags[r] ^= 1",
            f"for r in self.small[{self.at('2')}]:\n    s.flags[r] = {rng.randrange(2)}",
            f"i, j = {self.index()}, {self.index()}\ns.many[i], s.many[j] = s.many[j], s.many[i]",
            f"if s.one < {self.single - 1}:\n    s.one += 1",
            "if s.one > 0:\n    s.one -= 1", "self.turn(s, y)", "k = self.take(s, x, y)\ns.one = k",
            f"s.members = {{{self.member()}, {self.member()}}}",
            f"row = self.grid[{self.at('3')}]\ns.one = {self.fit('row[0] + row[1]', 0, self.single)}",
            f"for a, b in self.pairs:\n    if s.many[a % {self.count}] == b:\n        "
            f"s.members.discard(b)",
            f"for m in s.members:\n    if m % 3 == x % 3:\n        s.flags[m % {self.flags}] = 1",
            f"if s.many[{self.index()}] < {below - 1}:\n    pass\n"
            f"t = {self.index()}\nif s.many[t] < {below - 1}:\n    s.many[t] += 1",
        ]  # fmt: skip
        if depth > 1 or rng.random() < 0.7:
            return rng.choice(simple)
        inner = self.indented(self.change(depth + 1))
        other = self.indented(self.change(depth + 1))
        return rng.choice([
            f"if {self.test()}:\n{inner}\nelse:\n{other}",
            f"for k in range({rng.randrange(3)} + x % 2):\n{inner}",
            f"for k, r in enumerate(self.rows[{self.at('3')}]):\n    if r > 2 + k:\n        break\n{inner}",
            f"for k in self.small[{self.at('2')}]:\n    if k == s.one:\n        continue\n{inner}",
            f"for v in s.many:\n    if v == x:\n        s.one = 0\n{other}",
            f"if {self.test()}:\n{inner}\n    return",
        ])  # fmt: skip

    @staticmethod
    def indented(text):
        return "\n".join(f"    {line}" for line in text.split("\n"))

    def text(self):
        rng = self.rng
        rows = [[rng.randrange(4) for _ in range(rng.randrange(4))] for _ in range(3)]
        parts = [
            "OFFSET = 2", "SOME = (0, 2)", "def add(a, b):\n    return a + b",
            "class Made(Fields):", "    def __init__(self):",
            f"        self.declare(one=Int({self.single}), many=Array({self.count}, {self.low}, "
            f"{self.low + self.below}), flags=Array({self.flags}, 2), members=Set({self.members}))",
            "        self.moves = [(x, y) for x in range(3) for y in (0, 1, 4)]",
            f"        self.size = {rng.randrange(1, 6)}",
            f"        self.line = {[rng.randrange(-2, 6) for _ in range(4)]}",
            f"        self.grid = {[[rng.randrange(5), rng.randrange(5)] for _ in range(3)]}",
            f"        self.rows = {rows}", "        self.pairs = [(0, 1), (1, 3), (2, 2)]",
            f"        self.small = [{[rng.randrange(3) for _ in range(3)]}, [1]]",
            "        self.few = {1, 3}", "        self.best = {m: m[0] * m[1] for m in self.moves}",
            "        self.by_pair = {m: [m[0], m[0] + 1] for m in self.moves}",
            f"        self.whole = {[self.low] * self.count}",
            f"        self.start = self.pack(one=1, many={[self.low] * self.count}, "
            f"flags={[0] * self.flags}, members=[1, 3])",
            "    def level(self, y, n):\n        return self.line[n] + y",
            "    def peek(self, s, n):\n        for v in s.many:\n            if v > n:\n"
            "                return v - n\n        return n",
            f"    def turn(self, s, y):\n        s.flags[y % {self.flags}] ^= 1\n"
            "        if y % 2:\n            return\n        s.members.add(y % 4)",
            f"    def take(self, s, x, y):\n        s.members.discard(2)\n        return {self.fit(self.value(), 0, self.single)}",
            f"    def legal(self, s, x, y):\n        return {self.test()} or x != {rng.randrange(3)}",
            "    def apply(self, s, x, y):",
            f"        s.flags[(x * 3 + y) % {self.flags}] ^= 1",
            *(self.indented(self.indented(self.change())) for _ in range(rng.randrange(1, 4))),
            "    def at_goal(self, s):\n        return s.one == 4 and 3 in s.members",
        ]  # fmt: skip
        return "\n".join(part.replace("LINE", "4") for part in parts) + "\n"


class SmallWriter(Writer):
    """Writes a class of few states, in which goals are common."""

    def __init__(self, seed):
        super().__init__(seed)
        self.count, self.flags, self.members, self.single = 3, 3, 5, 5
        self.below = min(self.below, 3)

    def text(self):
        text = super().text().replace("s.one == 4 and 3 in s.members", "s.one == 3 and s.flags[1]")
        step = "        s.flags[(x * 3 + y) % 3] ^= 1\n"
        return text.replace(step, f"{step}        s.one = (s.one + y) % 5\n")


EXPAND = """
    def expand(self, s):
        for x in range(3):
            for y in (0, 1, 4):
                if self.may(s, x, y):
                    t = s.copy()
                    self.change(t, x, y)
                    yield (x, y), t
"""


def random_puzzle(seed, writer=Writer):
    """A random puzzle; its text can be found by `inspect`."""
    return _made(seed, writer(seed).text())


def random_listing(seed):
    """The same, with its steps listed by `expand`."""
    text = Writer(seed).text()
    for name, other in (("legal", "may"), ("apply", "change")):
        text = text.replace(f"    def {name}(", f"    def {other}(")
    return _made(seed, text.rstrip("\n") + "\n" + EXPAND)


def _made(seed, text):
    file = f"<random puzzle {seed} {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names = {"Fields": Fields, "Array": Array, "Int": Int, "Set": Set, "__name__": "random_puzzle"}
    exec(compile(text, file, "exec"), names)
    return names["Made"](), text
