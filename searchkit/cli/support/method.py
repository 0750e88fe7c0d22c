"""The algorithm and the heuristic that the options of a command ask for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Literal

import attrs

from searchkit.algorithms import Bidirectional, IDAStar
from searchkit.cli.support.choice import (
    OTHER_HEURISTICS,
    Chosen,
    find,
)
from searchkit.cli.support.errors import running_code_of
from searchkit.cli.support.progress import ProgressLine
from searchkit.errors import (
    ProblemError,
    UnknownNameError,
    UnsuitableError,
    UsageError,
)
from searchkit.heuristic import Heuristic
from searchkit.heuristics.names import (
    AUTO,
    COSETS,
    OWN,
    best_heuristic,
    heuristic_to_build,
    read_heuristic,
)
from searchkit.limits import Limits
from searchkit.solve import solve
from searchkit.solving.default import default_algorithm, default_class, suiting
from searchkit.texts.amounts import one_line

WITHOUT_TABLE = 5
"""IDA* searches a start within so many moves without a table."""
TRIED_AT_BOTH_ENDS = 500_000
"""A table is built where bidirectional search has no answer after so many expansions."""
WHOLE = re.compile(r"-?[0-9]{1,30}")


def choose_heuristic(
    chosen: Chosen, text: str | None, *, carried: bool = False
) -> Heuristic[Any, Any] | None:
    """The heuristic that `text` describes (see `searchkit.heuristics.names`); None is the own one.

    A puzzle without one has databases built that it chooses by memory, or, if they can be `carried`
    along paths, a table of cosets, unless its start is near the goal. Tables that are small, or
    chosen so, are built with a line that tells how far that is.
    """
    if text is None:
        with chosen.guard():
            text = heuristic_to_build(chosen.problem, carried=carried)
        if text == COSETS and best_heuristic(chosen.problem) is None:
            limits = Limits(cost=WITHOUT_TABLE)
            if _is_near(chosen, limits, engine="reference"):
                return None
    if text is None or text == OWN:
        return None
    if text == AUTO and best_heuristic(chosen.problem) is None:
        return None

    named = partial(_registered_heuristic, chosen)
    with running_code_of(chosen.name, chosen.problem, may_refuse=True), _watching() as watch:
        return read_heuristic(chosen.problem, text, named, watch=watch)


def _default(chosen: Chosen, *, any_solution: bool) -> Any:
    with running_code_of(chosen.name, chosen.problem, may_refuse=True), _watching() as watch:
        named = partial(_registered_heuristic, chosen)
        return default_algorithm(chosen.problem, named, any_solution=any_solution, watch=watch)


def _lasts(chosen: Chosen) -> bool:
    """Whether a table of cosets is worth building for what takes bidirectional search long."""
    limits = Limits(expansions=TRIED_AT_BOTH_ENDS)
    return heuristic_to_build(chosen.problem, carried=True) == COSETS and not _is_near(
        chosen, limits, engine="auto"
    )


def _is_near(chosen: Chosen, limits: Limits, engine: Literal["auto", "reference"]) -> bool:
    """Whether bidirectional search has an answer within limits, so that no table is worth it."""
    with chosen.guard():
        found = solve(chosen.problem, Bidirectional(), limits=limits, engine=engine)
    return found.limit is None


@contextmanager
def _watching() -> Iterator[Callable[[Any], None]]:
    """What shows how far a table is that is built."""
    with ProgressLine("building a table", quiet=False) as line:
        yield lambda building: line.show(building.about())


def _registered_heuristic(chosen: Chosen, name: str) -> Heuristic[Any, Any]:
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
    may_build: bool = False,
) -> Any:
    """The named algorithm with the named heuristic; `default_algorithm` if none is named.

    With `any_solution`, chains of moves are searched by bitmaps, up to symmetry, where they can be.
    A table of cosets that is not asked for is built if it `may_build` one, which takes a minute.
    `settings` are options of the algorithm, each as `NAME=VALUE`.
    """
    if name is None and heuristic is None and not settings:
        found = _default(chosen, any_solution=any_solution)
        if may_build and isinstance(found, Bidirectional) and _lasts(chosen):
            choose_heuristic(chosen, COSETS)  # it is built, and then taken
            found = _default(chosen, any_solution=any_solution)
        return found
    if name is not None:
        cls = find(chosen.registry, "algorithms", name).algorithm
    elif heuristic is not None:
        given = choose_heuristic(chosen, heuristic)
        return make_algorithm(suiting(given), settings, heuristic=given)
    else:
        with chosen.guard():
            cls = default_class(chosen.problem)
    if not cls.uses_heuristic:
        if heuristic is not None:
            raise UnsuitableError(
                f"{cls.name} uses no heuristic; drop --heuristic, or use astar or idastar"
            )
        return make_algorithm(cls, settings)
    given = choose_heuristic(chosen, heuristic, carried=may_build and cls is IDAStar)
    return make_algorithm(cls, settings, heuristic=given)


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
    if "operator_pruning" in known and options.get("heuristic") is not None:
        options.setdefault("operator_pruning", options["heuristic"].operator_pruning)
    try:
        return cls(**options)
    except Exception as error:
        detail = one_line(error.args[0] if error.args else type(error).__name__)
        if settings and isinstance(error, (TypeError, ValueError, UsageError)):
            raise UsageError(f"{cls.name} rejects {' '.join(settings)}: {detail}") from error
        raise UnsuitableError(
            f"{cls.name} cannot be made as it is: {detail}; set its options, in Python or with "
            "run --option NAME=VALUE"
        ) from error
