"""The text of a kernel as it is made: blocks, loops left from deep within, room, known sums."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

Sum = Counter[str]
"""How often each name counts; that of the empty name is a number by itself."""


class Sums:
    """The sums that some names stand for, and which names stay as they are until when.

    A name of the text that may be given another number later is one name for each `moment`.
    """

    moment = 0

    def __init__(self) -> None:
        self._known: dict[str, Sum] = {}

    def note(self, name: str, text: str) -> None:
        """Note what a name that is assigned to once is given now, if it is a sum."""
        found = self.of(text)
        if found is not None and name.isidentifier():
            self._known[name] = found

    def of(self, text: str) -> Sum | None:
        """An expression as a sum, by what its names stand for now; None if it is something else."""
        try:
            return self._sum(ast.parse(text, mode="eval").body)
        except SyntaxError:
            return None

    def _sum(self, node: ast.expr) -> Sum | None:
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return Counter({"": node.value})
        if isinstance(node, ast.Name):
            return self._known.get(node.id) or Counter({f"{node.id} {self.moment}": 1})
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
            one, other = self._sum(node.left), self._sum(node.right)
            if one is None or other is None:
                return None
            found = Counter(one)
            (found.update if isinstance(node.op, ast.Add) else found.subtract)(other)
            return found
        return None

    def is_total(self, texts: list[str], whole: str) -> bool:
        """Whether some numbers are together what an expression is, whatever their names are."""
        found, parts = self.of(whole), self._together(texts)
        if found is None or parts is None:
            return False
        rest = Counter(found)
        rest.subtract(parts)
        return not any(rest.values())

    def total(self, texts: list[str]) -> int | None:
        """What some numbers are together, if that is the same whatever their names are."""
        found = self._together(texts)
        if found is None or any(many for name, many in found.items() if name):
            return None
        return found[""]

    def _together(self, texts: list[str]) -> Sum | None:
        found: Sum = Counter()
        for text in texts:
            one = Counter({"": int(text)}) if text.isdigit() else self._known.get(text)
            if one is None:
                return None
            found.update(one)
        return found


Leave = Literal["break", "continue"]


class Loop:
    """A loop of the text that is still open."""

    def __init__(self, head: str) -> None:
        self.head = head
        """The line that it begins with."""
        self.before: list[Any] = []
        """Lines in front of it."""
        self.pending: list[tuple[str, Loop, Leave]] = []
        """Flags to ask for once it has ended, each with where to go then."""


class Trap(str):
    """The line that leaves a state to Python: where in the author's program, and for want of what.

    Expressions of the text that `what` has in braces stand for their values there.
    """

    place: str
    what: str
    instead: str

    def __new__(cls, place: str, what: str = "", instead: str = "") -> Trap:
        """Give the line, and what is said of it."""
        made = super().__new__(cls, "raise Trapped")
        made.place, made.what, made.instead = place, what, instead
        return made


class Handed(Trap):
    """The line behind a call that leaves the state to Python for a reason of what was called.

    The cell `at` of the frame has the number of the reason among `reasons`, from 1 on.
    """

    at: int
    reasons: list[Trap]

    def __new__(cls, place: str, at: int = 0, reasons: Any = ()) -> Handed:
        """Give the line, and where the reason is found."""
        made: Any = super().__new__(cls, place)
        made.at, made.reasons = at, reasons
        return made  # type: ignore[no-any-return]


class Text:
    """Lines of Python; a block is a pair of a line that ends with a colon, and its lines."""

    cells = 0
    """How many cells of the frame are taken."""
    names = 0
    """How many names there are."""
    is_aside = False
    """Whether lines are thrown away here: see `aside`."""

    def __init__(self) -> None:
        self.lines: list[Any] = []
        self._loops: list[Loop] = []

    def line(self, text: str) -> None:
        """Add a line."""
        self.lines.append(text)

    def name(self, hint: str = "t") -> str:
        """A name that nothing else has."""
        self.names += 1
        return f"{hint}_{self.names}"

    def room(self, cells: int) -> int:
        """Where as many cells of the frame are that nothing else takes."""
        self.cells += cells
        return self.cells - cells

    def temporary(self, text: str, hint: str = "t") -> str:
        """A name for what an expression gives now."""
        name = self.name(hint)
        self.line(f"{name} = {text}")
        return name

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Lines within `head`."""
        with self.apart() as inner:
            yield
        self.lines.append((head, inner or ["pass"]))

    @contextmanager
    def apart(self) -> Iterator[list[Any]]:
        """Lines that are not put anywhere yet."""
        inner: list[Any] = []
        outer = self.lines
        self.lines = inner
        try:
            yield inner
        finally:
            self.lines = outer

    @contextmanager
    def from_nothing(self) -> Iterator[None]:
        """Lines of another function, which no loop is around."""
        before = self.lines, self._loops, self.is_aside
        self.lines, self._loops, self.is_aside = [], [], False
        try:
            yield
        finally:
            self.lines, self._loops, self.is_aside = before

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Lines that are thrown away: what is translated here tells its type and bounds alone.

        Whoever looks at something so before it is translated leaves out the second of the two
        where that is thrown away as well: else each would double the time of what is within it.
        """
        before, self.is_aside = self.is_aside, True
        try:
            with self.apart():
                yield
        finally:
            self.is_aside = before

    @contextmanager
    def loop(self, head: str) -> Iterator[Loop]:
        """Lines within a loop."""
        found = Loop(head)
        self.lines.append((None, found.before))
        self._loops.append(found)
        with self.apart() as inner:
            yield found
        self.lines.append((found.head, inner or ["pass"]))
        self._loops.pop()
        for flag, target, leave in found.pending:
            with self.block(f"if {flag}:"):
                self.leave(target, leave)

    @contextmanager
    def once(self) -> Iterator[Loop]:
        """Lines that `leave` can go to the end of."""
        with self.loop("while True:") as found:
            yield found
            self.line("break")

    def leave(self, target: Loop, leave: Leave = "break") -> None:
        """Go on behind a loop, or with its next round, from wherever this is within it."""
        inner = self._loops[-1]
        if inner is target:
            self.line(leave)
            return
        flags = [f for f, other, way in inner.pending if other is target and way == leave]
        flag = flags[0] if flags else self.name("leave")
        if not flags:
            inner.before.append(f"{flag} = False")
            inner.pending.append((flag, target, leave))
        self.line(f"{flag} = True")
        self.line("break")

    def depth(self) -> int:
        """How many loops are open."""
        return len(self._loops)

    def back_to(self, depth: int) -> None:
        """Forget the loops that were opened since as many were open, and left by an error."""
        del self._loops[depth:]

    def written(self, indent: str = "    ") -> str:
        """All lines."""
        return "\n".join(space + line for space, line in _written(self.lines, indent))

    def traps(self) -> dict[int, Trap]:
        """The lines that leave a state to Python, by their numbers from 0 on."""
        lines = enumerate(line for _, line in _written(self.lines, ""))
        return {number: line for number, line in lines if isinstance(line, Trap)}


def may_trap(lines: list[Any]) -> bool:
    """Whether some line leaves the state to Python."""
    return any(isinstance(e, Trap) if isinstance(e, str) else may_trap(e[1]) for e in lines)


def size_of(lines: list[Any]) -> int:
    """How many lines there are, with those within others."""
    return sum(1 if isinstance(each, str) else 1 + size_of(each[1]) for each in lines)


def _written(lines: list[Any], indent: str) -> Iterator[tuple[str, str]]:
    for each in lines:
        if isinstance(each, str):
            yield indent, each
        elif each[0] is None:
            yield from _written(each[1], indent)
        else:
            yield indent, each[0]
            yield from _written(each[1], indent + "    ")
