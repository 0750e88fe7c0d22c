"""One board of `searchkit run --boards`, solved as a task of an executor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs
import click

from searchkit.cli.commands.running.one_board import Solver, Told
from searchkit.cli.support.choice import choose
from searchkit.cli.support.errors import warnings_passed
from searchkit.cli.support.method import choose_algorithm
from searchkit.cli.support.workers import LATE, LOADING_SECONDS, MAKING_SECONDS
from searchkit.errors import ParseError
from searchkit.executors.parcels import Parcel
from searchkit.executors.worker import allow
from searchkit.limits import Limits
from searchkit.running.free_memory import default_memory
from searchkit.running.making import telling_of_code
from searchkit.running.processors import processors
from searchkit.solving.plan import Trials
from searchkit.solving.series import Series
from searchkit.texts.amounts import one_line


@attrs.frozen
class Given:
    """What a worker is given for one board."""

    number: int
    text: str | ParseError
    trials: dict[str, Any]
    memory: int
    is_share: bool
    """Whether other boards share the memory of this machine."""
    allowed: float | None
    """How many seconds the search may take before it is killed."""


def solve(parcel: Parcel[Solver], called: dict[str, Any], given: Given) -> tuple[Told, list[str]]:
    """What is told of a board, and of what was warned; `called` is how the command was.

    What ends the command is raised.
    """
    notes: list[str] = []
    allowed = given.allowed
    context = click.Context(click.Command("run"), info_name="run")  # what messages know of the call
    context.params = called
    with warnings_passed(lambda text: notes.append(one_line(text))), context:
        allow(None if allowed is None else LOADING_SECONDS, LATE)
        solver = parcel.open()
        allow(allowed, LATE)
        series = solver.series
        series.trials = Trials(**given.trials)
        series.limits = attrs.evolve(series.limits, memory=_memory(given))
        more = None if allowed is None else allowed + MAKING_SECONDS
        with telling_of_code(lambda: allow(more, LATE)):
            return solver.told(given.number, given.text), notes


def _memory(given: Given) -> int:
    if not given.is_share:
        return given.memory
    return min(given.memory, default_memory() // processors())


def solver_of(job: dict[str, Any]) -> Solver:
    """The solver that the options of a command describe."""
    options = job["problem"]
    plugins = [Path(file) for file in options["plugin"]]
    chosen = choose(options | {"plugin": plugins, "param": tuple(options["param"])})
    algorithm = choose_algorithm(
        chosen, job["algo"], job["heuristic"], tuple(job["settings"]), any_solution=True
    )
    series = Series(
        algorithm=algorithm,
        engine=job["engine"],
        threads=job["threads"],
        limits=Limits(**job["limits"]),
    )
    return Solver(chosen, series, job["form"], job["source"])
