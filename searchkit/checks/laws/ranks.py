"""Ranks number the states: rank and unrank are inverse to each other."""

from __future__ import annotations

import random
from collections.abc import Iterable

from searchkit.authors.user_code import call
from searchkit.capabilities import HasCertificate
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law
from searchkit.packed import PackedProblem


def needs(ground: Ground) -> str | None:
    """A packed problem with `ranks`."""
    if not isinstance(ground.problem, PackedProblem):
        return "the problem is not packed"
    return None if ground.problem.ranks else "ranks is 0"


def check(ground: Ground) -> Findings:
    """Rank each state and unrank that; then unrank all numbers, or some. O(states)."""
    problem = ground.problem
    assert isinstance(problem, PackedProblem)
    if ground.is_whole and ground.from_starts > problem.ranks:
        yield Breach(
            expected=f"at least {ground.from_starts:,} numbers, as many as states can be reached",
            found=f"ranks is {problem.ranks:,}",
            blame=("ranks", "__init__"),
        )
    for visit in ground.visits():
        # States that are certified unsolvable need no numbers of their own.
        if isinstance(problem, HasCertificate) and call(
            "certificate", problem.certificate, visit.state
        ):
            continue
        rank = call("rank", problem.rank, visit.state)
        if not isinstance(rank, int) or not 0 <= rank < problem.ranks:
            yield Breach(
                at=visit,
                expected=f"a number from 0 to {problem.ranks - 1:,}, as ranks says",
                found=f"rank gives {rank!r}",
                blame=("rank",),
            )
            continue
        again = call("unrank", problem.unrank, rank)
        if again != visit.state:
            is_shared = call("rank", problem.rank, again) == rank
            yield Breach(
                at=visit,
                expected=f"unrank({rank}) is this state, of which that is the rank",
                found=f"{ground.text(again)}, of which that is the rank as well"
                if is_shared
                else ground.text(again),
                blame=("rank",) if is_shared else ("unrank",),
            )
    looked_at = ground.scope()
    numbers = _numbers(problem.ranks, ground)
    for number in numbers:
        ground.watch()
        state = call("unrank", problem.unrank, number)
        rank = call("rank", problem.rank, state)
        if rank != number:
            yield Breach(
                expected=f"rank(unrank({number})) is {number}",
                found=f"it is {rank!r}; unrank({number}) is {ground.text(state)}",
                blame=("unrank", "rank"),
            )
    return f"{looked_at} and {len(numbers):,} of {problem.ranks:,} numbers"


def _numbers(ranks: int, ground: Ground) -> range | list[int]:
    if ranks <= ground.most:
        return range(ranks)
    chosen: Iterable[int] = random.Random(ground.seed).sample(range(ranks), ground.most // 2)
    return [0, *sorted(chosen), ranks - 1]


LAW = Law("ranks", "rank and unrank are inverse to each other, from 0 to ranks - 1", check, needs)
