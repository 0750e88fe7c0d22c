"""Makes a case that fails smaller, as long as it fails."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hunt.graphs import Case
from hunt.group import Group
from hunt.oracle import Graph
from hunt.random_graphs import Space

SECONDS = 60.0


def shrunk(group: Group, case: Any, seconds: float = SECONDS) -> Any:
    """A case that fails and of whose smaller ones none does, or what was found in that time."""
    until = time.monotonic() + seconds
    wanted = likeness(group.fails(case))
    while True:
        for each in group.smaller(case):
            if time.monotonic() > until:
                return case
            if likeness(group.fails(each)) == wanted:
                case = each
                break
        else:
            return case


def likeness(text: str | None) -> str:
    """What two failures of one cause have in common: the words, without the numbers."""
    return re.sub(r"[^a-z ]", "", (text or "").lower())[:48]


def smaller_cases(case: Case) -> Iterator[Case]:
    """Fewer searches, states, starts, goals, steps; smaller numbers; fewer options."""
    for number in range(len(case.searches)):
        if len(case.searches) > 1 or case.exploring is not None:
            rest = case.searches[:number] + case.searches[number + 1 :]
            yield replace(case, searches=rest)
    if case.exploring is not None and case.searches:
        yield replace(case, exploring=None)
    for space in smaller_spaces(case.space):
        if case.exploring is not None and not space.graph.goals:
            continue  # it may be explored from there
        yield replace(case, space=space)
    for number, search in enumerate(case.searches):
        plainer: list[dict[str, Any]] = [
            {"want": "one", "most": None}, {"most": None}, {"nodes": None}, {"depth": None},
            {"seconds": None}, {"threads": 1}, {"heuristic": ""},
        ]  # fmt: skip
        plainer += [
            {"options": search.options[:i] + search.options[i + 1 :]}
            for i in range(len(search.options))
        ]
        if search.engine == "auto":
            plainer.append({"engine": "reference"})
        for name in ("nodes", "depth"):
            value = getattr(search, name)
            plainer += [{name: less} for less in _less(value or 0)]
        for change in plainer:
            other = replace(search, **change)
            is_endless = other.nodes is None and search.nodes is not None
            if other != search and not (
                is_endless and search.algorithm.endswith(("dfs", "dastar"))
            ):
                yield replace(
                    case,
                    searches=(*case.searches[:number], other, *case.searches[number + 1 :]),
                )


def _less(value: int) -> list[int]:
    return [each for each in dict.fromkeys((0, 1, value // 2, value - 1)) if 0 <= each < value]


def smaller_spaces(space: Space) -> Iterator[Space]:
    """Spaces with something less."""
    graph = space.graph
    count = len(graph.steps)
    for size in (count // 2, count // 4, 1):
        for begin in range(0, count, max(1, size)):
            if 0 < size < count:
                yield from _without(space, set(range(begin, min(count, begin + size))))
    for starts in _shorter(graph.starts):
        if starts:
            yield replace(space, graph=replace(graph, starts=starts))
    for goals in _shorter(tuple(sorted(graph.goals))):
        yield replace(space, graph=replace(graph, goals=frozenset(goals)))
    if space.paired:
        yield replace(space, after=(), undirected=False)
    for state, steps in enumerate(graph.steps):
        for i, (label, target, cost) in enumerate(steps):
            if not space.undirected:
                yield _with_steps(space, state, (*steps[:i], *steps[i + 1 :]))
                least = 1 if space.costs == "unit" or target <= state else 0
                for less in _less(cost):
                    if less >= least:
                        other = (*steps[:i], (label, target, less), *steps[i + 1 :])
                        yield _with_steps(space, state, other)
    for state, value in enumerate(space.estimates):
        for less in _less(value):
            values = (*space.estimates[:state], less, *space.estimates[state + 1 :])
            yield replace(space, estimates=values)


def _with_steps(space: Space, state: int, steps: Any) -> Space:
    rows = list(space.graph.steps)
    rows[state] = tuple(steps)
    return replace(space, graph=replace(space.graph, steps=tuple(rows)))


def _shorter(values: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for i in range(len(values)):
        yield values[:i] + values[i + 1 :]


def _without(space: Space, lost: set[int]) -> Iterator[Space]:
    """The space without some states, if a start is left."""
    graph = space.graph
    kept = [state for state in range(len(graph.steps)) if state not in lost]
    number = {state: place for place, state in enumerate(kept)}
    starts = tuple(number[start] for start in graph.starts if start in number)
    if not starts:
        return
    steps = tuple(
        tuple((a, number[t], c) for a, t, c in graph.steps[state] if t in number) for state in kept
    )
    goals = frozenset(number[goal] for goal in graph.goals if goal in number)
    yield replace(
        space,
        graph=Graph(steps, starts, goals),
        controls=tuple(space.controls[state] for state in kept),
        estimates=tuple(space.estimates[state] for state in kept),
    )
