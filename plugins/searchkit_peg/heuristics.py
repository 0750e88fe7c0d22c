"""The lower bounds of peg solitaire as objects."""

from __future__ import annotations

from typing import Any

import attrs

from searchkit import Heuristic, Problem
from searchkit.transforms import ChainMoves, FirstStepFixed, Moved, MoverState
from searchkit_peg.solitaire import PegSolitaire


@attrs.frozen
class PegsAboveGoal(Heuristic[int, Any]):
    """The pegs above those of the goal: the exact number of jumps, where there is a way."""

    problem: PegSolitaire
    name: str = "pegs"

    def __call__(self, state: int) -> float:
        """See `PegSolitaire.heuristic`."""
        return self.problem.heuristic(state)


@attrs.frozen
class PegsNeverTaken(Heuristic[Any, Any]):
    """The pegs that no jump can take and that must move on their own: a bound on moves.

    For `ChainMoves`, whose states are boards, and for `MoverState`, whose states are `Moved`.
    """

    problem: PegSolitaire
    name: str = "corner-pegs"

    def __call__(self, state: int | Moved) -> float:
        """See `PegSolitaire.chain_bound`."""
        if isinstance(state, Moved):
            return self.problem.chain_bound(*state)
        return self.problem.chain_bound(state)


def without_first_step(problem: Problem[Any, Any]) -> Problem[Any, Any]:
    """The problem that only the first step was fixed of; its heuristics serve both."""
    while isinstance(problem, FirstStepFixed):
        problem = problem.base
    return problem


def counts_jumps(problem: Problem[Any, Any]) -> bool:
    """Whether the problem is peg solitaire by jumps."""
    return isinstance(without_first_step(problem), PegSolitaire)


def counts_moves(problem: Problem[Any, Any]) -> bool:
    """Whether the problem is peg solitaire by moves."""
    problem = without_first_step(problem)
    return isinstance(problem, (ChainMoves, MoverState)) and isinstance(problem.base, PegSolitaire)


def solitaire_of(problem: Problem[Any, Any]) -> PegSolitaire:
    """The game by jumps that `problem` is made from."""
    problem = without_first_step(problem)
    base = problem.base if isinstance(problem, (ChainMoves, MoverState)) else problem
    assert isinstance(base, PegSolitaire)
    return base
