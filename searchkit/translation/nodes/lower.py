"""From nodes to the text of a kernel."""

from __future__ import annotations

from collections.abc import Sequence

from searchkit.translation.nodes.node import BOOL, FRAME, Node

_MEMORY = {FRAME: "F", "constants": "self.tables.constants"}
_SIGNS = {
    "Add": "+", "Sub": "-", "Mult": "*", "FloorDiv": "//", "Mod": "%", "BitAnd": "&", "BitOr": "|",
    "BitXor": "^", "LShift": "<<", "RShift": ">>",
    "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "Eq": "==", "NotEq": "!=",
}  # fmt: skip
END = -1
"""The label of the end of the body of the loop around."""


def written(node: Node) -> str:
    """The text of a value."""
    args = [written(each) for each in node.args]
    match node.kind:
        case "number":
            return str(bool(node.what)) if node.type == BOOL else str(node.what)
        case "name":
            return str(node.what)
        case "load":
            text = f"{_MEMORY[node.what]}[{_bare(args[0])}]"
            return f"({text} != 0)" if node.type == BOOL else text
        case "binary" | "compare":
            return f"({args[0]} {_SIGNS[node.what]} {args[1]})"
        case "not":
            return f"(not {args[0]})"
        case "both":
            return f"({f' {node.what} '.join(args)})"
        case "choose":
            return f"({args[1]} if {args[0]} else {args[2]})"
    texts = [_MEMORY[each] if isinstance(each, str) else str(each) for each in node.what[1:]]
    return f"{node.what[0]}({', '.join([*texts, *map(_bare, args)])})"


def _bare(text: str) -> str:
    if text[:1] != "(" or text[-1:] != ")":
        return text
    depth = 0
    for i, each in enumerate(text):
        depth += (each == "(") - (each == ")")
        if not depth and i < len(text) - 1:
            return text
    return text[1:-1]


def ends(body: Sequence[Node]) -> bool:
    """Whether nothing comes behind a body."""
    if not body:
        return False
    last = body[-1]
    if last.kind in ("leave", "trap", "return"):
        return True
    return last.kind == "if" and all(map(ends, last.bodies))


def _is_test(node: Node) -> bool:
    """Whether an `if` only leaves the kernel."""
    yes, no = node.bodies
    return not no and yes[-1].kind in ("trap", "return")


def _is_left_midway(body: Sequence[Node], label: int, is_tail: bool = True) -> bool:
    """Whether a block is left from where its end does not come next."""
    for i, node in enumerate(body):
        is_last = is_tail and i == len(body) - 1
        if node.kind == "leave" and node.what == label and not is_last:
            return True
        if node.kind in ("loop", "count"):
            # The end of a loop's body is not the end of the block.
            if any(_is_left_midway(each, label, False) for each in node.bodies):
                return True
        elif node.kind == "if":
            rest = body[i + 1 :]
            if rest and any(map(ends, node.bodies)) and is_tail and not _is_test(node):
                ways = [each if ends(each) else [*each, *rest] for each in node.bodies]
                return any(_is_left_midway(each, label) for each in ways)
            if any(_is_left_midway(each, label, is_last) for each in node.bodies):
                return True
        elif any(_is_left_midway(each, label, is_last) for each in node.bodies):
            return True
    return False


class Loop:
    """A loop of the text: where `break` and `continue` lead, and which flags leave it."""

    def __init__(self, breaks: frozenset[int], continues: set[int]) -> None:
        self.breaks, self.continues = breaks, continues
        self.flags: set[int] = set()


class Lowering:
    """Writes lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.traps: dict[int, int] = {}
        """The author's lines, by those that raise `Trapped`."""
        self.depth = 1
        self.loops: list[Loop] = []

    def line(self, text: str) -> None:
        """Write a line."""
        self.lines.append("    " * self.depth + text)

    def body(self, body: Sequence[Node], tails: frozenset[int]) -> None:
        """Write a body, at the end of which the blocks `tails` end."""
        before = len(self.lines)
        self.depth += 1
        self.run(body, tails)
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1

    def run(self, body: Sequence[Node], tails: frozenset[int]) -> None:
        """Write statements."""
        for i, node in enumerate(body):
            rest = body[i + 1 :]
            here = frozenset() if rest else tails
            match node.kind:
                case "set":
                    self.line(f"{node.what} = {_bare(written(node.args[0]))}")
                case "store":
                    at, value = (_bare(written(each)) for each in node.args)
                    self.line(f"F[{at}] = {value}")
                case "do":
                    self.line(f"done = {written(node.args[0])}")
                case "trap":
                    self.traps[len(self.lines)] = node.line
                    self.line("raise Trapped")
                    return
                case "return":
                    self.line(f"return {_bare(written(node.args[0]))}")
                    return
                case "yield":
                    self.line(f"yield {', '.join(_bare(written(each)) for each in node.args)}")
                case "leave":
                    self.leave(node.what, tails)
                    return
                case "block":
                    self.block(node, here, bool(rest))
                case "if":
                    if rest and any(map(ends, node.bodies)) and not _is_test(node):
                        self.choice(
                            node, [e if ends(e) else [*e, *rest] for e in node.bodies], tails
                        )
                        return
                    self.choice(node, node.bodies, here)
                case _:
                    self.loop(node, here, rest)

    def choice(self, node: Node, bodies: Sequence[Sequence[Node]], tails: frozenset[int]) -> None:
        """Write an `if`."""
        yes, no = bodies
        test = written(node.args[0])
        if not yes:
            yes, no, test = no, yes, f"not {test}"
        if not yes:
            return
        self.line(f"if {_bare(test)}:")
        self.body(yes, tails)
        if no:
            at = len(self.lines)
            self.line("else:")
            self.body(no, tails)
            if self.lines[at + 1 :] == ["    " * (self.depth + 1) + "pass"]:
                del self.lines[at:]

    def leave(self, label: int, tails: frozenset[int]) -> None:
        """Go to the end of a block."""
        if label in tails:
            return
        loop = self.loops[-1]
        if label in loop.breaks:
            self.line("break")
        elif label in loop.continues:
            self.line("continue")
        else:
            loop.flags.add(label)
            self.line(f"leave{label} = True")
            self.line("break")

    def block(self, node: Node, tails: frozenset[int], has_rest: bool) -> None:
        """Write a block, which is a loop that ends at once where it is left midway."""
        label, (body,) = node.what, node.bodies
        if not has_rest and END in tails:
            self.loops[-1].continues.add(label)
        elif _is_left_midway(body, label):
            loop = Loop(tails | {label}, set())
            self.framed("while True:", loop, [*body, Node("leave", label)], frozenset(), tails)
            return
        self.run(body, tails | {label})

    def loop(self, node: Node, tails: frozenset[int], rest: Sequence[Node]) -> None:
        """Write a loop."""
        if node.kind == "count":
            low, high, step = (_bare(written(each)) for each in node.args)
            given = [high] if (low, step) == ("0", "1") else [low, high, step][: 2 + (step != "1")]
            head = f"for {node.what} in range({', '.join(given)}):"
        else:
            head = "while True:"
        loop = Loop(tails - {END}, set())
        self.framed(head, loop, node.bodies[0], frozenset({END}), tails)

    def framed(
        self, head: str, loop: Loop, body: Sequence[Node], inner: frozenset[int],
        tails: frozenset[int],
    ) -> None:  # fmt: skip
        """Write a loop, and in front of it and behind it the flags of those that it leaves."""
        at = len(self.lines)
        self.line(head)
        self.loops.append(loop)
        self.body(body, inner)
        self.loops.pop()
        flags = sorted(loop.flags)
        for label in flags:
            self.lines.insert(at, "    " * self.depth + f"leave{label} = False")
            self.traps = {line + (line >= at): own for line, own in self.traps.items()}
        for label in flags:
            if label in tails:
                continue
            self.line(f"if leave{label}:")
            self.depth += 1
            outer = self.loops[-1]
            if label in outer.breaks:
                self.line("break")
            elif label in outer.continues:
                self.line("continue")
            else:
                outer.flags.add(label)
                self.line("break")
            self.depth -= 1
