"""Methods that call themselves, in random programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Recursions:
    """Methods and statements that a `Writer` has besides."""

    rng: Any
    names: dict[str, str]
    loops: int
    deep: int
    turns: str = ""
    """What the method that calls itself returns, by its sort; nothing within it."""
    may_lack: bool = False
    """Whether its list may be left out."""

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

    def recursive_methods(self) -> None:
        """Write one that returns something, perhaps with another, and one that yields."""
        w: Any = self
        r = self.rng
        turns = r.choice("IIIBTTLPS")
        other = r.choice(("turn", "turn", "back"))
        self.may_lack = r.random() < 0.25
        for name, next_name in (("turn", other), ("back", "turn")):
            with self.block(f"def {name}(self, n, v, t, out{'=None' if self.may_lack else ''}):"):
                self.names = {"v": "I", "t": "T", "out": "L"}
                if self.may_lack:
                    with self.block("if out is None:"):
                        self.line(f"out = {r.choice(('[]', 'list(t)'))}")
                with self.block(f"if n <= 0{r.choice(('', '', ' or ' + w.B(1)))}:"):
                    if r.random() < 0.3:
                        self.statements(1, 0)
                    last = "out" if turns == "L" and r.random() < 0.5 else getattr(w, turns)(1)
                    self.line(f"return {last}")
                self._body(turns, next_name)
                last = "out" if turns == "L" and r.random() < 0.5 else getattr(w, turns)(1)
                self.line(f"return {last}")
            if name == next_name:
                break
            self.line("")
        self.line("")
        with self.block("def each(self, n, v, t, out):"):
            self.names = {"v": "I", "t": "T", "out": "L"}
            if r.random() < 0.4:
                with self.block("if n <= 0:"):
                    self.line(f"yield {w.I(1)}")
                    self.line("return")
            else:
                with self.block("if n <= 0:"):
                    self.line("return")
            for _ in range(1 + r.randrange(3)):
                self.maybe_under(self._yields)
                if r.random() < 0.4:
                    self.statements(1, 1)
        self.line("")
        self.turns = turns

    def maybe_under(self, make: Callable[[], None]) -> None:
        """What is made, perhaps in a loop or under a condition."""
        w: Any = self
        way = self.rng.randrange(6)
        if way == 0:
            with self.block(f"if {w.B(1)}:"):
                make()
        elif way == 1:
            self.loops += 1
            with self.block(f"for k in {self.rng.choice(('range(2)', '(1, -1)', 't[:2]'))}:"):
                self.names["k"] = "I"
                make()
                if self.rng.random() < 0.3:
                    with self.block(f"if {w.B(1)}:"):
                        self.line(self.rng.choice(("break", "continue")))
                    self.line(f"v += {w.I(0)}")
            self.loops -= 1
        else:
            make()

    def _yields(self) -> None:
        w: Any = self
        if self.rng.random() < 0.5:
            self.line(f"yield {w.I(1)}")
        else:
            self.line(f"yield from self.each({self._arguments()})")

    def _arguments(self) -> str:
        w: Any = self
        r = self.rng
        lists = ["out"] * 6 + self.of("L") + ["list(out)", "out[1:]", "[*out, v]"]
        return (
            f"n - {r.choice('112')}, {r.choice(('v', w.I(1)))}, {r.choice(('t', w.T(1)))}, "
            f"{r.choice(lists)}"
        )

    def _body(self, turns: str, name: str) -> None:
        w: Any = self
        r = self.rng
        for _ in range(1 + r.randrange(2)):
            if r.random() < 0.6:
                self.statements(2, 1)
            if r.random() < 0.5:
                self.line(r.choice((f"out.append({w.I(0)})", "out.append(n)", "v += n")))

            def call() -> None:
                given = self._arguments()
                if r.random() < 0.25:
                    self.line(f"self.{name}({given})")
                elif r.random() < 0.2:
                    with self.block(f"if {w.B(0)} and self.{name}({given}):"):
                        self.line(f"v += {w.I(0)}")
                else:
                    self.line(f"{self.new(turns)} = self.{name}({given})")

            self.maybe_under(call)

    def do_recurse(self, d: int) -> None:
        """A call of them."""
        w: Any = self
        r = self.rng
        if not self.turns:
            w.do_assign(d)
            return
        if not self.of("L"):
            text = w.seq(0)
            self.line(f"{self.new('L')} = list({text})")
        fuel = r.choice(("2", "3", f"{w.I(0)} % 4", f"{w.I(0)}"))
        given = f"min(4, {fuel}), {w.I(1)}, {w.T(1)}, {r.choice(self.of('L'))}"
        way = r.randrange(6)
        if way <= 2:
            if self.may_lack and r.random() < 0.6:
                given = given.rpartition(", ")[0]
            self.line(f"{self.new(self.turns)} = self.turn({given})")
        elif way == 3:
            self.line(f"{self.new('L')} = list(self.each({given}))")
        elif way == 4:
            items = f"self.each({given})"
            whole = r.choice((f"sum({items})", f"len(list({items}))", f"next({items}, 1)"))
            self.line(f"{self.new('I')} = {whole}")
        else:
            self.loops += 1
            with self.block(f"for i in self.each({given}):"):
                self.names["i"] = "I"
                self.statements(2, d - 1)
                if r.random() < 0.3:
                    with self.block(f"if {w.B(1)}:"):
                        self.line(r.choice(("break", "continue")))
                    self.statements(1, d - 1)
            self.loops -= 1
