"""Packed states are words of 64 bits, as many as `words` says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from searchkit.authors.user_code import AuthorError, call, short
from searchkit.bits import WORD_BITS
from searchkit.checks.ground import Breach, Ground, Visit
from searchkit.checks.law import Findings, Law
from searchkit.packed import PackedProblem, has_expand


def check(ground: Ground) -> Findings:
    """Look at each state, and at each that a step leads to. O(steps)."""
    problem = ground.problem
    assert isinstance(problem, PackedProblem)
    wanted = "a whole number from 0 to 2**64 - 1"
    if problem.words != 1:
        wanted = f"a tuple of {problem.words} whole numbers from 0 to 2**64 - 1"
    for visit in ground.watched(ground.visited):
        if not _is_packed(visit.state, problem.words):
            yield Breach(wanted, short(visit.state), "initial_states")
        for action, child in _children(ground, visit):
            if not _is_packed(child, problem.words):
                yield Breach(
                    wanted, short(child), "apply expand successors", then=ground.action_text(action)
                )
                break
    return None


def _children(ground: Ground, visit: Visit) -> Iterator[tuple[Any, object]]:
    """The actions out of a state and where they lead.

    `successors` refuses to give a child that is not a word: there the kernels are asked.
    """
    if visit.failure is None:
        for step in visit.steps:
            yield step.action, step.state
        return
    try:
        for operator, child in _operators(ground, visit.state):
            yield ground.ask("action", visit.state, operator), child
    except AuthorError:  # which is what the law of successors shows
        return


def _operators(ground: Ground, state: Any) -> Iterator[tuple[int, Any]]:
    problem: Any = ground.problem
    if has_expand(problem):
        yield from (step[:2] for step in call("expand", lambda: list(problem.expand(state))))
    for _, operator, child in ground.operations(state):
        yield operator, child


def _is_packed(state: object, words: int) -> bool:
    parts = (state,) if words == 1 else state
    return (
        isinstance(parts, tuple)
        and len(parts) == words
        and all(isinstance(word, int) and 0 <= word < 1 << WORD_BITS for word in parts)
    )


LAW = Law(__name__, __doc__, check, (PackedProblem,))
