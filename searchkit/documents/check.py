"""Checks what a document says: its solutions are replayed, or its certificate is checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import islice
from typing import Any

import attrs

from searchkit.capabilities import HasGoalStates
from searchkit.certificates import read_certificate
from searchkit.documents.claims import Claim, claims_of_certificate, claims_of_solutions
from searchkit.documents.document import Document, SolutionTexts
from searchkit.documents.found_paths import FoundPaths, replayed
from searchkit.errors import SearchkitError, VerificationError
from searchkit.problem import Problem
from searchkit.result import Solution, Status
from searchkit.texts.text_files import short
from searchkit.transforms import FirstStepFixed, fix_first_step
from searchkit.verify import (
    MOST_EXPANSIONS,
    Recheck,
    replay_texts,
    rules_of,
    verify_certificate,
)

MOST_MOVES_SHOWN = 20


@attrs.frozen
class Verified:
    """What was checked of a document, and what was not: its fields, and each in words.

    `certificate` is how the certificate was checked of a document that says there is no solution.
    """

    solutions: int
    checked: tuple[Claim, ...]
    unchecked: tuple[Claim, ...]
    certificate: Recheck | None = None


def verify_unsolvable(
    document: Document,
    problem: Problem[Any, Any],
    *,
    max_expansions: int = MOST_EXPANSIONS,
    listener: Callable[[int], None] | None = None,
) -> Verified:
    """Check the certificate of a document that says that there is no solution.

    `problem` has the start and the goal of the document. See `verify_certificate`. Raises
    `VerificationError` that says why it proves nothing.
    """
    _check_ends(document, problem)
    if document.certificate is None:
        raise VerificationError("the document holds no certificate to verify")
    kind = document.certificate["kind"]
    try:
        done = verify_certificate(
            problem,
            read_certificate(document.certificate),
            max_expansions=max_expansions,
            exact=document.symmetry is None,
            listener=listener,
        )
    except VerificationError as error:
        raise VerificationError(
            f"its certificate, of kind {short(kind)}, is refused: {error}"
        ) from error
    proved, unchecked = claims_of_certificate(document, finished=done.finished)
    return Verified(0, proved, unchecked, done)


def verify_document(
    document: Document,
    solutions: Sequence[SolutionTexts],
    problem: Problem[Any, Any],
    *,
    listener: Callable[[int], None] | None = None,
) -> Verified:
    """Replay every solution by the slow rules of `problem`.

    `problem` has the start and the goal of the document.

    Also checks that the solutions start where they should, differ, cost what they say, and are
    as many as the document says; that no way between their states is cheaper than the lower
    bound; and that none is missing that can be put together from their steps, if they are said
    to be all. `listener` is told how many are done.

    Raises `VerificationError` naming the first solution that is wrong, and its first wrong step.
    """
    _check_ends(document, problem)
    rules = rules_of(problem)
    starts = {problem.format_state(start) for start in problem.initial_states()}
    seen: dict[tuple[str, tuple[str, ...]], int] = {}
    found = FoundPaths(rules)
    for number, texts in enumerate(solutions, start=1):
        try:
            found.add(_verify(texts, document, starts, problem))
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
        raise VerificationError(_nothing_to_replay(document))
    count = document.count
    stopped = document.status in (Status.LIMIT.value, Status.INTERRUPTED.value)
    if count is not None and (count < len(seen) if stopped else count != len(seen)):
        raise VerificationError(
            f"the document says there are {count} solutions but holds {len(seen)}"
        )
    kept = _check_first_steps(document, solutions, problem)
    _check_bound(document, found)
    if document.complete:
        _check_none_is_missing(document, found, seen, kept)
    return Verified(len(seen), *claims_of_solutions(document))


def _nothing_to_replay(document: Document) -> str:
    if document.count:
        return (
            f"the document holds only a count, {document.count}, and no solution to verify; write "
            "it with --all, or count again with --search"
        )
    return "the document holds no solution to verify, and no certificate that there is none"


def _check_bound(document: Document, found: FoundPaths) -> None:
    """No way between the states of the solutions may be cheaper than the lower bound."""
    bound, cheapest = document.lower_bound, found.cheapest()
    if bound is None or cheapest is None or cheapest[0] >= bound:
        return
    cost, actions = cheapest
    for start in found.starts.values():
        shorter = replayed(found.rules, start, actions)
        if shorter is not None and shorter.cost < bound:
            said = "optimal" if document.optimal else f"of at least {bound} by its lower bound"
            raise VerificationError(
                f"its solutions are said to be {said}, but their own states show one that costs "
                f"{cost}: {_shown(found, shorter)}"
            )


def _check_none_is_missing(
    document: Document,
    found: FoundPaths,
    seen: Mapping[tuple[str, tuple[str, ...]], int],
    kept: Collection[str],
) -> None:
    """No solution that their own states show may be missing, if they are said to be all."""
    rules = found.rules
    keys = {rules.format_state(start): key for key, start in found.starts.items()}
    known = {(keys.get(start), actions) for start, actions in seen}
    assert document.cost is not None
    for start, actions in found.others(document.cost, known, kept):
        other = replayed(rules, start, actions)
        if other is not None and other.cost == document.cost:
            raise VerificationError(
                "its solutions are said to be complete, but their own states show another one: "
                f"{_shown(found, other)}"
            )


def _shown(found: FoundPaths, solution: Solution[Any, Any]) -> str:
    texts = list(map(found.rules.format_action, solution.actions[:MOST_MOVES_SHOWN]))
    more = " ..." if len(solution) > MOST_MOVES_SHOWN else ""
    return f"{' '.join(texts)}{more}" or "no move at all"


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


def _check_first_steps(
    document: Document, solutions: Sequence[SolutionTexts], problem: Problem[Any, Any]
) -> Collection[str]:
    """Each solution stands for as many as there are first steps that are equal to its own.

    Where all first steps were kept and all solutions listed, equal ones begin equally many.
    Returns the first actions that were kept, none if all were.
    """
    if document.symmetry is None and not document.complete:
        return ()
    fixed = fix_first_step(problem)
    if document.symmetry is None:
        if fixed is not None:
            _check_equal_firsts(solutions, fixed, problem)
        return ()
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
    said = document.symmetry["total"]
    is_known = document.complete and document.status == Status.SOLVED.value
    if said is None and is_known and len(set(sizes.values())) == 1:
        raise VerificationError(f"its solutions are complete, but their total of {total} is null")
    if said not in (None, total):
        raise VerificationError(f"its symmetry has a total of {said}, but it is {total}")
    return sizes.keys()


def _check_equal_firsts(
    solutions: Sequence[SolutionTexts], fixed: FirstStepFixed, problem: Problem[Any, Any]
) -> None:
    firsts = Counter(texts.actions[0] for texts in solutions if texts.actions)
    for actions in fixed.classes:
        names = [problem.format_action(action) for action in actions]
        most, least = max(names, key=firsts.__getitem__), min(names, key=firsts.__getitem__)
        if firsts[most] != firsts[least]:
            raise VerificationError(
                f"its solutions are said to be complete, but {firsts[most]} begin with {most} and "
                f"{firsts[least]} with {least}, which is equal to it by symmetry"
            )


def _verify(
    texts: SolutionTexts, document: Document, starts: set[str], problem: Problem[Any, Any]
) -> Solution[Any, Any]:
    if texts.start not in starts:
        raise VerificationError(
            f"it starts at {texts.start!r} but the start is {' or '.join(map(repr, starts))}"
        )
    solution = replay_texts(problem, texts.start, texts.actions, texts.states)
    if solution.cost != texts.cost:
        raise VerificationError(f"it says its cost is {texts.cost}, but it is {solution.cost}")
    if document.cost != texts.cost:
        raise VerificationError(
            f"its cost is {texts.cost}, but that of the document is {document.cost}"
        )
    return solution
