"""`searchkit verify`: replay the solutions of a JSON document, or check why there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, BinaryIO

import attrs
import click

from searchkit.capabilities import HasGoalStates
from searchkit.cli.support.choice import AnyProblem, as_written, choose_puzzle
from searchkit.cli.support.command import new_command
from searchkit.cli.support.errors import running_code_of
from searchkit.cli.support.exit_codes import LIMITS, ExitCode
from searchkit.cli.support.files import opened
from searchkit.cli.support.options import JSON, Duration, Memory, flag, option, printing, whole
from searchkit.cli.support.output import cost
from searchkit.cli.support.progress import ProgressLine
from searchkit.documents.check import (
    Claim,
    Verified,
    claims_of_solutions,
    verify_by_search,
    verify_document,
    verify_unsolvable,
)
from searchkit.documents.document import Document, SolutionTexts
from searchkit.documents.reading import read_document
from searchkit.documents.rules import unknown_name
from searchkit.documents.schema import schema_text
from searchkit.documents.searching_again import search_again, with_claims
from searchkit.errors import ParseError, UsageError, VerificationError
from searchkit.limits import LimitKind, Limits
from searchkit.puzzles import with_ends
from searchkit.registry import PuzzleEntry, Registry
from searchkit.result import Status
from searchkit.running.free_memory import default_memory
from searchkit.running.making import search_clock
from searchkit.texts.amounts import cut, plural, quoted
from searchkit.texts.harmless import to_json
from searchkit.texts.text_files import FileNamedError, read_stream
from searchkit.verify import MOST_EXPANSIONS

FORMAT = "searchkit-verification/1"
MOST_BYTES = 1 << 30
"""So long may a file of documents be; it is read whole."""

MOST_SAID = 300
PROOFS = b"searchkit-proof ", b"\x1f\x8b"
"""How proofs begin, and files that are compressed, as no document is."""
BEGIN = 16


def begin_of(file: BinaryIO) -> bytes:
    """The first bytes of a file that can be read again; none of another."""
    if not file.seekable():
        return b""
    begin = file.read(BEGIN)
    file.seek(0)
    return begin


@new_command(
    "verify",
    click.Argument(["file"]),
    flag("--search", "Search the rules as written for anything cheaper than the lower bound, with "
         "another kind of engine than the one that ran; and count solutions again, with a plain "
         "search that shares nothing with the engines."),
    whole("--max-expansions", "Expand at most N states for each search or closed set.  [default: "
          f"{MOST_EXPANSIONS:,}; the search for something cheaper has no limit]", least=1),
    option("--max-time search_time", "Give up each search after this time: 10s, 2m.",
           type=Duration()),
    option("--max-memory", "Give up the search for something cheaper when stored states take more: "
           "500MB, 2GiB.  [default: three quarters of the free memory]  Of a proof: the memory for "
           "its list.  [default: 1GiB; with --twin as above]", type=Memory()),
    flag("--twin", "Check the list of a proof with machine code made from the rules, which you "
         "must then trust: for long lists."),
    JSON,
    printing("--schema", "Print the JSON Schema (draft 2020-12) of all that commands print with "
             "--json.", lambda ctx: schema_text().rstrip()),
    flag("--files", "Open the files that the document's parameters name. Not for documents from "
         "somebody else."),
)  # fmt: skip
def command(**options: Any) -> ExitCode:
    """Replay the solutions that `run --json` wrote to FILE, by the puzzle's slow rules.

    If FILE says that there is no solution, its certificate is checked. A proof written by `run
    --proof` is checked, too, after a list of what you have to take on trust. FILE `-` is the
    standard input. What `run --boards --json` wrote is checked line by line.
    """
    hint = "give a file written by run --json or by --proof"
    with opened(options["file"], hint) as file:
        is_proof = options["file"] != "-" and begin_of(file).startswith(PROOFS)
        try:
            data = b"" if is_proof else read_stream(file, MOST_BYTES, quoted(options["file"]))
        except ParseError as error:
            raise UsageError(f"{error}; {hint}") from error
    if is_proof or data.startswith(PROOFS):
        from searchkit.cli.commands.proving import verify_bytes, verify_file  # noqa: PLC0415  (seldom)

        return verify_file(options, options["file"]) if is_proof else verify_bytes(options, data)

    if options["twin"]:
        raise click.UsageError("--twin is for proofs, which --proof writes; leave it out")
    lines, where = data.splitlines(), options["file"]
    is_one = len(lines) < 2 or not lines[0].rstrip().endswith(b"}")
    call, answers = _Call(options), []
    for number, line in enumerate([data] if is_one else lines, start=1):
        answer = call.verify(line, where if is_one else f"{where}, line {number}")
        answers.append(answer)
        if not options["json"]:
            click.echo(answer.text if is_one else f"{number}: {answer.text}")
    if options["json"]:
        click.echo(to_json(_document(answers), indent=2))
    elif not options["quiet"]:
        _print_claims(answers)
    return max(answer.code for answer in answers)


@attrs.frozen
class _Answer:
    """What is to be said of one document."""

    code: ExitCode
    text: str
    document: Document
    verified: Verified


def _document(answers: Sequence[_Answer]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "documents": [
            {
                "line": answer.document.line,
                "puzzle": answer.document.puzzle,
                "ok": answer.code is ExitCode.OK,
                "text": answer.text,
                "solutions": answer.verified.solutions,
                "checked": [attrs.asdict(claim) for claim in answer.verified.checked],
                "not_checked": [attrs.asdict(claim) for claim in answer.verified.unchecked],
            }
            for answer in answers
        ],
    }


def _print_claims(answers: Sequence[_Answer]) -> None:
    checked = dict.fromkeys(claim.text for each in answers for claim in each.verified.checked)
    unchecked = dict.fromkeys(claim.text for each in answers for claim in each.verified.unchecked)
    for title, texts in (("checked", checked), ("not checked", unchecked)):
        for text in texts:
            click.echo(f"{title}: {text}")


@attrs.define(slots=False)
class _Call:
    """Verifies the documents of one call; plugins and puzzles are looked for once, when needed."""

    options: Mapping[str, Any]
    entries: dict[str, PuzzleEntry] = attrs.field(factory=dict)

    @cached_property
    def registry(self) -> Registry:
        return Registry.load(self.options["plugin"])

    def verify(self, data: bytes, where: str) -> _Answer:
        """What is to be said of one document, which is to be found at `where`."""
        try:
            document, solutions = read_document(data)
        except ParseError as error:
            raise ParseError(f"{where}: {cut(str(error), MOST_SAID)}") from error
        name, named, quiet = document.puzzle, document.parameters, self.options["quiet"]
        if name not in self.entries:
            self.entries[name] = choose_puzzle(self.registry, name)
        try:
            opens = self.options["files"]
            problem, _ = as_written(self.entries[name], named, opens=opens, whose="document")
        except FileNamedError as error:
            raise FileNamedError(f"{where}: {error}") from error
        with running_code_of(name, problem), ProgressLine("verify", quiet) as line:
            try:
                started, own = _with_goal_and_start(problem, document)
                wrong = unknown_name(document, started, self.registry)
                if wrong is not None:
                    raise VerificationError(wrong)
                if document.status is Status.UNSOLVABLE:
                    answer = self._check_certificate(document, started, line)
                else:
                    answer = self._replay(document, solutions, started, line)
                if self.options["search"]:
                    answer = self._search_again(document, started, answer, line)
            except VerificationError as error:
                raise VerificationError(f"{where}: {cut(str(error), MOST_SAID)}") from error
        if own or not named:
            return answer
        void = "parameters that the start or the goal of the document replaces"
        unchecked = (*answer.verified.unchecked, Claim("parameters", void))
        return attrs.evolve(answer, verified=attrs.evolve(answer.verified, unchecked=unchecked))

    def _replay(
        self,
        document: Document,
        solutions: Sequence[SolutionTexts],
        problem: AnyProblem,
        line: ProgressLine,
    ) -> _Answer:
        if self.options["search"] and not solutions:
            done = Verified(0, (), claims_of_solutions(document)[1])
            text = "ok: no solution is listed"
        else:
            done = verify_document(
                document,
                solutions,
                problem,
                listener=lambda number: line.show(f"{plural(number, 'solution')} verified"),
            )
            paid = cost(problem, document.cost or 0) + " each" * (done.solutions > 1)
            if done.solutions and solutions[-1].cost != document.cost:
                paid = f"{document.cost} to {cost(problem, solutions[-1].cost)}"
            text = f"ok: {plural(done.solutions, 'solution')} verified ({paid})"
        return _Answer(ExitCode.OK, text, document, done)

    def _count_again(self, problem: AnyProblem, answer: _Answer, line: ProgressLine) -> _Answer:
        """The answer, and what a plain search says of the number of solutions."""
        most, time = self._most(), self.options["search_time"]
        until = None if time is None else search_clock() + time
        tell = _expanding(line)

        def is_late(expanded: int) -> bool:
            tell(expanded)
            return until is not None and search_clock() >= until

        done, again = verify_by_search(
            answer.document, problem, answer.verified, max_expansions=most, listener=is_late
        )
        if not again.finished:
            late = again.expanded <= most
            why = "the time limit was reached" if late else f"more than {plural(most, 'state')}"
            code = LIMITS[LimitKind.TIME] if late else ExitCode.GAVE_UP
            text = f"not counted to the end: {why}; {answer.text}"
        else:
            code = answer.code
            text = f"{answer.text}; {plural(again.expanded, 'state')} expanded again"
            near, number = answer.document.near, answer.document.count
            text += " to count" if near is None else f"; that there are {number} was not checked"
        return attrs.evolve(answer, code=code, text=text, verified=done)

    def _most(self) -> int:
        """How many states may be expanded by what has no other limit."""
        most: int | None = self.options["max_expansions"]
        return MOST_EXPANSIONS if most is None else most

    def _search_again(
        self, document: Document, problem: AnyProblem, answer: _Answer, line: ProgressLine
    ) -> _Answer:
        """The answer, and what a search of another kind says, which may be all that is checked."""
        memory = self.options["max_memory"]
        limits = Limits(
            time=self.options["search_time"],
            memory=default_memory() if memory is None else memory,
            expansions=self.options["max_expansions"],
        )
        again = search_again(problem, document, limits=limits, progress=line)
        verified = with_claims(answer.verified, again)
        if not again.holds:
            code = ExitCode.INTERRUPTED if again.limit is None else LIMITS[again.limit]
        elif document.status is Status.UNSOLVABLE:
            code = ExitCode.OK  # which is proved, whatever there was to be said of the certificate
        else:
            code = answer.code
        answer = _Answer(code, f"{again.text}; {answer.text}", document, verified)
        is_counted = document.optimal and document.count is not None
        if again.holds and is_counted and document.status is not Status.UNSOLVABLE:
            return self._count_again(problem, answer, line)
        return answer

    def _check_certificate(
        self, document: Document, problem: AnyProblem, line: ProgressLine
    ) -> _Answer:
        most = self._most()
        verified = verify_unsolvable(
            document, problem, max_expansions=most, listener=_expanding(line)
        )
        assert document.certificate is not None
        assert verified.certificate is not None
        kind, done = document.certificate.kind, verified.certificate
        if not done.finished:
            text = (
                f"not checked: the certificate, of kind {kind!r}, is of more than "
                f"{plural(most, 'state')}; raise --max-expansions to explore them again"
            )
            return _Answer(ExitCode.GAVE_UP, text, document, verified)
        again = f"; {plural(done.expanded, 'state')} expanded again" if done.expanded else ""
        text = f"ok: no solution; the certificate, of kind {kind!r}, holds{again}"
        return _Answer(ExitCode.OK, text, document, verified)


def _expanding(line: ProgressLine) -> Callable[[int], None]:
    return lambda expanded: line.show(f"{plural(expanded, 'state')} expanded")


def _with_goal_and_start(problem: AnyProblem, document: Document) -> tuple[AnyProblem, bool]:
    """The problem that the document is about, and whether it is as the parameters say."""
    name, own = document.puzzle, True
    try:
        for what, said, texts in (
            ("goal", document.goal, _goals),
            ("start", document.start, _starts),
        ):
            if said is None or texts(problem) == [said]:
                continue
            problem, own = with_ends(name, problem, **{what: said}), False
            if texts(problem) not in ([], [said]):
                raise VerificationError(
                    f"field {what!r} is {quoted(said)}, but the {what} is written "
                    f"{texts(problem)[0]!r}"
                )
        if document.board is not None:
            read = with_ends(name, problem, start=document.board)
            if _starts(read) != _starts(problem):
                raise VerificationError("field 'board' is another state than field 'start'")
    except UsageError as error:
        raise VerificationError(f"its start or goal cannot be used: {error}") from error
    return problem, own


def _starts(problem: AnyProblem) -> list[str]:
    return [problem.format_state(start) for start in problem.initial_states()]


def _goals(problem: AnyProblem) -> list[str]:
    if not isinstance(problem, HasGoalStates):
        return []
    return [problem.format_state(goal) for goal in islice(problem.goal_states(), 2)]
