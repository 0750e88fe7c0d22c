"""The algorithm and the heuristic that the options of a command ask for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import attrs

from searchkit.algorithms import AStar, Bidirectional, IDAStar
from searchkit.capabilities import HasBestHeuristics
from searchkit.cli.support.choice import BUILT_IN_HEURISTICS, Chosen
from searchkit.cli.support.errors import is_quiet, running_code_of
from searchkit.cli.support.options import limits_from
from searchkit.cli.support.progress import ProgressLine
from searchkit.errors import ProblemError, UnknownNameError, UnsuitableError, UsageError
from searchkit.heuristic import Heuristic
from searchkit.heuristics.names import (
    AUTO,
    OWN,
    best_heuristic,
    has_tables,
    heuristic_to_build,
    heuristics_within,
    read_heuristic,
)
from searchkit.limits import Limits
from searchkit.running.building import BuildStoppedError, building, building_within
from searchkit.solving.conclusion import stopped_before
from searchkit.solving.default import (
    Look,
    Method,
    default_algorithm,
    default_class,
    heuristic_for_deepening,
    suiting,
)
from searchkit.solving.with_tables import method_for
from searchkit.texts.amounts import one_line

WHOLE = r"-?[0-9]{1,30}"


def choose_heuristic(chosen: Chosen, text: str | None) -> Heuristic[Any, Any] | None:
    """The heuristic that `text` describes (see `searchkit.heuristics.names`); None is the own one.

    A puzzle without one has databases built that it chooses by memory. Tables that are small, or
    chosen so, are built; `searchkit.running.building` keeps limits and shows how far they are.
    """
    if text is None:
        with chosen.guard():
            text = heuristic_to_build(chosen.problem)
    if text is None or text == OWN:
        return None
    if text == AUTO and best_heuristic(chosen.problem) is None:
        return None
    named = partial(registered_heuristic, chosen)
    with running_code_of(chosen.name, chosen.problem, may_refuse=True), _line():
        return read_heuristic(chosen.problem, text, named)


def _default(chosen: Chosen, *, any_solution: bool) -> Any:
    with running_code_of(chosen.name, chosen.problem, may_refuse=True), _line():
        named = partial(registered_heuristic, chosen)
        return default_algorithm(chosen.problem, named, any_solution=any_solution)


def _line() -> ProgressLine:
    return ProgressLine("searchkit", quiet=is_quiet())


def registered_heuristic(chosen: Chosen, name: str) -> Heuristic[Any, Any]:
    """The heuristic that a plugin has registered under that name."""
    with chosen.guard():
        try:
            known = chosen.registry.heuristics
            entry = known.get(name, chosen.problem, besides=BUILT_IN_HEURISTICS)
        except UnknownNameError as error:
            raise UnknownNameError(f"{error}; or {', '.join(BUILT_IN_HEURISTICS)}") from None
        with building(f"the heuristic {name}") as tell:
            tell("")
            heuristic = entry.factory(chosen.problem)
            tell("")  # whatever it has built for itself counts
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

    With `any_solution`, chains of moves are searched by bitmaps, up to symmetry, where they can be.
    `settings` are options of the algorithm, each as `NAME=VALUE`.
    """
    if name is None and heuristic is None and not settings:
        return _default(chosen, any_solution=any_solution)
    if name is not None:
        cls = chosen.registry.algorithms.get(name).algorithm
    elif heuristic is not None:
        given = choose_heuristic(chosen, heuristic)
        return make_algorithm(suiting(given), settings, heuristic=given, incumbents="beam")
    else:
        with chosen.guard():
            cls = default_class(chosen.problem)
    if not cls.uses_heuristic:
        if heuristic is not None:
            raise UnsuitableError(
                f"{cls.name} uses no heuristic; drop --heuristic, or use astar or idastar"
            )
        return make_algorithm(cls, settings)
    given = choose_heuristic(chosen, heuristic)
    return make_algorithm(cls, settings, heuristic=given)


def make_algorithm(cls: Any, settings: tuple[str, ...] = (), **options: Any) -> Any:
    """The algorithm with options given as text; whole numbers are made numbers."""
    fields = attrs.fields(cls) if attrs.has(cls) else ()
    known = [field.name for field in fields if field.name != "heuristic"]
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or name not in known:
            its = (
                f"its options are {', '.join(known)}, given as NAME=VALUE"
                if known
                else "it has none"
            )
            what = f"option {name!r}" if equals else f"option of the form {setting!r}"
            raise UsageError(f"{cls.name} has no {what}; {its}")
        options[name] = int(value) if re.fullmatch(WHOLE, value) else value
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


def choose_method(
    chosen: Chosen, options: Mapping[str, Any], limits: Limits, look: Look, *, any_solution: bool
) -> Method:
    """What the options ask for; what is built on the way counts against the limits."""
    name, heuristic, settings = (options[each] for each in ("algo", "heuristic", "settings"))
    is_by_default = name is None and heuristic is None and not settings
    if is_by_default or limits.tables:
        algorithm = None
        if limits.tables:
            algorithm, limits = _before_tables(chosen, options, limits)
        with running_code_of(chosen.name, chosen.problem, may_refuse=True):
            return method_for(
                chosen.problem, partial(registered_heuristic, chosen), algorithm, limits, look,
                any_solution=any_solution,
            )  # fmt: skip
    cls = None if name is None else chosen.registry.algorithms.get(name).algorithm
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


def _check_auto(heuristics: Sequence[str]) -> None:
    if any(each != AUTO for each in heuristics):
        raise UsageError("--table-memory is for --heuristic auto; leave one of them out")


def heuristics_for_boards(
    chosen: Chosen, limits: Limits, heuristics: Sequence[str]
) -> Sequence[str]:
    """The heuristics for many boards, with `limits.tables` the largest databases that can be built.

    They are built here, once, within the limit of time.
    """
    if not limits.tables:
        return heuristics
    _check_auto(heuristics)
    failed: Exception | None = None
    with chosen.guard():
        texts = heuristics_within(chosen.problem, limits.tables)
    for text in texts:
        try:
            with building_within(limits, hopeful=False):
                choose_heuristic(chosen, text)
        except (UsageError, UnsuitableError, BuildStoppedError) as error:
            failed = failed or error
        else:
            return (text,)
    raise UsageError(f"no pattern databases are built for {chosen.name}: {failed}") from failed


def options_for_boards(chosen: Chosen, options: dict[str, Any]) -> dict[str, Any]:
    """The options for many boards, where databases may be built for them before the first.

    Without --algo, the search is then that to which databases are given where one board lasts.
    Only a search from both ends, which nobody has named, does without: its memory is for a
    perimeter.
    """
    is_open = options["algo"] is None and not options["settings"]
    if options["table_memory"] and is_open and _may_have_perimeter(chosen):
        _check_auto(given_heuristic(options))
        return options | {"heuristic": None}
    named = heuristics_for_boards(chosen, limits_from(options), given_heuristic(options))
    options = options | {"heuristic": next(iter(named), None)}
    is_recommended = isinstance(chosen.problem, HasBestHeuristics)
    if options["table_memory"] and is_open and not is_recommended:
        with chosen.guard():
            is_deepening = issubclass(default_class(chosen.problem), IDAStar)
        name = IDAStar.name if is_deepening else AStar.name
        options |= {"algo": name, "settings": ("incumbents=beam",)}
    return options


def _may_have_perimeter(chosen: Chosen) -> bool:
    """Whether the search by default is from both ends, and no databases can be built for it."""
    with chosen.guard():
        return default_class(chosen.problem) is Bidirectional and not has_tables(chosen.problem)


def given_heuristic(options: Mapping[str, Any]) -> Sequence[str]:
    """The heuristic that was named, if one was."""
    return () if options["heuristic"] is None else (options["heuristic"],)


def _before_tables(
    chosen: Chosen, options: Mapping[str, Any], limits: Limits
) -> tuple[Any, Limits]:
    """The algorithm that was named for a search that may have databases built, part of `auto`."""
    _check_auto(given_heuristic(options))
    name = options["algo"]
    if name is not None and not chosen.registry.algorithms.get(name).algorithm.uses_heuristic:
        raise UnsuitableError(
            f"{name} uses no heuristic; drop --table-memory, or use astar or idastar"
        )
    is_open = name is None and not options["settings"]
    with chosen.guard():
        # A search from both ends that uses up its memory has a perimeter of that size instead.
        if not (is_open and default_class(chosen.problem) is Bidirectional):
            heuristics_within(chosen.problem, limits.tables or 0)  # or it says why there are none
    if is_open:
        return None, limits
    with building_within(limits) as left:
        return choose_algorithm(chosen, name, AUTO, options["settings"]), left()
