"""Habits of authors in random programs: lists with two names, iterators with one, queues, steps."""

from __future__ import annotations

from typing import Any

HEAD = """\
from itertools import chain
from typing import NamedTuple


class Pair(NamedTuple):
    x: int
    y: int = 1

    def moved(self, by):
        return Pair(self.x + by, self.y)

    @property
    def total(self):
        return self.x + self.y


def total_twice(values):
    return sum(values) + 10 * sum(values)


def total_once(values):
    return sum(values)


def longest(one, other, which):
    if which > 1:
        return one
    return other


def take_all(values):
    while values:
        yield values.pop()


def rising(values):
    for i, v in enumerate(values):
        if v > 5:
            return
        yield v + i


"""
METHODS = """\
    LIMITS = (3, -1, 4)
    GRID = [[1, 2, 0], [0, -1, 3]]

    def label(self, values):
        return f"{len(values)}-" + "".join(map(str, values))

    def taken(self, values):
        return values.pop()

    def found_first(self, values, least):
        for i, v in enumerate(values):
            for w in values[i:]:
                if w == v + least:
                    return i
                if w > 6:
                    break
            else:
                if v < 0:
                    continue
                return v
        return -1
"""


class Habits:
    """Statements and expressions that a `Writer` has besides."""

    rng: Any
    names: dict[str, str]
    loops: int
    made: int

    def line(self, text: str) -> None:
        raise NotImplementedError

    def block(self, head: str) -> Any:
        raise NotImplementedError

    def of(self, sort: str) -> list[str]:
        raise NotImplementedError

    def new(self, sort: str, bound: bool = True) -> str:
        raise NotImplementedError

    def statements(self, most: int, d: int) -> None:
        raise NotImplementedError

    def fresh(self, hint: str) -> str:
        """A name that nothing has."""
        self.made += 1
        return f"{hint}{self.made}"

    def any_of(self, *makes: Any) -> str:
        """What one of several makes."""
        found: str = self.rng.choice(makes)()
        return found

    def do_iterator(self, d: int) -> None:
        """An iterator with a name, or within a call."""
        w: Any = self
        name = self.fresh("it")
        text = self.any_of(
            lambda: f"({w.comp('I', 1)})",
            lambda: f"zip({w.seq(1)}, {w.seq(1)})",
            lambda: f"map(abs, {w.seq(1)})",
            lambda: f"reversed({w.seq(1)})",
            lambda: f"enumerate({w.seq(1)})",
            lambda: f"range({w.I(0)} % 9)",
            lambda: f"rising({w.seq(1)})",
            lambda: f"chain({w.seq(1)}, {w.seq(0)})",
        )
        if self.rng.random() < 0.5:
            call = self.rng.choice(("total_twice", "total_once", "len", "bool", "list", "max"))
            self.line(f"{self.new('L')} = [{call}({text})]")
            return
        self.line(f"{name} = {text}")
        if self.rng.random() < 0.4:
            w.do_update(d)
        use = self.rng.choice((f"list({name})", f"sorted({name})", f"[v for v in {name}]"))
        self.line(f"{self.new('L')} = {use}")
        if self.rng.random() < 0.4:
            self.line(f"{self.new('I')} = len(list({name}))")

    def do_queue(self, d: int) -> None:
        """A flood, with a queue or a stack."""
        w: Any = self
        todo, seen, x = self.fresh("todo"), self.fresh("seen"), self.fresh("x")
        pop = self.rng.choice(("popleft()", "pop()"))
        self.line(f"{todo}, {seen} = deque([{w.I(0)}]), {{{w.I(0)}}}")
        with self.block(f"while {todo}{self.rng.choice(('', f' and len({seen}) < 6'))}:"):
            self.line(f"{x} = {todo}.{pop}")
            self.names[x] = "I"
            with (
                self.block(f"for y in ({x} + 1, {x} * 2, {w.I(1)}):"),
                self.block(f"if abs(y) < 7 and y not in {seen}:"),
            ):
                self.line(f"{seen}.add(y)")
                self.line(f"{todo}.append(y)")
            if self.rng.random() < 0.3:
                with self.block(f"if {w.B(1)}:"):
                    self.line("break")
        self.names[seen] = "S"
        if self.rng.random() < 0.3:
            self.line(f"{self.new('L')} = list({todo})")

    def do_pairs(self, d: int) -> None:
        """A list of pairs."""
        w: Any = self
        if not self.of("Z"):
            text = self.any_of(
                lambda: f"list(zip({w.seq(1)}, {w.seq(1)}))",
                lambda: f"[({w.I(0)}, {w.I(0)}), ({w.I(0)}, {w.I(0)})]",
                lambda: f"[(v, k) for k, v in enumerate({w.seq(1)})]",
                lambda: "[]",
            )
            self.line(f"{self.new('Z')} = {text}")
            return
        z = self.rng.choice(self.of("Z"))
        self.line(
            self.any_of(
                lambda: f"{z}.append(({w.I(1)}, {w.I(0)}))",
                lambda: f"{z}.sort()",
                lambda: f"{z}.sort(key=lambda p: (-p[1], p[0]))",
                lambda: f"{self.new('P')} = {z}.pop({self.rng.choice(('', '0'))})",
                lambda: f"{self.new('P')} = max({z})",
                lambda: f"{self.new('P')} = min({z}, key=lambda p: p[1])",
                lambda: f"{self.new('I')} = sum(a * b for a, b in {z})",
                lambda: f"{self.new('Z')} = sorted({z}, reverse=True)",
                lambda: f"{self.new('Z')} = {z}",
                lambda: f"{z}[0] = {w.P(1)}",
                lambda: f"{self.new('L')} = [a for a, b in {z} if a != b]",
                lambda: f"{self.new('B')} = {w.P(1)} in {z}",
            )
        )

    def do_dict(self, d: int) -> None:
        """A dict that rules make."""
        w: Any = self
        if not self.of("D"):
            text = self.any_of(
                lambda: "{}",
                lambda: f"{{v: k for k, v in enumerate({w.seq(1)})}}",
                lambda: f"{{{w.I(0)}: {w.I(0)}, {w.I(0)}: {w.I(0)}}}",
                lambda: f"dict(zip({w.seq(1)}, {w.seq(0)}))",
            )
            self.line(f"{self.new('D')} = {text}")
            return
        x = self.rng.choice(self.of("D"))
        key = w.I(0)
        self.line(
            self.any_of(
                lambda: f"{x}[{key}] = {w.I(1)}",
                lambda: f"{x}[{key}] = {x}.get({key}, 0) + 1",
                lambda: f"{x}[{key}] += 1",
                lambda: f"{self.new('I')} = {x}[{key}]",
                lambda: f"{self.new('I')} = {x}.get({key}, {w.I(0)})",
                lambda: f"{self.new('I')} = {x}.pop({key})",
                lambda: f"del {x}[{key}]",
                lambda: f"{self.new('I')} = sum({x}.values()) - len({x})",
                lambda: (
                    f"{self.new('L')} = list({x}{self.rng.choice(('', '.values()', '.keys()'))})"
                ),
                lambda: f"{self.new('Z')} = list({x}.items())",
                lambda: f"{self.new('B')} = {key} in {x}",
                lambda: f"{self.new('D')} = {x}",
                lambda: f"{self.new('D')} = dict({x})",
                lambda: f"{self.new('I')} = sum(k * v for k, v in {x}.items() if {w.B(0)})",
                lambda: f"for k in {x}: {x}[{self.rng.choice(('k', key))}] = k",
            )
        )

    def do_record(self, d: int) -> None:
        """A named tuple."""
        w: Any = self
        if not self.of("N"):
            self.line(f"{self.new('N')} = Pair({w.I(1)}{self.rng.choice(('', ', ' + w.I(0)))})")
            return
        n = self.rng.choice(self.of("N"))
        self.line(
            self.any_of(
                lambda: f"{self.new('N')} = {n}._replace(x={w.I(1)})",
                lambda: f"{self.new('N')} = {n}.moved({w.I(1)})",
                lambda: f"{self.new('I')} = {n}.x - {n}[1] * {n}.total",
                lambda: f"{self.new('I')}, {self.new('I')} = {n}",
                lambda: f"{self.new('B')} = {n} < Pair({w.I(0)}, {w.I(0)})",
                lambda: f"{self.new('T')} = tuple({n})",
                lambda: f"{self.new('N')} = max({n}, Pair({w.I(0)}))",
            )
        )

    def do_names(self, d: int) -> None:
        """Lists that change their names."""
        w: Any = self
        while len(self.of("L")) < 2:
            text = w.seq(0)
            self.line(f"{self.fresh_list()} = list({text})")
        a, b = self.rng.choice(self.of("L")), self.rng.choice(self.of("L"))
        new = self.new("L")
        self.line(
            self.any_of(
                lambda: f"{a}, {b} = {b}, {a}",
                lambda: f"{new} = longest({a}, {b}, {w.I(0)})",
                lambda: f"{new} = {a} if {w.B(1)} else {b}",
                lambda: f"{new} = {a} or {b}",
                lambda: f"{new} = max({a}, {b}, key=len)",
                lambda: f"{new} = [{a}, {b}][{w.I(0)}]",
                lambda: f"{new} = {a}; {a} = {a} + {b}",
                lambda: f"{new} = {a} = {w.L(1)}",
                lambda: f"{new} = list(take_all({a}))",
                lambda: f"{new} = [v - u for v, u in zip(take_all({a}), {b})]",
            )
        )

    def fresh_list(self) -> str:
        """A list with a name that nothing has."""
        name = self.fresh("l")
        self.names[name] = "L"
        return name

    def do_live(self, d: int) -> None:
        """A loop over a list that changes on the way."""
        w: Any = self
        if not self.of("L"):
            w.do_mutate(d)
        a = self.rng.choice(self.of("L"))
        head = self.any_of(
            lambda: f"for k, i in zip({a}, {w.seq(1)}):",
            lambda: f"for k, i in zip({w.seq(1)}, {a}):",
            lambda: f"for k, i in zip({a}, rising({w.seq(1)})):",
            lambda: f"for k, i in zip(rising({a}), range({w.I(0)} % 9)):",
            lambda: f"for k, i in enumerate({a}):",
            lambda: f"for k, i in enumerate(reversed({a}), {w.I(0)}):",
            lambda: f"for k, i in enumerate(chain({a}, {w.seq(0)})):",
            lambda: f"for k, i in enumerate(rising({a})):",
        )
        self.loops += 1
        with self.block(head):
            self.names.update(k="I", i="I")
            change = self.any_of(
                lambda: f"{a}[{w.I(0)}] = {w.I(1)}",
                lambda: f"{a}.pop()",
                lambda: f"{a} = {w.L(1)}",
                lambda: f"{a} = [i, *{a}]",
                lambda: f"{a}.append(k)" if self.rng.random() < 0.3 else f"{a}.remove(i)",
            )
            self.line(change)
            self.statements(2, d - 1)
            with self.block(f"if len({a}) > 9{self.rng.choice(('', ' or ' + w.B(1)))}:"):
                self.line("break")
        self.loops -= 1

    def do_walrus(self, d: int) -> None:
        """A test that gives a name."""
        w: Any = self
        name = self.fresh("w")
        head = self.any_of(
            lambda: f"if ({name} := {w.I(1)}) > {w.I(0)}:",
            lambda: f"if ({name} := {w.I(1)}) and {name} != {w.I(0)}:",
        )
        with self.block(head):
            self.names[name] = "I"
            self.statements(2, max(0, d - 1))

    def do_inner(self, d: int) -> None:
        """An inner function that uses, or changes, a list around it."""
        w: Any = self
        if self.loops or not self.of("L"):
            w.do_assign(d)
            return
        a, name = self.rng.choice(self.of("L")), self.fresh("f")
        with self.block(f"def {name}(v):"):
            self.names["v"] = "I"
            self.line(self.rng.choice((f"{a}.append(v)", f"{a}[0] = v", "u = v + 1")))
            self.line(f"return {self.rng.choice((f'len({a})', f'{a}[-1] + v', f'{a}'))}")
        self.line(f"{self.fresh_list()} = [{name}({w.I(0)}), {name}({w.I(0)})]")

    def do_attribute(self, d: int) -> None:
        """What the class, or its objects, have."""
        w: Any = self
        self.line(
            self.any_of(
                lambda: f"{self.new('I')} = self.LIMITS[{w.I(0)}]",
                lambda: f"{self.new('I')} = self.GRID[{w.I(0)}][{w.I(0)}]",
                lambda: f"{self.new('L')} = Made.GRID[{w.I(0)}]",
                lambda: f"{self.new('L')} = list(self.GRID[{w.I(0)}])",
                lambda: f"{self.new('I')} = self.found_first({w.seq(1)}, {w.I(0)})",
            )
        )

    def do_members(self, d: int) -> None:
        """Sets that are gone through."""
        w: Any = self
        call = self.rng.choice(("any", "all", "sum", "sorted", "max", "len"))
        sort = "B" if call in ("any", "all") else "I"
        inner = w.bound("x", "I", lambda: getattr(w, sort)(1))
        test = w.bound("x", "I", lambda: w.B(1))
        text = f"{inner} for x in {w.S(1)} if {test}"
        if call == "len":
            self.line(f"{self.new('I')} = len({{{text}}})")
        else:
            target = {"any": "B", "all": "B", "sorted": "L"}.get(call, "I")
            self.line(f"{self.new(target)} = {call}({text})")

    def do_steps(self, d: int) -> None:
        """A list of steps that is not left as it is."""
        w: Any = self
        if w.yields:
            w.do_child(d)
            return
        state = w.child()
        self.line(
            self.any_of(
                lambda: "found.reverse()",
                lambda: "found.sort(key=lambda e: e.cost)",
                lambda: "found = found[::-1]",
                lambda: "found = found[1:]",
                lambda: "found.pop()",
                lambda: "found = [e for e in found if e.cost < 3]",
                lambda: f"found.insert(0, Step('x', {state}, 2))",
                lambda: f"found += [Step(1, {state}), Step(2, s, 3)]",
                lambda: "found = sorted(found, key=lambda e: -e.cost)",
                lambda: "found.sort()",
            )
        )

    def a_label(self) -> str:
        """A label of a step."""
        lists = self.of("L")
        simple = self.rng.choice(("0", "'x'", "('go', 1)", "f'{1 + 1}'"))
        if not lists or self.rng.random() < 0.8:
            return simple
        a = self.rng.choice(lists)
        return self.rng.choice(
            (f"self.label({a})", f"self.taken({a})", f"{a}.pop()", f"len({a})", f"str({a})",
             f"[*{a}]", f"{a}.sort()", f"sorted({a})")
        )  # fmt: skip
