"""What the fields of a document must have to do with each other."""

from __future__ import annotations

from collections.abc import Sequence

from searchkit.algorithms import ALGORITHMS
from searchkit.algorithms.weights import ratio, shown_ratio
from searchkit.certificates import CLOSED_SET
from searchkit.documents.document import Document, SolutionTexts
from searchkit.documents.work import work_contradiction
from searchkit.limits import LimitKind
from searchkit.result import Status
from searchkit.texts.text_files import short

SYMMETRY = "first step"


def contradiction(document: Document, solutions: Sequence[SolutionTexts]) -> str | None:
    """In one line, the first thing in which `document` contradicts itself, None if it does not.

    `solutions` are those that it holds.
    """
    for rule in (_status, _certificate, _cost, _bound, _count, _symmetry, _algorithm, _within):
        found = rule(document, len(solutions))
        if found is not None:
            return found
    moves = min((len(each.actions) for each in solutions), default=0)
    return work_contradiction(document.algorithm, document.statistics, moves, document.cost)


def _status(document: Document, solutions: int) -> str | None:
    status = document.status
    certificate = document.certificate
    for name, value, belongs in (
        ("limit", document.limit, Status.LIMIT),
        ("certificate", None if certificate is None else certificate["kind"], Status.UNSOLVABLE),
    ):
        if (value is not None) != (status == belongs.value):
            text = "null" if value is None else repr(value)
            return f"its status is {status!r}, but field {name!r} is {text}"
    if document.limit is not None and document.limit not in {kind.value for kind in LimitKind}:
        known = ", ".join(kind.value for kind in LimitKind)
        return f"field 'limit' is {short(document.limit)}; it must be one of {known}, or null"
    if status == Status.UNSOLVABLE.value and solutions:
        return f"its status is {status!r}, but it holds {solutions} solutions"
    if status == Status.UNSOLVABLE.value and (document.count, document.complete) != (0, True):
        return (
            f"its status is {status!r}, but its count is {document.count}, "
            f"{'' if document.complete else 'not '}complete"
        )
    return None


def _certificate(document: Document, solutions: int) -> str | None:
    """What a search has proved is a closed set, the one that it tells of elsewhere, too."""
    certificate, statistics = document.certificate, document.statistics
    if certificate is None:
        return None
    if set(certificate) != {"kind", "text", "data"}:
        return "field 'certificate' must have a kind, a text and data, and nothing else"
    if not statistics["generated"] and not statistics["expanded"]:
        return None
    kind, said = certificate["kind"], certificate["data"]
    expanded, algorithm = statistics["expanded"], document.algorithm
    if kind != CLOSED_SET:
        return f"{expanded} states were expanded, but its certificate is of kind {kind!r}"
    search = {"from": "start", "expanded": expanded, "algorithm": algorithm}
    if any(said.get(name) != value for name, value in search.items()):
        return (
            f"{algorithm} expanded {expanded} states, but its certificate, of kind {kind!r}, "
            "says something else"
        )
    return None


def _cost(document: Document, solutions: int) -> str | None:
    if document.cost is None:
        if document.status == Status.SOLVED.value:
            return "its status is 'solved', but it has no cost"
        if solutions or document.optimal:
            return "it has no cost, but " + ("solutions" if solutions else "is said to be optimal")
    elif document.cost < 0:
        return f"its cost is {document.cost}; it must be 0 or more"
    elif document.status == Status.UNSOLVABLE.value:
        return f"its status is 'unsolvable', but its cost is {document.cost}"
    return None


def _bound(document: Document, solutions: int) -> str | None:
    bound, cost = document.lower_bound, document.cost
    if (bound is None) != (document.status == Status.UNSOLVABLE.value):
        text = "null" if bound is None else f"{bound}"
        return f"its status is {document.status!r}, but field 'lower_bound' is {text}"
    if bound is None:
        return None
    if bound < 0:
        return f"its lower bound is {bound}; it must be 0 or more"
    if cost is not None and bound > cost:
        return f"its lower bound {bound} is above its cost {cost}"
    if document.overestimate is not None and bound:
        return f"its heuristic overestimates, but its lower bound is {bound}; it must be 0"
    if cost is not None and (bound == cost) != document.optimal:
        said = "optimal" if document.optimal else "not optimal"
        return f"its cost is {cost} and its lower bound {bound}, but it is said to be {said}"
    return None


def _within(document: Document, solutions: int) -> str | None:
    """The ratio is what cost and lower bound prove, and no less."""
    cost, bound = document.cost, document.lower_bound
    proved = None if cost is None or bound is None else shown_ratio(ratio(cost, bound))
    if document.within == proved:
        return None
    said = "null" if document.within is None else f"{document.within}"
    text = "null" if proved is None else f"{proved}"
    return f"field 'within' is {said}; by its cost and its lower bound it must be {text}"


def _count(document: Document, solutions: int) -> str | None:
    count, status = document.count, document.status
    if document.complete:
        if status == Status.SOLVED.value and not document.optimal:
            return "it is said to be complete, but not optimal"
        if status not in (Status.SOLVED.value, Status.UNSOLVABLE.value):
            return f"its status is {status!r}, but it is said to be complete"
        if count is None:
            return "it is said to be complete, but field 'count' is null"
    if count is None:
        return None if solutions <= 1 else f"it has no count, but {solutions} solutions"
    if count < 0:
        return f"its count is {count}; it must be 0 or more"
    if (count == 0) != (document.cost is None):
        return f"its count is {count}, but its cost is {document.cost}"
    if count and not document.optimal and document.overestimate is None:
        return f"its count of optimal solutions is {count}, but it is said not to be optimal"
    if document.complete and solutions and count != solutions:
        return f"it is said to be complete with a count of {count}, but it holds {solutions}"
    return None


def _symmetry(document: Document, solutions: int) -> str | None:
    symmetry = document.symmetry
    if symmetry is None:
        return None
    if document.start is None:
        return "field 'symmetry' is set, but field 'start' is null"
    if set(symmetry) != {"fixed", "total"} or symmetry["fixed"] != SYMMETRY:
        return f'field \'symmetry\' must be null or {{"fixed": "{SYMMETRY}", "total": ...}}'
    total = symmetry["total"]
    if total is None:
        return None
    if type(total) is not int:
        return f"field 'total' of 'symmetry' must be a whole number or null, not {short(total)}"
    if not document.complete or document.count is None or total < document.count:
        return f"its symmetry has a total of {total}, but its count is {document.count}"
    return None


def _algorithm(document: Document, solutions: int) -> str | None:
    for name, value in (("algorithm", document.algorithm), ("engine", document.engine)):
        if value.split() != [value]:
            return f"field {name!r} is {short(value)}, which is not a name"
    known = ALGORITHMS.get(document.algorithm)
    if known is None:  # of a plugin, which is not needed to replay what it found
        return None
    if known.uses_heuristic != (document.heuristic is not None):
        uses = "uses a" if known.uses_heuristic else "uses no"
        text = "null" if document.heuristic is None else repr(document.heuristic)
        return f"{document.algorithm} {uses} heuristic, but field 'heuristic' is {text}"
    if document.overestimate is not None:
        return None if known.uses_heuristic else f"{document.algorithm} uses no heuristic"
    if known.optimal and document.cost is not None and not document.optimal:
        return f"{document.algorithm} is optimal, but its solution is said not to be"
    return None
