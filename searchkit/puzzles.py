"""Puzzles by name: with parameters, start and goal as text, from installed plugins or files.

A file is a puzzle wherever a name is taken: `rings.tws`, which defines a permutation puzzle, stands
for the puzzle `pieces` with the parameter `file=rings.tws`; `grid.py` for the only puzzle that this
Python file registers or defines; `grid.py:Torus` for one of several.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from searchkit.algorithms.validators import expect
from searchkit.authors.blame import blaming_puzzle
from searchkit.authors.user_code import place_of_callable
from searchkit.authors.written_states import written_state
from searchkit.capabilities import HasParse
from searchkit.errors import (
    ParseError,
    ProblemError,
    SearchkitError,
    UnknownNameError,
    UnsuitableError,
    UsageError,
)
from searchkit.later import Later
from searchkit.parameters import Parameter, Value
from searchkit.premises.kinds import check_kinds
from searchkit.premises.near_misses import near_misses
from searchkit.problem import Problem
from searchkit.registry import PuzzleEntry, Registry
from searchkit.texts.amounts import cut, one_line
from searchkit.texts.text_files import names_file, texts_of_files

AnyProblem = Problem[Any, Any]

DEFINED = PuzzleEntry(
    "pieces",
    Later("searchkit.pieces.puzzle:puzzle"),
    summary="a permutation puzzle, as a file defines it",
    parameters=[
        Parameter(
            "file",
            "",
            "the definition, in the format .tws or kpuzzle (JSON)",
            path=True,
            most_bytes=4_000_000,
        ),
        Parameter("moves", "", "its moves, separated by commas, if not all"),
        Parameter("powers", True, "whether every power of a move is a move, or only its inverse"),
    ],
    origin="searchkit",
)
ENDINGS = (".tws", ".json")
"""How names of files end that are taken for definitions."""

PYTHON = r"(.+\.py)(?::([^/\\:]+))?"
"""A Python file, and perhaps the name of one of its puzzles."""

MOST_EXAMPLES = 100
"""At most this many states show how states are written."""
MOST_SHOWN = 80
MOST_DETAIL = 300
"""Of what was given, and of what is wrong with it, this many letters are shown."""


def puzzle(
    name: str,
    *,
    start: str | None = None,
    goal: str | None = None,
    plugins: Iterable[str | Path] = (),
    **parameters: Value,
) -> AnyProblem:
    """Makes a registered puzzle, as `searchkit run` has it.

    Args:
        name: Its name, as `searchkit list` shows it, or a file: `grid.py`, `rings.tws`.
        start: Where to begin, in the puzzle's notation.
        goal: The state to reach, in the puzzle's notation.
        plugins: Python files with more puzzles than are installed.
        **parameters: The puzzle's own (`searchkit info NAME` lists them), typed or as text; a text
            may name a file where the parameter is marked so.

    Raises:
        UsageError: That cannot be had; it is an `UnknownNameError`, `ParseError` or
            `UnsuitableError`.
        ProblemError: The puzzle's code fails.

    >>> import searchkit
    >>> tower = searchkit.puzzle("hanoi", plugins=["examples/hanoi.py"], disks=3, pegs=3)
    >>> searchkit.solve(tower, searchkit.BreadthFirst()).cost
    7
    """
    expect(name, str, "name", "the name of a puzzle, like '8-puzzle'")
    registry = Registry.load(map(Path, plugins))
    name, parameters = of_file(registry, name, parameters)
    entry = find_puzzle(registry, name)
    texts = {key: value for key, value in parameters.items() if isinstance(value, str)}
    problem = create(entry, {**parameters, **texts_of_files(entry.parameters, texts)}, parameters)
    with blaming_puzzle(name, problem):
        check_kinds(problem)
    return with_ends(name, problem, start=start, goal=goal)


def of_file(
    registry: Registry, name: str, parameters: Mapping[str, Any]
) -> tuple[str, dict[str, Any]]:
    """The name of a puzzle, and its parameters, where `name` may be that of a file instead.

    A puzzle that is registered under such a name comes first.
    """
    known = any(entry.name == name for entry in registry.puzzles.entries)
    if known:
        return name, dict(parameters)
    if python := re.fullmatch(PYTHON, name, re.DOTALL):
        return _of_python(registry, Path(python[1]), python[2]), dict(parameters)
    if not (name.endswith(ENDINGS) or (names_file(name) and Path(name).is_file())):
        return name, dict(parameters)
    if Path(name).exists() and not (Path(name).is_file() or Path(name).is_dir()):
        raise UsageError(f"{name} is not a regular file; give a file with a definition")
    if "file" in parameters:
        raise UsageError(f"{name} is a definition, and file={parameters['file']} is another one")
    return DEFINED.name, {"file": name, **parameters}


def _of_python(registry: Registry, file: Path, wanted: str | None) -> str:
    """The name of the puzzle `wanted` of a Python file, or of its only one; the file is loaded."""
    origin = str(file)
    loaded = {each.origin for each in registry.puzzles.entries}
    if origin not in loaded | {each.origin for each in registry.problems}:
        if not file.is_file():
            what = "is a folder or a device; give a .py file" if file.exists() else "does not exist"
            raise UnknownNameError(f"{file} {what}")
        registry.load_file(file)
    names = [each.name for each in registry.puzzles.entries if each.origin == origin]
    if wanted in names or (wanted is None and len(names) == 1):
        return wanted or names[0]
    said = [str(each) for each in registry.problems if each.origin == origin]
    if names:
        which = f"not {wanted}" if wanted else f"so say which one: {file}:{names[0]}"
        said.append(f"{file} has {', '.join(names)}, {which}")
    raise UnknownNameError("; ".join(said) or f"{file} has no puzzle")


def find_puzzle(registry: Registry, name: str) -> PuzzleEntry:
    """The puzzle called `name`; where there is none, the plugins that were left out are named."""
    if name == DEFINED.name:
        return DEFINED
    try:
        return registry.puzzles.get(name)
    except UnknownNameError as error:
        lost = "".join(f"{each}; " for each in registry.problems)
        raise UnknownNameError(f"{lost}{error}") from error


def create(
    entry: PuzzleEntry, values: Mapping[str, Value], named: Mapping[str, Value] | None = None
) -> AnyProblem:
    """The problem with the given parameter values; any failure is an error of one line.

    `named` are the values as the user gave them, with the names of files for their texts.
    """
    named = values if named is None else named
    files = [named[name] for name, value in values.items() if named[name] != value]
    try:
        problem = entry.create(**values)
    except ParseError as error:
        raise (ParseError(f"{files[0]}: {error}") if files else error) from error
    except (SearchkitError, KeyboardInterrupt):
        raise
    except BaseException as error:
        detail = f"{type(error).__name__}: {one_line(error)}"
        if isinstance(error, (ValueError, OSError)) and values:  # which may name a file
            shown = [f"{name}={cut(str(value), MOST_SHOWN)}" for name, value in named.items()]
            raise UsageError(
                f"puzzle {entry.name} rejects {' '.join(shown)}: {cut(detail, MOST_DETAIL)}"
            ) from error
        raise ProblemError(
            f"puzzle {entry.name} (from {entry.origin}) cannot be made: "
            f"{_what_lacks(entry.factory) or detail}"
        ) from error
    if not isinstance(problem, Problem):
        raise ProblemError(
            f"puzzle {entry.name} (from {entry.origin}) is not a Problem but {problem!r}"
        )
    return problem


def _what_lacks(factory: object) -> str | None:
    """Names the methods that a class lacks, and those that may be meant for them; None if none."""
    missing = sorted(getattr(factory, "__abstractmethods__", ()))
    if not missing or not isinstance(factory, type):
        return None
    meant = [
        f"; it defines {name}{f' at {place}' if place else ''}: did you mean {method}?"
        for name, method in near_misses(factory)
        if method in missing
        for place in [place_of_callable(getattr(factory, name))]
    ]
    return f"class {factory.__name__} lacks {' and '.join(missing)}{''.join(meant)}"


def with_ends(
    name: str, problem: AnyProblem, *, start: str | None = None, goal: str | None = None
) -> AnyProblem:
    """The puzzle `name`, which is `problem`, with the goal and start that the texts describe."""
    for what, text in (("goal", goal), ("start", start)):
        if text is None:
            continue
        expect(text, str, what, "a text in the notation of the puzzle")
        replace = getattr(problem, f"with_{what}", None)
        if replace is None:
            raise UnsuitableError(f"puzzle {name} has a fixed {what}; give none")
        state = parse(name, problem, text, what)
        with blaming_puzzle(name, problem, may_refuse=True):
            problem = replace(state)
    return problem


def parse(name: str, problem: AnyProblem, text: str, what: str) -> Any:
    """The state of the puzzle `name` that `text` describes; it is `what` in messages.

    Where the puzzle has no `parse`, states are written as in Python: see `written_state`.
    """
    with blaming_puzzle(name, problem, may_refuse=True):
        try:
            if isinstance(problem, HasParse):
                return problem.parse(text)
            return written_state(text, list(islice(_first_states(problem), MOST_EXAMPLES)))
        except ValueError as error:
            raise ParseError(f"{what} {text!r} is not a state of {name}: {error}") from error


def _first_states(problem: AnyProblem) -> Iterator[Any]:
    for start in problem.initial_states():
        yield start
        yield from (step[1] for step in problem.successors(start))
