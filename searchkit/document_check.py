"""Checks what a document says: its solutions are replayed, or its certificate is checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

from searchkit.capabilities import HasGoalStates
from searchkit.certificates import read_certificate
from searchkit.document import Document, SolutionTexts
from searchkit.errors import SearchkitError, VerificationError
from searchkit.problem import Problem
from searchkit.result import Status
from searchkit.transforms import fix_first_step
from searchkit.verify import MOST_NODES, Recheck, replay_texts, verify_certificate


def verify_unsolvable(
    document: Document,
    problem: Problem[Any, Any],
    *,
    max_nodes: int = MOST_NODES,
    listener: Callable[[int], None] | None = None,
) -> Recheck:
    """Check the certificate of a document that says that there is no solution.

    `problem` has the start and the goal of the document. See `verify_certificate`. Raises
    `VerificationError` that says why it proves nothing.
    """
    _check_ends(document, problem)
    if document.certificate is None:
        raise VerificationError("the document holds no certificate to verify")
    kind = document.certificate["kind"]
    try:
        return verify_certificate(
            problem,
            read_certificate(document.certificate),
            max_nodes=max_nodes,
            exact=document.symmetry is None,
            listener=listener,
        )
    except VerificationError as error:
        raise VerificationError(
            f"its certificate, of kind {kind!r}, is refused: {error}"
        ) from error


def verify_document(
    document: Document,
    solutions: Sequence[SolutionTexts],
    problem: Problem[Any, Any],
    *,
    listener: Callable[[int], None] | None = None,
) -> int:
    """Replay every solution by the slow rules of `problem`.

    `problem` has the start and the goal of the document.

    Also checks that the solutions start where they should, differ, cost what they say, and are
    as many as the document says. `listener` is told how many are done. Returns their number.

    Raises `VerificationError` naming the first solution that is wrong, and its first wrong step.
    """
    _check_ends(document, problem)
    starts = {problem.format_state(start) for start in problem.initial_states()}
    seen: dict[tuple[str, tuple[str, ...]], int] = {}
    for number, texts in enumerate(solutions, start=1):
        try:
            _verify(texts, document, starts, problem)
        except VerificationError as error:
            raise VerificationError(f"solution {number}: {error}") from error
        except SearchkitError as error:
            raise VerificationError(f"solution {number} cannot be read: {error}") from error
        twin = seen.setdefault((texts.start, texts.actions), number)
        if twin != number:
            raise VerificationError(f"solution {number} is the same as solution {twin}")
        if listener is not None:
            listener(number)
    if not seen:
        raise VerificationError("the document holds no solution to verify")
    count = document.count
    stopped = document.status in (Status.LIMIT.value, Status.INTERRUPTED.value)
    if count is not None and (count < len(seen) if stopped else count != len(seen)):
        raise VerificationError(
            f"the document says there are {count} solutions but holds {len(seen)}"
        )
    _check_total(document, solutions, problem)
    return len(seen)


def _check_ends(document: Document, problem: Problem[Any, Any]) -> None:
    """Start and goal may be null only where there is not exactly one."""
    starts = list(problem.initial_states())
    if document.start is None and len(starts) == 1:
        raise VerificationError(
            f"field 'start' is null, but the start is {problem.format_state(starts[0])!r}"
        )
    goals = list(islice(problem.goal_states(), 2)) if isinstance(problem, HasGoalStates) else []
    if document.goal is None and len(goals) == 1:
        raise VerificationError(
            f"field 'goal' is null, but the goal is {problem.format_state(goals[0])!r}"
        )


def _check_total(
    document: Document, solutions: Sequence[SolutionTexts], problem: Problem[Any, Any]
) -> None:
    """Each solution stands for as many as there are first steps that are equal to its own."""
    if document.symmetry is None:
        return
    fixed = fix_first_step(problem)
    if fixed is None:
        raise VerificationError("no first steps are equal by symmetry, but field 'symmetry' is set")
    sizes = {problem.format_action(actions[0]): len(actions) for actions in fixed.classes}
    total = 0
    for number, texts in enumerate(solutions, start=1):
        first = texts.actions[0] if texts.actions else None
        if first not in sizes:
            raise VerificationError(
                f"solution {number}: its first step {first} is not kept by symmetry"
            )
        total += sizes[first]
    if document.symmetry["total"] not in (None, total):
        raise VerificationError(
            f"its symmetry has a total of {document.symmetry['total']}, but it is {total}"
        )


def _verify(
    texts: SolutionTexts, document: Document, starts: set[str], problem: Problem[Any, Any]
) -> None:
    if texts.start not in starts:
        raise VerificationError(
            f"it starts at {texts.start!r} but the start is {' or '.join(map(repr, starts))}"
        )
    replayed = replay_texts(problem, texts.start, texts.actions, texts.states)
    if replayed.cost != texts.cost:
        raise VerificationError(f"it says its cost is {texts.cost}, but it is {replayed.cost}")
    if document.cost != texts.cost:
        raise VerificationError(
            f"its cost is {texts.cost}, but that of the document is {document.cost}"
        )
