"""Numbers with a decimal point, and errors that are taken, in random programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

ERRORS = ("IndexError", "KeyError", "ValueError", "ZeroDivisionError", "LookupError", "Exception")


class Decimals:
    """Expressions and statements that a `Writer` has besides."""

    rng: Any

    def F(self, d: int = 2) -> str:  # noqa: N802
        """A number with a decimal point."""
        r, w = self.rng, self._writer
        atoms: list[Callable[[], str]] = [
            lambda: r.choice(("0.5", "1.25", "2.0", "0.1", "-0.0", "1e9", "math.inf"))
        ]
        atoms += [lambda: f"({w.I(0)} / {r.choice(('2', '3', '7', w.I(0)))})"] * 3
        if w.of("F"):
            atoms += [lambda: r.choice(w.of("F"))] * 4
        if d <= 0:
            return str(w.pick(atoms))
        e = d - 1
        either = lambda: r.choice((self.F, w.I))(e)  # noqa: E731
        makes: list[Callable[[], str]] = [
            *atoms[1:3],
            lambda: f"({self.F(e)} {r.choice('+-*/')} {either()})",
            lambda: f"({either()} {r.choice('+-*')} {self.F(e)})",
            lambda: f"math.sqrt(abs({either()}))",
            lambda: f"math.hypot({w.I(e)}, {w.I(e)})",
            lambda: f"math.dist({w.P(e)}, {w.P(e)})",
            lambda: f"(({w.I(e)}) ** 2 + ({w.I(0)}) ** 2) ** 0.5",
            lambda: f"abs({self.F(e)})",
            lambda: f"-{self.F(e)}",
            lambda: f"{r.choice(('min', 'max'))}({self.F(e)}, {either()})",
            lambda: f"float({w.I(e)})",
            lambda: f"({self.F(e)} if {w.B(e)} else {either()})",
            lambda: f"sum({w.comp('F', e)})",
            lambda: f"{r.choice(('min', 'max'))}({w.comp('F', e)}, default={self.F(0)})",
            lambda: f"max(({self.F(e)}, {w.I(e)}), ({self.F(0)}, {w.I(0)}))[0]",
            lambda: f"sorted([{self.F(e)}, {self.F(0)}, {self.F(0)}])[{r.choice('012')}]",
        ]
        return str(w.pick(makes))

    @property
    def _writer(self) -> Any:
        return self

    def whole(self, e: int) -> str:
        """A whole number made of one."""
        name = self.rng.choice(("math.floor", "math.ceil", "int", "round", "math.trunc"))
        return f"{name}({self.F(e)})"

    def ordered(self, e: int) -> str:
        """A comparison with one."""
        sign = self.rng.choice(("<", "<=", "==", "!=", ">", ">="))
        other = self.rng.choice((self.F, self._writer.I))(e)
        return f"({self.F(e)} {sign} {other})"

    def do_decimal(self, d: int) -> None:
        """Give a name a number with a decimal point, or change it."""
        w = self._writer
        if w.of("F") and self.rng.random() < 0.5:
            name = self.rng.choice(w.of("F"))
            w.line(f"{name} {self.rng.choice('+-*')}= {self.rng.choice((self.F, w.I))(1)}")
        else:
            text = self.F(2)
            w.line(f"{w.new('F')} = {text}")

    def do_try(self, d: int) -> None:
        """Take errors."""
        w, r = self._writer, self.rng
        if d <= 0:
            w.do_assign(d)
            return
        with w.block("try:"):
            w.statements(3, d - 1)
        for _ in range(r.choice((1, 1, 2))):
            named = r.choice((*ERRORS, "(IndexError, KeyError)"))
            with w.block(f"except {named}:"):
                if r.random() < 0.3:
                    w.line(r.choice(("pass", "continue", "break")) if w.loops else "pass")
                else:
                    w.statements(2, d - 1)
        if r.random() < 0.3:
            with w.block("else:"):
                w.statements(2, d - 1)
