"""`rank` and `unrank` are inverse, from 0 to ranks - 1; `rank_after` is the rank of the child."""

from __future__ import annotations

import random
from typing import Any

from searchkit.checks.ground import Breach, Ground, Visit
from searchkit.checks.law import Findings, Law, at_states
from searchkit.packed import PackedProblem


def needs(ground: Ground) -> str | None:
    """An attribute `ranks`."""
    return None if getattr(ground.problem, "ranks", 0) else "ranks is 0"


def look(ground: Ground, visit: Visit) -> Breach | None:
    """Rank the state and unrank that; compare the numbers of its children. O(steps)."""
    problem: Any = ground.problem
    # States that are certified unsolvable need no numbers of their own.
    if ground.is_certified(visit.state):
        return None
    rank = ground.ask("rank", visit.state)
    if not isinstance(rank, int) or not 0 <= rank < problem.ranks:
        expected = f"a number from 0 to {problem.ranks - 1:,}, as ranks says"
        return Breach(expected, f"rank gives {rank!r}", "rank")
    again = ground.ask("unrank", rank)
    if again == visit.state:
        return _look_at_children(ground, visit.state, rank)
    expected, found = f"unrank({rank}) is this state, of which that is the rank", ground.text(again)
    if ground.ask("rank", again) == rank:
        return Breach(expected, f"{found}, of which that is the rank as well", "rank")
    return Breach(expected, found, "unrank")


def _look_at_children(ground: Ground, state: Any, rank: int) -> Breach | None:
    if type(ground.problem).rank_after is PackedProblem.rank_after:  # type: ignore[attr-defined]
        return None
    for control, operator, child in ground.operations(state):
        after = ground.ask("rank_after", rank, control, operator)
        expected = ground.ask("rank", child)
        if after != expected:
            said = f"rank_after({rank}, {control}, {operator})"
            return Breach(
                f"{said} is {expected}, the rank of the child", f"it is {after!r}", "rank_after"
            )
    return None


def check(ground: Ground) -> Findings:
    """Rank each state and unrank that; then unrank all numbers, or some. O(states)."""
    problem: Any = ground.problem
    if ground.is_whole and ground.from_starts > problem.ranks:
        expected = f"at least {ground.from_starts:,} numbers, as many as states can be reached"
        yield Breach(expected, f"ranks is {problem.ranks:,}", "ranks __init__")
    yield from at_states(look)(ground)
    looked_at = ground.scope()
    numbers = _numbers(problem.ranks, ground)
    for number in numbers:
        ground.watch()
        state = ground.ask("unrank", number)
        rank = ground.ask("rank", state)
        if rank != number:
            found = f"it is {rank!r}; unrank({number}) is {ground.text(state)}"
            yield Breach(f"rank(unrank({number})) is {number}", found, "unrank rank")
    return f"{looked_at} and {len(numbers):,} of {problem.ranks:,} numbers"


def _numbers(ranks: int, ground: Ground) -> range | list[int]:
    if ranks <= ground.most:
        return range(ranks)
    chosen = random.Random(ground.seed).sample(range(ranks), ground.most // 2)
    return [0, *sorted(chosen), ranks - 1]


LAW = Law(__name__, __doc__, check, (PackedProblem, needs))
