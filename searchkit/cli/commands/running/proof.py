"""`searchkit run --proof`: the proof of what a search has found."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import click

from searchkit.cli.support.choice import Chosen
from searchkit.cli.support.errors import say
from searchkit.cli.support.exit_codes import LIMITS, ExitCode
from searchkit.cli.support.files import check_writable
from searchkit.cli.support.method import choose_heuristic
from searchkit.cli.support.progress import ProgressLine
from searchkit.errors import NoProofError
from searchkit.heuristic import Heuristic
from searchkit.limits import Limits
from searchkit.proofs.writing import Proof, prove
from searchkit.result import SearchResult


def check_proof(options: Mapping[str, Any]) -> None:
    """Raise `UsageError` for options that do not go together, or a file that cannot be written."""
    path = options["proof"]
    if path is None:
        if options["proof_heuristic"] is not None:
            raise click.UsageError("--proof-heuristic is for --proof; give both")
    elif str(path) != "-":
        check_writable("--proof", path)


def wanted_proof(chosen: Chosen, options: Mapping[str, Any]) -> Proof | None:
    """The proof that the options ask for."""
    path: Path | None = options["proof"]
    if path is None:
        return None
    name, heuristic = options["proof_heuristic"], None
    if name is not None:
        heuristic = choose_heuristic(chosen, name) or _own(chosen)
    return Proof(path=path, heuristic=heuristic, puzzle=about(chosen, options))


def _own(chosen: Chosen) -> Heuristic[Any, Any]:
    from searchkit.capabilities import own_heuristic  # noqa: PLC0415  (seldom asked for)

    with chosen.guard():
        return own_heuristic(chosen.problem)


def about(chosen: Chosen, options: Mapping[str, Any]) -> dict[str, Any]:
    """The puzzle as `searchkit verify` makes it again."""
    puzzle: dict[str, Any] = {"name": chosen.name, "parameters": chosen.parameters}
    if any(options.get(name) is not None for name in ("start", "scramble")) or options["random"]:
        puzzle["start"] = chosen.start_text()
    if options["goal"] is not None:
        puzzle["goal"] = chosen.goal_text()
    return puzzle


def write_proof(
    chosen: Chosen,
    result: SearchResult[Any, Any],
    proof: Proof,
    options: Mapping[str, Any],
    limits: Limits,
) -> ExitCode:
    """Write the proof, and say what it proves; or why there is none."""
    quiet = options["quiet"]
    try:
        with chosen.guard(), ProgressLine("proof", quiet) as line:
            done = prove(
                result, proof, limits=attrs.evolve(limits, cost=None), progress=line,
                engine=options["engine"], threads=options["threads"],
            )  # fmt: skip
    except NoProofError as error:
        say("error", error)
        return ExitCode.INTERRUPTED if error.limit is None else LIMITS[error.limit]
    if not quiet:
        click.echo(f"proof: {done}", err=options["json"] or options["moves"] or options["count"])
    return ExitCode.OK
