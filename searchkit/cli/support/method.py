"""The algorithm and the heuristic that the options of a command ask for."""

from __future__ import annotations

import re
from typing import Any

import attrs

from searchkit.algorithms import AStar, Bidirectional, BreadthFirst, IDAStar, UniformCost
from searchkit.capabilities import (
    own_heuristic,
)
from searchkit.cli.support.choice import (
    OTHER_HEURISTICS,
    OWN_HEURISTIC,
    ZERO_HEURISTIC,
    Chosen,
    find,
)
from searchkit.cli.support.errors import running_code_of
from searchkit.cli.support.progress import ProgressLine
from searchkit.compiled.suitability import why_not_compiled
from searchkit.errors import (
    ProblemError,
    UnknownNameError,
    UnsuitableError,
    UsageError,
)
from searchkit.heuristic import Heuristic, ZeroHeuristic
from searchkit.heuristics.names import AUTO, best_heuristic, read_heuristic
from searchkit.heuristics.patterns.database import PatternDatabase
from searchkit.heuristics.patterns.space import PatternSpace
from searchkit.packed import CarriedHeuristic, PackedProblem, ZeroEstimate
from searchkit.premises.asking import estimate_of
from searchkit.problem import Costs
from searchkit.texts.amounts import one_line

WHOLE = re.compile(r"-?[0-9]{1,30}")


def choose_heuristic(chosen: Chosen, text: str | None) -> Heuristic[Any, Any] | None:
    """The heuristic that `text` describes (see `searchkit.heuristics.names`); None is the own one.

    Pattern databases that are small are built, with a line that tells how far that is.
    """
    if text is None or text == OWN_HEURISTIC:
        return None
    if text == AUTO:
        text = best_heuristic(chosen.problem)
        if text is None:
            return None

    def named(name: str) -> Heuristic[Any, Any]:
        return _named_heuristic(chosen, name)

    def builder(space: PatternSpace, group: int) -> PatternDatabase:
        from searchkit.heuristics.patterns.compiled_build import build  # noqa: PLC0415  (loads numba)

        with ProgressLine("pattern database", quiet=False) as line:
            return build(space, group, progress=lambda at: line.show(at.about()))

    with running_code_of(chosen.name, chosen.problem, may_refuse=True):
        return read_heuristic(chosen.problem, text, named, builder=builder)


def _named_heuristic(chosen: Chosen, name: str) -> Heuristic[Any, Any]:
    if name == ZERO_HEURISTIC:
        return ZeroEstimate() if isinstance(chosen.problem, PackedProblem) else ZeroHeuristic()
    if name == OWN_HEURISTIC:
        return own_heuristic(chosen.problem)
    with chosen.guard():
        try:
            entry = find(chosen.registry, "heuristics", name, chosen.problem)
        except UnknownNameError as error:
            raise UnknownNameError(f"{error}; or {OTHER_HEURISTICS}") from None
        heuristic = entry.factory(chosen.problem)
    if not isinstance(heuristic, Heuristic):
        raise ProblemError(
            f"heuristic {name} (from {entry.origin}) is not a Heuristic but {heuristic!r}"
        )
    return heuristic


def choose_algorithm(
    chosen: Chosen,
    name: str | None,
    heuristic: str | None,
    settings: tuple[str, ...] = (),
    *,
    any_solution: bool = False,
) -> Any:
    """The named algorithm with the named heuristic; `default_algorithm` if none is named.

    With `any_solution`, search up to symmetry is preferred where only that is compiled.
    `settings` are options of the algorithm, each as `NAME=VALUE`.
    """
    if name is None and heuristic is None and not settings and any_solution:
        symmetric = Bidirectional(symmetry="auto")
        if _only_compiled(chosen, symmetric):
            return symmetric
    if name is None and heuristic is None and not settings:
        heuristic = best_heuristic(chosen.problem)
    if name is None:
        if heuristic is not None:
            return _with_heuristic(chosen, heuristic, settings)
        cls = default_algorithm(chosen)
    else:
        cls = find(chosen.registry, "algorithms", name).algorithm
    if not cls.uses_heuristic:
        if heuristic is not None:
            raise UnsuitableError(
                f"{cls.name} uses no heuristic; drop --heuristic, or use astar or idastar"
            )
        return make_algorithm(cls, settings)
    return make_algorithm(cls, settings, heuristic=choose_heuristic(chosen, heuristic))


def _with_heuristic(chosen: Chosen, text: str, settings: tuple[str, ...]) -> Any:
    """A* or IDA* with the heuristic that `text` describes."""
    heuristic = choose_heuristic(chosen, text)
    return make_algorithm(_suiting(heuristic), settings, heuristic=heuristic)


def _suiting(heuristic: Heuristic[Any, Any] | None) -> Any:
    """A*, or IDA* for a heuristic that is carried along the path, which is fast."""
    return IDAStar if isinstance(heuristic, CarriedHeuristic) else AStar


def make_algorithm(cls: Any, settings: tuple[str, ...] = (), **options: Any) -> Any:
    """The algorithm with options given as text; whole numbers are made numbers."""
    fields = attrs.fields(cls) if attrs.has(cls) else ()
    known = [field.name for field in fields if field.name != "heuristic"]
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or name not in known:
            example = f"{known[0]}=..." if known else "none"
            raise UsageError(
                f"{cls.name} has no option {setting!r}; its options are: "
                f"{', '.join(known) or example}, each given as NAME=VALUE"
            )
        options[name] = int(value) if WHOLE.fullmatch(value) else value
    try:
        return cls(**options)
    except Exception as error:
        detail = one_line(error.args[0] if error.args else type(error).__name__)
        if settings and isinstance(error, (TypeError, ValueError)):
            raise UsageError(f"{cls.name} rejects {' '.join(settings)}: {detail}") from error
        raise UnsuitableError(
            f"{cls.name} cannot be made as it is: {detail}; set its options, in Python or with "
            "run --option NAME=VALUE"
        ) from error


def _only_compiled(chosen: Chosen, algorithm: Any) -> bool:
    """Whether the algorithm suits the problem and is compiled for it, and A* is not."""
    problem = chosen.problem
    with chosen.guard():
        try:
            algorithm.check(problem)
        except UnsuitableError:
            return False
        if why_not_compiled(problem, algorithm=algorithm) is not None:
            return False
        return why_not_compiled(problem, algorithm=AStar()) is not None


def default_algorithm(chosen: Chosen) -> Any:
    """A* where the problem's own heuristic knows something about a start.

    That is its `default_heuristic`, or else its method `heuristic`. IDA* with a heuristic that is
    carried along the path. Without one, bidirectional search where it is possible, breadth-first
    search for unit costs, uniform-cost search for others.
    """
    problem = chosen.problem
    starts = chosen.starts()
    with chosen.guard():
        heuristic = own_heuristic(problem)
        if any(estimate_of(problem, heuristic, start) > 0 for start in starts):
            return _suiting(heuristic)
    if problem.costs is not Costs.UNIT:
        return UniformCost
    try:
        Bidirectional().check(problem)
    except UnsuitableError:
        return BreadthFirst
    return Bidirectional
