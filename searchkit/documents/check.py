"""Checks what a document says, and tells what is checked, and what is not.

By replaying, by checking a certificate, or by another search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Sequence
from contextlib import suppress
from itertools import islice, pairwise
from typing import Any

import attrs

from searchkit.capabilities import HasGoalStates
from searchkit.certificates import CLOSED_SET, Certificate, read_certificate
from searchkit.documents.cheapest_paths import CheapestPaths, cheapest_paths
from searchkit.documents.document import Document, SolutionTexts, most_cost
from searchkit.errors import SearchkitError, VerificationError
from searchkit.problem import Problem
from searchkit.result import Solution, Status
from searchkit.solving.unsolvable import certificate_of
from searchkit.texts.amounts import quoted
from searchkit.transforms import FirstStepFixed, fix_first_step
from searchkit.verify import MOST_EXPANSIONS, Recheck, replay_texts, rules_of, verify_certificate

MOST_MOVES_SHOWN = 20
MOST_TRIED = 1000
"""The most ways put together from the solutions that are replayed."""


def _names(fields: str | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(fields.split()) if isinstance(fields, str) else fields


@attrs.frozen
class Claim:
    """Something that fields of a document say together; names are like `certificate.text`."""

    fields: tuple[str, ...] = attrs.field(converter=_names)
    text: str


Checked = tuple[tuple[Claim, ...], tuple[Claim, ...]]
"""What is checked of a document, and what is not."""


def claims_of_solutions(document: Document) -> Checked:
    """What is checked, and what is not, of a document whose solutions were replayed."""
    bound, done = document.lower_bound, "start, goal, every step and state, the costs"
    counted = "complete count symmetry"
    if document.near is not None:
        counted += " near"
        done += ", which rise from the cheapest to what may be paid, that no state is met twice"
    checked = [
        Claim("puzzle start goal solutions cost", f"{done}, and that no two solutions are the same")
    ]
    if bound:
        done = "that no way between the states of the solutions costs less than the lower bound"
        checked.append(Claim("lower_bound", done))
    if document.complete:
        none = "none" if document.near is None else "no optimal one"
        done = f"that {none} is missing which the listed ones are made of"
        checked.append(Claim("complete", done))
    least = "that no solution costs less than the lower bound" if bound else "any lower bound"
    more = "that there are no other solutions" if document.complete else "how many there are"
    unchecked = (
        Claim("optimal lower_bound within", least),
        Claim(counted, more),
        *_of_the_search(document),
    )
    return tuple(checked), unchecked


def claims_of_certificate(document: Document, *, finished: bool, told: bool) -> Checked:
    """What is checked, and what is not, of a document that says that there is no solution.

    `told` says that the text of its certificate is what the problem says of the same data.
    """
    assert document.certificate is not None
    names = "puzzle start goal certificate.kind certificate.data"
    proof = Claim(names, "that no goal can be reached from the start")
    text = Claim("certificate.text", "the text of the certificate")
    rest = [] if told else [text]
    if document.certificate.kind == CLOSED_SET:
        how_many = "how many states a search had to expand for it"
        rest.append(Claim("certificate.data symmetry", how_many))
    else:
        rest.append(Claim("symmetry", "whether symmetry was used"))
    rest += _of_the_search(document)
    done = (proof, text) if told else (proof,)
    return (done, tuple(rest)) if finished else ((), (proof, *rest))


def _of_the_search(document: Document) -> list[Claim]:
    ended = "" if document.status is Status.SOLVED else ", and how the search ended"
    names = "algorithm heuristic overestimate engine engine_reason status limit"
    claims = [
        Claim(names, f"which algorithm, heuristic and engine ran{ended}"),
        Claim("statistics", "how much work that was"),
    ]
    if document.improvements:
        claims.append(Claim("improvements", "which solutions were found before, and when"))
    if document.line is not None:
        claims.append(Claim("line", "from which line the board was read"))
    return claims


@attrs.frozen
class Verified:
    """What was checked of a document, and what was not: its fields, and each in words.

    `certificate` is how the certificate was checked of a document that says there is no solution.
    """

    solutions: int
    checked: tuple[Claim, ...]
    unchecked: tuple[Claim, ...]
    certificate: Recheck | None = None

    def with_claims(self, *proved: Claim) -> Verified:
        """What is known once these are proved as well."""
        names = {name for claim in proved for name in claim.fields}
        left = tuple(each for each in self.unchecked if not names >= {*each.fields})
        return attrs.evolve(self, checked=(*self.checked, *proved), unchecked=left)


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
    try:
        certificate = read_certificate(attrs.asdict(document.certificate))
        done = verify_certificate(
            problem,
            certificate,
            max_expansions=max_expansions,
            exact=document.symmetry is None,
            listener=listener,
        )
    except VerificationError as error:
        raise VerificationError(
            f"its certificate, of kind {quoted(document.certificate.kind)}, is refused: {error}"
        ) from error
    told = done.finished and _is_told(problem, certificate)
    proved, unchecked = claims_of_certificate(document, finished=done.finished, told=told)
    return Verified(0, proved, unchecked, done)


def _is_told(problem: Problem[Any, Any], certificate: Certificate) -> bool:
    """Whether the text is what the problem says of the same data; an error if it says another."""
    own = certificate_of(problem, tuple(problem.initial_states()))
    if own is None or (own.kind, own.data) != (certificate.kind, certificate.data):
        return False
    if own.text != certificate.text:
        raise VerificationError(
            f"the text of its certificate is {quoted(certificate.text)}, but what the puzzle says "
            f"of the same data is {own.text!r}"
        )
    return True


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
    as many as the document says; that they come by their cost, and meet no state twice, if they
    may cost more than an optimal one; that no way between their states is cheaper than the lower
    bound; and that none is missing that can be put together from their steps, if they are said
    to be all. `listener` is called with the number done.

    Raises `VerificationError` naming the first solution that is wrong, and its first wrong step.
    """
    _check_ends(document, problem)
    rules = rules_of(problem)
    starts = {problem.format_state(start) for start in problem.initial_states()}
    seen: dict[tuple[str, tuple[str, ...]], int] = {}
    known: set[Hashable] = set()
    for number, texts in enumerate(solutions, start=1):
        try:
            replayed = _verify(texts, document, starts, problem)
        except VerificationError as error:
            raise VerificationError(f"solution {number}: {error}") from error
        except SearchkitError as error:
            raise VerificationError(f"solution {number} cannot be read: {error}") from error
        known.update(map(rules.key, replayed.states))
        twin = seen.setdefault((texts.start, texts.actions), number)
        if twin != number:
            raise VerificationError(f"solution {number} is the same as solution {twin}")
        if listener is not None:
            listener(number)
    if not seen:
        raise VerificationError(_nothing_to_replay(document))
    count = document.count
    stopped = document.status in (Status.LIMIT, Status.INTERRUPTED)
    if count is not None and (count < len(seen) if stopped else count != len(seen)):
        raise VerificationError(
            f"the document says there are {count} solutions but holds {len(seen)}"
        )
    kept = _check_first_steps(document, solutions, problem)
    assert document.cost is not None
    costs = [texts.cost for texts in solutions]
    _check_costs(document, costs)
    own = cheapest_paths(rules, document.cost, within=known)
    cheapest = [each for each, number in seen.items() if costs[number - 1] == document.cost]
    _check_own_states(document, own, problem, cheapest, kept)
    return Verified(len(seen), *claims_of_solutions(document))


def _nothing_to_replay(document: Document) -> str:
    if document.count:
        return (
            f"the document holds only a count, {document.count}, and no solution to verify; write "
            "it with --all, or search with --search"
        )
    return "the document holds no solution to verify, and no certificate that there is none"


def _check_own_states(
    document: Document,
    own: CheapestPaths,
    problem: Problem[Any, Any],
    seen: Collection[tuple[str, tuple[str, ...]]],
    kept: Collection[str],
) -> None:
    """The states of the solutions may show neither a way below the bound nor one that is missing.

    The latter if the solutions are said to be all. First actions are those `kept`, if any are.
    """
    bound, cost = document.lower_bound, own.cost
    if cost is not None and cost < bound:
        shown = _shown(own, problem)
        if shown is not None:
            said = "optimal" if document.optimal else f"of at least {bound} by its lower bound"
            raise VerificationError(
                f"its solutions are said to be {said}, but their own states show one that costs "
                f"{cost}: {shown}"
            )
    if not document.complete or cost != document.cost:
        return
    first = own.first_actions()
    if sum(first[text] for text in kept or first) > len(seen):
        shown = _shown(own, problem, seen, kept)
        if shown is not None:
            raise VerificationError(
                "its solutions are said to be complete, but their own states show another one: "
                f"{shown}"
            )


def _shown(
    own: CheapestPaths,
    problem: Problem[Any, Any],
    seen: Collection[tuple[str, tuple[str, ...]]] = (),
    kept: Collection[str] = (),
) -> str | None:
    """One of the paths that has not been `seen`, replayed as a proof; None if none is."""
    rules = own.rules
    paths = (
        (rules.format_state(start), tuple(map(rules.format_action, actions)))
        for start, actions in own
    )
    others = (
        path for path in paths if path not in seen and (not kept or "".join(path[1][:1]) in kept)
    )
    for start, actions in islice(others, MOST_TRIED):
        with suppress(VerificationError):
            if replay_texts(problem, start, actions).cost == own.cost:
                return moves_shown(actions)
    return None


def moves_shown(moves: Sequence[str]) -> str:
    """The moves of a solution in a message, as far as they are few."""
    more = " ..." if len(moves) > MOST_MOVES_SHOWN else ""
    return f"{' '.join(moves[:MOST_MOVES_SHOWN])}{more}" or "no move at all"


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
    is_known = document.complete and document.status is Status.SOLVED
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
    keys = [*map(rules_of(problem).key, solution.states)]
    if document.near is not None and len({*keys}) != len(keys):
        raise VerificationError("it meets a state twice")
    return solution


def _check_costs(document: Document, costs: Sequence[int]) -> None:
    """Each is that of the document, or they rise from there to what may be paid."""
    cost, most = document.cost, most_cost(document)
    assert cost is not None
    assert most is not None
    for number, (before, paid) in enumerate(pairwise([cost, *costs]), start=1):
        wanted = f"that of the document is {cost}"
        if document.near is not None:
            wanted += f", near is {document.near!r}, and solutions come by their cost"
        if not before <= paid <= most or (number == 1 and paid != cost):
            raise VerificationError(f"solution {number}: its cost is {paid}, but {wanted}")


def verify_by_search(
    document: Document,
    problem: Problem[Any, Any],
    verified: Verified,
    *,
    max_expansions: int,
    listener: Callable[[int], object] | None = None,
) -> tuple[Verified, CheapestPaths]:
    """Search again for what is cheaper, or was not counted; `verified` is what is known already.

    `problem` has the start and the goal of the document, which may have a count and no solutions.
    Where `max_expansions` are too few, or `listener` says True, nothing more is known. Raises
    `VerificationError` for a lower bound that is none, and for a count that is not the number of
    solutions.
    """
    bound = document.lower_bound
    cost = document.cost
    most = bound if cost is None or not document.optimal else cost
    done = cheapest_paths(rules_of(problem), most, max_expansions=max_expansions, listener=listener)
    if not done.finished:
        return verified, done
    if done.cost is not None and done.cost < bound:
        raise VerificationError(f"its lower bound is {bound}, but a solution costs {done.cost}")
    if document.optimal and done.cost != cost:
        raise VerificationError(f"it says that a solution costs {cost}, but none does")
    proved = [Claim("cost optimal lower_bound within", "that no solution costs less")]
    if document.optimal and document.count is not None and document.near is None:
        _check_count(document, problem, done)
        proved.append(Claim("complete count symmetry", "the number of solutions"))
    by_search = (attrs.evolve(each, text=f"{each.text}, by a search") for each in proved)
    return verified.with_claims(*by_search), done


def _check_count(document: Document, problem: Problem[Any, Any], done: CheapestPaths) -> None:
    said, first = document.count, done.first_actions()
    there = first.total()
    assert said is not None
    if document.symmetry is not None:
        fixed = fix_first_step(problem)
        if fixed is None:
            raise VerificationError("no first steps are equal by symmetry, but it says that")
        total = document.symmetry["total"]
        if total not in (None, there):
            raise VerificationError(f"its symmetry has a total of {total}, but there are {there}")
        there = sum(first[problem.format_action(each[0])] for each in fixed.classes)
    if said > there or (document.complete and said < there):
        raise VerificationError(f"it says that there are {said} solutions, but there are {there}")
