"""What was asked of a problem before: where it is explored again and again, it is asked once.

Only of the same object, that cannot have changed: one that can be a key of a dict by what it
holds, as those of frozen attrs classes are, and whose classes have the same methods as before.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from operator import is_
from typing import Any

import attrs

from searchkit.problem import Problem


@attrs.frozen(eq=False)
class Answers:
    """What a thorough look has met without finding a law broken."""

    starts: tuple[Any, ...]
    origin: str
    states: int
    """How many states were expanded."""
    whole: bool
    """Whether these are all."""
    compiled: bool
    """Whether what machine code relies on was asked as well."""


@attrs.frozen(eq=False)
class _Entry:
    problem: weakref.ref[Problem[Any, Any]]
    code: tuple[Any, ...]
    answers: Answers


_entries: dict[int, _Entry] = {}
"""By the identity of the problem, while it lives."""


def answers_before(
    problem: Problem[Any, Any], starts: Sequence[Any], origin: str
) -> Answers | None:
    """What was met before from the same starts; None if nothing was. O(attributes of classes)."""
    entry = _entries.get(id(problem))
    if entry is None or entry.problem() is not problem:
        return None
    answers, code = entry.answers, _code(problem)
    if answers.origin != origin or answers.starts != tuple(starts):
        return None
    same = len(code) == len(entry.code) and all(map(is_, code, entry.code))
    return answers if same else None


def remember(problem: Problem[Any, Any], answers: Answers) -> None:
    """Keep what was met, if the problem cannot change."""
    if type(problem).__hash__ in (None, object.__hash__):
        return
    place = id(problem)
    try:
        hash(problem)
        there = weakref.ref(problem, lambda _: _entries.pop(place, None))
    except TypeError:
        return
    _entries[place] = _Entry(there, _code(problem), answers)


def _code(problem: Problem[Any, Any]) -> tuple[Any, ...]:
    """Everything that the classes of a problem hold."""
    return tuple(value for kind in type(problem).__mro__ for value in vars(kind).values())
