"""The process that solves boards for `searchkit run --boards`, one after another: a `Child`."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any

import attrs
import click

from searchkit.cli.commands.running.one_board import Solver
from searchkit.cli.support.child import Message, Parent
from searchkit.cli.support.choice import choose
from searchkit.cli.support.errors import warnings_passed
from searchkit.cli.support.method import choose_algorithm
from searchkit.errors import ParseError, SearchkitError, UsageError
from searchkit.limits import Limits
from searchkit.premises.reasons import Asked
from searchkit.running.making import telling_of_code
from searchkit.solving.plan import Trials
from searchkit.solving.series import Series
from searchkit.texts.amounts import one_line


def main(job: dict[str, Any], began: float, told: IO[bytes]) -> None:
    """Solve the boards that the parent names, until it ends.

    What ends the command is told as an `error`, with whether it is the user's.
    """
    parent = Parent(told)
    try:
        notes = warnings_passed(lambda text: parent.tell({"note": one_line(text)}))
        with notes, _as_called(job["problem"]):
            solver = _solver(job)
            with telling_of_code(lambda: parent.tell({"making_code": True})):
                for message in parent.messages():
                    parent.tell({"told": attrs.asdict(_solved(solver, message))})
    except click.ClickException as error:
        parent.tell({"error": one_line(error.format_message()), "kind": "usage"})
    except SearchkitError as error:
        kind = "usage" if isinstance(error, UsageError) else "problem"
        parent.tell({"error": one_line(error), "kind": kind})
    except Exception as error:
        parent.tell({"error": one_line(f"{type(error).__name__}: {error}"), "kind": "bug"})


def _as_called(options: dict[str, Any]) -> click.Context:
    """What messages know of how the command was called."""
    context = click.Context(click.Command("run"), info_name="run")
    context.params = {name: options[name] for name in ("plugin", "param")}
    return context


def _solver(job: dict[str, Any]) -> Solver:
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
        asked=Asked(job["asked"]),
    )
    return Solver(chosen, series, job["form"], job["source"])


def _solved(solver: Solver, message: Message) -> Any:
    series = solver.series
    series.trials = Trials(**message["trials"])
    series.limits = attrs.evolve(series.limits, memory=message["memory"])
    text = message["text"]
    return solver.told(message["number"], text if message["is_text"] else ParseError(text))
