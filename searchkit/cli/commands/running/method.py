"""How `searchkit run` searches: as its options ask, or by the default method."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from searchkit.algorithms import IDAStar
from searchkit.cli.support.choice import Chosen, find
from searchkit.cli.support.errors import running_code_of
from searchkit.cli.support.method import (
    choose_algorithm,
    make_algorithm,
    registered_heuristic,
)
from searchkit.limits import Limits
from searchkit.running.building import BuildStoppedError, building_within
from searchkit.solving.conclusion import stopped_before
from searchkit.solving.default import (
    Look,
    Method,
    default_class,
    default_method,
    heuristic_for_deepening,
)


def choose_method(
    chosen: Chosen, options: Mapping[str, Any], limits: Limits, look: Look, *, any_solution: bool
) -> Method:
    """What the options ask for; what is built on the way counts against the limits."""
    name, heuristic, settings = (options[each] for each in ("algo", "heuristic", "settings"))
    if name is None and heuristic is None and not settings:
        with running_code_of(chosen.name, chosen.problem, may_refuse=True):
            return default_method(
                chosen.problem, partial(registered_heuristic, chosen), limits, look,
                any_solution=any_solution,
            )  # fmt: skip
    cls = None if name is None else find(chosen.registry, "algorithms", name).algorithm
    if cls is IDAStar and heuristic is None:
        with chosen.guard():
            heuristic, limits = heuristic_for_deepening(chosen.problem, limits)
    try:
        with building_within(limits) as left:
            algorithm = choose_algorithm(chosen, name, heuristic, settings)
    except BuildStoppedError as stopped:
        if cls is None:
            with chosen.guard():
                cls = IDAStar if heuristic is not None else default_class(chosen.problem)
        algorithm = make_algorithm(cls, settings)
        return Method(algorithm, left(), stopped_before(chosen.problem, algorithm, stopped))
    return Method(algorithm, left())
