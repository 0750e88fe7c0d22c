"""What is made of an author's class once for all its objects like one: kernels, and their tables.

An object brings numbers alone: its tables, and what moves change. Whatever else the kernels rest on
was asked of the first object (see `searchkit.fields.tables`), and is asked of each further one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from typing import Any

import attrs

from searchkit.authors.kin import SHARED
from searchkit.fields.controls import MOST_ASKED, Control, changes_of
from searchkit.fields.tables import Instance, Tables
from searchkit.kernel_language.program import Carried, carrying

MOST_FORMS = 64
"""How many are kept of a class for objects of one shape: those that were used last."""
_KEPT = "searchkit_forms"


@attrs.frozen(eq=False, kw_only=True)
class Form:
    """The functions of a puzzle and its estimate, and what these rest on."""

    functions: Carried
    values: Mapping[str, Any]
    """What else a puzzle has for the functions."""
    estimate: Any
    """A heuristic with functions and no tables; None where there is no estimate."""
    tables: Tables
    bound: Tables | None
    """The tables of the estimate."""
    control: tuple[Control, Callable[..., Any]] | None
    has_lists: bool
    """Whether a control state decides which moves are legal."""
    changes: tuple[Callable[..., Any], Any] | None
    """`apply` without bounds, and its sign, where moves change the same in every state."""

    def fits(self, puzzle: Any, instance: Instance) -> bool:
        """Whether an object is like the one that it was made for: then it has its tables."""
        parts = [each for each in (self.tables, self.bound) if each is not None]
        try:
            if not all(each.fit(instance) for each in parts):
                return False
            object.__setattr__(puzzle, "tables", self.tables.named(instance))
            lists = None if self.control is None else lists_of(puzzle, *self.control)
            if (lists is not None) is not self.has_lists:
                return False
            if self.estimate is not None and self.bound is not None:
                heuristic = copy(self.estimate)
                heuristic.tables, heuristic.author = self.bound.named(instance), instance.author
                setattr(heuristic, SHARED, self)
                object.__setattr__(puzzle, "bound", heuristic)
        except Exception:  # a question that makes no sense for this object
            return False
        if lists is not None:
            object.__setattr__(puzzle, "lists", lists)
            object.__setattr__(puzzle, "controls", len(lists))
        return True

    def complete(self, puzzle: Any) -> None:
        """Make an object that it fits a puzzle with kernels."""
        new: dict[str, Any] = {"known_factors": [], "known_as_made": [], SHARED: self}
        for name, value in {**new, **self.values}.items():
            object.__setattr__(puzzle, name, value)
        carrying(puzzle, self.functions)
        if self.changes is not None:
            object.__setattr__(
                puzzle, "changes", changes_of(self.changes[0], puzzle, self.changes[1])
            )

    def forget(self) -> None:
        """Keep nothing of the object that it was made for."""
        for each in (self.tables, self.bound):
            if each is not None:
                each.instance = None


def lists_of(puzzle: Any, control: Control, test: Callable[..., Any]) -> list[list[int]] | None:
    """The legal moves of each control state; None where it does not decide which they are.

    O(control states x moves).
    """
    count = len(puzzle.labels)
    if control.values * count > MOST_ASKED:
        return None
    try:
        lists = [
            [move for move in range(count) if test(puzzle, value, 0, move)]
            for value in range(control.values)
        ]
    except Exception:  # of a value that no state has
        return None
    return None if all(each == lists[0] for each in lists) else lists


def forms_of(kind: type, key: Any) -> tuple[Form, ...]:
    """What was made of a class for objects of one shape, the last that was used first."""
    found: tuple[Form, ...] = vars(kind).get(_KEPT, {}).get(key, ())
    return found


def keep(kind: type, key: Any, form: Form) -> None:
    """Keep what was made of a class, or used: each thread sees whole tuples."""
    if _KEPT not in vars(kind):
        setattr(kind, _KEPT, {})
    kept, known = vars(kind)[_KEPT], forms_of(kind, key)
    if known[:1] != (form,):
        kept[key] = (form, *(each for each in known if each is not form))[:MOST_FORMS]
