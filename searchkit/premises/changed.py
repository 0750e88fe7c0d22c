"""What rules may depend on besides states, and what changes while they are searched."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from types import CellType, FunctionType, ModuleType
from typing import Any, NamedTuple

from searchkit.authors.blame import is_ours_class
from searchkit.authors.kin import Kin
from searchkit.authors.user_code import short
from searchkit.premises.asking import is_goal, steps_of
from searchkit.premises.kinds import broken
from searchkit.premises.patience import Patience
from searchkit.problem import Problem

SIMPLE = frozenset((bool, int, float, str, tuple, frozenset, type(None)))
"""Values that cannot change themselves."""
CONTAINERS = (list, dict, set, bytearray)
MOST_ITEMS = 1 << 12
"""Of the containers of one puzzle that are looked at: what was in them before the search is kept;
..."""
MOST_BYTES = 1 << 16
"""... and of an array."""
MOST_STATES = 1024
"""How many are asked with the values of before, in containers too."""

TIMES = 32
"""How often one is asked whose answer differs: what is drawn at random may be the same twice."""

MISSING = object()
"""What an object had where it has what its class has."""

Answers = tuple[bool, list[Any]]
"""Whether a state is a goal, and the keys and costs of the steps out of it."""


class Value(NamedTuple):
    """Something that rules may read, and what it was before the search."""

    owner: Any
    """The problem, a class, an object that it has, a cell of a closure, or a dict of globals."""
    name: str
    before: Any
    """Of a container, a copy."""
    container: Any = None
    inner: Sequence[tuple[Any, Any]] = ()
    """The containers that it holds, each with a copy."""

    def now(self) -> Any:
        """What it is now; of a container, itself."""
        if self.container is not None:
            return self.container
        if isinstance(self.owner, CellType):
            return self.owner.cell_contents
        names = self.owner if isinstance(self.owner, dict) else vars(self.owner)
        return names.get(self.name, MISSING)

    def noted(self) -> Value:
        """The same, and what it is by now for `before`."""
        if self.container is None:
            return self._replace(before=self.now())
        return _held(self.owner, self.name, self.container)

    def has_changed(self) -> bool:
        """Whether it is another one now, or holds something else."""
        container = self.container
        if container is None:
            return bool(self.now() != self.before)
        if container.__class__ not in CONTAINERS:
            return bool(container.tobytes() != self.before.tobytes())
        return container != self.before or any(each != copy for each, copy in self.inner)

    def put_back(self) -> None:
        """Make it what it was before."""
        owner, name, value = self.owner, self.name, self.before
        if self.container is not None:
            for container, copy in ((self.container, value), *self.inner):
                _fill(container, copy)
        elif isinstance(owner, CellType):
            owner.cell_contents = value
        elif isinstance(owner, dict):
            owner[name] = value
        elif isinstance(owner, type):
            setattr(owner, name, value)
        elif value is not MISSING:
            object.__setattr__(owner, name, value)
        elif name in vars(owner):
            object.__delattr__(owner, name)

    def texts(self) -> tuple[str, str]:
        """What it was before, and what it is now."""
        for container, copy in self.inner:
            if container != copy:
                return short(copy), short(container)
        before = self.before
        if before is MISSING:
            before = getattr(type(self.owner), self.name, None)
        return short(before), short(self.now())


def _fill(container: Any, content: Any) -> None:
    """Make a container, or an array, hold this."""
    if container.__class__ not in CONTAINERS:
        container[...] = content
        return
    container.clear()
    if isinstance(container, (dict, set)):
        container.update(content)
    else:
        container.extend(content)


def values_of(problem: Problem[Any, Any], kin: Kin | None = None) -> list[Value]:
    """Gives the values that an author's rules may read: simple ones, and what holds such.

    Attributes of the problem, of objects of its author's that it has, and of its classes; and what
    their methods, and functions that these name, have for globals, in closures and for defaults.
    What classes and functions have is as it was for its `kin`, if these are known. O(names).
    """
    kinds = [kind for kind in type(problem).__mro__ if not is_ours_class(kind)]
    packages = {kind.__module__.partition(".")[0] for kind in kinds}
    own = _values_in([problem], packages) if hasattr(problem, "__dict__") else []
    if kin is None or kin.is_shared:
        return own + _values_in(kinds, packages)
    for value in kin.note("values", lambda: _values_in(kinds, packages)):
        own.append(value if value.container is None else value.noted())
    return own


def _values_in(owners: list[Any], packages: Collection[str]) -> list[Value]:
    """What objects and classes have, and what is read by what they have."""
    found = [each for owner in owners for each in _attributes(owner)]
    values: list[Value] = []
    seen, room = {id(owner) for owner in owners}, MOST_ITEMS
    for owner, name, value in found:  # grows as it goes
        kind = value.__class__
        if kind in SIMPLE or value is MISSING:
            values.append(Value(owner, name, value))
            if kind is not tuple or SIMPLE.issuperset(map(type, value)):
                continue
        if id(value) in seen:
            continue
        seen.add(id(value))
        if kind is tuple:  # which stays as it is, but for what it holds
            found += ((None, name, each) for each in value if each.__class__ in CONTAINERS)
        elif kind in CONTAINERS:
            size = _size(value) if len(value) <= room else room + 1
            if size <= room and _is_plain(value, 2):
                values.append(_held(owner, name, value))
                room -= size
        elif kind is FunctionType:
            module = value.__module__ or ""
            if any(owner is each for each in owners) or module.partition(".")[0] in packages:
                found += _read_by(value)
        elif _is_of_author(value, packages):
            found += _attributes(value)
        elif _is_array(value) and value.nbytes <= MOST_BYTES and value.flags.writeable:
            values.append(_held(owner, name, value))
    return values


def _size(container: Any) -> int:
    """How many things are in a container, and in those that it holds."""
    items = container.values() if container.__class__ is dict else container
    return len(container) + sum(len(item) for item in items if item.__class__ in CONTAINERS)


def _held(owner: Any, name: str, container: Any) -> Value:
    """A container, or an array, and what it holds."""
    kind, inner = container.__class__, []
    if kind in CONTAINERS:
        items = container.values() if kind is dict else container
        inner = [(each, each.copy()) for each in items if each.__class__ in CONTAINERS]
    return Value(owner, name, container.copy(), container, inner)


def _attributes(owner: Any) -> Iterator[tuple[Any, str, Any]]:
    """What an object or a class has, and what an object may be given in place of its class's."""
    own, kind = vars(owner), owner.__class__
    for name, value in own.items():
        yield owner, name, value
    if not isinstance(owner, type):
        for name in _simple_names(kind):
            if name not in own:
                yield owner, name, MISSING


@lru_cache(maxsize=64)
def _simple_names(kind: type) -> tuple[str, ...]:
    """The names of simple values that a class has."""
    names = {
        name: None
        for each in kind.__mro__
        if not is_ours_class(each)
        for name, value in vars(each).items()
        if value.__class__ in SIMPLE and not name.startswith("__")
    }
    return tuple(names)


def _read_by(function: FunctionType) -> Iterator[tuple[Any, str, Any]]:
    """The globals that a function names, what it has from around it, and for defaults."""
    given, code = function.__globals__, function.__code__
    yield from ((given, name, given[name]) for name in code.co_names if name in given)
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # it is empty
            yield cell, name, cell.cell_contents
    for each in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
        if each.__class__ in CONTAINERS:
            yield None, "a default", each


def _is_of_author(value: Any, packages: Collection[str]) -> bool:
    """Whether a value is an object of a class that was written with the rules."""
    kind = value.__class__
    return (
        kind.__module__.partition(".")[0] in packages
        and not isinstance(value, (type, ModuleType))
        and hasattr(value, "__dict__")
    )


def _is_array(value: Any) -> bool:
    """Whether a value is an array of numpy's, whose numbers may change."""
    return hasattr(value, "nbytes") and hasattr(value, "tobytes") and hasattr(value, "flags")


def _is_plain(container: Any, depth: int = 1) -> bool:
    """Whether a container holds simple values only, or containers of such, `depth` in all."""
    items = container.values() if container.__class__ is dict else container
    if SIMPLE.issuperset(map(type, items)):
        return True
    return depth > 1 and all(
        _is_plain(item, depth - 1) if item.__class__ in CONTAINERS else item.__class__ in SIMPLE
        for item in items
    )


def _holds_no_more(value: Value) -> bool:
    """Whether a container holds nothing of another kind than before."""
    if _is_array(value.container):
        return True
    return _is_plain(value.container, 1 if _is_plain(value.before) else 2)


def check_unchanged_rules(
    problem: Problem[Any, Any], before: Iterable[Value], states: Iterable[Any], patience: Patience
) -> None:
    """Raise if values have changed since `before`, and the rules are others by that.

    Counters and what is computed late may change: states are asked with either values. Of
    containers, which may hold what was drawn at random, or numbers of states, it must be the number
    of steps that differs, or the costs, and be the same whenever they are set back. One that others
    fill with their objects is left alone: rules may wait for what is in it.
    """
    changed = [value for value in before if value.has_changed()]
    simple = [value for value in changed if value.container is None]
    held = [value for value in changed if value.container is not None and _holds_no_more(value)]
    changed = simple + held
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
    saved = [value.noted() for value in changed]
    then: list[Answers | None] = []
    patience = patience.again()  # to put back what is large takes longer
    try:
        for state in states[: len(now)]:
            then.append(_answers(problem, state, changed))
            if patience.is_over():
                break
        asked = states[: len(then)]
        if has_containers and then != [_answers(problem, state, changed) for state in asked]:
            return
    finally:
        for value in saved:
            value.put_back()
    for state, one, other in zip(states, now, then, strict=False):
        if one is None or other is None or one == other:
            continue
        if has_containers and _counts(one) == _counts(other):
            continue
        if has_containers and not _is_always(problem, state, changed, other):
            return
        raise _other_rules(problem, changed[0], state, is_goal=one[1] == other[1])


def _is_always(
    problem: Problem[Any, Any], state: Any, changed: list[Value], answers: Answers
) -> bool:
    """Whether the answers are the same each time that values are set back."""
    saved = [value.noted() for value in changed]
    try:
        return all(_answers(problem, state, changed) == answers for _ in range(TIMES))
    finally:
        for value in saved:
            value.put_back()


def _other_rules(
    problem: Problem[Any, Any], value: Value, state: Any, *, is_goal: bool
) -> Exception:
    law, method = ("goals", "is_goal") if is_goal else ("successors",) * 2
    before, now = value.texts()
    found = (
        f"{value.name} has changed while searching, from {before} to {now}, "
        f"and {method} says something else of {short(state)}"
    )
    return broken(problem, law, found, method)


def _answers(
    problem: Problem[Any, Any], state: Any, before: Iterable[Value] = ()
) -> Answers | None:
    """What is said of a state, with values set back first; None if that fails."""
    for value in before:
        value.put_back()
    with suppress(Exception):
        steps = steps_of(problem, state, most=1000)
        return is_goal(problem, state), [(step.key, step.cost) for step in steps]
    return None


def _counts(answers: Answers) -> tuple[bool, list[Any]]:
    return answers[0], sorted(cost for _, cost in answers[1])
