"""Laws of the names of a puzzle: of its members and of its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from searchkit.authors.user_code import AuthorError, call, place_of, place_of_callable, short
from searchkit.capabilities import HasDefaultHeuristic
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, law
from searchkit.errors import UsageError
from searchkit.parameters import Parameter, Value
from searchkit.premises.near_misses import near_misses
from searchkit.problem import Problem
from searchkit.registry import PuzzleEntry
from searchkit.texts.amounts import plural
from searchkit.texts.text_files import names_file

NONSENSE = ("", "?", "no such value", "-1", "0", "1.5", "7 x", "\u2603")
"""No large number is among them, which might be taken, and take all memory."""


def has_parameters(ground: Ground) -> str | None:
    """A registered puzzle with parameters."""
    entry = ground.registered.entry
    if entry is None:
        return "not registered, or made without its plugin"
    return None if entry.parameters else "the puzzle has no parameters"


@law("nonsense for a parameter is refused in one clear line", has_parameters)
def parameters(ground: Ground) -> Findings:
    """Make the puzzle with its defaults, then with nonsense for each parameter. O(parameters).

    Files that were given are not left out.
    """
    entry = ground.registered.entry
    assert entry is not None
    files = ground.registered.given()
    breach = _trial(entry, files, {})
    if breach is not None:
        yield breach
    for parameter in entry.parameters:
        if parameter.path and names_file(parameter.default_text):
            yield _not_typed(entry, parameter)
        for value in NONSENSE:
            ground.watch()
            breach = _trial(entry, files, {parameter.name: value})
            if breach is not None:
                yield breach
                break
    return f"{plural(len(entry.parameters), 'parameter')} of puzzle {entry.name}"


def _not_typed(entry: PuzzleEntry, parameter: Parameter) -> Breach:
    """The default of a parameter that may name a file, which would be taken for such a name."""
    given = f"-p {parameter.name}={parameter.default_text}"
    return Breach(
        f"{given} means the same as the default, which can be typed",
        "a text with a dot or a slash, and without a line break, is taken for the name of a file; "
        "write the default without these signs, or with a line break",
        place=place_of_callable(entry.factory),
    )


def _trial(
    entry: PuzzleEntry, files: Mapping[str, Value], values: Mapping[str, str]
) -> Breach | None:
    """Make the puzzle; what is accepted must work, and what is refused must be so in one line.

    `values` are nonsense; `files` are handed over besides.
    """
    place = place_of_callable(entry.factory)
    given = " ".join(f"{name}={value!r}" for name, value in values.items())
    if not values:
        given = " and ".join(["its defaults", *(f"the {name} that was given" for name in files)])
    try:
        problem = call(f"puzzle {entry.name}", lambda: entry.create(**{**files, **values}))
    except AuthorError as error:
        message = str(error.__cause__)
        is_refusal = values and isinstance(error.__cause__, (ValueError, UsageError))
        if is_refusal and message and message.isprintable():
            return None
        expected = f"with {given}, a problem" + ", or a ValueError with one line" * bool(values)
        return Breach(expected, error.found, place=error.place or place)
    if not isinstance(problem, Problem):
        return Breach(f"with {given}, a Problem", f"it is {short(problem)}", place=place)
    try:
        if values:
            call("it", _begin, problem)
    except AuthorError as error:
        found = f"it is taken, but then {error.found}"
        return Breach(f"{given} is refused at once, or does", found, place=error.place or place)
    return None


def _begin(problem: Problem[Any, Any]) -> None:
    for start in problem.initial_states():
        problem.format_state(start)
        problem.is_goal(start)
        list(islice(problem.successors(start), 1000))


@law("no method or attribute has nearly the name of one of the protocol")
def names(ground: Ground) -> Findings:
    """Compare the names that classes define with those of the protocol. O(names squared)."""
    values: list[object] = [ground.problem]
    if isinstance(ground.problem, HasDefaultHeuristic):
        values.append(ground.ask("default_heuristic"))
    for value in values:
        for name, meant in near_misses(type(value)):
            yield Breach(
                f"members of {type(value).__name__} by the names of the protocol, like {meant}",
                f"{name}, which searchkit never calls or reads; if it is not meant for {meant}, "
                "give it another name, or one that begins with '_'",
                place=place_of(value, name),
            )
    return " and ".join(f"the members of {type(value).__name__}" for value in values)
