"""Types of nodes: those of states, and references to what has an identity or no bounded length."""

from __future__ import annotations

from typing import Any

from searchkit.translation import types
from searchkit.translation.types import (
    NONE,
    Atom,
    Bits,
    Bool,
    Char,
    Int,
    Maybe,
    Never,
    Record,
    Seq,
    Type,
)

ANY = -1
"""The length of what may have several."""
FLAT = 8
"""How many cells a value has at most that is kept in names."""


class Heap:
    """What one object of memory may be: all that some name or place may refer to are one of these.

    Two of them that may be the same are one (B. Steensgaard, Points-to analysis in almost linear
    time, 1996). `item` is the type of what is in it, of a dict a record of key and value. `length`
    is None before one was made, and `ANY` where it may change.
    """

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.item: Any = Never()
        self.length: int | None = None
        self.default: Any = None
        """What makes the value of a key that a dict lacks."""
        self.up: Heap | None = None

    def root(self) -> Heap:
        """The one that this has become a part of."""
        here = self
        while here.up is not None:
            here = here.up
        return here


class Ref:
    """The address of an object of a heap."""

    cells = 1

    def __init__(self, heap: Heap) -> None:
        self._heap = heap

    @property
    def heap(self) -> Heap:
        """What it may refer to."""
        return self._heap.root()

    @property
    def kind(self) -> type:
        """The class of the object."""
        return self.heap.kind

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ref) and other.heap is self.heap

    def __hash__(self) -> int:
        return hash(Ref)

    def __repr__(self) -> str:
        return f"Ref({self.kind.__name__})"


def has_ref(kind: Any) -> bool:
    """Whether a value refers to an object."""
    if isinstance(kind, Ref):
        return True
    if isinstance(kind, Record):
        return any(map(has_ref, kind.items))
    return isinstance(kind, (Seq, Maybe)) and has_ref(kind.item)


def is_scalar(kind: Any) -> bool:
    """Whether a value is one number."""
    return isinstance(kind, (Int, Bool, Char, Atom, Ref))


def is_flat(kind: Any) -> bool:
    """Whether a value is kept in names."""
    if is_scalar(kind):
        return True
    if kind.cells > FLAT:
        return False
    if isinstance(kind, Record):
        return all(map(is_flat, kind.items))
    if isinstance(kind, Seq):
        return kind.is_fixed and kind.kind is not frozenset and is_flat(kind.item)
    return isinstance(kind, Bits) or (isinstance(kind, Maybe) and is_flat(kind.item))


def as_seq(kind: Any) -> Seq | None:
    """A record of like items as a row."""
    if isinstance(kind, Seq):
        return kind
    if isinstance(kind, Record) and kind.kind in (tuple, list):
        same: Any = Never()
        for each in kind.items:
            same = same if each == same else (None if same is None else types.join(same, each))
        if same is not None and all(each == same for each in kind.items):
            return Seq(same, len(kind.items), len(kind.items), kind.kind)
    return None


class Lattice:
    """Joins types; `changed` says whether any has grown."""

    def __init__(self) -> None:
        self.changed = False
        self.members: Any = None
        """What says of which type the members of bits are."""

    def join(self, a: Any, b: Any) -> Any:
        """The narrowest type of both; None if there is none. Heaps of both become one."""
        if a == b or isinstance(b, Never):
            return a
        if isinstance(a, Never):
            return b
        if not has_ref(a) and not has_ref(b):
            return self._plain(a, b)
        if isinstance(a, Ref) and isinstance(b, Ref):
            return a if self.unify(a.heap, b.heap) else None
        for one, other in ((a, b), (b, a)):
            if isinstance(one, Maybe) or one == NONE:
                inner = one.item if isinstance(one, Maybe) else Never()
                beside = other.item if isinstance(other, Maybe) else other
                item = inner if beside == NONE else self.join(inner, beside)
                return None if item is None or isinstance(item, Atom) else Maybe(item)
        for one, other in ((a, b), (b, a)):
            if isinstance(one, Ref):
                return one if self.take(one.heap, other) else None
        return self._records(a, b)

    def _plain(self, a: Any, b: Any) -> Any:
        return types.join(a, b)

    def _records(self, a: Any, b: Any) -> Any:
        if isinstance(a, Seq) and isinstance(b, Seq) and a.kind is b.kind:
            item = self.join(a.item, b.item)
            least, most = min(a.least, b.least), max(a.most, b.most)
            return None if item is None else Seq(item, least, most, a.kind)
        rows = []
        for each in (a, b):
            if isinstance(each, Seq) and each.is_fixed:
                rows.append(((each.item,) * each.most, each.kind))
            elif isinstance(each, Record):
                rows.append((each.items, each.kind))
        if len(rows) < 2 or rows[0][1] is not rows[1][1] or len(rows[0][0]) != len(rows[1][0]):
            return None
        items = [self.join(x, y) for x, y in zip(rows[0][0], rows[1][0], strict=True)]
        return None if None in items else Record(tuple(items), rows[0][1])

    def take(self, heap: Heap, kind: Any) -> bool:
        """Let an immutable object of a heap be a value of a type, copied; whether that can be."""
        if isinstance(kind, Char) and heap.kind is str:
            return self.widen(heap, Char()) and self.lengthen(heap, 1)
        if isinstance(kind, Seq) and kind.kind is heap.kind and kind.kind in (tuple, str):
            length = kind.most if kind.is_fixed else ANY
            return self.widen(heap, kind.item) and self.lengthen(heap, length)
        if isinstance(kind, Bits) and kind.kind is heap.kind:
            return (
                self.members is not None
                and self.widen(heap, self.members(kind))
                and self.lengthen(heap, ANY)
            )
        if isinstance(kind, Record) and kind.kind is heap.kind:
            found = all(self.widen(heap, each) for each in kind.items)
            return found and self.lengthen(heap, len(kind.items))
        return False

    def widen(self, heap: Heap, item: Any) -> bool:
        """Let objects of a heap have items of a type; whether these are alike."""
        found = self.join(heap.root().item, item)
        heap = heap.root()
        if found is None:
            return False
        if isinstance(found, Bool) and not isinstance(heap.item, (Bool, Never)):
            found = heap.item
        if found != heap.item:
            heap.item = found
            self.changed = True
        return True

    def lengthen(self, heap: Heap, length: int) -> bool:
        """Let objects of a heap have a length."""
        heap = heap.root()
        found = length if heap.length in (None, length) else ANY
        if found != heap.length:
            heap.length = found
            self.changed = True
        return True

    def unify(self, one: Heap, other: Heap) -> bool:
        """Make two heaps one; whether they can be."""
        one, other = one.root(), other.root()
        if one is other:
            return True
        if one.kind is not other.kind or one.default is not other.default:
            return False
        other.up = one
        self.changed = True
        if other.length is not None:
            self.lengthen(one, other.length)
        return self.widen(one, other.item)


def plain(kind: Type) -> Type:
    """A type itself."""
    return kind
