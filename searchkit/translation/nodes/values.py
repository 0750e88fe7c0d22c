"""What expressions come to while nodes are made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from searchkit.translation.nodes.node import Node

EVER, ONCE, NAMED, OBJECT = "ever", "once", "named", "object"
"""What may happen to cells: nothing; nothing before the same line is run again; another value, where
a name is given one; another value by any name of the object."""


class Known:
    """What is known before a state is."""

    def __init__(self, value: Any) -> None:
        self.value = value


class View(tuple[Any, ...]):
    """The keys, values or items of a dict that is known, which have no places."""

    __slots__ = ()


class Row:
    """A value of few cells, each a node."""

    def __init__(self, type: Any, cells: Sequence[Node]) -> None:
        self.type, self.cells = type, list(cells)


class Place:
    """A value in memory: its type, which memory, where, and what may happen to it."""

    def __init__(self, type: Any, memory: str, at: Node, lasts: str) -> None:
        self.type, self.memory, self.at, self.lasts = type, memory, at, lasts
        self.values: list[Any] | None = None
        """What it may be, where that is known."""


class Group:
    """A tuple, or a record, of values that are not in memory together."""

    def __init__(self, items: Sequence[Any], kind: type = tuple) -> None:
        self.items, self.kind = list(items), kind


class Stream:
    """What is gone through once: `run(body)` makes the loop, with `body(value)` for each item.

    `length` is how many items there are, if that is known, as a value; `is_plain` says that going
    through it has no effects and changes nothing that it reads.
    """

    def __init__(
        self, run: Callable[[Callable[[Any], None]], None], length: Any = None, at: Any = None,
        is_set: bool = False, kind: Any = None,
    ) -> None:  # fmt: skip
        self.kind = kind
        self.is_iterator = True
        """Whether it is empty once it was gone through."""
        self.node: Any = None
        self.run, self.length, self.at, self.is_set = run, length, at, is_set


class Chosen:
    """One of several values that are known: which is a number."""

    def __init__(self, values: Sequence[Any], at: Node) -> None:
        self.values, self.at = list(values), at


class Function:
    """A function of the author's: its definition, where it is from, and what it is bound to."""

    def __init__(self, definition: Any, site: Any, function: Any, owner: Any, scope: Any) -> None:
        self.definition, self.site, self.function = definition, site, function
        self.owner, self.scope = owner, scope


class Method:
    """A method of Python's own of a value."""

    def __init__(self, owner: Any, name: str) -> None:
        self.owner, self.name = owner, name
