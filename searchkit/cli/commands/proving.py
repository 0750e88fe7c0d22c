"""`searchkit verify` of a proof: checked by the slow rules of the puzzle that it names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import attrs
import click

from searchkit.cli.support.choice import Chosen, as_written, choose_puzzle
from searchkit.cli.support.errors import running_code_of
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.cli.support.method import registered_heuristic
from searchkit.cli.support.progress import ProgressLine
from searchkit.documents.check import Claim
from searchkit.errors import UnknownNameError, UsageError, VerificationError
from searchkit.proofs.judging import header_of, verify_proof
from searchkit.puzzles import with_ends
from searchkit.registry import Registry
from searchkit.texts.amounts import cut, one_line, quoted
from searchkit.texts.harmless import harmless, to_json

FORMAT = "searchkit-verification/1"


OF_SEARCHES = "search", "max_expansions", "search_time"
MOST_SAID = 2000


def verify_bytes(options: Mapping[str, Any], data: bytes) -> ExitCode:
    """Check a proof that comes from where it cannot be read twice."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "proof")
        path.write_bytes(data)
        return verify_file(options, path)


def verify_file(options: Mapping[str, Any], path: str | Path) -> ExitCode:
    """Check a proof; say first what is left to believe, and then of which puzzle it is."""
    if any(options[name] for name in OF_SEARCHES):
        raise click.UsageError(
            "a proof is checked without a search; leave --search and its limits out"
        )
    try:
        header = header_of(path)
        chosen = chosen_of(header, options)
        named, memory = partial(registered_heuristic, chosen), options["max_memory"]
        with chosen.guard(), ProgressLine("verify", options["quiet"]):
            if options["twin"]:
                from searchkit.proofs.twin import verify_by_twin  # noqa: PLC0415  (loads numpy)

                verdict = verify_by_twin(path, chosen.problem, named=named, memory=memory)
            else:
                verdict = verify_proof(path, chosen.problem, named=named, memory=memory)
    except VerificationError as error:
        raise VerificationError(
            f"{options['file']}: the proof is refused: {harmless(str(error))}"
        ) from error
    if options["json"]:
        document = {
            "line": None, "puzzle": chosen.name, "ok": True, "text": f"ok: {verdict.text}",
            "solutions": int(header["solution"] is not None),
            "checked": [attrs.asdict(Claim("proof", verdict.text))],
            "not_checked": [attrs.asdict(Claim("heuristic", verdict.rests_on))],
        }  # fmt: skip
        click.echo(to_json({"format": FORMAT, "documents": [document]}, indent=2))
    else:
        click.echo(f"{verdict.rests_on}\nok: {verdict.text}\n{_of(chosen, header['claim'])}")
    return ExitCode.OK


def _of(chosen: Chosen, claim: str) -> str:
    """Of which puzzle something is proved: an easier one has the same words to say."""
    values = "".join(f", {name} {value}" for name, value in sorted(chosen.named.items()))
    start, goal = chosen.start_text() if claim == "cost" else None, chosen.goal_text()
    begin = "" if start is None else f"; from {start}"
    end = "" if goal is None else f"; to {goal}"
    return cut(harmless(one_line(f"puzzle: {chosen.name}{values}{begin}{end}")), MOST_SAID)


def chosen_of(header: Mapping[str, Any], options: Mapping[str, Any]) -> Chosen:
    """The puzzle of a proof; believe nothing of what it says."""
    puzzle = header["puzzle"]
    if puzzle is None:
        raise UsageError(
            f"{options['file']} names no puzzle; check it by searchkit.proofs.judging.verify_proof"
            "(file, problem), or by rules of your own (see searchkit proof checker)"
        )
    ends = {name: puzzle.get(name) for name in ("start", "goal")}
    name, named = puzzle.get("name"), puzzle.get("parameters", {})
    are_texts = isinstance(named, dict) and all(
        isinstance(each, str) for each in (name, *named.values(), *filter(None, ends.values()))
    )
    if not are_texts or not puzzle.keys() <= {"name", "parameters", "file", *ends}:
        raise VerificationError("`puzzle` of its header cannot be read")
    registry = Registry.load(options["plugin"])
    file = puzzle.get("file")
    try:
        entry = choose_puzzle(registry, name)
    except UnknownNameError as error:
        where = f"; it is from {quoted(file)}, give that by --plugin, if you trust it"
        raise UnknownNameError(f"{error}{'' if file is None else where}") from None
    problem, values = as_written(entry, named, opens=options.get("files", False), whose="proof")
    with running_code_of(entry.name, problem, may_refuse=True):
        problem = with_ends(entry.name, problem, **ends)
    return Chosen(registry=registry, entry=entry, problem=problem, parameters=values, named=named)
