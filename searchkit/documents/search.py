"""What a document claims of all solutions, proved again by a search of another kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from searchkit.documents.cheapest_paths import CheapestPaths, cheapest_paths
from searchkit.documents.check import Verified
from searchkit.documents.claims import Claim
from searchkit.documents.document import Document
from searchkit.errors import VerificationError
from searchkit.problem import Problem
from searchkit.transforms import fix_first_step
from searchkit.verify import rules_of


def verify_by_search(
    document: Document,
    problem: Problem[Any, Any],
    verified: Verified,
    *,
    max_expansions: int,
    listener: Callable[[int], None] | None = None,
) -> tuple[Verified, CheapestPaths]:
    """Search again for what is cheaper, or was not counted; `verified` is what is known already.

    `problem` has the start and the goal of the document, which may have a count and no solutions.
    Where `max_expansions` are too few, nothing more is known. Raises `VerificationError` for a
    lower bound that is none, and for a count that is not the number of solutions.
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
    proved = [Claim(("cost", "optimal", "lower_bound", "within"), "that no solution costs less")]
    if document.optimal and document.count is not None:
        _check_count(document, problem, done)
        proved.append(Claim(("complete", "count", "symmetry"), "the number of solutions"))
    names = {name for claim in proved for name in claim.fields}
    left = tuple(each for each in verified.unchecked if not names >= set(each.fields))
    checked = (*verified.checked, *(attrs.evolve(c, text=f"{c.text}, by a search") for c in proved))
    return attrs.evolve(verified, checked=checked, unchecked=left), done


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
