"""From options to a problem: plugins, puzzle, parameters, goal, start."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import attrs
import click

from searchkit.capabilities import HasGoalStates, HasRandomState, HasStart
from searchkit.cli.support.errors import running_code_of, say
from searchkit.cli.support.options import at_most_one
from searchkit.errors import UnsuitableError
from searchkit.heuristics.kinds import KINDS
from searchkit.heuristics.names import AUTO, OWN, ZERO
from searchkit.premises.kinds import bounded, check_kinds
from searchkit.premises.near_misses import new_near_misses
from searchkit.problem import Problem
from searchkit.puzzles import create, find_puzzle, of_file, with_ends
from searchkit.registry import PuzzleEntry, Registry
from searchkit.scramble import scramble
from searchkit.texts.harmless import harmless, harmless_but_coloured
from searchkit.texts.text_files import FileNamedError, texts_of_files

AnyProblem = Problem[Any, Any]

BUILT_IN_HEURISTICS = {
    OWN: "the puzzle's own lower bound",
    AUTO: "the best one that is ready: built pattern databases, or else what the puzzle says",
    ZERO: "knows nothing",
    **{row.form: row.summary for row in KINDS.values()},
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

    def title(self) -> str:
        """The puzzle, and those of its parameters that were set to something else."""
        defaults = {parameter.name: parameter.default_text for parameter in self.entry.parameters}
        given = [f"{name}={value}" for name, value in self.named.items() if value != defaults[name]]
        return " ".join([self.name, *given])

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

    def about(self) -> dict[str, Any]:
        """What JSON documents say of the problem."""
        return {
            "puzzle": self.name,
            "parameters": self.parameters,
            "start": self.start_text(),
            "goal": self.goal_text(),
        }

    def picture(self, state: Any, renderer: str | None = None) -> str:
        """The picture of `state`, by the puzzle itself or by the named renderer, to be drawn."""
        with self.guard():
            if renderer is None:
                return harmless_but_coloured(self.problem.render(state))
            entry = self.registry.renderers.get(renderer, self.problem)
            return harmless_but_coloured(str(entry.render(self.problem, state)))

    def captioned(self, state: Any, renderer: str | None = None) -> list[str]:
        """The state as text, and its picture if that is another text."""
        text = harmless(self.problem.format_state(state))
        return list(dict.fromkeys((text, self.picture(state, renderer))))


def warn_of_plugins(registry: Registry) -> None:
    """Say in one line each which plugins were left out."""
    for problem in registry.problems:
        what = f"the rest left out, kept: {', '.join(problem.kept)}" if problem.kept else "left out"
        say("warning", f"{problem}; {what}")


def choose_puzzle(registry: Registry, name: str) -> PuzzleEntry:
    """The puzzle called `name`; reports the plugins that were left out, in any case."""
    entry = find_puzzle(registry, name)
    warn_of_plugins(registry)
    return entry


def as_written(
    entry: PuzzleEntry, named: dict[str, str], *, opens: bool, whose: str
) -> tuple[AnyProblem, dict[str, str]]:
    """The problem with the parameters of a document, or a proof (`whose`), and their values.

    Files that they name are opened only where that is trusted (`opens`); else `FileNamedError`.
    """
    try:
        values = texts_of_files(entry.parameters, named) if opens else named
        return create(entry, values, named), values
    except FileNamedError as error:
        raise FileNamedError(f"{error}, or --files, if you trust the {whose}") from error


def choose_problem(options: Mapping[str, Any], *, draws: bool = False) -> Chosen:
    """The problem that the options describe; the command `draws` something itself, or not."""
    at_most_one(options, "start", "random", "scramble")
    drawn = options["random"] or options["scramble"] is not None
    if options["seed"] is not None and not drawn and not draws:
        raise click.UsageError("--seed needs --random or --scramble K")
    chosen = choose(options)
    problem = chosen.problem
    if not drawn:
        return chosen
    if not isinstance(problem, HasStart):
        raise UnsuitableError(
            f"puzzle {chosen.name} has a fixed start; drop --random and --scramble"
        )
    _, states = draw_states(chosen, options)
    with running_code_of(chosen.name, problem, may_refuse=True):
        return attrs.evolve(chosen, problem=problem.with_start(states[0]))


def choose(options: Mapping[str, Any]) -> Chosen:
    """The problem with the puzzle, param, goal and start of the options; its start is not drawn."""
    registry = Registry.load(options["plugin"])
    name, given = of_file(registry, options["puzzle"], _parameters(options["param"]))
    entry = choose_puzzle(registry, name)
    given, named = texts_of_files(entry.parameters, given), given
    problem = create(entry, given, named)
    with running_code_of(entry.name, problem):
        check_kinds(problem)
    for text in new_near_misses(problem, f"puzzle {entry.name}"):
        if not options["quiet"]:
            say("warning", text)
    with running_code_of(entry.name, problem, may_refuse=True):
        problem = with_ends(entry.name, problem, start=options["start"], goal=options["goal"])
    if options.get("renderer") is not None:  # a name that is not known is refused before any work
        registry.renderers.get(options["renderer"], problem)
    defaults = {parameter.name: parameter.default_text for parameter in entry.parameters}
    return Chosen(
        registry=registry, entry=entry, problem=problem, parameters=defaults | given, named=named
    )


def described(options: Mapping[str, Any]) -> dict[str, Any]:
    """The problem of the options for another process, where `choose_described` makes it again."""
    named = {name: options.get(name) for name in ("puzzle", "start", "goal")}
    plugins = [str(file) for file in options["plugin"]]
    return {**named, "param": list(options["param"]), "plugin": plugins, "quiet": True}


def choose_described(problem: Mapping[str, Any]) -> Chosen:
    """The problem that `described` has described."""
    files = {"plugin": [Path(file) for file in problem["plugin"]]}
    return choose({**problem, **files, "param": tuple(problem["param"])})


def draw_states(
    chosen: Chosen, options: Mapping[str, Any], number: int = 1
) -> tuple[int, list[Any]]:
    """A seed, and the states that it gives: scrambled ones with --scramble, else random ones."""
    problem, steps, seed = chosen.problem, options["scramble"], options["seed"]
    if seed is None:
        seed = random.SystemRandom().randrange(10**6)
    rng = random.Random(seed)
    with chosen.guard():
        if steps is not None:
            states = [scramble(problem, steps, rng) for _ in range(number)]
        elif isinstance(problem, HasRandomState):
            states = [problem.random_state(rng) for _ in range(number)]
        else:
            raise UnsuitableError(
                f"puzzle {chosen.name} cannot draw a random state; try --scramble 20"
            )
    if options["seed"] is None and not options["quiet"]:
        say("note", f"--seed {seed} gives {'this start' if number == 1 else 'these boards'} again")
    return seed, states


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
