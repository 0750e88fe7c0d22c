"""Top-Spin for searchkit: a ring of tokens and a turnstile."""

from __future__ import annotations

import random

from searchkit import Parameter, hookimpl
from searchkit.hookspecs import RegisterHeuristic, RegisterPuzzle
from searchkit_topspin.heuristics import RingGap
from searchkit_topspin.puzzle import TopSpin

__all__ = ["RingGap", "TopSpin", "topspin"]


def topspin(size: int = 10, turnstile: int = 4) -> TopSpin:
    """A shuffled ring, the same for every call.

    >>> print(topspin(8).render(topspin(8).start))
    ╭─ 1 ─ 6 ─ 4 ─ 3 ─╮
    ╰─ 8 ─ 5 ─ 7 ─ 2 ─╯
    """
    puzzle = TopSpin(size, turnstile)
    return puzzle.with_start(puzzle.random_state(random.Random(0)))


@hookimpl
def searchkit_register_puzzles(register: RegisterPuzzle) -> None:
    """Register the puzzle."""
    register(
        "topspin",
        topspin,
        summary="sort a ring of tokens by turning over some in a row",
        parameters=[
            Parameter("size", 10, "how many tokens there are, from 4 to 16"),
            Parameter("turnstile", 4, "how many are turned over, an even number"),
        ],
    )


@hookimpl
def searchkit_register_heuristics(register: RegisterHeuristic) -> None:
    """Register the lower bound."""
    register(
        "ring-gap",
        RingGap,
        suits=lambda problem: isinstance(problem, TopSpin),
        summary="half the neighbours that are none in the goal",
    )
