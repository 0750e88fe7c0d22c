"""The lower bounds of peg solitaire as objects."""

from __future__ import annotations

from typing import Any

import attrs

from searchkit import Problem
from searchkit.packed import DEAD_END, PackedHeuristic
from searchkit.transforms import ChainBound, ChainMoves, FirstStepFixed, MoverBound, MoverState
from searchkit_peg.solitaire import PegSolitaire


@attrs.frozen
class PegsAboveGoal(PackedHeuristic):
    """The pegs above those of the goal: the exact number of jumps, where there is a way."""

    problem: PegSolitaire
    name: str = "pegs"
    parts = ("problem",)

    def estimate(self, state: int) -> int:
        """Kernel: the pegs above those of the goal."""
        above = self.problem.above_goal(state)
        if above > 0:
            return above
        return 0 if self.problem.at_goal(state) else DEAD_END


def full_regions(problem: Problem[Any, Any]) -> ChainBound:
    """The full regions, corners among them, that need a move of their own: a bound on moves.

    See `PegSolitaire.chain_bound`.
    """
    moves = without_first_step(problem)
    bound = MoverBound if isinstance(moves, MoverState) else ChainBound
    return bound(solitaire_of(problem), "regions")


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


def pegs_above_goal(problem: Problem[Any, Any]) -> PegsAboveGoal:
    """The bound on jumps for the game that `problem` is made from."""
    return PegsAboveGoal(solitaire_of(problem))
