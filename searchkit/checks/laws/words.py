"""The states of a packed problem are machine words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from searchkit.authors.user_code import AuthorError, call, short
from searchkit.bits import WORD_BITS
from searchkit.checks.ground import Breach, Ground, Visit
from searchkit.checks.law import Findings, Law
from searchkit.packed import PackedProblem


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
    for visit in ground.watched(ground.visited):
        if not _is_packed(visit.state, problem.words):
            yield Breach(
                at=visit, expected=wanted, found=short(visit.state), blame=("initial_states",)
            )
        for action, child in _children(problem, visit):
            if not _is_packed(child, problem.words):
                yield Breach(
                    at=visit,
                    then=(ground.action_text(action),),
                    expected=wanted,
                    found=short(child),
                    blame=("apply", "successors"),
                )
                break
    return None


def _children(problem: PackedProblem[Any], visit: Visit) -> Iterator[tuple[Any, Any]]:
    """The actions out of a state and where they lead.

    `successors` refuses to give a child that is not a word: there the kernels are asked.
    """
    if visit.failure is None:
        for step in visit.steps:
            yield step.action, step.state
        return
    try:
        control = call("control", problem.control, visit.state)
        for operator in call("operators", problem.operators, control):
            if call("legal", problem.legal, visit.state, control, operator):
                child = call("apply", problem.apply, visit.state, control, operator)
                yield call("action", problem.action, visit.state, operator), child
    except AuthorError:  # which is what the law of successors shows
        return


def _is_packed(state: object, words: int) -> bool:
    parts = (state,) if words == 1 else state
    return (
        isinstance(parts, tuple)
        and len(parts) == words
        and all(isinstance(word, int) and 0 <= word < 1 << WORD_BITS for word in parts)
    )


LAW = Law("words", "packed states are words of 64 bits, as many as `words` says", check, needs)
