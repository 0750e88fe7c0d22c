"""Attributes of a problem that change while it is searched: whether its rules depend on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from searchkit.authors.blame import is_ours_class
from searchkit.authors.user_code import short
from searchkit.premises.asking import is_goal, steps_of
from searchkit.premises.kinds import broken
from searchkit.premises.patience import Patience
from searchkit.problem import Problem

SIMPLE = (bool, int, float, str, tuple, frozenset, type(None))
"""Values that cannot change themselves."""


Attribute = tuple[Any, str, Any]
"""Whose it is, its name, and its value."""


class Attributes(NamedTuple):
    """The attributes that a problem, or a class of its author's, has at some time."""

    owner: Any
    values: dict[str, Any]


def attributes_of(problem: Problem[Any, Any]) -> list[Attributes]:
    """Those of a problem, and of its author's classes."""
    kinds = [kind for kind in type(problem).__mro__ if not is_ours_class(kind)]
    owners = [problem, *kinds] if hasattr(problem, "__dict__") else kinds
    return [Attributes(owner, dict(vars(owner))) for owner in owners]


def check_unchanged_rules(
    problem: Problem[Any, Any],
    before: Iterable[Attributes],
    states: Iterable[Any],
    patience: Patience,
) -> None:
    """Raise if attributes have changed since `before`, and the rules are others by that.

    Counters and what is computed late may change: states are asked with either values.
    """
    changed = [
        (owner, name, value)
        for owner, values in before
        for name, value in values.items()
        if value.__class__ in SIMPLE and vars(owner).get(name) is not value
        if vars(owner).get(name) != value
    ]
    if not changed:
        return
    for state in states:
        if patience.is_over():
            return
        now = _answers(problem, state)
        with _set_back(changed):
            then = _answers(problem, state)
        if now is None or then is None or now == then:
            continue
        _, name, value = changed[0]
        law, method = ("successors",) * 2 if now[0] == then[0] else ("goals", "is_goal")
        found = (
            f"{name} has changed while searching, from {short(value)} to "
            f"{short(getattr(problem, name, None))}, and {method} says something else of "
            f"{short(state)}"
        )
        raise broken(problem, law, found, method)


def _answers(problem: Problem[Any, Any], state: Any) -> tuple[bool, list[Any]] | None:
    with suppress(Exception):
        steps = steps_of(problem, state, most=1000)
        return is_goal(problem, state), [(step.key, step.cost) for step in steps]
    return None


@contextmanager
def _set_back(changed: Iterable[Attribute]) -> Iterator[None]:
    """Set attributes back for a moment."""
    now = [(owner, name, vars(owner).get(name)) for owner, name, _ in changed]
    try:
        _set(changed)
        yield
    finally:
        _set(now)


def _set(attributes: Iterable[Attribute]) -> None:
    for owner, name, value in attributes:
        if isinstance(owner, type):
            setattr(owner, name, value)
        else:
            object.__setattr__(owner, name, value)
