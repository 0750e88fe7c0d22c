"""What the fields of a document must have to do with each other, and names that it must know."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, pairwise
from typing import Any

import attrs

from searchkit.algorithms import ALGORITHMS, IDAStar
from searchkit.algorithms.weights import ratio, shown_ratio
from searchkit.capabilities import own_heuristic
from searchkit.certificates import CLOSED_SET
from searchkit.documents.document import Document, SolutionTexts, most_cost
from searchkit.engines.incumbents import SHARES
from searchkit.errors import UnknownNameError, UsageError
from searchkit.heuristic import ProblemHeuristic
from searchkit.heuristics.kinds import row_of
from searchkit.packed import ZeroHeuristic
from searchkit.problem import Problem
from searchkit.registry import Registry
from searchkit.result import Status
from searchkit.solving.engines import engine_kinds
from searchkit.texts.amounts import quoted

SYMMETRY = "first step"
SLACK = 1e-6
"""Seconds are summed in floating point."""
CHECKED = "checked"
BEAMS_FROM = min(share.start for share in SHARES.values())  # expansions
BY_COST = ("astar", "ucs", "wastar", "anytime")
"""Their open list has several entries of a state that was reached again at a smaller cost."""


Rows = Iterator[tuple[bool, str]]
"""Whether something is wrong, each time with what is, in one line."""


def contradiction(document: Document, solutions: Sequence[SolutionTexts]) -> str | None:
    """In one line, the first thing in which `document` contradicts itself, None if it does not.

    `solutions` are those that it holds.
    """
    moves = min((len(each.actions) for each in solutions), default=0)
    rules = (
        _status, _certificate, _cost, _bound, _count, _symmetry, _algorithm, _within, _near,
        _improvements,
    )  # fmt: skip
    rows = chain(*(rule(document, len(solutions)) for rule in rules), _work(document, moves))
    return next((text for is_wrong, text in rows if is_wrong), None)


def _shown(value: object) -> str:
    return "null" if value is None else repr(value)


def _status(document: Document, solutions: int) -> Rows:
    status, limit, certificate = document.status, document.limit, document.certificate
    said = f"its status is {status.value!r}, but"
    for name, value, belongs in (
        ("limit", None if limit is None else limit.value, Status.LIMIT),
        ("certificate", None if certificate is None else certificate.kind, Status.UNSOLVABLE),
    ):
        is_wrong = (value is not None) != (status is belongs)
        yield is_wrong, f"{said} field {name!r} is {_shown(value)}"
    if status is Status.UNSOLVABLE:
        yield solutions > 0, f"{said} it holds {solutions} solutions"
        complete = "complete" if document.complete else "not complete"
        is_wrong = (document.count, document.complete) != (0, True)
        yield is_wrong, f"{said} its count is {document.count}, {complete}"


def _certificate(document: Document, solutions: int) -> Rows:
    """What a search has proved is a closed set, the one that it tells of elsewhere, too."""
    certificate, work = document.certificate, document.statistics
    if certificate is None or not (work.generated or work.expanded):
        return
    kind, expanded, algorithm = certificate.kind, work.expanded, document.algorithm
    said = f"{expanded} states were expanded"
    yield kind != CLOSED_SET, f"{said}, but its certificate is of kind {kind!r}"
    search = {"from": "start", "expanded": expanded, "algorithm": algorithm}
    is_wrong = any(certificate.data.get(name) != value for name, value in search.items())
    said = f"{algorithm} expanded {expanded} states, but its certificate, of kind {kind!r}, "
    yield is_wrong, f"{said}says something else"


def _cost(document: Document, solutions: int) -> Rows:
    status, cost = document.status, document.cost
    if cost is None:
        yield status is Status.SOLVED, "its status is 'solved', but it has no cost"
        but = "solutions" if solutions else "is said to be optimal"
        yield solutions > 0 or document.optimal, f"it has no cost, but {but}"
    is_unsolvable = status is Status.UNSOLVABLE
    yield cost is not None and is_unsolvable, f"its status is 'unsolvable', but its cost is {cost}"


def _bound(document: Document, solutions: int) -> Rows:
    bound, cost = document.lower_bound, document.cost
    is_infinite = bound == math.inf
    said, text = f"its status is {document.status.value!r}", "null" if is_infinite else bound
    is_wrong = is_infinite != (document.status is Status.UNSOLVABLE)
    yield is_wrong, f"{said}, but field 'lower_bound' is {text}"
    paid = math.inf if cost is None else cost
    yield bound > paid, f"its lower bound {bound} is above its cost {cost}"
    is_wrong = document.overestimate is not None and 0 < bound < math.inf
    yield is_wrong, f"its heuristic overestimates, but its lower bound is {bound}; it must be 0"
    said = "optimal" if document.optimal else "not optimal"
    yield (
        cost is not None and (bound == cost) != document.optimal,
        f"its cost is {cost} and its lower bound {bound}, but it is said to be {said}",
    )


def _within(document: Document, solutions: int) -> Rows:
    cost = document.cost
    proved = None if cost is None else shown_ratio(ratio(cost, document.lower_bound))
    said = f"field 'within' is {_shown(document.within)}; by its cost and its lower bound it must"
    yield document.within != proved, f"{said} be {_shown(proved)}"


def _near(document: Document, solutions: int) -> Rows:
    if document.near is None:
        return
    try:
        most_cost(document)
    except UsageError:
        yield True, f"field 'near' is {quoted(document.near)}; it must be like '+2', '1.1' or 'any'"
    yield document.symmetry is not None, "fields 'near' and 'symmetry' are both set"


def _improvements(document: Document, solutions: int) -> Rows:
    found, cost, bound = document.improvements, document.cost, document.lower_bound
    yield bool(found) and cost is None, "it has improvements, but no cost"
    for each in found:
        said = f"an improvement costs {each.cost} with the lower bound {each.lower_bound}"
        yield each.cost < (cost or 0), f"{said}, but the cost of the document is {cost}"
        is_wrong = each.lower_bound > min(bound, each.cost)
        yield is_wrong, f"{said}, but the lower bound of the document is {bound}"
        proved = shown_ratio(ratio(each.cost, each.lower_bound))
        said = f"{said}, so that its field 'within' must be {_shown(proved)}"
        yield each.within != proved, f"{said}, not {_shown(each.within)}"
    for name in ("lower_bound", "seconds"):
        values = [getattr(each, name) for each in found]
        yield values != sorted(values), f"field {name!r} falls from one improvement to the next"
    costs = [each.cost for each in found]
    is_wrong = costs != sorted(set(costs), reverse=True)
    yield is_wrong, "the costs of its improvements do not fall"


def _count(document: Document, solutions: int) -> Rows:
    count, status, said = document.count, document.status, "it is said to be complete"
    if document.complete:
        yield status is Status.SOLVED and not document.optimal, f"{said}, but not optimal"
        is_wrong = status not in (Status.SOLVED, Status.UNSOLVABLE)
        yield is_wrong, f"its status is {status.value!r}, but {said}"
        yield count is None, f"{said}, but field 'count' is null"
    if count is None:
        is_wrong = solutions > 1 and document.near is None
        yield is_wrong, f"it has no count, but {solutions} solutions"
        return
    is_wrong = (count == 0) != (document.cost is None)
    yield is_wrong, f"its count is {count}, but its cost is {document.cost}"
    is_wrong = count > 0 and not document.optimal and document.overestimate is None
    yield is_wrong, f"its count of optimal solutions is {count}, but it is said not to be optimal"
    is_wrong = document.complete and 0 < solutions != count
    yield is_wrong, f"{said} with a count of {count}, but it holds {solutions}"


def _symmetry(document: Document, solutions: int) -> Rows:
    symmetry, count = document.symmetry, document.count
    if symmetry is None:
        return
    yield document.start is None, "field 'symmetry' is set, but field 'start' is null"
    is_wrong = set(symmetry) != {"fixed", "total"} or symmetry["fixed"] != SYMMETRY
    yield is_wrong, f'field \'symmetry\' must be null or {{"fixed": "{SYMMETRY}", "total": ...}}'
    total = symmetry["total"]
    if total is None:
        return
    said = f"field 'total' of 'symmetry' must be a whole number or null, not {quoted(total)}"
    yield type(total) is not int, said
    is_wrong = not document.complete or count is None or total < count
    yield is_wrong, f"its symmetry has a total of {total}, but its count is {count}"


def _algorithm(document: Document, solutions: int) -> Rows:
    name, heuristic = document.algorithm, document.heuristic
    for field, value in (("algorithm", name), ("engine", document.engine)):
        yield value.split() != [value], f"field {field!r} is {quoted(value)}, which is not a name"
    known = ALGORITHMS.get(name)
    if known is None:  # of a plugin, which is not needed to replay what it found
        return
    uses = "uses a" if known.uses_heuristic else "uses no"
    is_wrong = known.uses_heuristic != (heuristic is not None)
    if heuristic is None and solutions == 0 == document.statistics.generated:
        is_wrong = False  # a limit was reached while its tables were built
    yield is_wrong, f"{name} {uses} heuristic, but field 'heuristic' is {_shown(heuristic)}"
    if document.overestimate is not None:
        yield not known.uses_heuristic, f"{name} uses no heuristic"
    else:
        is_certain = known.optimal and "incumbents" not in attrs.fields_dict(known)
        is_wrong = is_certain and document.cost is not None and not document.optimal
        yield is_wrong, f"{name} is optimal, but its solution is said not to be"


def _work(document: Document, moves: int) -> Rows:
    """What no search of that algorithm can have counted.

    `moves` is the length of the shortest solution that is listed, 0 without one. Nothing is known
    of the algorithms of plugins.
    """
    algorithm, work = document.algorithm, document.statistics
    if algorithm not in ALGORITHMS:
        return
    said = f"its solutions have {moves} moves, but only {work.expanded} states were expanded"
    yield moves > work.expanded, said
    is_wrong = document.cost is not None and work.generated < 1
    yield is_wrong, "it has a solution, but no state was generated"
    room = "generated" if algorithm in BY_COST else "stored"
    for less, more in (("expanded", "generated"), ("max_frontier", room), ("reopened", "expanded")):
        few, many = getattr(work, less), getattr(work, more)
        said = f"its statistics say {less} {few} and {more} {many}; {less} is never more"
        yield few > many, said
    rows = work.iterations
    is_wrong = bool(rows) and not ALGORITHMS[algorithm].deepens
    yield is_wrong, f"{algorithm} has no iterations, but its statistics have {len(rows)}"
    if not rows:
        return
    expanded, generated = (sum(getattr(row, n) for row in rows) for n in ("expanded", "generated"))
    said = f"its iterations expanded {expanded} states, not {work.expanded}"
    has_beams = ALGORITHMS[algorithm] is IDAStar and expanded >= BEAMS_FROM  # which count, too
    has_tables = any(row_of(part) for part in _parts(document.heuristic or ""))  # not at first
    is_all = document.near is None  # what is near an optimal solution is looked for behind them
    has_layers = ALGORITHMS[algorithm].uses_goal_states
    is_fewer = expanded < work.expanded and is_all
    is_fewer &= not (has_beams or has_layers or has_tables)
    yield expanded > work.expanded or is_fewer, said
    said = f"its iterations generated {generated} states, not {work.generated}"
    yield generated > work.generated, said
    is_wrong = sum(row.seconds for row in rows) > work.seconds + SLACK
    yield is_wrong, f"its iterations took longer than its {work.seconds} seconds"
    # With a weight, a last round has none: its bound is the cost limit.
    rising = rows[:-1] if "weight" in attrs.fields_dict(ALGORITHMS[algorithm]) else rows
    is_wrong = any(row.bound > after.bound for row, after in pairwise(rows))
    is_wrong = is_wrong or any(row.bound == after.bound for row, after in pairwise(rising))
    yield is_wrong, "the bounds of its iterations do not rise"


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
