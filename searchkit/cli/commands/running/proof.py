"""`searchkit run --proof`: the proof of what a search has found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import attrs
import click

from searchkit.cli.support.choice import Chosen
from searchkit.cli.support.errors import say
from searchkit.cli.support.exit_codes import LIMITS, ExitCode
from searchkit.cli.support.files import check_writable
from searchkit.cli.support.method import choose_heuristic, registered_heuristic
from searchkit.cli.support.progress import ProgressLine
from searchkit.errors import NoProofError
from searchkit.heuristic import Heuristic
from searchkit.proofs.printed import page
from searchkit.proofs.writing import Proof, Proved


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
    options: Mapping[str, Any],
    proof: Proof,
    prove: Callable[[Proof, ProgressLine], Proved],
) -> ExitCode:
    """Have a proof written, and say what it proves; or why there is none."""
    quiet, is_printed = options["quiet"], str(proof.path) == "-"
    try:
        with chosen.guard(), TemporaryDirectory() as folder:
            path = Path(folder, "proof") if is_printed else proof.path
            with ProgressLine("proof", quiet) as line:
                done = prove(attrs.evolve(proof, path=path), line)
            if is_printed:
                given = proof.heuristic
                named = partial(registered_heuristic, chosen) if given is None else lambda _: given
                click.echo("\n".join(page(path, chosen.problem, named)))
    except NoProofError as error:
        say("error", error)
        return ExitCode.INTERRUPTED if error.limit is None else LIMITS[error.limit]
    if not quiet and not is_printed:
        is_other = any(options.get(name) for name in ("json", "moves", "count"))
        click.echo(f"proof: {done}", err=is_other)
    return ExitCode.OK
