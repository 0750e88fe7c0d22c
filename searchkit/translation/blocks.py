"""Functions that call themselves, as lines without calls: blocks, and a stack of activations.

The loop of such a function is cut at the calls of itself. A number says which block is next; an
activation keeps what is needed after a call in cells of its own, with the number of the block that
goes on then.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from typing import Any, NamedTuple

from searchkit.kernel_language import trees
from searchkit.translation.values import STACK

FEWEST = 16
"""How deep a function must be able to call itself."""


def lowered(
    activations: Activations, lines: list[Any], keys: dict[str, Any], most_frames: int
) -> list[str] | None:
    """Cut the routines of a text into blocks; the lines that must stand in front of it.

    `keys` are those of the functions that variables belong to, and `most_frames` is how many frames
    Python may have. None where there is no room for `FEWEST` activations.
    """
    met: set[int] = set()
    _cut_within(lines, lines, partial(_Cut, activations, keys), met)
    if not met:
        return []
    used = [activations.routines[each] for each in met]
    size = max(each.cells for each in used)
    count = min(MOST_STACK // size, most_frames // max(each.frames for each in used))
    if count < FEWEST:
        return None
    room = count * size
    return [f"{STACK} = frame({room})", f"{SIZE} = {size}", f"{LAST} = {room - size}"]


def _cut_within(
    lines: list[Any], whole: list[Any], cut: Callable[[int, set[str]], _Cut], met: set[int]
) -> None:
    """Cut the routines within some lines, the innermost first."""
    i = 0
    while i < len(lines):
        each = lines[i]
        if not isinstance(each, str):
            _cut_within(each[1], whole, cut, met)
            if each[0] is not None and each[0].startswith(ROUTINE):
                number = int(each[0][len(ROUTINE) : -1])
                met.add(number)
                outside = set(assigned(whole) - assigned(each[1]))
                made = cut(number, outside).made(each[1])
                lines[i : i + 1] = made
                i += len(made) - 1
        i += 1


class Block:
    """Lines that run one after another, and how they end.

    `end` is ("goto", block), ("branch", test, block, block), ("call", number, block), ("return",),
    ("leave",), or ("stop",).
    """

    def __init__(self, end: tuple[Any, ...] = ("stop",)) -> None:
        self.lines: list[Any] = []
        self.end = end

    def following(self) -> list[Block]:
        """The blocks that may run next in the same activation."""
        return [each for each in self.end if isinstance(each, Block)]


class _Cut:
    """One routine on its way."""

    def __init__(
        self, activations: Activations, keys: dict[str, Any], number: int, outside: set[str]
    ) -> None:
        self.keys, self.number, self.outside = keys, number, outside
        self.calls, self.routine = activations.calls, activations.routines[number]
        self.next = f"next_{number}"
        """What names the number of the block that is next."""
        self.counters: set[str] = set()
        """Names of rounds of loops that were cut."""
        self.leaving = Block(end=("leave",))
        self.here = Block()

    def made(self, lines: list[Any]) -> list[Any]:
        """The lines of the routine."""
        begin = lines.index(ENTRY)
        first, pointer = self.here, self.routine.pointer
        self._follow(lines[begin + 1 :], self.leaving, self.leaving)
        self.here.end = ("return",)
        blocks = _reached(first)
        for each in blocks:
            if each.end[0] != "call":  # what a call returns to is kept apart
                each.end = tuple(_behind(e) if isinstance(e, Block) else e for e in each.end)
        blocks = _reached(_behind(first))
        self.heads = self._heads(_behind(first), blocks)
        kept = {name for name in {*assigned(lines), *self.counters} if self._is_own(name)}
        live = self._live(blocks)
        self.saved = {
            id(each): sorted(live[id(each)] & kept)
            for each in [one.end[2] for one in blocks if one.end[0] == "call"]
        }
        every = sorted({name for each in self.saved.values() for name in each})
        self.places = {name: self.routine.cells + i for i, name in enumerate(every)}
        all_truths = truths(lines)
        self.truths = all_truths & set(every)
        self.routine.cells += len(every)
        # What one block hands to another may be given its value further down in the text.
        handed = {name for block, _ in self.heads.values() for name in live[id(block)]}
        body: list[Any] = []
        for block, number in self.heads.values():
            body.append((f"if {self.next} == {number}:", self._written(block)))
        return [
            *(
                f"{name} = {(name in all_truths and 'False') or '0'}"
                for name in sorted({*every, *(handed & kept)})
            ),
            *lines[:begin],
            f"{STACK}[{pointer}] = -1",
            f"{self.next} = 0",
            ("while True:", body),
        ]

    def _is_own(self, name: str) -> bool:
        """Whether each activation has a value of its own for a name.

        Loops that are written out several times have variables of the same names in each.
        """
        if name in (self.routine.pointer, self.routine.result):
            return False
        key = self.keys.get(name)
        if key is None:
            return name not in self.outside
        return bool(key[: len(self.routine.key)] == self.routine.key)

    # From lines to blocks

    def _follow(self, lines: list[Any], stop: Block, again: Block) -> None:
        """Add lines; `stop` and `again` are where `break` and `continue` lead."""
        i = 0
        while i < len(lines):
            each = lines[i]
            i += 1
            if isinstance(each, str):
                self._line(each, stop, again)
            elif each[0] is None:
                self._follow(each[1], stop, again)
            elif each[0].startswith("if "):
                other = None
                if i < len(lines) and not isinstance(lines[i], str) and lines[i][0] == "else:":
                    other = lines[i][1]
                    i += 1
                if self._is_whole(each[1]) and self._is_whole(other or []):
                    self.here.lines.append(each)
                    if other is not None:
                        self.here.lines.append(("else:", other))
                else:
                    self._branch(each[0][3:-1], (each[1], other or []), stop, again)
            elif not self._calls(each[1]):
                self.here.lines.append(each)
            elif each[0].startswith("while "):
                self._while(each[0][6:-1], each[1])
            else:
                self._for(each[0], each[1])

    def _line(self, line: str, stop: Block, again: Block) -> None:
        if line in ("break", "continue"):
            self._go(stop if line == "break" else again)
        elif self._is_call(line):
            resumed = Block()
            self.here.end = ("call", int(line[len(CALL) :]), resumed)
            self.here = resumed
        else:
            self.here.lines.append(line)
            if line.split(" ", 1)[0] in ("raise", "return"):
                self.here = Block()

    def _go(self, target: Block) -> None:
        """End the block; what follows is never reached, unless something leads there."""
        self.here.end = ("goto", target)
        self.here = Block()

    def _branch(self, test: str, ways: Iterable[list[Any]], stop: Block, again: Block) -> None:
        after, blocks = Block(), (Block(), Block())
        self.here.end = ("branch", test, *blocks)
        for block, way in zip(blocks, ways, strict=True):
            self.here = block
            self._follow(way, stop, again)
            self.here.end = ("goto", after)
        self.here = after

    def _while(self, test: str, body: list[Any]) -> None:
        head, inner, after = Block(), Block(), Block()
        self._go(head)
        head.end = ("goto", inner) if test == "True" else ("branch", test, inner, after)
        self.here = inner
        self._follow(body, after, head)
        self._go(head)
        self.here = after

    def _for(self, head: str, body: list[Any]) -> None:
        node: Any = ast.parse(f"{head}\n    pass").body[0]
        name, ends = node.target.id, [ast.unparse(each) for each in node.iter.args]
        start, end = ends if len(ends) == 2 else ("0", *ends)
        self.counters |= {f"{name}_at", f"{name}_end"}
        self.here.lines += [f"{name}_at = {start}", f"{name}_end = {end}"]
        self._while(
            f"{name}_at < {name}_end", [f"{name} = {name}_at", f"{name}_at = {name}_at + 1", *body]
        )

    def _is_call(self, line: str) -> bool:
        """Whether a line is a call of this routine."""
        return line.startswith(CALL) and self.calls[int(line[len(CALL) :])].routine == self.number

    def _calls(self, lines: list[Any]) -> bool:
        return any(
            self._is_call(each) if isinstance(each, str) else self._calls(each[1]) for each in lines
        )

    def _is_whole(self, lines: list[Any]) -> bool:
        """Whether lines may stay together: no call is in them, and nothing leads out of them."""
        for each in lines:
            if isinstance(each, str):
                if each in ("break", "continue") or self._is_call(each):
                    return False
            elif each[0] is None or each[0].startswith(("if ", "else")):
                if not self._is_whole(each[1]):
                    return False
            elif self._calls(each[1]):
                return False
        return True

    def _live(self, blocks: list[Block]) -> dict[int, frozenset[str]]:
        """The names that each block, or what may follow it, uses before it gives them a value."""
        own: dict[int, Uses] = {}
        for each in blocks:
            found = uses_of(each.lines)
            more: list[str] = []
            if each.end[0] == "branch":
                more = [each.end[1]]
            elif each.end[0] == "call":
                call = self.calls[each.end[1]]
                more = [call.at, *(text for _, text in call.given)]
            own[id(each)] = found.then(uses_of([f"({', '.join(more)},)"])) if more else found
        live = {id(each): own[id(each)].used for each in blocks}
        is_new = True
        while is_new:
            is_new = False
            for each in reversed(blocks):
                after = frozenset().union(*(live[id(one)] for one in each.following()))
                found_now = own[id(each)].used | (after - own[id(each)].given)
                if found_now != live[id(each)]:
                    live[id(each)], is_new = found_now, True
        return live

    # From blocks to lines

    def _heads(self, first: Block, blocks: list[Block]) -> dict[int, tuple[Block, int]]:
        """The blocks that have a number: those that more than one way leads to, or a return."""
        count: dict[int, int] = {id(first): 2}
        for each in blocks:
            for other in each.following():
                count[id(other)] = count.get(id(other), 0) + (2 if each.end[0] == "call" else 1)
        heads = [each for each in blocks if count.get(id(each), 0) > 1 and each.end != ("leave",)]
        return {id(each): (each, number) for number, each in enumerate(heads)}

    def _written(self, block: Block) -> list[Any]:
        pointer = self.routine.pointer
        found: list[Any] = []
        for name in self.saved.get(id(block), ()):
            test = " != 0" if name in self.truths else ""
            found.append(f"{name} = {STACK}[{pointer} + {self.places[name]}]{test}")
        found += block.lines
        kind = block.end[0]
        if kind == "goto":
            found += self._to(block.end[1])
        elif kind == "branch":
            found.append((f"if {block.end[1]}:", self._to(block.end[2])))
            found += self._to(block.end[3])
        elif kind == "call":
            found += self._called(self.calls[block.end[1]], block.end[2])
        elif kind == "return":
            found += [
                f"{self.next} = {STACK}[{pointer}]",
                (f"if {self.next} < 0:", ["break"]),
                f"{pointer} = {STACK}[{pointer} + 1]",
                "continue",
            ]
        elif kind == "leave":
            found.append("break")
        return found

    def _to(self, block: Block) -> list[Any]:
        """What leads to a block: it itself, where nothing else does."""
        if id(block) not in self.heads:
            return self._written(block)
        return [f"{self.next} = {self.heads[id(block)][1]}", "continue"]

    def _called(self, call: Call, resumed: Block) -> list[Any]:
        pointer = self.routine.pointer
        return [
            *(f"{STACK}[{pointer} + {self.places[name]}] = int({name})"
              for name in self.saved[id(resumed)]),
            f"{STACK}[{call.at}] = {self.heads[id(resumed)][1]}",
            f"{STACK}[{call.at} + 1] = {pointer}",
            *(f"{name} = {text}" for name, text in call.given),
            f"{pointer} = {call.at}",
            f"{self.next} = 0",
            "continue",
        ]  # fmt: skip


def _reached(first: Block) -> list[Block]:
    """The blocks that can be reached, the first first."""
    found = {id(first): first}
    todo = [first]
    while todo:
        for each in todo.pop().following():
            if id(each) not in found:
                found[id(each)] = each
                todo.append(each)
    return list(found.values())


def _behind(block: Block) -> Block:
    """Where a block leads that does nothing."""
    met: set[int] = set()
    while not block.lines and block.end[0] == "goto" and id(block) not in met:
        met.add(id(block))
        block = block.end[1]
    return block


ENTRY, CALL, ROUTINE = "@entry", "@call ", "@routine "
LINKS = 2
"""The first cells of an activation: the block to go on with, and where the activation before is."""
SIZE, LAST = "stack_size", "stack_last"
"""How many cells each activation has, and where the last one may begin."""
MOST_STACK = 1 << 16
"""How many cells all activations have together at most."""


class Routine:
    """A function that calls itself, where another calls it.

    `pointer` names where its activation is, `result` what it returns (None if that is nothing, or
    lies in memory). An activation has some `cells`; Python has at most some `frames` for each.
    """

    def __init__(self, key: Any, pointer: str, result: str | None) -> None:
        self.key, self.pointer, self.result = key, pointer, result
        self.cells, self.frames = LINKS, 1


class Call(NamedTuple):
    """A call of a function by itself: where its activation is, and its arguments by their names."""

    routine: int
    at: str
    given: tuple[tuple[str, str], ...]


class Activations:
    """All routines of a kernel, one for each loop of the text, and their calls, by number."""

    def __init__(self) -> None:
        self.routines: list[Routine] = []
        self.calls: list[Call] = []

    def begun(self, routine: Routine) -> tuple[int, Routine]:
        """The number of another loop, and its routine: one that is known, if it has the key."""
        known = [each for each in self.routines if each.key == routine.key]
        self.routines.append(known[0] if known else routine)
        return len(self.routines) - 1, self.routines[-1]


class Uses(NamedTuple):
    """Names that are used before they are given a value, and those that are given one for sure."""

    used: frozenset[str]
    given: frozenset[str]

    def then(self, other: Uses) -> Uses:
        """The same of these lines and others behind them."""
        return Uses(self.used | (other.used - self.given), self.given | other.given)


_NONE = Uses(frozenset(), frozenset())


def uses_of(lines: list[Any]) -> Uses:
    """The names of some lines, with the blocks in them."""
    found = _NONE
    i = 0
    while i < len(lines):
        each = lines[i]
        i += 1
        if isinstance(each, str):
            found = found.then(_of_line(each))
            continue
        head, body = each
        inner = uses_of(body)
        if head is None:
            found = found.then(inner)
        elif head.startswith("if "):
            found = found.then(_of_line(head[3:-1]))
            other = _NONE
            if i < len(lines) and not isinstance(lines[i], str) and lines[i][0] == "else:":
                other = uses_of(lines[i][1])
                i += 1
            found = found.then(Uses(inner.used | other.used, inner.given & other.given))
        else:  # a loop, which may have no round
            found = found.then(_of_line(_test_of(head)))
            if head.startswith("for "):
                inner = Uses(inner.used - {head.split(" ", 2)[1]}, inner.given)
            found = found.then(Uses(inner.used, frozenset()))
    return found


def assigned(lines: list[Any]) -> Counter[str]:
    """How often names are given a value in some lines."""
    return Counter(name for each in _lines_in(lines) for name in _of_line(each).given)


def truths(lines: list[Any]) -> set[str]:
    """The names that are given a truth value somewhere."""
    found: set[str] = set()
    size = -1
    while len(found) > size:
        size = len(found)
        found |= {e.split(" ", 1)[0] for e in _lines_in(lines) if _gives_truth(e, found)}
    return found


def _lines_in(lines: list[Any]) -> Iterator[str]:
    for each in lines:
        if isinstance(each, str):
            yield each
            continue
        head, body = each
        if head is not None and head.startswith("for "):
            yield f"{head.split(' ', 2)[1]} = 0"
        yield from _lines_in(body)


def _test_of(head: str) -> str:
    """The expression that a loop begins with."""
    if head.startswith("while "):
        return head[6:-1]
    return head[head.index(" in ") + 4 : -1] if head.startswith("for ") else "True"


@lru_cache(maxsize=1 << 14)
def _of_line(line: str) -> Uses:
    if line[:1] == "@":
        return _NONE
    tree = _parsed(line)
    names = [each for each in trees.nodes(tree) if isinstance(each, ast.Name)]
    given = {each.id for each in names if isinstance(each.ctx, ast.Store)}
    used = {each.id for each in names if isinstance(each.ctx, ast.Load)}
    if isinstance(tree, ast.AugAssign):
        used |= given
    return Uses(frozenset(used), frozenset(given))


def _gives_truth(line: str, known: set[str]) -> bool:
    if line[:1] == "@":
        return False
    node = _parsed(line)
    return isinstance(node, ast.Assign) and _is_truth(node.value, known)


@lru_cache(maxsize=1 << 14)
def _parsed(line: str) -> ast.stmt:
    (node,) = ast.parse(line).body
    return node


def _is_truth(node: ast.expr, known: set[str]) -> bool:
    if isinstance(node, ast.BoolOp):
        return all(_is_truth(each, known) for each in node.values)
    if isinstance(node, ast.IfExp):
        return _is_truth(node.body, known) and _is_truth(node.orelse, known)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    if isinstance(node, ast.Name):
        return node.id in known
    return isinstance(node, ast.Compare) or (
        isinstance(node, ast.Constant) and isinstance(node.value, bool)
    )
