"""Why a start is probably unsolvable: a sum that was the same after each step that was looked at.

Of rules in plain Python nothing is known but what they do. So steps are looked at on random walks,
and what they change of the parts of a state: items, fields, members, bits. A sum that half of the
steps leave as it is, and by which the goals differ from the start, is tried on the other half. That
is no proof, and is never taken for one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from time import process_time
from typing import Any

import attrs

from searchkit.capabilities import HasGoalStates
from searchkit.invariants.finding import Arrays, Change, Finder
from searchkit.problem import Problem

MOST_STEPS, FEWEST_STEPS = 10_000, 400
SECONDS = 0.2
"""How much processor time the steps may take; what is found of them takes less."""
WALK = 500
MOST_GOALS = 64
MOST_VALUES = 64
"""A number that has more is looked at bit by bit."""
WHOLE = "the state"


def hint(
    problem: Problem[Any, Any], starts: Sequence[Any], *, seconds: float = SECONDS
) -> str | None:
    """Why there is probably no solution, in one line; None where nothing says so.

    The goals must be listed, or be what `is_goal` compares a state with.

    >>> from searchkit import Problem, Step
    >>> from searchkit.invariants.seen import hint
    >>> class Swaps(Problem):
    ...     def initial_states(self):
    ...         return ["bacde"]
    ...     def successors(self, state):
    ...         for i in range(3):  # three letters go round
    ...             a, b, c = state[i : i + 3]
    ...             yield Step(i, state[:i] + b + c + a + state[i + 3 :])
    ...     def is_goal(self, state):
    ...         return state == "abcde"
    >>> print(hint(Swaps(), ["bacde"]))  # doctest: +ELLIPSIS
    the parity of the order of the state was the same after each of ... steps that were ...
    """
    goals = goals_of(problem, starts)
    if not goals or not starts:
        return None
    steps: list[tuple[Any, Any]] = list(_steps(problem, starts, seconds))
    if len(steps) < FEWEST_STEPS:
        return None
    views = _Views(steps, [*starts, *goals])
    changes = [views.change(before, after) for before, after in steps]
    first = views.at(starts[0])
    arrays = views.arrays(changes, first)
    half = Finder.of(changes[::2], arrays)
    rest = [arrays.difference(change) for change in changes[1::2]]
    told: dict[str, None] = {}
    for start in starts:
        for goal in goals:
            found = half.tell(*arrays.between(views.at(start), views.at(goal)), all_seen=True)
            if found is None or not all(map(found.keeps, rest)):
                return None
            words = found.told(WHOLE)
            told[words + "," * ("," in words)] = None
    return (
        f"{' or '.join(told)} was the same after each of {len(steps):,} steps that were looked at, "
        f"and is another at {'the goal' if len(goals) == 1 else 'each goal'}: probably there is no "
        "solution"
    )


def goals_of(problem: Problem[Any, Any], starts: Sequence[Any]) -> list[Any]:
    """The listed goals, or what `is_goal` compares the first start with; none if they are many."""
    if isinstance(problem, HasGoalStates):
        listed = list(islice(problem.goal_states(), MOST_GOALS + 1))
        return listed if len(listed) <= MOST_GOALS else []
    found = [each for state in starts[:1] for each in _compared(problem, state)]
    return [each for each in found[:MOST_GOALS] if problem.is_goal(each)]


def _compared(problem: Problem[Any, Any], state: Any) -> list[Any]:
    """Values of its own type with which `is_goal` compares a state, itself, as `==` does."""
    kind, others = type(state), list[Any]()
    if not isinstance(state, (tuple, str, bytes, int, frozenset)) or kind is bool:
        return []

    def equal(self: Any, other: Any) -> bool:
        if type(other) is kind:
            others.append(other)
        return False

    members = {"__eq__": equal, "__hash__": kind.__hash__}
    try:
        asked = kind.__new__(type(kind.__name__, (kind,), members), *_arguments(state))
        problem.is_goal(asked)
    except Exception:  # rules that ask for something else
        return []
    return others


def _arguments(state: Any) -> tuple[Any, ...]:
    return tuple(state) if hasattr(state, "_fields") else (state,)


def _steps(
    problem: Problem[Any, Any], starts: Sequence[Any], seconds: float
) -> Iterator[tuple[Any, Any]]:
    """The steps out of the states on random walks, the same each time but for their number."""
    rng, ends, count = random.Random(0), process_time() + seconds, 0
    while count < MOST_STEPS:
        state = rng.choice(starts)
        for _ in range(WALK):
            steps = islice(problem.successors(state), MOST_STEPS)  # they may have no end
            children = [step[1] for step in map(tuple, steps)]
            if not children or count >= MOST_STEPS:
                break
            for child in children:
                yield state, child
            count += len(children)
            state = rng.choice(children)
        count += 1  # where a walk has no step
        if process_time() > ends:
            return


class _Views:
    """The states of a sample as values at places, all in the same way."""

    def __init__(self, steps: Sequence[tuple[Any, Any]], others: Sequence[Any]) -> None:
        self._states = [*(state for step in steps for state in step), *others]  # whose ids last
        self._known: dict[int, dict[Any, Any]] = {}
        self._sequences: dict[str, list[str]] = {}
        values: dict[Any, set[Any]] = {}
        for state in self._states:
            if id(state) not in self._known:
                self._known[id(state)] = view = dict(_places(state, "", self._sequences))
                for place, value in view.items():
                    if type(value) is int and len(values.setdefault(place, set())) <= MOST_VALUES:
                        values[place].add(value)
        self._wide = {place for place, each in values.items() if len(each) > MOST_VALUES}

    def at(self, state: Any) -> dict[Any, Any]:
        """The values of a state of the sample."""
        return self._split(self._known[id(state)])

    def change(self, before: Any, after: Any) -> Change:
        """What a step changes, at these places alone."""
        one, other = self._known[id(before)], self._known[id(after)]
        places = [place for place in {**one, **other} if one.get(place) != other.get(place)]
        return Change.of(
            self._split({place: one.get(place) for place in places}),
            self._split({place: other.get(place) for place in places}),
        )

    def _split(self, view: Mapping[Any, Any]) -> dict[Any, Any]:
        """The same with wide numbers as bits."""
        found: dict[Any, Any] = {}
        for place, value in view.items():
            if place in self._wide and type(value) is int and value >= 0:
                found |= {(place, i): 1 for i in range(value.bit_length()) if value >> i & 1}
            else:
                found[place] = value
        return found

    def arrays(self, changes: Sequence[Change], start: Mapping[Any, Any]) -> Arrays:
        """The sequences whose values are all different, and were the same after each step."""
        found = {}
        for name, places in self._sequences.items():
            own = [start.get(place) for place in places]
            if len(own) > 1 and None not in own and len(set(own)) == len(own):
                found[name or WHOLE] = places
        whose = {place: name for name, places in found.items() for place in places}
        for change in changes:
            for name in {whose[place] for place in change.after if place in whose}:
                own = [place for place in change.after if whose.get(place) == name]
                if {change.before.get(n) for n in own} != {change.after[n] for n in own}:
                    found.pop(name, None)
        return Arrays(found)


def _places(value: Any, at: str, sequences: dict[str, list[str]]) -> Iterator[tuple[Any, Any]]:
    """The parts of a value that are looked at one by one, by where they are."""
    if isinstance(value, (tuple, list)) or (isinstance(value, (str, bytes)) and len(value) > 1):
        names = sequences.get(at, ())
        if len(names) < len(value):
            names = sequences[at] = [f"{at}[{i}]" for i in range(len(value))]
        for name, each in zip(names, value, strict=False):
            if type(each) is int:
                yield name, each
            else:
                yield from _places(each, name, sequences)
    elif isinstance(value, (set, frozenset)):
        yield from (((at, "has", each), 1) for each in value)
    elif isinstance(value, dict):
        yield from (((at, key), each) for key, each in value.items())
    elif attrs.has(type(value)) or hasattr(value, "__dataclass_fields__"):
        fields = getattr(value, "__dataclass_fields__", None) or attrs.fields_dict(type(value))
        for name in fields:
            yield from _places(getattr(value, name), f"{at}.{name}", sequences)
    else:
        yield at, value
