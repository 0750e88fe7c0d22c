"""Bodies of `expand`: what of Python it may hold, in machine code or only in Python."""

# ruff: noqa: E501  (lines of texts)

import itertools
import linecache
import textwrap

from searchkit.fields import Array, Fields, Int, Set

_numbers = itertools.count()

HEAD = """\
import enum
from searchkit import Step
class Colour(enum.IntEnum):
    RED = 0
    BLUE = 2
class Plain(enum.Enum):
    RED = 0
    BLUE = 2
class Made(Fields):
    goals = [1, 3]
    some = {0, 2}
    rows = [[1, 2], [0], [3, 2, 1], []]
    sets = [{0, 1}, {2}, set(), {1, 3}]
    big = [{0, 1}, {2}, {60}, {1, 3}]
    near = ((1, 2), (0, 2), (3, 1), (0, 1))
    def __init__(self):
        self.declare(
            at=Int(4), low=Int(-3, 5), c=Int(Colour), a=Array(5, 4), neg=Array(3, -2, 3), b=Set(4),
            wide=Set(70), f=Array(2, 2),
        )
        zeros = dict(at=0, low=0, c=0, a=[0] * 5, neg=[0] * 3, b=[], wide=[], f=[0, 0])
        self.start = self.goal = self.pack(**zeros)
    def more(self, s):
        for i in range(4):
            t = s.copy()
            t.at = i
            yield f"{i} {t}", t, i + 1
        yield from self.last(s)
    def last(self, s):
        yield f"{s}", s
    def states(self, s):
        for i in range(4):
            t = s.copy()
            t.at = i
            yield t
    def moved(self, s, i):
        if s.at == i:
            return None
        t = s.copy()
        t.at = i
        return t
    def change(self, t, i):
        t.at = i
        t.b.add(i)
        t.a[i] = 1
    def pair(self, s, i):
        t = s.copy()
        t.at = i
        return i, t
    def priced(self, s, i):
        t = s.copy()
        t.at = i
        if i > 2:
            return i, t, 1
        return i, t, 2 + i
    def price(self, t):
        t.at = 1
        return 1
    def grow(self, t):
        t.b.add(3)
        return {1}
    def expand(self, s):
"""
TRANSLATED = [
    """for i, few in enumerate(self.sets):
    if s.b.isdisjoint(few) or few <= s.wide:
        t = s.copy()
        t.b |= few
        t.wide -= few
        yield i, t""",
    """few = self.sets[s.at]
t = s.copy()
t.b = (s.b - few) ^ self.sets[0]
if few == s.b or few.isdisjoint(s.wide) or s.b & few:
    yield 0, t""",
    """t = s.copy()
t.b = self.sets[s.at] | s.b
yield 0, t
t.b = self.big[s.at]
yield 1, t""",
    """yield self.pair(s, 1)
for i in range(4):
    yield self.pair(s, i)""",
    """for i in range(4):
    yield self.priced(s, i)""",
    """x = self.pair(s, 3)
yield x""",
    """t = s.copy()
try:
    t.a[s.low] = 1
except IndexError:
    t.at = 3
yield 0, t""",
    """t = s.copy()
try:
    t.at = self.rows[s.at][s.low]
except IndexError:
    t.at = 3
yield 0, t""",
    """t = s.copy()
try:
    t.b.remove(s.at)
except KeyError:
    t.at = 3
yield 0, t""",
    """t = s.copy()
try:
    t.at = s.a.index(3)
except ValueError:
    pass
else:
    yield 1, t
yield 0, t""",
    """t = s.copy()
t.at = (s.at + 1) % 4
yield 'x', t""",
    """t = s.copy()
t.at += 1
yield 'x', t""",
    """t = s.copy()
t.low -= 1
yield ('x', t.low), t, 2""",
    """for i in range(5):
    t = s.copy()
    t.a[i] = s.at
    yield f'{i}', t, i""",
    """for i in range(5):
    t = s.copy()
    t.a[i] += 1
    yield i, t""",
    """t = s.copy()
t.a[s.low] = 1
yield 0, t""",
    """t = s.copy()
t.at = s.a[s.low]
yield 0, t""",
    """t = s.copy()
t.at = s.a[-1]
yield 0, t""",
    """t = s.copy()
t.neg[s.at] = s.low
yield 0, t""",
    """t = s.copy()
t.a[0], t.a[1] = t.a[1], t.a[0]
yield 0, t""",
    """t = s.copy()
t.at, t.low = t.low, t.at
yield 0, t""",
    """for x in s.b:
    t = s.copy()
    t.b.remove(x)
    t.at = x
    yield x, t""",
    """for x in s.wide:
    t = s.copy()
    t.wide.discard(x)
    yield x, t""",
    """t = s.copy()
t.b.add(s.low)
yield 0, t""",
    """t = s.copy()
t.b.discard(s.low)
yield 0, t""",
    """t = s.copy()
t.b.remove(s.at)
yield 0, t""",
    """if s.low in s.b:
    t = s.copy()
    t.at = 0
    yield 0, t""",
    """t = s.copy()
t.b |= {s.at, 1}
yield 0, t
t.b &= {1, 2}
yield 1, t
t.b -= {2}
yield 2, t
t.b ^= self.some
yield 3, t""",
    """t = s.copy()
t.b |= [s.at]
yield 0, t""",
    """t = s.copy()
t.b |= [s.low]
yield 0, t""",
    """t = s.copy()
t.b -= {s.low}
yield 0, t""",
    """t = s.copy()
t.b = s.b | {s.at}
yield 0, t""",
    """t = s.copy()
t.b = {s.at, 2}
yield 0, t""",
    """t = s.copy()
t.b = {s.low, 2}
yield 0, t""",
    """t = s.copy()
t.b = self.goals
yield 0, t""",
    """t = s.copy()
t.b = [x for x in s.a if x]
yield 0, t""",
    """t = s.copy()
t.b = set()
yield 0, t
t.b.clear()
yield 1, t""",
    """if s.b == self.goals:
    t = s.copy()
    yield 0, t""",
    """if s.b == {1, 3} or s.b <= self.goals or s.b >= [1]:
    t = s.copy()
    yield 0, t""",
    """if s.b != self.some and not s.b.isdisjoint(self.some):
    t = s.copy()
    yield 0, t""",
    """t = s.copy()
t.a = [s.at] * 5
yield 0, t""",
    """t = s.copy()
t.a = s.a[1:] + s.a[:1]
yield 0, t""",
    """t = s.copy()
t.a = t.a[1:] + t.a[:1]
yield 0, t""",
    """t = s.copy()
t.a = sorted(t.a)
yield 0, t
t.a.reverse()
yield 1, t
t.a.sort()
yield 2, t""",
    """t = s.copy()
t.a = [x + 1 for x in s.a]
yield 0, t""",
    """t = s.copy()
t.a = [min(x + 1, 3) for x in t.a]
yield 0, t""",
    """t = s.copy()
t.a = s.a[:s.at + 3]
yield 0, t""",
    """t = s.copy()
t.a = s.b
yield 0, t""",
    """t = s.copy()
t.c = Colour.BLUE
yield 0, t
t.c = Plain.BLUE
yield 1, t""",
    """if s.c == Colour.BLUE:
    yield 0, s.copy()""",
    """if s.c == Plain.BLUE:
    yield 0, s.copy()""",
    """t = s.copy()
t.f[0] = not s.f[1]
yield 0, t
t.f[1] ^= 1
yield 1, t""",
    """t = s
yield 0, t""",
    """yield 0, s
yield 1, s.copy()""",
    """t = s.copy()
u = t
u.at = 3
yield 0, t""",
    """t = s.copy()
u = t.copy()
u.at = 3
u.b.add(1)
yield 0, t
yield 1, u""",
    """t = s.copy()
x = t.b
x.add(2)
yield 0, t""",
    """t = s.copy()
x = t.a
x[1] = 2
yield 0, t""",
    """seen = s.b | {s.at}
todo = [s.at]
for x in todo:
    for y in self.near[x]:
        if y not in seen:
            seen.add(y)
            todo.append(y)
for x in todo:
    t = s.copy()
    t.at = x
    yield x, t""",
    """seen = s.b | {s.at}
seen.add(s.low)
t = s.copy()
t.b = seen
yield 0, t""",
    """yield from self.more(s)""",
    """for t in self.states(s):
    yield 0, t""",
    """t = self.moved(s, 1)
if t is not None:
    yield f'{t!r}', t""",
    """for i in range(4):
    t = self.moved(s, i)
    if t is None:
        continue
    yield i, t, t.at""",
    """t = s.copy()
self.change(t, 2)
yield 0, t""",
    """best = [s.copy() for i in range(2)]
best[1].at = 2
yield 0, best[0]
yield 1, best[1]""",
    """t = s.copy()
if s == t:
    t.at = 1
yield 0, t""",
    """t = s.copy()
t.at = 3
if s == t:
    t.at = 1
yield 0, t""",
    """t = s.copy()
t.low = sum(s.a) - len(s.b) - max(s.a)
yield 0, t""",
    """t = s.copy()
t.at = s.a.index(2)
yield 0, t""",
    """t = s.copy()
t.at = s.a.count(2)
yield 0, t""",
    """t = s.copy()
while t.at < 3 and t.at not in s.b:
    t.at += 1
yield 0, t""",
    """for row in self.rows:
    for x in row:
        t = s.copy()
        t.at = x
        yield x, t""",
    """for x in self.rows[s.at]:
    t = s.copy()
    t.at = x
    yield x, t""",
    """i, *rest = s.a
t = s.copy()
t.a = [*rest, i]
yield 0, t""",
    """yield Step('a', s.copy(), 3)""",
    """if s.at > 2:
    return
yield 0, s.copy()""",
    """t = s.copy()
t.b.update([1], {2})
yield 0, t
t.b.difference_update({1})
yield 1, t
t.b.symmetric_difference_update(self.goals)
yield 2, t""",
    """t = s.copy()
t.b.update([s.low])
yield 0, t""",
    """t = s.copy()
t.wide.add(s.at * 20 + 5)
t.wide |= {69, 3}
yield 0, t""",
    """if s.at * 20 + 5 in s.wide and len(s.wide) > 3:
    yield 0, s.copy()""",
    """t = s.copy()
t.b = s.b & s.wide
yield 0, t""",
    """t = s.copy()
t.wide |= s.b
yield 0, t""",
    """t = s.copy()
t.at = min(s.b)
yield 0, t""",
    """t = s.copy()
t.at = min(s.b, default=0)
yield 0, t""",
    """x = [0] * 4
x[s.at] = 7
x[-1] = 2
t = s.copy()
t.at = x[s.at]
yield 0, t""",
    """x = list(s.a)
x[0] = 77
t = s.copy()
t.at = x[-1]
if x[0] == 77:
    yield 0, t""",
    """x = set(s.b)
x.discard(9)
x.add(1)
if 9 in x:
    return
t = s.copy()
t.b = x
yield 0, t""",
    """t = s.copy()
for i, v in enumerate(s.a):
    if v == s.at:
        t.a[i] = 0
yield 0, t""",
    """t = s.copy()
for i in s.b:
    t.a[i] = 3
    t.b.discard(i)
yield 0, t""",
    """t = s.copy()
for i in t.b:
    t.b.discard(i)
yield 0, t""",
    """t = s.copy()
t.at = None
yield 0, t""",
    """t = s.copy()
t.at += self.price(t)
yield 0, t""",
    """yield 0, s.copy(), s.low""",
    """boxes = {x for x in s.a}
t = s.copy()
t.b = boxes
yield 0, t""",
    """t = s.copy()
t.b = frozenset(s.b) - {1}
yield 0, t""",
    """t = s.copy()
t.at = s.at if s.low in (1, 2) else 3
t.a[t.at] = t.at
yield 0, t""",
    """t = s.copy()
t.at = len(s.a) - 1 - s.f[0]
yield 0, t""",
    """t = s.copy()
t.at = True
yield 0, t""",
    """t = s.copy()
t.a = (1, 2, 3, 0, 1)
t.neg = self.goals + [1]
yield 0, t""",
    """t = s.copy()
t.a = range(5)
yield 0, t""",
    """t = s.copy()
t.a = [c for c in range(4)] + [s.at]
yield 0, t""",
    """t = None
for i in range(2):
    t = s.copy() if t is None else t.copy()
    t.at = i
    yield i, t""",
]
REFUSED = [
    (
        """t = s.copy()
t.a.append(1)
yield 0, t""",
        "calls append of an Array; its length stays: change items",
    ),
    (
        """t = s.copy()
x = t.b
t.b = {1}
x.add(2)
yield 0, t""",
        "gives a name to a list within a list, of which whole lists are replaced; write out the index each time",
    ),
    (
        """t = s.copy()
x = t.b
t.b |= {1}
x.add(2)
yield 0, t""",
        "gives a name to a list within a list, of which whole lists are replaced; write out the index each time",
    ),
    (
        """x = s.b
x |= {1}
t = s.copy()
t.b = x
yield 0, t""",
        "changes a state, list or set that has two names, or is part of another; copy it: t.copy(), list(...), set(...)",
    ),
    ("""yield s""", "yields what is not a step; yield label, child"),
    ("""yield 0, 5""", "yields what is not a state; yield label, child, a copy of the state"),
    ("""yield 0, s.at""", "yields what is not a state; yield label, child, a copy of the state"),
    ("""return [(0, s)]""", "yields nothing; yield each step: yield label, child"),
    (
        """print(s)
yield 0, s""",
        "calls print; leave it out",
    ),
    (
        """t = s.copy()
t.at = 2.5
yield 0, t""",
        "gives a field 2.5; use whole numbers",
    ),
    (
        """t = s.copy()
t.at = s.at / 2
yield 0, t""",
        "gives a field a number with a decimal point; use whole numbers",
    ),
    (
        """t = s.copy()
t.b |= self.grow(t)
yield 0, t""",
        "calls what may change t while a field of it is changed; give what it returns a name before",
    ),
    (
        """t = s.copy()
u = s.copy()
if s.at:
    t = u
t.at = 1
yield 0, u""",
        "changes a state, list or set that has two names, or is part of another; copy it: t.copy(), list(...), set(...)",
    ),
    (
        """t = s
for i in range(3):
    t = t.copy()
    t.a[i] = 1
    yield i, t""",
        "changes a state, list or set that has two names, or is part of another; copy it: t.copy(), list(...), set(...)",
    ),
    (
        """t = s.copy()
t.a[1:2] = [3]
yield 0, t""",
        "changes a slice of a field; change its items",
    ),
    (
        """t = s.copy()
del t.a[0]
yield 0, t""",
        "makes a field longer, or shorter; its length stays",
    ),
    (
        """t = s.copy()
x = s.b or {1}
t.b = x
yield 0, t""",
        "has a set and a set of 1 times number in one place in `s.b ",
    ),
    (
        """t = s.copy()
t.b = s.b if s.at else {1}
yield 0, t""",
        "has a set and a set of 1 times number in one place in `s.b ",
    ),
    (
        """x = [s.b, {1}]
for y in x:
    t = s.copy()
    t.b = y
    yield 0, t""",
        "puts a list that has a name, or is part of another, into another value; copy it with list(...) or tuple(...)",
    ),
    (
        """t = s.copy()
for v in t.a:
    t.at = (t.at + v) % 4
    t.a = [1, 0, 1, 0, 1]
yield 0, t""",
        "gives a another value while it goes through it; go through a copy: list(...)",
    ),
]
WRONG = [
    (
        """t = s.copy()
t.nosuch = 1
yield 0, t""",
        "there is no field 'nosuch'; the fields are at, low, c, a, neg, b, wide, f",
    ),
    (
        """s.at = 1
yield 0, s""",
        "changes the state that it was given; change a copy, as in t = s.copy()",
    ),
    (
        """s.b.add(1)
yield 0, s""",
        "changes the state that it was given; change a copy, as in t = s.copy()",
    ),
    (
        """s.a[0] = 1
yield 0, s""",
        "changes the state that it was given; change a copy, as in t = s.copy()",
    ),
    (
        """yield 0, s.nosuch""",
        "there is no field 'nosuch'; the fields are at, low, c, a, neg, b, wide, f",
    ),
    (
        """t = s
for i in range(3):
    t.a[i] = 1
    yield i, t""",
        "changes the state that it was given; change a copy, as in t = s.copy()",
    ),
]


def made(body):
    """The puzzle with that body of `expand`; its text can be found by `inspect`."""
    text = HEAD + textwrap.indent(body, "        ") + "\n"
    file = f"<listed {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names = {"Fields": Fields, "Array": Array, "Int": Int, "Set": Set, "__name__": "listed"}
    exec(compile(text, file, "exec"), names)
    return names["Made"]()
