"""Some solution of rules in plain Python whose steps are permutations, like turns of a side.

Where each step puts what lies in the parts of a state at other places, always in the same way, the
state is that of a puzzle of pieces, and words of moves lead to its goal: see `searchkit.pieces`.
Colours that are the same are told apart by those that always move with them, as the three stickers
of a corner do.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from random import Random
from typing import Any

from searchkit.pieces import Change, Definition, Move, Orbit
from searchkit.pieces.changes import order
from searchkit.pieces.definition import Power
from searchkit.pieces.factors import MOST_POINTS, words_between
from searchkit.pieces.layout import Layout
from searchkit.problem import Problem
from searchkit.solutions.from_parents import without_loops

WALK = 256
"""How many states, at most, are looked at for what the steps do."""

Sources = tuple[int, ...]
"""By place: the place from which comes what lies there after a step."""


def way_by_motions(
    rules: Problem[Any, Any], start: Any, goal: Any
) -> Generator[None, None, list[Any] | None]:
    """The states from a start to a goal; None where steps are no permutations, or there is no way.

    Time and memory as for words of a puzzle of pieces with as many places as the state has parts.
    """
    steps = _motions(rules, start)
    yield
    if steps is None:
        return None
    homes = _homes(steps, parts_of(start), parts_of(goal))
    if homes is None:
        return None
    names = {f"m{i}": each for i, each in enumerate(dict.fromkeys(steps))}
    moves = [Move(name, {"places": Change(each)}) for name, each in names.items()]
    layout = Layout(Definition("rules", [Orbit("places", len(homes))], moves, powers=False))
    pattern = (tuple((home, 0) for home in homes),)
    solved = (tuple((place, 0) for place in range(len(homes))),)
    best: Sequence[int] | None = None
    for word in words_between(layout, pattern, solved):
        if word is not None and (best is None or len(word) < len(best)):
            best = word
        yield
    if best is None:
        return None
    turns = [each for operator in best for each in _as_listed(layout.steps[operator], steps, names)]
    way = [start]
    for turn in turns:
        listed = [step[1] for step in rules.successors(way[-1])]
        if turn >= len(listed):
            return None
        way.append(listed[turn])
    return [way[i] for i in without_loops(way)] if rules.is_goal(way[-1]) else None


def parts_of(state: Any) -> list[Any]:
    """All parts of a state of tuples and texts, from first to last."""
    if isinstance(state, tuple):
        return [part for each in state for part in parts_of(each)]
    return list(state) if isinstance(state, str) else [state]


def _motions(rules: Problem[Any, Any], state: Any) -> list[Sources] | None:
    """What each step does, by its number among those of a state; None if that is none."""
    count = len(parts_of(state))
    if not 2 < count <= MOST_POINTS:
        return None
    choose = Random(0)
    left = [[set(range(count)) for _ in range(count)] for _ in rules.successors(state)]
    for _ in range(WALK):
        parts, listed = parts_of(state), [step[1] for step in rules.successors(state)]
        places: dict[Any, set[int]] = {}
        for i, each in enumerate(parts):
            places.setdefault(each, set()).add(i)
        if not listed or len(listed) != len(left):
            return None
        for rows, child in zip(left, listed, strict=True):
            after = parts_of(child)
            if len(after) != count:
                return None
            for row, each in zip(rows, after, strict=True):
                row.intersection_update(places.get(each, ()))
            if not all(rows):
                return None
        if all(len(row) == 1 for rows in left for row in rows):
            found = [tuple(min(row) for row in rows) for rows in left]
            return found if all(len(set(each)) == count for each in found) else None
        state = choose.choice(listed)
    return None


def _homes(steps: Sequence[Sources], start: list[Any], goal: list[Any]) -> list[int] | None:
    """Where what lies in each place of the start belongs; None where that cannot be told."""
    count, group = len(start), [-1] * len(start)
    for place in range(count):
        if group[place] < 0:
            for each in _followed(steps, place, place) or {}:
                group[each] = place
    linked: list[list[int]] = [[] for _ in range(count)]
    for first in sorted(set(group)):
        for other in range(count):
            for place, link in (_followed(steps, first, other) or {}).items():
                linked[place].append(link)

    def look(parts: list[Any], place: int) -> tuple[Any, ...]:
        return group[place], *(parts[each] for each in linked[place])

    homes = {look(goal, place): place for place in range(count)}
    found = [homes.get(look(start, place), -1) for place in range(count)]
    return found if len(homes) == count and sorted(found) == list(range(count)) else None


def _followed(steps: Sequence[Sources], place: int, other: int) -> dict[int, int] | None:
    """By each place that steps lead to from one: the place of what always moves with it.

    It is in another at first; None where that depends on the steps.
    """
    known, waiting = {place: other}, [place]
    while waiting:
        at = waiting.pop()
        for sources in steps:
            after, link = sources[at], sources[known[at]]
            if after not in known:
                known[after] = link
                waiting.append(after)
            elif known[after] != link:
                return None
    return known


def _as_listed(power: Power, steps: Sequence[Sources], names: dict[str, Sources]) -> list[int]:
    """The numbers of the steps that make a power of a move: some rules have no step back."""
    sources = power.motion[0].sources
    if sources in steps:
        return [steps.index(sources)]
    times = power.exponent % order((Change(names[power.move]),))
    return [steps.index(names[power.move])] * times
