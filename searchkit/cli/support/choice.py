"""From options to a problem: plugins, puzzle, parameters, goal, start."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import islice
from typing import Any

import attrs
import click

from searchkit.capabilities import (
    HasGoalStates,
    HasRandomState,
    HasStart,
)
from searchkit.cli.support.errors import running_code_of, say
from searchkit.errors import (
    UnsuitableError,
)
from searchkit.heuristics.names import AUTO, OWN, ZERO
from searchkit.premises import bounded, check_kinds
from searchkit.premises.near_misses import new_near_misses
from searchkit.problem import Problem
from searchkit.puzzles import create, find_puzzle, with_goal, with_start
from searchkit.registry import PuzzleEntry, Registry
from searchkit.scramble import scramble
from searchkit.texts.harmless import harmless_but_coloured
from searchkit.texts.text_files import texts_of_files

AnyProblem = Problem[Any, Any]

MOST_SHOWN = 80
MOST_DETAIL = 300
"""How many letters are shown of what was given, and of what is wrong with it."""

OTHER_HEURISTICS = "problem, zero, auto, pdb:PATTERNS, max(A,B)"
BUILT_IN_HEURISTICS = {
    OWN: "the puzzle's own lower bound",
    AUTO: "the best one that is ready: built pattern databases, or else what the puzzle says",
    ZERO: "knows nothing",
    "pdb:PATTERNS": "pattern databases (see `searchkit pdb`), as pdb:6-6-3",
    "max(a,b)": "the largest of several",
}


@attrs.frozen(kw_only=True)
class Chosen:
    """The problem to work on, and how it came to be."""

    registry: Registry
    entry: PuzzleEntry
    problem: AnyProblem
    parameters: dict[str, str]
    """All parameters, with the text of files in place of their names."""
    named: dict[str, str]
    """Those that the user has set, as the user wrote them."""

    @property
    def name(self) -> str:
        """The name of the puzzle."""
        return self.entry.name

    def guard(self) -> Any:
        """A context that names the puzzle in errors of the puzzle's own code."""
        return running_code_of(self.name, self.problem)

    def starts(self) -> list[Any]:
        """The initial states."""
        with self.guard():
            problem = self.problem
            return list(bounded(problem, problem.initial_states(), "initial_states", "starts"))

    def start_text(self) -> str | None:
        """The initial state as text; None if there are several."""
        starts = self.starts()
        with self.guard():
            return self.problem.format_state(starts[0]) if len(starts) == 1 else None

    def goal(self) -> Any:
        """The goal if there is one only, else None."""
        with self.guard():
            if not isinstance(self.problem, HasGoalStates):
                return None
            goals = list(islice(self.problem.goal_states(), 2))
            return goals[0] if len(goals) == 1 else None

    def goal_text(self) -> str | None:
        """The goal as text if there is one only, else None."""
        goal = self.goal()
        with self.guard():
            return None if goal is None else self.problem.format_state(goal)

    def picture(self, state: Any, renderer: str | None = None) -> str:
        """The picture of `state`, by the puzzle itself or by the named renderer, to be drawn."""
        with self.guard():
            if renderer is None:
                return harmless_but_coloured(self.problem.render(state))
            entry = find(self.registry, "renderers", renderer, self.problem)
            return harmless_but_coloured(str(entry.render(self.problem, state)))


def load(options: Mapping[str, Any], context: click.Context) -> Registry:
    """The registry with the plugin files named before and after the command."""
    files = dict.fromkeys([*(context.obj or {}).get("plugin", ()), *options["plugin"]])
    return Registry.load(files)


def is_quiet(options: Mapping[str, Any], context: click.Context) -> bool:
    """Whether `--quiet` was given before or after the command."""
    return bool(options["quiet"] or (context.obj or {}).get("quiet"))


def warn_of_plugins(registry: Registry) -> None:
    """Say in one line each which plugins were left out."""
    for problem in registry.problems:
        what = f"the rest left out, kept: {', '.join(problem.kept)}" if problem.kept else "left out"
        say("warning", f"plugin {problem.origin} {problem.message}; {what}")


def find(registry: Registry, table: str, name: str, problem: AnyProblem | None = None) -> Any:
    """The entry called `name` in a table of the registry; suggests a name spelt alike."""
    besides = BUILT_IN_HEURISTICS if table == "heuristics" else ()
    return getattr(registry, table).get(name, problem, besides=besides)


def choose_puzzle(registry: Registry, name: str) -> PuzzleEntry:
    """The puzzle called `name`; reports the plugins that were left out, in any case."""
    entry = find_puzzle(registry, name)
    warn_of_plugins(registry)
    return entry


def choose_problem(
    options: Mapping[str, Any], context: click.Context, *, quiet: bool = False, draws: bool = False
) -> Chosen:
    """The problem that the options describe; the command `draws` something itself, or not."""
    drawn = draws or options["random"] or options["scramble"] is not None
    if options["seed"] is not None and not drawn:
        raise click.UsageError("--seed needs --random or --scramble K")
    registry = load(options, context)
    chosen = choose(registry, options, quiet=quiet)
    problem = chosen.problem
    if options["start"] is None and (options["random"] or options["scramble"] is not None):
        problem = _with_drawn_start(chosen.name, problem, options, quiet)
    if options.get("renderer") is not None:  # a name that is not known is told before any work
        find(registry, "renderers", options["renderer"], problem)
    return attrs.evolve(chosen, problem=problem)


def choose(registry: Registry, options: Mapping[str, Any], *, quiet: bool = False) -> Chosen:
    """The problem with the puzzle, param, goal and start of the options."""
    given = _parameters(options["param"])
    entry = choose_puzzle(registry, options["puzzle"])
    given, named = texts_of_files(entry.parameters, given), given
    problem = create(entry, given, named)
    with running_code_of(entry.name, problem):
        check_kinds(problem)
    for text in new_near_misses(problem, f"puzzle {entry.name}"):
        if not quiet:
            say("warning", text)
    with running_code_of(entry.name, problem, may_refuse=True):
        if options["goal"] is not None:
            problem = with_goal(entry.name, problem, options["goal"])
        if options["start"] is not None:
            problem = with_start(entry.name, problem, options["start"])
    defaults = {parameter.name: parameter.default_text for parameter in entry.parameters}
    return Chosen(
        registry=registry, entry=entry, problem=problem, parameters=defaults | given, named=named
    )


def _parameters(texts: tuple[str, ...]) -> dict[str, str]:
    values: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        name = name.strip()
        if not sign or not name:
            raise click.UsageError(f"--param {text!r} sets nothing; write --param name=value")
        if name in values:
            raise click.UsageError(f"parameter {name!r} is given twice; give it once")
        values[name] = value.strip()
    return values


def _with_drawn_start(
    name: str, problem: AnyProblem, options: Mapping[str, Any], quiet: bool
) -> AnyProblem:
    if not isinstance(problem, HasStart):
        raise UnsuitableError(f"puzzle {name} has a fixed start; drop --random and --scramble")
    seed = options["seed"]
    if seed is None:
        seed = random.SystemRandom().randrange(10**6)
    rng = random.Random(seed)
    if options["random"]:
        if not isinstance(problem, HasRandomState):
            raise UnsuitableError(f"puzzle {name} cannot draw a random state; try --scramble 20")
        with running_code_of(name, problem):
            state = problem.random_state(rng)
    else:
        with running_code_of(name, problem):
            state = scramble(problem, options["scramble"], rng)
    if options["seed"] is None and not quiet:
        say("note", f"--seed {seed} gives this start again")
    with running_code_of(name, problem, may_refuse=True):
        return problem.with_start(state)
