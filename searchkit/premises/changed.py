"""What rules may depend on besides states, and what changes while they are searched."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from types import CellType, FunctionType
from typing import Any, NamedTuple

from searchkit.authors.blame import is_ours_class
from searchkit.authors.kin import Kin
from searchkit.authors.user_code import short
from searchkit.premises.asking import is_goal, steps_of
from searchkit.premises.kinds import broken
from searchkit.premises.patience import Patience
from searchkit.problem import Problem

SIMPLE = (bool, int, float, str, tuple, frozenset, type(None))
"""Values that cannot change themselves."""
CONTAINERS = (list, dict, set)
MOST_ITEMS = 64
"""Of a container that is looked at: what was in it before the search is kept."""
MOST_STATES = 256
"""How many are asked with the values of before, in containers too."""

Answers = tuple[bool, list[Any]]
"""Whether a state is a goal, and the keys and costs of the steps out of it."""


class Value(NamedTuple):
    """Something that rules may read, and what it was before the search."""

    owner: Any
    """The problem, a class, a cell of a closure, or a dict of globals."""
    name: str
    before: Any
    """Of a container, a copy."""
    container: Any = None

    def now(self) -> Any:
        """What it is now; of a container, itself."""
        if self.container is not None:
            return self.container
        if isinstance(self.owner, CellType):
            return self.owner.cell_contents
        names = self.owner if isinstance(self.owner, dict) else vars(self.owner)
        return names.get(self.name)

    def put(self, value: Any) -> None:
        """Make it another one."""
        owner, name = self.owner, self.name
        if self.container is not None:
            self.container.clear()
            (self.container.extend if isinstance(value, list) else self.container.update)(value)
        elif isinstance(owner, CellType):
            owner.cell_contents = value
        elif isinstance(owner, dict):
            owner[name] = value
        elif isinstance(owner, type):
            setattr(owner, name, value)
        else:
            object.__setattr__(owner, name, value)


def values_of(problem: Problem[Any, Any], kin: Kin | None = None) -> list[Value]:
    """Gives the values that an author's rules may read: simple ones, and small containers of such.

    Attributes of the problem and of its classes, and what their methods have for globals and in
    closures. The last two are as they were for its `kin`, if these are known. O(names).
    """
    own = _values_in([problem] if hasattr(problem, "__dict__") else [])
    kinds = [kind for kind in type(problem).__mro__ if not is_ours_class(kind)]
    if kin is None or kin.is_shared:
        return own + _values_in(kinds)
    for value in kin.note("values", lambda: _values_in(kinds)):
        inner = value.container
        own.append(value if inner is None else value._replace(before=inner.copy()))
    return own


def _values_in(owners: list[Any]) -> list[Value]:
    found: list[tuple[Any, str, Any]] = [
        (owner, name, value) for owner in owners for name, value in vars(owner).items()
    ]
    for method in [value for _, _, value in found if value.__class__ is FunctionType]:
        code, given = method.__code__, method.__globals__
        found += ((given, name, given[name]) for name in code.co_names if name in given)
        for name, cell in zip(code.co_freevars, method.__closure__ or (), strict=True):
            with suppress(ValueError):  # it is empty
                found.append((cell, name, cell.cell_contents))
    values = []
    for owner, name, value in found:
        if value.__class__ in SIMPLE:
            values.append(Value(owner, name, value))
        elif value.__class__ in CONTAINERS and len(value) <= MOST_ITEMS and _holds_simple(value):
            values.append(Value(owner, name, value.copy(), value))
    return values


def _holds_simple(container: Any) -> bool:
    items = container.values() if container.__class__ is dict else container
    return all(item.__class__ in SIMPLE for item in items)


def check_unchanged_rules(
    problem: Problem[Any, Any], before: Iterable[Value], states: Iterable[Any], patience: Patience
) -> None:
    """Raise if values have changed since `before`, and the rules are others by that.

    Counters and what is computed late may change: states are asked with either values. Of
    containers, which may hold what was drawn at random, or numbers of states, it must be the number
    of steps that differs, or the costs, and be the same whenever they are set back. One that others
    fill with their objects is left alone: rules may wait for what is in it.
    """
    changed = [value for value in before if value.now() != value.before]
    simple = [value for value in changed if value.container is None]
    changed = [value for value in changed if value in simple or _holds_simple(value.container)]
    if simple:
        states = list(states)
        _compare(problem, simple, states, patience)
    if len(changed) > len(simple):
        _compare(problem, changed, list(islice(states, MOST_STATES)), patience)


def _compare(
    problem: Problem[Any, Any], changed: list[Value], states: list[Any], patience: Patience
) -> None:
    """Ask states with the values as they are now, and as they were before."""
    has_containers = any(value.container is not None for value in changed)
    now: list[Answers | None] = []
    for state in states:
        now.append(_answers(problem, state))
        if patience.is_over():
            break
    saved = [value.now() if value.container is None else value.now().copy() for value in changed]
    try:
        asked = states[: len(now)]
        then = [_answers(problem, state, changed) for state in asked]
        if has_containers and then != [_answers(problem, state, changed) for state in asked]:
            return
    finally:
        for value, old in zip(changed, saved, strict=True):
            value.put(old)
    for state, one, other in zip(states, now, then, strict=False):
        if one is None or other is None or one == other:
            continue
        if has_containers and _counts(one) == _counts(other):
            continue
        raise _other_rules(problem, changed[0], state, is_goal=one[1] == other[1])


def _other_rules(
    problem: Problem[Any, Any], value: Value, state: Any, *, is_goal: bool
) -> Exception:
    law, method = ("goals", "is_goal") if is_goal else ("successors",) * 2
    found = (
        f"{value.name} has changed while searching, from {short(value.before)} to "
        f"{short(value.now())}, and {method} says something else of {short(state)}"
    )
    return broken(problem, law, found, method)


def _answers(
    problem: Problem[Any, Any], state: Any, before: Iterable[Value] = ()
) -> Answers | None:
    """What is said of a state, with values set back first; None if that fails."""
    for value in before:
        value.put(value.before)
    with suppress(Exception):
        steps = steps_of(problem, state, most=1000)
        return is_goal(problem, state), [(step.key, step.cost) for step in steps]
    return None


def _counts(answers: Answers) -> tuple[bool, list[Any]]:
    return answers[0], sorted(cost for _, cost in answers[1])
