"""`searchkit run --proof`: the proof of what a search has found."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import attrs
import click

from searchkit.capabilities import own_heuristic
from searchkit.cli.support.choice import Chosen
from searchkit.cli.support.errors import say
from searchkit.cli.support.exit_codes import LIMITS, ExitCode
from searchkit.cli.support.files import check_writable
from searchkit.cli.support.method import choose_heuristic, registered_heuristic
from searchkit.cli.support.progress import ProgressLine
from searchkit.errors import NoProofError
from searchkit.limits import Limits
from searchkit.proofs.printed import MOST_PRINTED, page
from searchkit.proofs.writing import Proof, Proved, check_provable, prove
from searchkit.result import SearchResult, Status


@attrs.frozen
class ProofOfRun:
    """A proof of what `run` finds."""

    chosen: Chosen
    options: Mapping[str, Any]
    proof: Proof

    @classmethod
    def wanted(cls, chosen: Chosen, options: Mapping[str, Any]) -> ProofOfRun:
        """What the options ask for; `UsageError` where it cannot be had."""
        path: Path = options["proof"]
        if str(path) != "-":
            check_writable("--proof", path)
        elif options["json"]:
            raise click.UsageError("--json and --proof - both print; give the proof a file")
        name, heuristic = options["proof_heuristic"], None
        if name is not None:
            heuristic = choose_heuristic(chosen, name)
            with chosen.guard():
                heuristic = heuristic or own_heuristic(chosen.problem)
        proof = Proof(path=path, heuristic=heuristic, puzzle=about(chosen, options))
        return cls(chosen, options, proof)

    def check(self, algorithm: Any) -> None:
        """Raise where it is clear before the search that there can be no proof."""
        with self.chosen.guard():
            check_provable(self.chosen.problem, algorithm, self.proof)

    def write(
        self, result: SearchResult[Any, Any], limits: Limits, kept: Sequence[Any]
    ) -> tuple[ExitCode, str]:
        """Write it, within `limits` of its own, of what was `kept`; and what a page says of it."""
        options, within = self.options, attrs.evolve(limits, cost=None)
        code, shown = write_proof(
            self.chosen,
            options,
            self.proof,
            lambda proof, line: prove(
                result, proof, limits=within, progress=line, engine=options["engine"],
                threads=options["threads"], kept=kept,
            ),
        )  # fmt: skip
        is_told = not options["quiet"] or str(self.proof.path) == "-"
        if code is ExitCode.OK and result.status is Status.INTERRUPTED and not is_told:
            say("note", f"the proof of the bound that was known by then is in {self.proof.path}")
        return code, shown


def about(chosen: Chosen, options: Mapping[str, Any]) -> dict[str, Any]:
    """The puzzle as `searchkit verify` makes it again."""
    puzzle: dict[str, Any] = {"name": chosen.name, "parameters": chosen.parameters}
    if chosen.entry.origin.endswith(".py"):
        puzzle["file"] = chosen.entry.origin
    if any(options.get(name) is not None for name in ("start", "scramble")) or options["random"]:
        puzzle["start"] = chosen.start_text()
    if options["goal"] is not None:
        puzzle["goal"] = chosen.goal_text()
    return puzzle


def write_proof(
    chosen: Chosen,
    options: Mapping[str, Any],
    proof: Proof,
    made: Callable[[Proof, ProgressLine], Proved],
) -> tuple[ExitCode, str]:
    """Have a proof written, and say what it proves; or why there is none.

    For a page, this is the whole of a short proof, or else how to check it.
    """
    quiet, is_printed = options["quiet"], str(proof.path) == "-"
    try:
        with chosen.guard(), TemporaryDirectory() as folder:
            path = Path(folder, "proof") if is_printed else proof.path
            with ProgressLine("proof", quiet) as line:
                done = made(attrs.evolve(proof, path=path), line)
            text = f"{done}\nsearchkit verify {shlex.quote(path.name)}"
            if is_printed or (options.get("html") and done.states <= MOST_PRINTED):
                given = proof.heuristic
                named = partial(registered_heuristic, chosen) if given is None else lambda _: given
                text = "\n".join(page(path, chosen.problem, named))
            if is_printed:
                click.echo(text)
    except NoProofError as error:
        say("error", error)
        if error.limit is not None:
            return LIMITS[error.limit], ""
        return ExitCode.INTERRUPTED if error.is_interrupted else ExitCode.BAD_INPUT, ""
    if not quiet and not is_printed:
        is_other = any(options.get(name) for name in ("json", "moves", "count"))
        click.echo(f"proof: {done}", err=is_other)
    return ExitCode.OK, text
