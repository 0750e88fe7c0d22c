"""Who is compared, algorithms, each with each heuristic; and what of a result is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from searchkit.capabilities import own_heuristic
from searchkit.cli.support.choice import Chosen, find
from searchkit.cli.support.engine_note import missing_code
from searchkit.cli.support.method import choose_algorithm, make_algorithm
from searchkit.comparison import Contestant
from searchkit.documents.document import Document, as_json
from searchkit.errors import UnsuitableError, UsageError
from searchkit.limits import Limits
from searchkit.result import SearchResult
from searchkit.running.building import BuildStoppedError, building_within


@attrs.frozen
class Entrant:
    """A contestant with its algorithm, and the name of its heuristic as it was given."""

    contestant: Contestant
    algorithm: Any
    heuristic: str | None
    limits: Limits
    """What is left of them for the search."""
    stopped: BuildStoppedError | None = None
    """Where the limits are used up by what is built for it."""


def choose_entrants(
    chosen: Chosen, names: Sequence[str], heuristics: Sequence[str], limits: Limits
) -> tuple[list[Entrant], dict[str, str]]:
    """The algorithms to compare, each with each heuristic, and why the others do not suit.

    An algorithm that was named and does not suit is an error. What is built for one counts against
    its limits.
    """
    together = next((name for name in names if "," in name), None)
    if together is not None:
        repeated = " ".join(f"--algo {name}" for name in together.split(","))
        raise UsageError(f"{together!r} names several algorithms; repeat the option: {repeated}")
    entries = [find(chosen.registry, "algorithms", name) for name in dict.fromkeys(names)]
    if not entries:
        entries = [each for each in chosen.registry.algorithms.entries if each.algorithm.optimal]
    entrants: dict[str, Entrant] = {}
    unsuitable: dict[str, str] = {}
    for entry in entries:
        uses: Sequence[str | None] = [None]
        if entry.algorithm.uses_heuristic:
            uses = list(dict.fromkeys(heuristics)) or [None]
        try:
            made = [_made(chosen, entry.name, heuristic, limits) for heuristic in uses]
            made[0].algorithm.check(chosen.problem)
        except UnsuitableError as error:
            if names:
                raise
            unsuitable[entry.name] = str(error)
            continue
        for each, given in zip(made, uses, strict=True):
            heuristic, algorithm = None, each.algorithm
            if each.stopped is not None:
                heuristic = given or each.stopped.building.what
            elif algorithm.uses_heuristic:
                with chosen.guard():
                    own = getattr(algorithm, "heuristic", None) or own_heuristic(chosen.problem)
                    heuristic = own.name
                if f"{entry.name} ({heuristic})" in entrants:
                    heuristic = given
            label = entry.name if heuristic is None else f"{entry.name} ({heuristic})"
            contestant = Contestant(
                label=label, algorithm=entry.name, heuristic=heuristic, optimal=algorithm.optimal
            )
            entrants[label] = Entrant(contestant, algorithm, given, each.limits, each.stopped)
    return list(entrants.values()), unsuitable


@attrs.frozen
class _Made:
    """An algorithm, and what making it has left of the limits."""

    algorithm: Any
    limits: Limits
    stopped: BuildStoppedError | None = None


def _made(chosen: Chosen, name: str, heuristic: str | None, limits: Limits) -> _Made:
    with building_within(limits) as left:
        try:
            return _Made(choose_algorithm(chosen, name, heuristic), left())
        except BuildStoppedError as stopped:
            cls = find(chosen.registry, "algorithms", name).algorithm
            return _Made(make_algorithm(cls), left(), stopped)


def run_fields(result: SearchResult[Any, Any]) -> dict[str, Any]:
    """The fields of `searchkit.comparison.Run` that a result has."""
    document = as_json(Document.of(result, puzzle="", parameters={}, start=None, goal=None))
    figures: dict[str, Any] = document["statistics"]
    figures["stored_bytes"] = figures.pop("bytes")
    del figures["setup_seconds"]
    names = ("status", "limit", "engine", "cost", "optimal", "lower_bound", "within")
    return {name: document[name] for name in names} | figures | {
        "reason": result.reason or result.unfinished,
        "engine_reason": missing_code(result),
        "moves": None if result.solution is None else len(result.solution),
    }  # fmt: skip
