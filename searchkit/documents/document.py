"""Results as JSON documents: written line by line, and read with every mistake named.

The format is `searchkit-solution/1`. States and actions are texts, in the notation of the
puzzle. A bound that is infinite (proved unsolvable) is null.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs

from searchkit.algorithms.weights import shown_ratio
from searchkit.limits import LimitKind, Limits
from searchkit.problem import Problem
from searchkit.result import Improvement, SearchResult, Solution, Statistics, Status
from searchkit.texts.harmless import to_json

FORMAT = "searchkit-solution/1"
OPTIONAL = ("line", "board")
"""Fields of a document that is one of many, in a file of lines: both or none."""
SELDOM = ("near", "improvements")
"""Fields that are left out where they hold nothing."""


@attrs.frozen(kw_only=True)
class SolutionTexts:
    """A solution as texts: the `states` are those from `start` to goal, both included."""

    start: str
    actions: tuple[str, ...]
    states: tuple[str, ...]
    cost: int

    @classmethod
    def of(cls, problem: Problem[Any, Any], solution: Solution[Any, Any]) -> SolutionTexts:
        """The texts of `solution`."""
        states = tuple(map(problem.format_state, solution.states))
        return cls(
            start=states[0],
            actions=tuple(map(problem.format_action, solution.actions)),
            states=states,
            cost=solution.cost,
        )


@attrs.frozen(kw_only=True)
class ImprovementTexts:
    """One of the solutions that an anytime search found: see `searchkit.result.Improvement`."""

    seconds: float
    cost: int
    lower_bound: float
    within: float | None
    expanded: int
    weight: str | None
    width: int | None

    @classmethod
    def of(cls, found: Improvement) -> ImprovementTexts:
        """The texts of an improvement."""
        known = {each.name: getattr(found, each.name) for each in attrs.fields(cls)}
        weight = None if found.weight is None else str(found.weight)
        return cls(**known | {"weight": weight, "within": shown_ratio(found.within)})


@attrs.frozen(kw_only=True)
class CertificateTexts:
    """A certificate as it was written; believe nothing of it (see `read_certificate`)."""

    kind: str
    text: str
    data: dict[str, Any]


@attrs.frozen(kw_only=True)
class Document:
    """What a document says, without its solutions; the names are those of `SearchResult`.

    `line` and `board` say where one start of many was read, and as what text; None for a document
    by itself. `start` and `goal` are None where there is not exactly one. `symmetry` is None, or
    says that one first step of each class of equal ones was kept: `{"fixed": "first step",
    "total": 72}`, the total being the number of solutions without that (None if it was not
    computed). `within` is the proved ratio of the cost to the optimal one, rounded up to four
    digits. `near` is what `limits.within` was, like "+2", where the solutions are those that cost
    so much, and not the optimal ones alone; None else. `engine_reason` says why the reference
    engine ran, None where it was asked for. `overestimate` says where the heuristic did, None if
    it was not seen to. `improvements` are those of an anytime search.
    """

    line: int | None = None
    board: str | None = None
    puzzle: str
    parameters: dict[str, str]
    start: str | None
    goal: str | None
    symmetry: dict[str, Any] | None
    algorithm: str
    heuristic: str | None
    engine: str
    engine_reason: str | None
    status: Status
    cost: int | None
    optimal: bool
    lower_bound: float
    within: float | None
    near: str | None = None
    count: int | None
    complete: bool
    overestimate: str | None
    certificate: CertificateTexts | None
    limit: LimitKind | None
    statistics: Statistics
    improvements: tuple[ImprovementTexts, ...] = ()

    @classmethod
    def of(
        cls,
        result: SearchResult[Any, Any],
        *,
        puzzle: str,
        parameters: Mapping[str, str],
        start: str | None,
        goal: str | None,
        symmetry: dict[str, Any] | None = None,
    ) -> Document:
        """The document that tells `result`."""
        over, proof = result.overestimate, result.certificate
        of_result = {each.name: getattr(result, each.name, None) for each in attrs.fields(cls)}
        changed = {
            "puzzle": puzzle,
            "parameters": dict(parameters),
            "start": start,
            "goal": goal,
            "symmetry": symmetry,
            "algorithm": type(result.algorithm).name,
            "within": shown_ratio(result.within),
            "near": None if result.near is None else str(result.near),
            "improvements": tuple(map(ImprovementTexts.of, result.improvements)),
            "overestimate": None if over is None else str(over),
            "certificate": None if proof is None else CertificateTexts(**attrs.asdict(proof)),
        }
        return cls(**of_result | changed)


def most_cost(document: Document) -> float | None:
    """What its solutions may cost; None where it has no cost. Raises what `Limits` does."""
    cost, within = document.cost, Limits(within=document.near).within
    return cost if cost is None or within is None else within.most(cost)


def as_json(record: Any) -> dict[str, Any]:
    """A record as JSON has it: an infinite number is null, and a member of an `Enum` its value."""
    fields: dict[str, Any] = attrs.asdict(record, value_serializer=_plain)
    return fields


def _plain(record: Any, field: Any, value: Any) -> Any:
    if isinstance(value, enum.Enum):
        return value.value
    return None if isinstance(value, float) and math.isinf(value) else value


def _fields(document: Document) -> dict[str, Any]:
    fields = as_json(document)
    absent = {name for name in (*OPTIONAL, *SELDOM) if fields[name] in (None, ())}
    return {"format": FORMAT} | {name: each for name, each in fields.items() if name not in absent}


def document_lines(document: Document, solutions: Iterable[SolutionTexts]) -> Iterator[str]:
    """The lines of the JSON text; `solutions` are consumed one by one, a line each."""
    yield "{"
    for name, value in _fields(document).items():
        yield f'  "{name}": {to_json(value)},'
    last = None
    for solution in solutions:
        if last is None:
            yield '  "solutions": ['
        else:
            yield f"    {last},"
        last = to_json(as_json(solution))
    if last is None:
        yield '  "solutions": []'
    else:
        yield f"    {last}"
        yield "  ]"
    yield "}"


def document_line(
    document: Document, solutions: Iterable[SolutionTexts], *, line: int, board: str
) -> str:
    """The JSON text on one line, with the line that the start was read from, and its text."""
    fields = _fields(attrs.evolve(document, line=line, board=board))
    return to_json(fields | {"solutions": [as_json(each) for each in solutions]})
