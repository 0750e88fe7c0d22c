"""What the fields of a document must have to do with each other, and names that it must know."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

from searchkit.algorithms import ALGORITHMS
from searchkit.algorithms.weights import ratio, shown_ratio
from searchkit.capabilities import own_heuristic
from searchkit.certificates import CLOSED_SET
from searchkit.documents.document import Document, SolutionTexts
from searchkit.errors import UnknownNameError
from searchkit.heuristic import ProblemHeuristic
from searchkit.heuristics.kinds import row_of
from searchkit.packed import ZeroHeuristic
from searchkit.problem import Problem
from searchkit.registry import Registry
from searchkit.result import Statistics, Status
from searchkit.solving.engines import engine_kinds
from searchkit.texts.amounts import quoted

SYMMETRY = "first step"
SLACK = 1e-6
"""Seconds are summed in floating point."""
CHECKED = "checked"


def contradiction(document: Document, solutions: Sequence[SolutionTexts]) -> str | None:
    """In one line, the first thing in which `document` contradicts itself, None if it does not.

    `solutions` are those that it holds.
    """
    rules = (_status, _certificate, _cost, _bound, _count, _symmetry, _algorithm, _within)
    found = (each for rule in rules for each in rule(document, len(solutions)))
    moves = min((len(each.actions) for each in solutions), default=0)
    return next(found, None) or next(_work(document, moves), None)


def _shown(value: object) -> str:
    return "null" if value is None else repr(value)


def _status(document: Document, solutions: int) -> Iterator[str]:
    status, limit, certificate = document.status, document.limit, document.certificate
    said = f"its status is {status.value!r}, but"
    for name, value, belongs in (
        ("limit", None if limit is None else limit.value, Status.LIMIT),
        ("certificate", None if certificate is None else certificate.kind, Status.UNSOLVABLE),
    ):
        if (value is not None) != (status is belongs):
            yield f"{said} field {name!r} is {_shown(value)}"
    if status is Status.UNSOLVABLE and solutions:
        yield f"{said} it holds {solutions} solutions"
    if status is Status.UNSOLVABLE and (document.count, document.complete) != (0, True):
        complete = "complete" if document.complete else "not complete"
        yield f"{said} its count is {document.count}, {complete}"


def _certificate(document: Document, solutions: int) -> Iterator[str]:
    """What a search has proved is a closed set, the one that it tells of elsewhere, too."""
    certificate, work = document.certificate, document.statistics
    if certificate is None or not (work.generated or work.expanded):
        return
    kind, expanded, algorithm = certificate.kind, work.expanded, document.algorithm
    if kind != CLOSED_SET:
        yield f"{expanded} states were expanded, but its certificate is of kind {kind!r}"
    search = {"from": "start", "expanded": expanded, "algorithm": algorithm}
    if any(certificate.data.get(name) != value for name, value in search.items()):
        yield (
            f"{algorithm} expanded {expanded} states, but its certificate, of kind {kind!r}, "
            "says something else"
        )


def _cost(document: Document, solutions: int) -> Iterator[str]:
    if document.cost is None:
        if document.status is Status.SOLVED:
            yield "its status is 'solved', but it has no cost"
        if solutions or document.optimal:
            yield "it has no cost, but " + ("solutions" if solutions else "is said to be optimal")
    elif document.status is Status.UNSOLVABLE:
        yield f"its status is 'unsolvable', but its cost is {document.cost}"


def _bound(document: Document, solutions: int) -> Iterator[str]:
    bound, cost = document.lower_bound, document.cost
    is_infinite = bound == math.inf
    if is_infinite != (document.status is Status.UNSOLVABLE):
        text = _shown(None if is_infinite else bound)
        yield f"its status is {document.status.value!r}, but field 'lower_bound' is {text}"
    if cost is not None and bound > cost:
        yield f"its lower bound {bound} is above its cost {cost}"
    if document.overestimate is not None and bound and not is_infinite:
        yield f"its heuristic overestimates, but its lower bound is {bound}; it must be 0"
    if cost is not None and (bound == cost) != document.optimal:
        said = "optimal" if document.optimal else "not optimal"
        yield f"its cost is {cost} and its lower bound {bound}, but it is said to be {said}"


def _within(document: Document, solutions: int) -> Iterator[str]:
    cost = document.cost
    proved = None if cost is None else shown_ratio(ratio(cost, document.lower_bound))
    if document.within != proved:
        yield (
            f"field 'within' is {_shown(document.within)}; by its cost and its lower bound it "
            f"must be {_shown(proved)}"
        )


def _count(document: Document, solutions: int) -> Iterator[str]:
    count, status = document.count, document.status
    if document.complete:
        if status is Status.SOLVED and not document.optimal:
            yield "it is said to be complete, but not optimal"
        if status not in (Status.SOLVED, Status.UNSOLVABLE):
            yield f"its status is {status.value!r}, but it is said to be complete"
        if count is None:
            yield "it is said to be complete, but field 'count' is null"
    if count is None:
        if solutions > 1:
            yield f"it has no count, but {solutions} solutions"
        return
    if (count == 0) != (document.cost is None):
        yield f"its count is {count}, but its cost is {document.cost}"
    if count and not document.optimal and document.overestimate is None:
        yield f"its count of optimal solutions is {count}, but it is said not to be optimal"
    if document.complete and solutions and count != solutions:
        yield f"it is said to be complete with a count of {count}, but it holds {solutions}"


def _symmetry(document: Document, solutions: int) -> Iterator[str]:
    symmetry, count = document.symmetry, document.count
    if symmetry is None:
        return
    if document.start is None:
        yield "field 'symmetry' is set, but field 'start' is null"
    if set(symmetry) != {"fixed", "total"} or symmetry["fixed"] != SYMMETRY:
        yield f'field \'symmetry\' must be null or {{"fixed": "{SYMMETRY}", "total": ...}}'
    total = symmetry["total"]
    if total is None:
        return
    if type(total) is not int:
        yield f"field 'total' of 'symmetry' must be a whole number or null, not {quoted(total)}"
    if not document.complete or count is None or total < count:
        yield f"its symmetry has a total of {total}, but its count is {count}"


def _algorithm(document: Document, solutions: int) -> Iterator[str]:
    name, heuristic = document.algorithm, document.heuristic
    for field, value in (("algorithm", name), ("engine", document.engine)):
        if value.split() != [value]:
            yield f"field {field!r} is {quoted(value)}, which is not a name"
    known = ALGORITHMS.get(name)
    if known is None:  # of a plugin, which is not needed to replay what it found
        return
    if known.uses_heuristic != (heuristic is not None):
        uses = "uses a" if known.uses_heuristic else "uses no"
        yield f"{name} {uses} heuristic, but field 'heuristic' is {_shown(heuristic)}"
    if document.overestimate is not None:
        if not known.uses_heuristic:
            yield f"{name} uses no heuristic"
    elif known.optimal and document.cost is not None and not document.optimal:
        yield f"{name} is optimal, but its solution is said not to be"


def _work(document: Document, moves: int) -> Iterator[str]:
    """What no search of that algorithm can have counted.

    `moves` is the length of the shortest solution that is listed, 0 without one. Nothing is known
    of the algorithms of plugins.
    """
    algorithm, work = document.algorithm, document.statistics
    if algorithm not in ALGORITHMS:
        return
    if moves > work.expanded:
        yield f"its solutions have {moves} moves, but only {work.expanded} states were expanded"
    if document.cost is not None and work.generated < 1:
        yield "it has a solution, but no state was generated"
    for less, more in (
        ("expanded", "generated"),
        ("max_frontier", "stored"),
        ("reopened", "expanded"),
    ):
        if getattr(work, less) > getattr(work, more):
            yield (
                f"its statistics say {less} {getattr(work, less)} and {more} "
                f"{getattr(work, more)}; {less} is never more"
            )
    if work.iterations and not ALGORITHMS[algorithm].deepens:
        yield f"{algorithm} has no iterations, but its statistics have {len(work.iterations)}"
    elif work.iterations:
        yield from _iterations(work)


def _iterations(work: Statistics) -> Iterator[str]:
    expanded = sum(row.expanded for row in work.iterations)
    if expanded != work.expanded:
        yield f"its iterations expanded {expanded} states, not {work.expanded}"
    generated = sum(row.generated for row in work.iterations)
    if generated > work.generated:
        yield f"its iterations generated {generated} states, not {work.generated}"
    if sum(row.seconds for row in work.iterations) > work.seconds + SLACK:
        yield f"its iterations took longer than its {work.seconds} seconds"
    if any(row.bound >= after.bound for row, after in pairwise(work.iterations)):
        yield "the bounds of its iterations do not rise"


def unknown_name(document: Document, problem: Problem[Any, Any], registry: Registry) -> str | None:
    """In one line, the first name that nothing has, None if all are known."""
    try:
        algorithm = registry.algorithms.get(document.algorithm).algorithm
    except UnknownNameError:
        return f"no algorithm is named {quoted(document.algorithm)}; is its plugin missing?"
    kinds = engine_kinds(algorithm)
    if document.engine not in (*kinds, CHECKED):  # all algorithms take that
        known = ", ".join(kinds) or "none"
        return f"{document.algorithm} has no engine {quoted(document.engine)}; known: {known}"
    if document.heuristic is None:
        return None
    unknown = [part for part in _parts(document.heuristic) if row_of(part) is None]
    for names in (_registered(problem, registry), _made(problem, registry)):
        known_names = set(names)
        unknown = [part for part in unknown if part not in known_names]
        if not unknown:
            return None
    return f"no heuristic for this puzzle is named {quoted(unknown[0])}; is its plugin missing?"


def _parts(text: str) -> Iterator[str]:
    """The heuristics of which `text` is the larger, or that one."""
    if text.startswith("max(") and text.endswith(")"):
        yield from text[len("max(") : -1].split(",")
    else:
        yield text


def _registered(problem: Problem[Any, Any], registry: Registry) -> Iterator[str]:
    yield ProblemHeuristic(problem).name
    yield ZeroHeuristic().name
    yield own_heuristic(problem).name
    for entry in registry.heuristics.suiting(problem):
        yield entry.name


def _made(problem: Problem[Any, Any], registry: Registry) -> Iterator[str]:
    """What heuristics call themselves, which may take time to find out."""
    for entry in registry.heuristics.suiting(problem):
        with suppress(Exception):  # one that cannot be made has no other name
            yield entry.factory(problem).name
