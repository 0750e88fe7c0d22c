"""Random puzzles on fields with nested rules, and what these say in Python without searchkit."""

# ruff: noqa: E501  (lines of texts)

import itertools
import linecache
import random
from collections import deque
from contextlib import contextmanager
from types import SimpleNamespace

from searchkit.fields import Array, Fields, Int, Set

_numbers = itertools.count()
NAMES = ("x", "y", "v", "k", "row", "m")
HEAD = """\
K = 2
def plus(x, k):
    return x + k + K
class Made(Fields):
    ms = [2, 0, 1]
    rows = [[1, 2, 0], [0, 1, 2], [2, 0, 1]]
    cube = [[[1, 2, 0], [0, 1, 1]], [[2, 2, 1], [1, 0, 2]], [[0, 1, 0], [2, 0, 1]]]
    ragged = [[1, 2], [0], [], [2, 1, 0]]
    sizes = [[1, 2], [0, 2]]
    def __init__(self):
        self.declare(at=Array(3, 3), a=Int(3), b=Int(-1, 2), many=Set(4))
        self.moves = [(i, j) for i in range(3) for j in range(2)]
        self.start = self.pack(at=[0, 1, 2], a=0, b=1, many=[1, 3])
    def total(self, s, row, k):
        return sum(s.at[k] * x for x in self.rows[row])
    def best(self, s, v):
        for row in self.rows:
            if any(x == v for x in row if x != s.a):
                return row[v]
        return 0
"""
JAGGED = """\
    jagged = {jagged}
    def size(self, x, y):
        row = self.jagged[x][y]
        if y > 3:
            return 0
        return len(row) + len(self.jagged[x][y])
    def inner(self, x, y):
        t = 0
        for v in self.jagged[x][y]:
            t += v
        return t
    def holds(self, x, y):
        for k in range(1):
            if y in self.jagged[x][y]:
                return 1
        return sum(v * y for v in self.jagged[x][y])
    def deeper(self, x, y):
        most = max(self.size(k, y) for k in range(x + 1))
        return most + self.jagged[x][y][0]
"""


class RuleWriter:
    """Writes rules whose names are few, so that they hide one another."""

    def __init__(self, seed, *, jagged=False):
        self.rng = random.Random(seed)
        self.jagged = jagged
        """Whether they look beyond shorter rows of lists now and then."""
        self.lines = []
        self.kinds = {}
        """What names stand for: numbers, rows, or lists of rows."""
        self.deep = 0

    def of(self, kind):
        return [name for name, each in self.kinds.items() if each == kind]

    @contextmanager
    def scope(self, **names):
        before = dict(self.kinds)
        self.kinds.update(names)
        yield
        self.kinds = before

    def index(self, d):
        return f"({self.value(d - 1)}) % 3" if self.rng.random() < 0.8 else "s.a"

    def row(self, d):
        """A list of numbers."""
        found = [f"self.rows[{self.index(d - 1)}]", "self.ms", *self.of("row") * 3]
        found += [f"{each}[({self.value(d - 1)}) % 2]" for each in self.of("block")]
        if self.jagged:
            found += [f"self.jagged[{self.index(d - 1)}][{self.index(d - 1)}]"] * 2
        return self.rng.choice(found)

    def source(self, d):
        """What loops go over, with a target for each kind of item: a text, and its names."""
        rng, x, y = self.rng, *self.rng.sample(NAMES, 2)
        blocks = ["self.cube[s.a]", *self.of("block")]
        kinds = [
            lambda: (x, "s.at", {x: "number"}),
            lambda: (x, self.row(d), {x: "number"}),
            lambda: (x, "self.rows", {x: "row"}),
            lambda: (x, "self.rows", {x: "row"}),
            lambda: (x, "self.cube", {x: "block"}),
            lambda: (x, rng.choice(blocks), {x: "row"}),
            lambda: (x, f"self.ragged[({self.value(d - 1)}) % 4]", {x: "number"}),
            lambda: (x, f"range({self.index(d)} + 1)", {x: "number"}),
            lambda: (x, "s.many", {x: "number"}),
            lambda: (f"{x}, {y}", "enumerate(s.at)", {x: "number", y: "number"}),
            lambda: (f"{x}, {y}", "enumerate(self.rows)", {x: "number", y: "row"}),
            lambda: (f"{x}, {y}", f"zip(s.at, {self.row(d)})", {x: "number", y: "number"}),
            lambda: (f"{x}, {y}", "zip(self.rows, reversed(self.ms))", {x: "row", y: "number"}),
            lambda: (f"{x}, {y}", "self.sizes", {x: "number", y: "number"}),
            lambda: (f"{x}, {y}", f"enumerate({self.row(d)}, s.a)", {x: "number", y: "number"}),
        ]
        return rng.choice(kinds)()

    def generator(self, make, d):
        """A generator of what `make` makes."""
        target, source, names = self.source(d)
        with self.scope(**names):
            more = ""
            if self.rng.random() < 0.2:
                again, inner, own = self.source(d - 1)
                more = f" for {again} in {inner}"
                names = own
            with self.scope(**names):
                test = f" if {self.test(d - 1)}" if self.rng.random() < 0.25 else ""
                return f"{make(d - 1)} for {target} in {source}{more}{test}"

    def value(self, d=3):
        rng = self.rng
        if self.jagged and d > 0 and rng.random() < 0.2:
            name = rng.choice(("size", "inner", "holds", "deeper"))
            return f"self.{name}({self.index(d - 1)}, {self.index(d - 1)})"
        simple = [
            str(rng.randrange(4)), "s.a", "s.b", "K", *self.of("number") * 3,
            f"self.ms[{rng.randrange(3)}]", f"s.at[{rng.randrange(3)}]",
        ]  # fmt: skip
        if d <= 0:
            return rng.choice(simple)
        return rng.choice([
            lambda: rng.choice(simple),
            lambda: f"s.at[{self.index(d - 1)}]",
            lambda: f"{rng.choice(self.of('row') or ['self.ms'])}[{self.index(d - 1)}]",
            lambda: f"self.rows[{self.index(d - 1)}][{self.index(d - 1)}]",
            lambda: f"({self.value(d - 1)} {rng.choice('+-*')} {self.value(d - 1)})",
            lambda: f"({self.value(d - 1)} if {self.test(d - 1)} else {self.value(d - 1)})",
            lambda: f"sum({self.generator(self.value, d)})",
            lambda: f"sum({self.generator(self.value, d)})",
            lambda: f"{rng.choice(('min', 'max'))}(({self.generator(self.value, d)}), "
            f"default={self.value(d - 1)})",
            lambda: f"min({self.value(d - 1)}, {self.value(d - 1)})",
            lambda: f"abs({self.value(d - 1)})",
            lambda: f"sum({self.row(d)})",
            lambda: f"s.at.count({self.value(d - 1)})",
            lambda: f"self.total(s, {self.index(d)}, {self.index(d)})",
            lambda: f"self.best(s, {self.index(d)})",
            lambda: f"plus({self.value(d - 1)}, {self.value(0)})",
            lambda: f"len({self.row(d)})",
        ])()  # fmt: skip

    def test(self, d=3):
        rng = self.rng
        if d <= 0:
            return f"{self.value(0)} {rng.choice(('<', '==', '!='))} {self.value(0)}"
        return rng.choice([
            lambda: f"{self.value(d - 1)} {rng.choice(('<', '<=', '==', '!='))} {self.value(d - 1)}",
            lambda: f"{rng.choice(('any', 'all'))}({self.generator(self.test, d)})",
            lambda: f"{rng.choice(('any', 'all'))}({self.generator(self.test, d)})",
            lambda: f"({self.test(d - 1)} {rng.choice(('and', 'or'))} {self.test(d - 1)})",
            lambda: f"not {self.test(0)}",
            lambda: f"{self.value(d - 1)} in {self.row(d)}",
            lambda: f"({self.value(d - 1)}) % 4 in s.many",
            lambda: f"{self.value(d - 1)} in s.at",
        ])()  # fmt: skip

    def line(self, text):
        self.lines.append("    " * (2 + self.deep) + text)

    def new(self, kind):
        """A name for a value of a kind: one that has no other here."""
        name = self.rng.choice([n for n in NAMES if self.kinds.get(n, kind) == kind] or ["z"])
        self.kinds[name] = kind
        return name

    def statements(self, count, changes, loops=0):
        for _ in range(count):
            self.statement(changes, loops)

    @contextmanager
    def block(self, head, **names):
        self.line(head)
        self.deep += 1
        count = len(self.lines)
        with self.scope(**names):
            yield
        if len(self.lines) == count:
            self.line("pass")
        self.deep -= 1

    def statement(self, changes, loops):
        rng = self.rng
        choice = rng.random()
        if self.deep < 3 and choice < 0.18:
            target, source, names = self.source(2)
            if any(self.kinds.get(name, kind) != kind for name, kind in names.items()):
                return
            with self.block(f"for {target} in {source}:", **names):
                self.statements(rng.randrange(1, 4), changes, loops + 1)
        elif self.deep < 3 and choice < 0.3:
            with self.block(f"if {self.test(2)}:"):
                self.statements(rng.randrange(1, 3), changes, loops)
                if loops and rng.random() < 0.4:
                    self.line(rng.choice(("break", "continue")))
        elif choice < 0.42:
            text = self.row(2)
            if text == "self.ms":
                text = "self.rows[s.a]"
            self.line(f"{self.new('row')} = {text}")
        elif choice < 0.47:
            text = f"self.cube[{self.index(2)}]"
            self.line(f"{self.new('block')} = {text}")
        elif choice < 0.6 or not changes:
            text = self.value(2)
            self.line(f"{self.new('number')} = ({text}) % 50")
            if not changes:
                self.line(f"t = (3 * t + {self.value(2)}) % 1000")
        else:
            self.line(rng.choice([
                lambda: f"s.at[{self.index(2)}] = ({self.value(3)}) % 3",
                lambda: f"s.a = ({self.value(3)}) % 3",
                lambda: f"s.b = ({self.value(3)}) % 3 - 1",
                lambda: f"s.many.{rng.choice(('add', 'discard'))}(({self.value(2)}) % 4)",
                lambda: f"s.at[{self.index(1)}], s.a = s.a, s.at[{self.index(1)}]",
            ])())  # fmt: skip

    def rule(self, head, begin, count, end, changes=False, **names):
        self.lines.append(f"    def {head}:")
        self.kinds = dict(names)
        self.deep = 0
        if begin:
            self.line(begin)
        self.statements(count, changes)
        self.line(end())

    def text(self):
        rng = self.rng
        with_t = {"t": "number"}
        move = {"i": "number", "j": "number"}
        self.rule("legal(self, s, i, j)", "t = i", rng.randrange(2),
                  lambda: f"return {self.test(3)} or t == i", **with_t, **move)  # fmt: skip
        self.rule("apply(self, s, i, j)", "", rng.randrange(2, 5),
                  lambda: "s.at[i] = (s.at[i] + j + 1) % 3", changes=True, **move)  # fmt: skip
        if rng.random() < 0.4:
            self.rule("cost(self, s, i, j)", "t = j", rng.randrange(2),
                      lambda: f"return 1 + abs({self.value(2)}) % 3", **with_t, **move)  # fmt: skip
        self.rule("at_goal(self, s)", "t = 0", rng.randrange(3),
                  lambda: f"return {self.test(3)} and s.at[2] == 1 and t < 900", **with_t)  # fmt: skip
        self.rule("estimate(self, s)", "t = 0", rng.randrange(1, 4),
                  lambda: f"return abs(t + {self.value(3)}) % 1000", **with_t)  # fmt: skip
        return HEAD + self.head() + "\n".join(self.lines) + "\n"

    def head(self):
        """Lists of lists of lists, and methods that are not given the state."""
        if not self.jagged:
            return ""
        rng = self.rng
        jagged = [
            [[rng.randrange(3) for _ in range(rng.randrange(4))]
             for _ in range(rng.choice((2, 3, 3, 3)))]
            for _ in range(3)
        ]  # fmt: skip
        return JAGGED.format(jagged=jagged)


class Nothing:
    """In the place of `Fields`: it knows nothing of rules."""

    def declare(self, **fields):
        pass

    def pack(self, **values):
        return values


def _scope(text, base):
    file = f"<random rules {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names = {"Fields": base, "Array": Array, "Int": Int, "Set": Set, "__name__": "random_rules"}
    exec(compile(text, file, "exec"), names)
    return names["Made"]()


def random_text(seed, *, jagged=False):
    return RuleWriter(seed, jagged=jagged).text()


def puzzle_of(text):
    """The puzzle that a text is."""
    return _scope(text, Fields)


class Members(set):
    """A set whose members come in order."""

    def __iter__(self):
        return iter(sorted(set.__iter__(self)))


class Oracle:
    """The same rules on lists and sets, run by Python; a state is a tuple of its fields."""

    def __init__(self, text):
        self.made = _scope(text, Nothing)

    @property
    def start(self):
        values = self.made.start
        return tuple(values["at"]), values["a"], values["b"], frozenset(values["many"])

    def fields(self, state):
        at, a, b, many = state
        return SimpleNamespace(at=list(at), a=a, b=b, many=Members(many))

    def steps(self, state):
        found = []
        for move in self.made.moves:
            if not self.made.legal(self.fields(state), *move):
                continue
            cost = getattr(self.made, "cost", lambda s, i, j: 1)(self.fields(state), *move)
            s = self.fields(state)
            self.made.apply(s, *move)
            found.append((move, (tuple(s.at), s.a, s.b, frozenset(s.many)), cost))
        return found

    def is_goal(self, state):
        return bool(self.made.at_goal(self.fields(state)))

    def estimate(self, state):
        return self.made.estimate(self.fields(state))

    def near(self, most):
        """The first states, breadth-first."""
        seen, queue = {self.start}, deque([self.start])
        while queue and most:
            state, most = queue.popleft(), most - 1
            yield state
            for _, after, _ in self.steps(state):
                if after not in seen:
                    seen.add(after)
                    queue.append(after)

    def cheapest(self, most):
        """What the cheapest solution costs, None if there is none; raises if there is no end."""
        layers, done = {0: [self.start]}, set()
        while layers:
            cost = min(layers)
            for state in layers.pop(cost):
                if state in done:
                    continue
                done.add(state)
                if self.is_goal(state):
                    return cost
                if len(done) > most:
                    raise TimeoutError
                for _, after, paid in self.steps(state):
                    layers.setdefault(cost + paid, []).append(after)
        return None


def told_of(puzzle, state):
    """A state of a puzzle as the oracle has it."""
    fields = puzzle.unpack(state)
    return tuple(fields.at), fields.a, fields.b, frozenset(fields.many)


def packed_by(puzzle, state):
    at, a, b, many = state
    return puzzle.pack(at=at, a=a, b=b, many=many)
