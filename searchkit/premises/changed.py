"""What rules may depend on besides states, and what changes while they are searched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import chain, islice
from types import CellType, MethodType, ModuleType
from typing import Any, NamedTuple

from searchkit.authors.blame import is_ours_class
from searchkit.authors.kin import Kin
from searchkit.authors.reach import (
    PLAIN,
    Place,
    is_authors,
    packages_of,
    places_in,
    reached,
    slots_known,
)
from searchkit.authors.user_code import short
from searchkit.premises.asking import is_goal, steps_of
from searchkit.premises.kinds import broken
from searchkit.premises.patience import Patience
from searchkit.problem import Problem

SIMPLE = frozenset((bool, int, float, str, tuple, frozenset, type(None)))
"""Values that cannot change themselves."""
CONTAINERS = (list, dict, set, bytearray)
_KINDS, _PLAIN_KINDS = SIMPLE.union(CONTAINERS), PLAIN.union(CONTAINERS)
_HELD_KINDS = _KINDS | PLAIN
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
    """An object, a class, a cell of a closure, or a dict of globals."""
    name: str
    before: Any
    """Of a container, a copy."""
    container: Any = None

    @property
    def place(self) -> tuple[int, str, int]:
        """What tells it from others."""
        if self.container is not None:
            return 0, "", id(self.container)
        return id(self.owner), self.name, 0

    def now(self) -> Any:
        """What it is now; of a container, itself."""
        if self.container is not None:
            return self.container
        if isinstance(self.owner, CellType):
            return self.owner.cell_contents
        if isinstance(self.owner, dict):
            return self.owner.get(self.name, MISSING)
        own = getattr(self.owner, "__dict__", {})
        found = own.get(self.name, MISSING)
        if found is not MISSING or self.name not in slots_known(type(self.owner)):  # type: ignore[arg-type]
            return found
        return object.__getattribute__(self.owner, self.name)

    def noted(self) -> Value:
        """The same, and what it is by now for `before`."""
        before = self.now() if self.container is None else self.container.copy()
        return Value(self.owner, self.name, before, self.container)

    def has_changed(self) -> bool:
        """Whether it is another one now, or holds something else."""
        container = self.container
        if container is None:
            return bool(self.now() != self.before)
        if container.__class__ not in CONTAINERS:
            return bool(container.tobytes() != self.before.tobytes())
        return bool(container != self.before)

    def put_back(self) -> None:
        """Make it what it was before."""
        owner, name, value = self.owner, self.name, self.before
        if self.container is not None:
            _fill(self.container, value)
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
    """Gives the values that an author's rules may read: simple ones, and containers of such.

    These are what can be reached (`searchkit.authors.reach`) from the attributes of the problem,
    and of its classes. What is reached from classes is found once for its `kin`, if these are
    known. O(names and items).
    """
    kinds, packages = _written(type(problem).__mro__)
    own = _values_in([problem], packages, by_classes=False)

    def of_classes() -> list[Value]:
        known = {value.place for value in own}
        found = _values_in([problem, *kinds], packages, by_classes=True)
        return [value for value in found if value.place not in known]

    if kin is None:
        return own + of_classes()
    noted = kin.note("values", of_classes)
    return own + [each.noted() if kin.is_shared or each[3] is not None else each for each in noted]


@lru_cache(maxsize=64)
def _written(kinds: tuple[type, ...]) -> tuple[list[type], frozenset[str]]:
    """Those of some classes that are an author's, and their packages."""
    written = [kind for kind in kinds if not is_ours_class(kind)]
    return written, packages_of(written)


def _values_in(owners: list[Any], packages: frozenset[str], *, by_classes: bool) -> list[Value]:
    """What is read from objects and classes, and `by_classes` of objects."""
    kinds = {type(owner) for owner in owners if not isinstance(owner, type)}
    # What was made of an object has a copy of it, most likely.
    copies = [each for owner in owners for each in _held_by(owner) if each.__class__ in kinds]
    owners = [*owners, *({id(each): each for each in copies}.values())]
    values = [Value(*place) for owner in owners for place in _from_class(owner)]
    owned = {id(owner) for owner in owners}
    held, room, whole = owned.copy(), MOST_ITEMS, set[int]()

    def note(owner: Any, name: str, value: Any) -> bool:
        """Note what containers have, all or nothing: rules may read one by another.

        Gives whether they lead nowhere else.
        """
        nonlocal room
        together, is_plain, rest = _together(value, room)
        held.update(map(id, together))
        if rest >= 0:
            new = tuple.__new__  # what `Value` does, without a call of Python
            values.extend([new(Value, (owner, name, each.copy(), each)) for each in together])
            room = rest
        return is_plain

    left = list[Place]()
    """Places that lead to others."""
    for place in chain.from_iterable(map(_roots_in, owners)):
        owner, name, value = place
        kind = value.__class__
        if id(value) in held:
            continue
        if kind is MethodType and id(value.__self__) in owned:
            left.append(Place(owner, name, value.__func__))
        elif name.startswith("__"):  # of Python's
            left.append(place)
        elif kind in CONTAINERS:
            left += [] if note(owner, name, value) else [place]
        elif not (id(value) in whole or _leads_nowhere(value)):
            left.append(place)
        elif kind in SIMPLE:
            whole.add(id(value))
            values.append(Value(owner, name, value))
    for owner, name, value in reached(left, packages, MOST_ITEMS, by_classes=by_classes):
        kind = value.__class__
        if name.startswith("__"):  # of Python's
            continue
        if kind in SIMPLE:
            if owner is not None:
                values.append(Value(owner, name, value))
        elif id(value) in held:
            continue
        elif kind in CONTAINERS:
            note(owner, name, value)
        elif _is_array(value):
            if value.nbytes <= MOST_BYTES and value.flags.writeable:
                values.append(Value(owner, name, value.copy(), value))
        elif not isinstance(value, (type, ModuleType)) and is_authors(kind, packages):
            values += [Value(*place) for place in _from_class(value)]
        held.add(id(value))
    return values


def _held_by(owner: Any) -> Iterable[Any]:
    """The attributes of an object."""
    return () if isinstance(owner, type) else getattr(owner, "__dict__", {}).values()


def _leads_nowhere(value: Any) -> bool:
    """Whether a value leads to nothing that could change."""
    if value.__class__ in PLAIN:
        return True
    if not isinstance(value, tuple) or getattr(value, "__dict__", None):
        return False
    return PLAIN.issuperset(map(type, value)) or all(map(_leads_nowhere, value))


def _roots_in(owner: Any) -> Iterable[Place]:
    """The attributes of a problem, or of a class; not the slots of one whose slots are frozen."""
    kind: Any = type(owner)
    if isinstance(owner, type) or kind.__setattr__ is object.__setattr__:
        return places_in(owner)
    return [Place(owner, name, value) for name, value in getattr(owner, "__dict__", {}).items()]


def _from_class(owner: Any) -> Iterator[Place]:
    """What an object may be given in place of its class's."""
    own = getattr(owner, "__dict__", None)
    if own is not None and not isinstance(owner, type):
        for name in _simple_names(owner.__class__):
            if name not in own:
                yield Place(owner, name, MISSING)


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


def _is_array(value: Any) -> bool:
    """Whether a value is an array of numpy's, whose numbers may change."""
    kind = type(value)  # objects may answer to every name by `__getattr__`
    return hasattr(kind, "nbytes") and hasattr(kind, "tobytes") and hasattr(kind, "flags")


def _items_of(container: Any) -> Any:
    return container.values() if container.__class__ is dict else container


def _together(container: Any, room: int) -> tuple[list[Any], bool, int]:
    """A container and those that it holds; whether there is room, and they lead nowhere else.

    And how much room is left, less than 0 if it is too little. There are none where it holds other
    objects: those that it holds besides are taken alone.
    """
    found, level, is_plain = list[Any](), [container], True
    seen = {id(container)}
    while level:
        found += level
        items = [*chain.from_iterable(map(_items_of, level))]
        room -= len(items)
        kinds = set(map(type, items))
        if PLAIN.issuperset(kinds) and room >= 0:
            break
        inner = [item for item in items if item.__class__ in CONTAINERS]
        if room < 0:
            return found + inner, False, room
        if not _HELD_KINDS.issuperset(kinds):
            return [], False, -1
        is_plain = is_plain and (
            _PLAIN_KINDS.issuperset(kinds)
            or all(_leads_nowhere(item) for item in items if item.__class__ not in CONTAINERS)
        )
        level = [*{id(item): item for item in inner if id(item) not in seen}.values()]
        seen.update(map(id, level))
    return found, is_plain, room


def _holds_no_more(value: Value) -> bool:
    """Whether a container holds nothing of another kind than before."""
    if _is_array(value.container):
        return True
    before, now = (set(map(type, _items_of(each))) for each in (value.before, value.container))
    return now <= (SIMPLE if before <= SIMPLE else _KINDS)


def check_unchanged_rules(
    problem: Problem[Any, Any], before: Iterable[Value], states: Iterable[Any], patience: Patience
) -> None:
    """Raise if values have changed since `before`, and the rules are others by that.

    Counters and what is computed late may change: states are asked with either values. Of
    containers, which may hold what was drawn at random, or numbers of states, it must be the number
    of steps that differs, or the costs, and be the same whenever they are set back. One that others
    fill with their objects is left alone: rules may wait for what is in it.
    """
    changed = []
    for value in before:
        of, name, was, container = value
        if container is None:  # most are globals, and those of classes: here, they cost little
            space = of if of.__class__ is dict else vars(of) if isinstance(of, type) else {}
            if space.get(name, value) is was:
                continue
        if value.has_changed():
            changed.append(value)
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
