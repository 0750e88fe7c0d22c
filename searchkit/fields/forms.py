"""What is made of an author's class once for all its objects like one: kernels, and their tables.

An object brings numbers alone: its tables, and what moves change. Whatever else the kernels rest on
was asked of the first object (see `searchkit.fields.tables`), and is asked of each further one.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping
from copy import copy
from typing import Any

import attrs

from searchkit.authors.blame import is_ours_class
from searchkit.authors.kin import SHARED, kin_of
from searchkit.authors.named import RULES, is_read, names_read
from searchkit.authors.user_code import short
from searchkit.errors import UsageError
from searchkit.fields.controls import MOST_ASKED, Control, changes_of
from searchkit.fields.tables import Instance, Tables
from searchkit.kernel_language.program import CARRIED, Carried, carrying

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


_MISSING = object()
_NAMED = {"moves": "", "goal": "; with_goal makes a copy with another goal"}
"""What a search rests on by whatever name rules have for it, and what helps besides."""


def as_it_is(puzzle: Any) -> Any:
    """What is equal as long as nothing has changed that the rules of a puzzle read.

    That is its class, with all that the rules name, and its attributes. None where these hold more
    than Python's own values. The start is left out if no rule reads it.
    """
    kind, own, author = type(puzzle), vars(puzzle), vars(puzzle.author)
    bare = object.__new__(kind)
    kin = kin_of(bare)
    reads_start = kin.note("reads start", lambda: (is_read(kind, "start"),))
    contents = kin.contents(bare)
    names = author.keys() - {"author", "layout", CARRIED, *(() if reads_start[0] else ("start",))}
    held = [own.get("lists"), *((name, own.get(name, _MISSING)) for name in sorted(names))]
    try:
        text = tuple(map(_text_of, held))
    except (ValueError, RecursionError):  # what may change by itself, or holds itself
        return None
    return None if contents is None else (kin, contents, text)


def _text_of(value: Any) -> bytes:
    """What is equal for equal values of Python's own; `ValueError` where there are others."""
    try:
        return marshal.dumps(value, 2)
    except ValueError:
        return marshal.dumps(_without_ranges(value), 2)


def _without_ranges(value: Any) -> Any:
    """The same lists, tuples and dicts, with what tells a range in its place."""
    kind = value.__class__
    if kind is range:
        return ..., value.start, value.stop, value.step
    if kind in (list, tuple):
        return kind(map(_without_ranges, value))
    if kind is dict:
        return {_without_ranges(name): _without_ranges(each) for name, each in value.items()}
    return value


def made_of(puzzle: Any) -> Any:
    """What was made of the rules of a puzzle, and of what they read."""
    return _content(puzzle), _kernels(puzzle)


def check_as_made(puzzle: Any, made: Any) -> None:
    """Raise `UsageError` where what the rules of a puzzle read has changed since it was made.

    `made` is the puzzle made once more, of what its author's object holds now. The start may be
    another one, if rules do not read it. O(what is made of rules).
    """
    name, own, author = type(puzzle).__name__, vars(puzzle), vars(puzzle.author)
    reads = names_read(type(puzzle))
    for each in {**author, **own}:
        now = own.get(each, _MISSING)
        before = author.get(each, getattr(type(puzzle), each, _MISSING))
        if each not in author and (before is _MISSING or _is_made(own, vars(made), each)):
            continue
        is_rule = each in _NAMED or each in RULES or each in reads or "" in reads
        if not is_rule or _are_equal(before, now):
            continue
        raise UsageError(
            f"{name}: {each} was {short(before, 40)} when the puzzle was made, and is "
            f"{short(now, 40)}, which its rules do not know; make the puzzle with it"
            f"{_NAMED.get(each, '')}"
        )
    if made_of(puzzle) != made_of(made):
        raise UsageError(
            f"{name}: what its rules read has changed since the puzzle was made, when kernels were "
            "made of them; make the puzzle again"
        )


def hides_its_class(puzzle: Any) -> bool:
    """Whether a puzzle was given something in the place of what its author's class has."""
    own, author = vars(puzzle), vars(puzzle.author)
    names = [each for each in own if each not in author and _is_own(type(puzzle), each)]
    return not all(_is_made(own, {}, each) for each in names)


def _is_own(kind: type, name: str) -> bool:
    """Whether a class has something of its author's by a name."""
    return any(name in vars(each) for each in kind.__mro__ if not is_ours_class(each))


def _is_made(own: Mapping[str, Any], made: Mapping[str, Any], name: str) -> bool:
    """Whether an attribute came with kernels: it is one, or is there in the puzzle made again."""
    kernel = own[CARRIED].get(name)
    return name in made if kernel is None else getattr(own[name], "__func__", None) is kernel


def _content(puzzle: Any) -> tuple[Any, ...]:
    """What was made of rules, and of what they read."""
    own = vars(puzzle)
    bound = own.get("bound")
    return (
        own["labels"], own["numbers"], own.get("tables"), own.get("lists"),
        None if bound is None else bound.tables,
    )  # fmt: skip


def _kernels(puzzle: Any) -> list[Any]:
    """The code of what was made of rules, which may have been made again."""
    own = vars(puzzle)
    found = [own[CARRIED], *([vars(own["bound"])[CARRIED]] if "bound" in own else [])]
    return [{name: each.__code__ for name, each in carried.items()} for carried in found]


def _are_equal(before: Any, now: Any) -> bool:
    try:
        return before.__class__ is now.__class__ and bool(before == now)
    except Exception:  # what an author's values do when they are compared
        return False
