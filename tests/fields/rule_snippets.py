"""Bodies of `estimate` and `apply`: names, loops and generators, as kernels and as written."""

# ruff: noqa: E501  (lines of texts)

import itertools
import linecache
import textwrap

from searchkit.fields import Array, Fields, Int, Set

_numbers = itertools.count()

HEAD = """\
K = 2
import numpy
def plus(a):
    return a + K
class Made(Fields):
    rows = [[1, 2, 0], [0, 1, 2], [2, 0, 1]]
    cube = [[[1, 2], [0, 1]], [[2, 2], [1, 0]], [[0, 1], [2, 0]]]
    ragged = [[1, 2], [0], [], [2, 1, 0]]
    ms = [2, 0, 1]
    pairs = [(0, 1), (2, 2), (1, 0)]
    triples = ((1, 2, 0), (0, 1, 2), (2, 0, 1))
    mixed = [[1, 2, 0], (0, 1, 2), [2, 0, 1]]
    def __init__(self):
        self.declare(
            at=Array(3, 3), a=Int(3), b=Int(3), many=Set(5), wide=Set(70), more=Array(70, 3)
        )
        self.moves = {i: (i, i % 2) for i in range(3)}
        self.start = self.goal = self.pack(at=[0, 1, 2], a=0, b=0, many=[], wide=[], more=[0] * 70)
    def total(self, s, row, k):
        return sum(s.at[k] * v for v in self.rows[row])
    def best(self, s):
        return min(abs(v - w) for v in s.at for w in self.ms)
    def last(self, k):
        x = self.ragged[k][-1]
        return x * 10 + self.ragged[3][-3]
    def pair(self, s, k):
        if s.a == 1:
            return s.at[k], k
        return k, s.b
    def turned(self, s, k):
        s.at[k] = (s.at[k] + 1) % 3
        return s.at[k], k
    def shift(self, s, k):
        for i in range(3):
            s.at[i] = (s.at[i] + k) % 3
"""
HEAD += """\
    square = numpy.array(rows)
    def once_more(self, s):
        s.a = (s.a + 1) % 3
        return s.a
    def counted(self, n):
        if n <= 0:
            return 0
        return n + self.counted(n - 1)
"""
ESTIMATE = "    def apply(self, s, i, j):\n        s.a = i\n    def estimate(self, s):\n"
APPLY = "    def apply(self, s, i, j):\n"

VALUES = [
    # functions that change the state, or call themselves, and arrays of two dimensions
    "t = s.a\nx = self.once_more(s)\nreturn 100 * t + 10 * x + s.a",
    "t = s.a + self.once_more(s) * 10 + s.a * 100\nreturn t",
    "return self.counted(s.a) * 10 + self.square[s.a, s.b] + self.square[s.b][1]",
    "row = self.rows[s.a]\nrow = row[0]\nreturn row",
    "x = s.a\nx = self.rows[x]\nreturn x[0]",
    "row = self.cube[s.a]\nrow = row[s.b % 2]\nreturn row[0]",
    # a number that a loop may not find
    "x = None\nfor v in s.at:\n    if x is None or v > x:\n        x = v\nreturn x",
    # indices that are written, and count from the end
    "return self.rows[s.at[0]][-1] * 100 + self.ms[-1] * 10 + self.pairs[s.a][-2]",
    "return self.cube[s.a][-1][-2] * 10 + sum(row[-1] * v for row in self.rows for v in s.at)",
    "k = 3 * (s.a > 0)\nreturn self.ragged[k][-1] * 100 + self.last(k)",
    # loops over rows, and generators within them
    "t = 0\nfor row in self.rows:\n    t = 100 * t + sum(row[v] for v in s.at)\nreturn t",
    "t = 0\nfor row in self.rows:\n    t = 100 * t + sum(row[i] for i in range(3))\nreturn t",
    "t = 0\nfor row in self.rows:\n    for v in s.at:\n        t += row[v]\n    t *= 10\nreturn t",
    "t = 0\nfor row in self.rows:\n    t = 100 * t + sum(x for x in row)\nreturn t",
    "t = 0\nfor row in self.rows:\n    t = 10 * t + any(v == row[0] for v in s.at)\nreturn t",
    "t = 0\nfor row in self.rows:\n    t = 10 * t + any(row[0] == m for m in self.ms)\nreturn t",
    "t = 0\nfor k, row in enumerate(self.rows):\n    t = 100 * t + k + sum(row[v] for v in s.at)\nreturn t",
    "t = 0\nfor v in s.at:\n    t = 100 * t + sum(self.rows[i][v] for i in range(3))\nreturn t",
    "t = 0\nfor v in s.at:\n    t = 100 * t + sum(row[v] for row in self.rows)\nreturn t",
    "t = 0\nfor v in s.at:\n    t = 10 * t + sum(v == w for w in s.at)\nreturn t",
    "return sum(sum(row[v] for v in s.at) for row in self.rows)",
    "row = self.rows[s.at[0]]\nreturn sum(row[v] for v in s.at)",
    "t = 0\nfor row, m in zip(self.rows, self.ms):\n    t = 100 * t + sum(row[v] * m for v in s.at)\nreturn t",
    "t = 0\nfor row, other in zip(self.rows, reversed(self.rows)):\n    t = 100 * t + sum(x * y for x, y in zip(row, other))\nreturn t",
    "t = 0\nfor row in self.rows:\n    t = 100 * t + max(row) * 10 + min(row)\nreturn t",
    "t = 0\nfor row in self.rows:\n    t = 10 * t + (s.a in row) + sum(row) * (s.at.count(row[0]) + 1)\nreturn t",
    "t = 0\nfor row in self.ragged:\n    t = 10 * t + len(row) + sum(x == s.a for x in row)\nreturn t",
    "t = 0\nfor i, j in self.pairs:\n    t = 100 * t + sum(s.at[i] * v + j for v in s.at)\nreturn t",
    "t = 0\nfor m in s.many:\n    t = 10 * t + sum(m == v for v in s.at)\nreturn t",
    "t = 0\nfor m in s.wide:\n    t = 3 * t + sum(m % 3 == v for v in s.at)\nreturn t % 9999",
    # generators within generators
    "return min(sum(row[v] * (i + 1) for i, v in enumerate(s.at)) for row in self.rows)",
    "return max(min(abs(x - v) for x in row) for row in self.rows for v in s.at)",
    "return sum(max(sum(x * v for x in row) for row in block) for block in self.cube for v in s.at)",
    "return sum(any(all(x != v for v in s.at) for x in row) for row in self.ragged)",
    "return int(any(all(row[i] == v for i, v in enumerate(s.at)) for row in self.rows))",
    "return sum(min((x + v for x in row), default=9) for row in self.ragged for v in s.at)",
    "return sum(i * sum(j * row[v] for j, v in enumerate(s.at)) for i, row in enumerate(self.rows))",
    "return sum(min(x * y + z for z in s.at) for x, y in zip(s.at, self.ms))",
    "return min(sum(self.rows[v][w] for w in s.at if w != v) for v in s.at)",
    "t = 0\nfor block in self.cube:\n    for row in block:\n        t = 7 * t + sum(row[v % 2] + sum(x for x in row) for v in s.at)\nreturn t",
    "t = 0\nfor block in self.cube:\n    t = 9 * t + sum(sum(x * v for x in row) for row in block for v in s.at)\nreturn t",
    # names of generators that are names of what is around them
    "x = s.a\nreturn sum(x for x in s.at) * 10 + x",
    "x = s.a\nreturn 10 * min((x for x in self.ragged[s.at[0]]), default=x) + x",
    "x = self.rows[s.a]\nreturn sum(x for x in x)",
    "x = self.rows[s.a]\nreturn sum(sum(x for x in x) + v for v in x)",
    "t = 0\nfor row in self.rows:\n    t = 10 * t + sum(row for row in row)\nreturn t",
    "x = s.a + 1\nreturn sum(x for x in range(x))",
    "x = 2\nreturn sum(x for x in range(x + s.a)) + x",
    "v = s.a\nreturn sum(v * sum(v for v in self.rows[v]) for v in s.at) + v",
    "return sum(x for x in self.ms for x in self.rows[x])",
    "return sum(K for K in s.at) + K",
    "s1 = s.a\nreturn sum(s1 + s.at[s1] for s1 in range(3)) + s1",
    # names that stand for rows, and for others afterwards
    "row = self.rows[s.a]\nt = sum(row[v] for v in s.at)\nrow = self.rows[s.b]\nreturn 10 * t + sum(row[v] for v in s.at)",
    "row = self.rows[s.a]\nif s.b:\n    row = self.rows[2 - s.a]\nreturn row[0] * 10 + row[1]",
    "t = 0\nfor row in self.rows:\n    if s.a:\n        row = self.rows[s.b]\n    t = 10 * t + row[0]\nreturn t",
    "keep = self.rows[s.a]\nfor row in self.rows:\n    if row[s.b] > keep[s.b]:\n        keep = row\nreturn keep[0] * 10 + keep[1]",
    "row = self.rows[s.a]\nt = 0\nfor k in range(3):\n    t = 10 * t + row[0]\n    for row in self.rows:\n        if row[1] == s.b:\n            break\nreturn t",
    "x = self.cube[s.a]\ny = x[s.b % 2]\nx = self.cube[s.b]\nreturn y[0] * 10 + y[1]",
    "y = self.cube[s.a][s.b % 2]\ny = self.cube[y[0]][y[1] % 2]\nreturn y[0] * 10 + y[1]",
    "keep = self.rows[0 * s.a]\nfor i, row in enumerate(self.rows):\n    if row[0] == s.b:\n        keep = row\nreturn sum(keep[v] for v in s.at)",
    "row = self.rows[s.a]\nfor v in row:\n    row = self.rows[v]\nreturn row[0] * 10 + row[1]",
    "row = self.rows[s.a]\nk = 0\nwhile row[0] != s.b and k < 3:\n    k += 1\n    row = self.rows[(row[1] + k) % 3]\nreturn row[1]",
    "t = 0\nfor row in self.rows:\n    for row in self.rows:\n        t += row[0]\n    t = 10 * t + row[1]\nreturn t",
    "t = 0\nfor i in range(3):\n    row = self.rows[(i + s.a) % 3]\n    t = 10 * t + sum(row[v] * i for v in s.at)\nreturn t",
    # what is around a generator
    "t = 0\nfor v in s.at:\n    if v == s.a:\n        continue\n    t = 10 * t + sum(w > v for w in s.at)\n    if t > 100:\n        break\nreturn t",
    "t = 0\nk = s.a\nwhile k < 3:\n    t = 10 * t + sum(row[k] for row in self.rows)\n    k += 1\nreturn t",
    "return sum(self.total(s, i, v) for i, v in enumerate(s.at)) + self.best(s)",
    "t = 0\nfor row in self.rows:\n    t = 10 * t + sum(self.total(s, v, 0) + row[v] for v in s.at)\nreturn t",
    "return sum((row[s.a] if any(v == row[0] for v in s.at) else row[s.b]) for row in self.rows)",
    "return sum(sum(v in s.many for v in row) * len(row) for row in self.ragged)",
    "return sum(m * sum(n > m for n in s.many) for m in s.many)",
    "K = s.a\nreturn plus(1) * 10 + K",
    "return sum(plus(K) for K in s.at)",
    "return int(s.many == self.rows[s.a]) + int(s.many != self.ms)",
    "return int(s.many <= self.ragged[s.a]) + int(s.many >= self.ragged[s.b])",
    "return int(s.many <= range(3)) + 2 * int(range(s.a) <= s.many) + 4 * int(s.many == range(s.b))",
    "return int([1, s.b] <= s.many) + 2 * int([1, s.b] >= s.many) + 4 * int(s.at <= s.many)",
    "return int(self.rows[s.a] <= s.many) + 2 * int(s.many <= s.at) + 4 * int(s.at >= s.many)",
    "return len(s.many & self.ms) + len(s.wide - self.rows[s.b]) + len(s.many ^ self.pairs[1])",
    "return int(s.many.isdisjoint(self.rows[s.b])) + int(s.wide.issubset(self.ms))",
    "return len(s.many - {s.a, s.b}) + len(s.wide & {s.a, s.b, 65})",
]
CHANGES = [
    "s.a += self.once_more(s) and 0",
    "s.b = (s.b + self.once_more(s)) % 3",
    "s.at[i] = (s.at[i] + self.once_more(s) + s.a) % 3",
    # what a method returns, taken apart into fields
    "s.a, s.at[j] = self.pair(s, i)",
    "s.at[i], s.at[j] = self.pair(s, j)\n[s.b, k] = self.pair(s, i)\ns.a = k",
    "s.b, k = self.turned(s, i)\ns.at[k], s.a = self.turned(s, j)",
    "for row in self.rows:\n    if any(row[v] == i for v in s.at):\n        s.a = (s.a + row[j]) % 3",
    "for x in self.rows[s.a]:\n    s.a = (s.a + x) % 3",
    "for k, x in enumerate(self.rows[s.a]):\n    s.a = (s.a + x + k) % 3",
    "for k, x in enumerate(range(s.a, 3)):\n    s.a = (s.a + x + k) % 3",
    "for x in reversed(range(s.a + 1)):\n    s.a = (s.a + x) % 3",
    "for k, x in enumerate(s.at, s.a):\n    s.a = (s.a + x + k) % 3",
    "for x in self.ragged[s.a]:\n    s.a = (s.a + x + 1) % 3",
    "for x, y in zip(self.rows[s.a], self.rows[s.b]):\n    s.a, s.b = (s.a + x) % 3, (s.b + y) % 3",
    "for v in s.at:\n    s.at[v] = (s.at[v] + i) % 3",
    "for m in s.many:\n    s.many.discard(m + 1 if m < 4 else 0)\n    s.a = m % 3",
    "s.wide.add(i)\ns.wide.add(69)\nfor m in s.wide:\n    s.wide.discard(m + 1 if m < 69 else 0)\n    s.wide.add(m // 2)",
    "for m in s.wide:\n    if m < 60:\n        s.wide.add(m + 7)",
    "for k, v in enumerate(s.more):\n    if v == i:\n        s.more[69 - k] = (v + 1) % 3",
    "row = self.rows[s.a]\ns.a = i\ns.b = row[0]",
    "row = self.rows[s.a]\nfor v in row:\n    s.a = v\n    row = self.rows[s.b]\ns.b = row[1]",
    "keep = self.rows[s.a]\nfor row in self.rows:\n    if row[i] > keep[i]:\n        keep = row\ns.a, s.b = keep[0], keep[1]",
    "i = (i + s.a) % 3\ns.a = sum(i + v for v in s.at) % 3\ns.b = i",
    "j = s.a\ns.a = min((j for j in self.ragged[i]), default=j)\ns.b = j",
    "s.a = sum(i for i in s.at) % 3\ns.b = i",
    "k = i + 1\ns.a = sum(k * i for i in s.at) % 3\ns.b = k % 3",
    "s.a = sum(sum(row[v] * i for v in s.at) for row in self.rows) % 3",
    "for row in self.rows:\n    s.at[i] = sum(row[v] for v in s.at) % 3",
    "self.shift(s, sum(row[s.a] for row in self.rows if row[0] != s.b))",
    "s.at[s.a], s.at[s.b] = s.at[s.b], s.at[s.a]",
    "s.a, s.b = s.b, s.a",
    "s.a, s.at[s.a] = s.at[i], s.b",
    "s.at[s.at[i]] = s.at[s.at[j]]",
    "s.a = s.b = s.at[i]",
    "for s.a in range(3):\n    if s.at[s.a] == i:\n        break",
]

NAMED = [
    "t = s.many\nu = t | {2}\ns.many.difference_update([1])\ns.a = int(1 in u)",
    "u = s.wide | {2}\ns.wide.difference_update([1])\ns.a = int(1 in u)",
    "u = s.many - {2}\ns.many.clear()\ns.a = len(u) % 3",
    "u = s.many | {2}\ns.many.add(1)\ns.a = int(1 in u)",
    "u = s.many & {2, 3}\ns.many = {3}\ns.a = len(u) % 3",
    "u = s.many & {2, 3}\nfor k in range(3):\n    s.many.add(k)\ns.a = len(u) % 3",
    "u = s.many.union([2])\ns.many.add(1)\ns.a = len(u) % 3",
    "u = s.many | self.pairs[0]\nw = s.many & u\ns.many.add(4)\ns.a = (len(u) + len(w)) % 3",
    "u = (s.many | {2}, 1)\ns.many.add(1)\ns.a = len(u[0]) % 3",
    "s.many, s.wide = s.wide & {1, 2}, s.many | {3}\ns.a = len(s.wide) % 3",
    "def f(x):\n    s.many.add(1)\n    return len(x)\ns.a = f(s.many | {2}) % 3",
    "for v in s.many:\n    s.a = (s.a + v) % 3\n    s.many = s.many - {v, 3}",
    "for v in s.wide:\n    s.a = (s.a + v) % 3\n    s.wide = s.wide - {v, 3}",
    "for v in s.at:\n    s.a = (s.a + v) % 3\n    s.at[2] = 1",
    "u = s.many\ns.many.add(1)\ns.a = len(u) % 3",
    "t = s.copy()\ns.many.add(1)\ns.a = len(t.many) % 3",
    "t = s.copy()\ns.wide.add(68)\ns.a = len(t.wide) % 3",
    "u = list(s.more)\nv = tuple(s.more)\ns.more[69] = s.more[0] = 2\ns.a = u[69]\ns.b = v[0]",
    "u = s.more[3:]\ns.more[69] = s.more[3] = 2\ns.a = u[66]\ns.b = u[0]",
    "s.more = [*s.more[1:], s.a]\ns.b = s.more[68]",
    "s.more = s.more[::-1]\ns.b = s.more[68]",
    "s.at = [0, 1, 2]\ns.a = int(s.at == self.rows[s.b]) + int(s.at == self.triples[s.b])",
    "s.at = [1, 2, 0]\ns.a = int(s.at == self.rows[i]) + int(s.at == self.triples[i])",
    "s.at = [2, 0, 1]\ns.a = int(s.at in self.rows)\ns.b = int(s.at in self.triples)",
    "s.at = [1, 2, 0]\ns.a = int(tuple(s.at) == self.rows[s.b])\ns.b = int(s.at == (1, 2, 0))",
    "s.a = int(self.rows[s.b] == self.triples[s.a]) + int(self.triples[s.b] == (2, 0, 1))",
    "t = s.copy()\ns.at[0] = s.more[69] = 2\ns.a = t.at[0]\ns.b = t.more[69]",
]
"""Sets and arrays with other names, which the kernels know."""
LEFT_TO_PYTHON = [
    "s.a = int(s.at == self.mixed[s.b])",
    "u = s.many\ns.many = {1}\ns.a = len(u) % 3",
    "u = s.many\ns.many |= {1}\ns.a = len(u) % 3",
    "u = s.at\ns.at = [0, 0, 0]\ns.a = u[1]",
    "t = s\nu = t.at\nt.at = [1, 1, 1]\ns.a = u[0]",
    "u = s.many | {2} if s.a else s.many\ns.many.add(1)\ns.a = len(u) % 3",
    "for v in s.at:\n    s.a = (s.a + v) % 3\n    s.at = [0, 1, 0]",
]
"""The same that they do not know."""


def made(body, head):
    """A puzzle with this body of a rule."""
    text = HEAD + head + textwrap.indent(body, "        ") + "\n"
    file = f"<rule {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    scope = {"Fields": Fields, "Array": Array, "Int": Int, "Set": Set, "__name__": "made"}
    exec(compile(text, file, "exec"), scope)
    return scope["Made"]()
