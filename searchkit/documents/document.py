"""Results as JSON documents: written line by line, and read with every mistake named.

The format is `searchkit-solution/1`. States and actions are texts, in the notation of the
puzzle. A bound that is infinite (proved unsolvable) is null.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs

from searchkit.algorithms.weights import shown_ratio
from searchkit.problem import Problem
from searchkit.result import SearchResult, Solution, Statistics
from searchkit.texts.harmless import to_json

FORMAT = "searchkit-solution/1"
OPTIONAL = ("line", "board")
"""Fields of a document that is one of many, in a file of lines: both or none."""
MOST_DIGITS = 10_000
"""No number has more: neither a cost nor a number of solutions."""
MOST_WORK = 10**30
"""No search has expanded more states, taken more seconds or stored more bytes."""


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
class Document:
    """What a document says, without its solutions; the names are those of `SearchResult`.

    `start` and `goal` are None where there is not exactly one. `symmetry` is None, or says
    that one first step of each class of equal ones was kept: `{"fixed": "first step",
    "total": 72}`, the total being the number of solutions without that (None if it was not
    computed). `within` is the proved ratio of the cost to the optimal one, rounded up to four
    digits. `overestimate` says where the heuristic did, None if it was not seen to.
    `certificate` is None, or has the kind, the text and the data of one.
    """

    puzzle: str
    parameters: dict[str, str]
    start: str | None
    goal: str | None
    symmetry: dict[str, Any] | None
    algorithm: str
    heuristic: str | None
    engine: str
    status: str
    cost: int | None
    optimal: bool
    lower_bound: float | None
    within: float | None
    count: int | None
    complete: bool
    overestimate: str | None
    certificate: dict[str, Any] | None
    limit: str | None
    statistics: dict[str, Any]
    line: int | None = None
    board: str | None = None
    """Where one start of many was read, and as what text; None for a document by itself."""

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
        return cls(
            puzzle=puzzle,
            parameters=dict(parameters),
            start=start,
            goal=goal,
            symmetry=symmetry,
            algorithm=type(result.algorithm).name,
            heuristic=result.heuristic,
            engine=result.engine,
            status=result.status.value,
            cost=result.cost,
            optimal=result.optimal,
            lower_bound=_finite(result.lower_bound),
            within=shown_ratio(result.within),
            count=result.count,
            complete=result.complete,
            overestimate=None if result.overestimate is None else str(result.overestimate),
            certificate=None if result.certificate is None else attrs.asdict(result.certificate),
            limit=None if result.limit is None else result.limit.value,
            statistics=statistics_document(result.statistics),
        )


def statistics_document(statistics: Statistics) -> dict[str, Any]:
    """The statistics as JSON has them."""
    fields = attrs.asdict(statistics)
    for row in fields["iterations"]:
        row["bound"] = _finite(row["bound"])
    return fields | {"iterations": list(fields["iterations"])}


def _finite(number: float) -> float | None:
    return number if isinstance(number, int) or math.isfinite(number) else None


def _fields(document: Document) -> dict[str, Any]:
    fields = attrs.asdict(document)
    return {name: value for name, value in fields.items() if name not in OPTIONAL}


def document_lines(document: Document, solutions: Iterable[SolutionTexts]) -> Iterator[str]:
    """The lines of the JSON text; `solutions` are consumed one by one, a line each."""
    yield "{"
    for name, value in [("format", FORMAT), *_fields(document).items()]:
        yield f'  "{name}": {to_json(value)},'
    last = None
    for solution in solutions:
        if last is None:
            yield '  "solutions": ['
        else:
            yield f"    {last},"
        last = to_json(attrs.asdict(solution))
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
    where = {"line": line, "board": board}
    found = [attrs.asdict(solution) for solution in solutions]
    return to_json({"format": FORMAT} | where | _fields(document) | {"solutions": found})
