"""Arithmetic on whole numbers, with the bounds of what it comes to."""

from __future__ import annotations

from typing import Any

from searchkit.translation.nodes.node import BEYOND, BOOL, INT, SMALL, Node, number
from searchkit.translation.types import Bool, Int


class Numbers:
    """Makes numbers."""

    def __init__(self, build: Any, parts: Any) -> None:
        self.b, self.p = build, parts

    def small(self, node: Node) -> Node:
        """A number below `SMALL`, or the state is left to Python."""
        b = self.b
        if node.low > -SMALL and node.high < SMALL:
            return node
        node = b.held(node)
        tests = []
        if node.low <= -SMALL:
            tests.append(Node("compare", "LtE", [node, number(-SMALL)], BOOL, 0, 1))
        if node.high >= SMALL:
            tests.append(Node("compare", "GtE", [node, number(SMALL)], BOOL, 0, 1))
        b.trap(b.both("or", tests))
        low, high = max(node.low, 1 - SMALL), min(node.high, SMALL - 1)
        return Node(node.kind, node.what, node.args, node.type, low, high)

    def operate(self, sign: str, one: Node, other: Node) -> Node:
        """An operator of Python's."""
        b = self.b
        if one.kind == other.kind == "number":
            found = self._known(sign, one.what, other.what)
            if found is not None:
                return number(found)
        if sign in ("FloorDiv", "Mod"):
            return self._divided(sign, one, other)
        if sign == "Pow":
            if other.kind != "number" or not 0 <= other.what <= 4:
                raise self.p.cells.refuse("a power")
            found = number(1)
            for _ in range(other.what):
                found = self.operate("Mult", found, one)
            if other.what % 2 == 0 and other.what:
                found = Node(found.kind, found.what, found.args, INT, max(0, found.low), found.high)
            return found
        if sign in ("LShift", "RShift") and (other.low < 0 or other.high > 61):
            b.trap(b.both("or", [b.compare("Lt", other, 0), b.compare("Gt", other, 40)]))
            other = Node(
                other.kind, other.what, other.args, INT, max(0, other.low), min(40, other.high)
            )
        corners = self._corners(sign, one, other)
        if corners is None:
            one, other = self.small(one), self.small(other)
            corners = self._corners(sign, one, other)
            if corners is None:
                # A product of numbers that may be large.
                raise self.p.cells.refuse("large numbers")
        low, high = corners
        return Node("binary", sign, [one, other], INT, low, high)

    def _known(self, sign: str, a: int, b: int) -> int | None:
        try:
            found = {
                "Add": lambda: a + b, "Sub": lambda: a - b, "Mult": lambda: a * b,
                "FloorDiv": lambda: a // b, "Mod": lambda: a % b, "BitAnd": lambda: a & b,
                "BitOr": lambda: a | b, "BitXor": lambda: a ^ b, "LShift": lambda: a << b,
                "RShift": lambda: a >> b, "Pow": lambda: a**b,
            }[sign]()  # fmt: skip
        except (ArithmeticError, ValueError, KeyError):
            return None
        return found if isinstance(found, int) and abs(found) < SMALL else None

    def _corners(self, sign: str, one: Node, other: Node) -> tuple[int, int] | None:
        a, b, c, d = one.low, one.high, other.low, other.high
        if sign == "Add":
            low, high = a + c, b + d
        elif sign == "Sub":
            low, high = a - d, b - c
        elif sign == "Mult":
            ends = (a * c, a * d, b * c, b * d)
            low, high = min(ends), max(ends)
        elif sign == "LShift":
            ends = (a << c, a << d, b << c, b << d)
            low, high = min(ends), max(ends)
        elif sign == "RShift":
            ends = (a >> c, a >> d, b >> c, b >> d)
            low, high = min(ends), max(ends)
        elif sign == "BitAnd" and (a >= 0 or c >= 0):
            low, high = 0, min(x for x, y in ((b, a), (d, c)) if y >= 0)
        else:
            size = max(abs(a), abs(b), abs(c), abs(d)).bit_length()
            low, high = (0 if a >= 0 and c >= 0 else -(1 << size)), (1 << size) - 1
        return None if low < -BEYOND or high > BEYOND else (low, high)

    def _divided(self, sign: str, one: Node, other: Node) -> Node:
        b = self.b
        if other.low <= 0 <= other.high:
            other = b.held(other)
            b.trap(
                Node("compare", "Eq", [other, number(0)], BOOL, 0, 1)
                if other.kind != "number"
                else number(not other.what, BOOL)
            )
        if sign == "Mod":
            low = 0 if other.low >= 0 else other.low + 1
            high = 0 if other.high <= 0 else other.high - 1
            if one.low >= 0 and other.low > 0:
                high = min(high, one.high)
            return Node("binary", sign, [one, other], INT, min(low, high), max(low, high))
        if other.low > 0:
            ends = [x // y for x in (one.low, one.high) for y in (other.low, other.high)]
            low, high = min(ends), max(ends)
        else:
            most = max(abs(one.low), abs(one.high)) + 1
            low, high = -most, most
        return Node("binary", sign, [one, other], INT, low, high)

    def least(self, values: list[Node], what: str) -> Node:
        """`min` or `max` of numbers."""
        found = values[0]
        pick = min if what == "min" else max
        for each in values[1:]:
            if found.kind == each.kind == "number":
                found = number(pick(found.what, each.what))
                continue
            found = self.b.held(Node("call", (what,), [found, each], INT,
                                     pick(found.low, each.low), pick(found.high, each.high)))  # fmt: skip
        return found

    def size(self, node: Node) -> Node:
        """`abs`."""
        if node.low >= 0:
            return node
        low = 0 if node.high >= 0 else -node.high
        return self.b.held(Node("call", ("abs",), [node], INT, low, max(-node.low, abs(node.high))))


_ = (Bool, Int)
