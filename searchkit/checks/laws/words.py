"""The states of a packed problem are machine words."""

from __future__ import annotations

from searchkit.bits import WORD_BITS
from searchkit.checks.ground import Ground
from searchkit.checks.law import Breach, Findings, Law
from searchkit.packed import PackedProblem
from searchkit.user_code import short


def needs(ground: Ground) -> str | None:
    """A `PackedProblem`."""
    return None if isinstance(ground.problem, PackedProblem) else "the problem is not packed"


def check(ground: Ground) -> Findings:
    """Look at each state, and at each that a step leads to. O(steps)."""
    problem = ground.problem
    assert isinstance(problem, PackedProblem)
    wanted = (
        "a whole number from 0 to 2**64 - 1"
        if problem.words == 1
        else f"a tuple of {problem.words} whole numbers from 0 to 2**64 - 1"
    )
    for visit in ground.visits():
        if not _is_packed(visit.state, problem.words):
            yield Breach(
                at=visit, expected=wanted, found=short(visit.state), blame=("initial_states",)
            )
        for step in visit.steps:
            if not _is_packed(step.state, problem.words):
                yield Breach(
                    at=visit,
                    then=(ground.action_text(step.action),),
                    expected=wanted,
                    found=short(step.state),
                    blame=("apply", "successors"),
                )
                break
    return None


def _is_packed(state: object, words: int) -> bool:
    parts = (state,) if words == 1 else state
    return (
        isinstance(parts, tuple)
        and len(parts) == words
        and all(isinstance(word, int) and 0 <= word < 1 << WORD_BITS for word in parts)
    )


LAW = Law("words", "packed states are words of 64 bits, as many as `words` says", check, needs)
