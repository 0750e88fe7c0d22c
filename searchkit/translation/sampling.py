"""Some states of an ordinary problem: what its types and layouts are made of."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from searchkit.authors.user_code import short
from searchkit.problem import Problem
from searchkit.running.overdue import in_passing
from searchkit.translation.types import (
    MOST_CELLS,
    Atoms,
    Bits,
    Seq,
    Type,
    Unfit,
    items_of,
    names_of,
    parts_of,
    type_of,
)

LONG_WALK = 50_000
"""How long a walk may be that looks for a state where such a part holds something."""
Part = tuple[int, ...]
"""A part of a state, by the numbers of items from the outermost to the innermost."""


def always_empty(values: Sequence[Any]) -> list[Part]:
    """The parts of some values that are empty in all of them. O(their parts)."""
    return list(_always_empty(values, ()))


def _always_empty(values: Sequence[Any], part: Part) -> Iterator[Part]:
    kinds = set(map(type, values))
    if len(kinds) != 1:
        return
    (kind,) = kinds
    if kind in (tuple, frozenset, str):
        lengths = set(map(len, values))
        if lengths == {0}:
            yield part
        if kind is not tuple or len(lengths) > 1:
            return
    elif names_of(kind) is None:
        return
    for i, column in enumerate(zip(*map(items_of, values), strict=True)):
        yield from _always_empty(column, (*part, i))


def part_of(value: Any, part: Part) -> Any:
    """A part of a value."""
    for each in part:
        value = items_of(value)[each]
    return value


def written(value: Any, part: Part) -> str:
    """A part of a state as rules write it."""
    name = "state"
    for each in part:
        names = names_of(type(value))
        name += f".{names[each]}" if names else f"[{each}]"
        value = items_of(value)[each]
    return name


def fuller_states(
    states: Sequence[Any], children: Callable[[Any], list[Any]], is_late: Callable[[], bool]
) -> Iterator[Any]:
    """States where something is that was empty in all of `states`, met on a long walk at random.

    `children` lists those of a state. O(`LONG_WALK` expansions), unless it `is_late` before.
    """
    empty, choose, state = always_empty(states), Random(2), states[0]
    for _ in range(LONG_WALK if empty else 0):
        found = children(state)
        if not empty or not found or is_late():
            return
        for each in found:
            try:
                rest = [part for part in empty if not len(part_of(each, part))]
            except (TypeError, IndexError):  # of another shape than those before
                return
            if len(rest) < len(empty):
                yield each
                empty = rest
        state = choose.choice(found)


NEAR, NEAR_CHILDREN = 500, 3000
"""How many states next to the starts are expanded, until they had how many children, ..."""
WALKS, STEPS = 10, 100
"""... and on how many walks away from them, of how many steps, ..."""
SETTLED, QUIET = 50, 2
"""... or until so many expansions, and then walks, have not changed the type of all states, where
none may grow: a longer row, or another member of a set, has everything compiled again, ..."""
CHILDREN = 10_000
"""... until all together had so many. Who has more states than these gets more room later."""
LOOK = 5
"""At every fifth step a walk ends if no layout has room for its state, and before if it is too long
at sight: what doubles at each step would fill the memory."""
FULLER_STEPS = 20
"""How many steps a walk has that begins where something is that was always empty before."""
MOST_STATES, LEAST_STATES = 4000, 50
MOST_TEXT = 1_200_000
"""How many states are kept: fewer where they are large, by the length of their texts."""
MOST_STEPS = 10_000
SECONDS = 1.0
"""For so long at most: rules may be slow."""
KEPT_STEPS = 4000
"""How many steps are kept: thousands more would have Python look for garbage in all its memory."""


Steps = Sequence[Any]
"""Those out of a state, as its rules give them."""


class States(NamedTuple):
    """Some states of a problem, each once.

    `expanded` has the steps of those whose successors were asked first. `are_all` says that there
    are no others. `reached` says how many states had been met once each of the first was expanded.
    """

    states: list[Any]
    expanded: dict[Any, Steps]
    are_all: bool
    reached: Sequence[int] = ()

    def nearest(self, count: int) -> States | None:
        """Those that were met with the first `count` expansions; None if these are all."""
        if len(self.reached) < count or self.reached[count - 1] == len(self.states):
            return None
        expanded = {each: self.expanded[each] for each in self.states[:count]
                    if each in self.expanded}  # fmt: skip
        states = self.states[: self.reached[count - 1]]
        return States(states, expanded, are_all=False, reached=self.reached[:count])


def sampled(
    problem: Problem[Any, Any], starts: Iterable[Any], method: str = "successors",
    *, thorough: bool = True,
) -> States:  # fmt: skip
    """Gives states next to the starts, and on some walks at random, the same in every run.

    `method` is that of the problem which lists the steps. Goals are expanded, too, but not those of
    which the rules raise an error, or do not answer. Unless `thorough`, it ends soon once all
    states are of one type. Raises `Unfit` for very many steps.
    """
    kind: Type | None = None
    began = time.monotonic()
    met = dict.fromkeys(starts)
    todo = list(met)
    length = max((len(short(each, MOST_TEXT)) for each in todo[:1]), default=1)
    most = min(MOST_STATES, max(LEAST_STATES, MOST_TEXT // length))
    asked = _Asked(problem, method)

    def children(state: Any) -> list[Any]:
        found = asked.children(state)
        count = len(met)
        if count < most:
            for each in found:
                met.setdefault(each)
                if len(met) > count:
                    todo.append(each)
                    count += 1
        return found

    def is_late() -> bool:
        return time.monotonic() - began > SECONDS

    def is_settled() -> bool:
        nonlocal kind
        before, kind = kind, None if thorough else _type_of(met)
        return kind is not None and kind == before and not _may_grow(kind)

    number, reached = 0, []
    for number, state in enumerate(todo):  # grows as it goes
        if number >= NEAR or asked.steps >= NEAR_CHILDREN or is_late() or _is_too_long(state):
            break
        if number % SETTLED == SETTLED - 1 and is_settled():
            break
        children(state)
        reached.append(len(met))
    else:
        return States(list(met), asked.kept, len(met) < most, reached)
    choose, quiet = Random(1), 0
    for walk in range(WALKS):
        if quiet == QUIET or is_late():
            break
        state = todo[choose.randrange(len(todo))] if walk else todo[number - 1]
        for step in range(STEPS):
            is_end = _is_too_long(state) or (step % LOOK == 0 and _type_of([state]) is None)
            found = [] if is_end else children(state)
            if not found or asked.steps >= CHILDREN or is_late():
                break
            state = choose.choice(found)
        quiet = quiet + 1 if is_settled() else 0
    began = time.monotonic()
    for fuller in list(fuller_states(list(met), asked.listed, is_late)):
        state = fuller
        met.setdefault(state)
        for _ in range(FULLER_STEPS):  # where what it holds may become more
            found = asked.children(state)
            met |= dict.fromkeys(found)
            if not found or not _type_of([state]):
                break
            state = choose.choice(found)
    return States(list(met), asked.kept, are_all=False, reached=reached)


class _Asked:
    """What lists steps, with those of the states for which it was asked first."""

    steps = 0

    def __init__(self, problem: Problem[Any, Any], method: str) -> None:
        self._problem, self._method = problem, method
        self.kept: dict[Any, Steps] = {}

    def _given(self, state: Any) -> list[Any]:
        """Steps out of a state; `GivenUpError` where the rules do not answer."""
        with in_passing(self._problem):
            return list(islice(getattr(self._problem, self._method)(state), MOST_STEPS))

    def listed(self, state: Any) -> list[Any]:
        """The states that steps lead to, of which nothing is kept; none where rules fail."""
        try:
            return [step[1] for step in self._given(state)]
        except Exception:
            return []

    def children(self, state: Any) -> list[Any]:
        """The states that steps lead to; `Unfit` for very many."""
        steps = self.kept.get(state)  # walks come back
        try:
            steps = steps or self._given(state)
            found = [after for _, after, _ in steps]
        except Exception:  # where the search may never come; if it does, it says so itself
            return []
        if len(found) == MOST_STEPS:
            raise Unfit(f"from {short(state, 60)} lead more than {MOST_STEPS} steps")
        if self.steps < KEPT_STEPS:
            self.kept[state] = steps
        self.steps += len(steps)
        return found


def _is_too_long(state: Any) -> bool:
    """Whether no layout has room for a state, as its length alone says. O(1)."""
    return isinstance(state, (tuple, str)) and len(state) > MOST_CELLS


def _may_grow(kind: Type) -> bool:
    """Whether further states may hold more items, or members, than all those of a type."""
    is_open = isinstance(kind, Bits) or (isinstance(kind, Seq) and not kind.is_fixed)
    return is_open or any(map(_may_grow, parts_of(kind)))


def _type_of(states: Iterable[Any]) -> Type | None:
    """The type of some states, if they have one that is not too large."""
    try:
        found = type_of(list(states), Atoms(), words=False)
    except Unfit:
        return None
    return found if found.cells <= MOST_CELLS else None
