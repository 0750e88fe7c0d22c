"""Whether a puzzle is as it was when its kernels were made: they know nothing of later changes."""

from __future__ import annotations

import marshal
from collections.abc import Mapping
from typing import Any

from searchkit.authors.blame import is_ours_class
from searchkit.authors.kin import kin_of
from searchkit.authors.named import RULES, is_read, names_read
from searchkit.authors.user_code import short
from searchkit.errors import UsageError
from searchkit.kernel_language.program import CARRIED

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
