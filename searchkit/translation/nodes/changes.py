"""Children that differ from their state in few cells: made of its words, not packed from cells."""

from __future__ import annotations

from typing import Any

from searchkit.translation.nodes.lattice import ANY, Ref, is_scalar
from searchkit.translation.nodes.lower import written
from searchkit.translation.nodes.node import BOOL, FRAME, INT, Node, name, number
from searchkit.translation.nodes.values import EVER, Group, Known, Place, Row, Stream
from searchkit.translation.types import Atom, Bool, Char, Int, Record, Seq

MOST_CHANGES = 8
"""In how many cells a child may differ whose words are made of those of its state."""
CELLS = (Int, Bool, Char, Atom)
STATE = name("state", INT)


class Words:
    """Names of the words of a list that began as a part of a state, and of whether they do not fit.

    `begin` is the first cell of this part.
    """

    def __init__(self, title: str, unfit: str, begin: int) -> None:
        self.word, self.unfit, self.begin = name(title, INT), name(unfit, INT), begin


class Changes:
    """Follows how a child differs from its state."""

    def __init__(self, build: Any, parts: Any) -> None:
        self.b, self.p = build, parts
        self.cells = 0
        """How many cells a state has; 0 where no children are made."""

    def begin(self, cells: int) -> None:
        """Begin a round."""
        self.cells = cells
        self.lists: dict[int, Words] = {}
        self.found: Words | None = None

    # Lists

    def copied(self, ref: Node, source: Any) -> None:
        """Note that a list is a copy of a row, which may be a part of the state."""
        b, heap = self.b, ref.type.heap
        if not self.cells or id(heap) not in b.static or not isinstance(source, Place):
            return
        kind, at = source.type, source.at
        if source.lasts != EVER or source.memory != FRAME or at.kind != "number":
            return
        if not isinstance(kind, Seq) or not kind.is_fixed or kind.item != heap.item:
            return
        if not isinstance(kind.item, CELLS) or at.what + kind.cells > self.cells:
            return
        made = Words(b.fresh("v_word"), b.fresh("v_unfit"), at.what)
        b.let(made.word.what, STATE)
        b.let(made.unfit.what, Node("call", ("self.widened",), [], INT))
        self.lists[id(heap)] = made

    def put(self, ref: Node, at: Node, cell: Node) -> None:
        """Note that an item of a list was given a value."""
        words = self.lists.get(id(ref.type.heap))
        if words is not None:
            self._replace(words, self.b.plus(at, words.begin), cell)

    def lost(self, ref: Node) -> None:
        """Note that a list was changed in another way."""
        words = self.lists.get(id(ref.type.heap))
        if words is not None:
            self.b.let(words.unfit.what, number(1))

    def _replace(self, words: Words, at: Node, cell: Node) -> None:
        b = self.b
        at = b.held(at, "to")
        cell = b.held(cell)
        if isinstance(cell.type, Bool):
            cell = b.held(Node("call", ("int",), [cell], INT, 0, 1))
        unfit = Node("call", ("self.misfit",), [at, cell], INT)
        b.let(words.unfit.what, Node("binary", "BitOr", [words.unfit, unfit], INT))
        b.let(words.word.what, Node("call", ("self.replaced",), [words.word, at, cell], INT))

    def row(self, ref: Node) -> Place | None:
        """A list that is followed as a tuple, before it is changed again; None for others."""
        words, heap = self.lists.get(id(ref.type.heap)), ref.type.heap
        if words is None or heap.length == ANY:
            return None
        at = Node(ref.kind, ref.what, ref.args, INT, 0, 1 << 30)
        made = Place(Seq(heap.item, heap.length, heap.length), FRAME, at, "object")
        made.words = words
        return made

    # Children

    def words_of(self, child: Any, kind: Any) -> Words | None:
        """The words of a child, and whether they do not fit; None where that is not followed."""
        if not self.cells:
            return None
        b = self.b
        self.found = None
        changes = self._follow(child, kind, 0)
        if changes is None or len(changes) > min(MOST_CHANGES, max(4, self.cells // 2)):
            return None
        if self.found is not None and not changes:
            return self.found
        made = Words(b.fresh("v_word"), b.fresh("v_unfit"), 0)
        b.let(made.word.what, STATE if self.found is None else self.found.word)
        first = Node("call", ("self.widened",), [], INT)
        b.let(made.unfit.what, first if self.found is None else self.found.unfit)
        for at, cell in changes:
            self._replace(made, at, cell)
        return made

    def _follow(self, value: Any, kind: Any, at: int) -> list[tuple[Node, Node]] | None:
        cells = self.p.cells
        if isinstance(value, Place):
            if value.type != kind or value.memory != FRAME:
                return None
            if value.at.kind == "number" and value.at.what == at and value.lasts == EVER:
                return []
            words = getattr(value, "words", None)
            if words is None or words.begin != at or self.found not in (None, words):
                return None
            self.found = words
            return []
        if isinstance(kind, CELLS) and isinstance(value, (Node, Known)):
            cell = cells.scalar(value, kind)
            if cell.kind == "name" and self.b.origins.get(cell.what) == at:
                return []
            return [(number(at), cell)]
        if isinstance(value, Stream) and isinstance(kind, Seq):
            return self._follow_sum(value, kind, at)
        if not isinstance(value, (Row, Group)) or not isinstance(kind, (Record, Seq)):
            return None
        if cells.kind_of(value) is not kind.kind or (isinstance(kind, Seq) and not kind.is_fixed):
            return None
        inner = kind.items if isinstance(kind, Record) else (kind.item,) * kind.most
        if cells.length(value).value != len(inner):
            return None
        found: list[tuple[Node, Node]] = []
        for i, each in enumerate(inner):
            more = self._follow(cells.part(value, i), each, at)
            if more is None:
                return None
            found += more
            at += each.cells
        return found

    def _follow_sum(self, value: Stream, kind: Seq, at: int) -> list[tuple[Node, Node]] | None:
        """Of a row of parts that are where they were in the state, and items between them."""
        b, cells, parts = self.b, self.p.cells, getattr(value, "chain", None)
        if parts is None or not kind.is_fixed or not isinstance(kind.item, CELLS):
            return None
        done, found = number(0), []
        last = None
        for part in parts:
            if isinstance(part, (Group, Known)):
                items = [cells.part(part, i) for i in range(cells.length(part).value)]
                if any(not isinstance(each, (Node, Known)) for each in items):
                    return None
                for i, each in enumerate(items):
                    place = b.plus(done, i)
                    found.append((b.plus(place, at), cells.scalar(each, kind.item)))
                done = b.plus(done, len(items))
                continue
            row, low, high = getattr(part, "part_of", (None, None, None))
            if isinstance(part, Place) and isinstance(part.type, Seq) and part.at.kind == "number":
                row, low = part, number(part.at.what - at)
                high = b.plus(low, part.type.most)
            if (
                row is None
                or row.memory != FRAME
                or row.lasts != EVER
                or row.type.item != kind.item
            ):
                return None
            if isinstance(part, Stream) and (row.at.kind != "number" or row.at.what != at):
                return None
            if self._told(low) != self._told(done):
                return None
            done = last = high
        if last is None or self._told(done) != str(kind.most):
            return None
        return found

    def _told(self, node: Node) -> str:
        """What a number is, by what names were given."""
        b = self.b
        if node.kind == "name" and node.what in b.given:
            return self._told(b.given[node.what])
        if node.kind == "binary" and node.what == "Add" and node.args[1].kind == "number":
            inner = node.args[0]
            if inner.kind == "name" and inner.what in b.given:
                return self._told(b.plus(b.given[inner.what], node.args[1]))
        return written(node)


_ = (BOOL, Ref, is_scalar)
