"""Runs every contestant on every board, each run in a process of its own, and shows what they took.

Turns are taken board by board, so that a machine that becomes slower does so for all of them.
"""

from __future__ import annotations

import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import attrs
import click

from searchkit.cli.commands.comparing.contestants import Entrant
from searchkit.cli.commands.comparing.worker import Runner
from searchkit.cli.support import output
from searchkit.cli.support.choice import described
from searchkit.cli.support.errors import say
from searchkit.cli.support.exit_codes import LIMITS, ExitCode
from searchkit.cli.support.files import lines_into, write, write_plot
from searchkit.cli.support.progress import ProgressLine
from searchkit.cli.support.workers import executor_of
from searchkit.comparison import Board, Comparison, Run
from searchkit.comparison.records import CRASHED
from searchkit.comparison.tables import (
    basis,
    csv_head,
    csv_line,
    json_text,
    markdown,
    notes,
    summary_table,
)
from searchkit.errors import SearchkitWarning, UsageError
from searchkit.limits import LimitKind
from searchkit.result import Status
from searchkit.texts.amounts import plural, seconds

FORMATS = ("table", "csv", "json", "markdown")
BY_SUFFIX = {".csv": "csv", ".json": "json", ".md": "markdown"}

Job = dict[str, Any]
Turn = tuple[int, Board, tuple[str, Job]]
AHEAD = 1024
"""How many runs are begun, or wait for a process, from the one whose result is told next."""


def chosen_format(options: Mapping[str, Any]) -> str:
    """The format of the output: as it is said, or by the name of the file."""
    given: str | None = options["format"]
    if options["json"]:
        if given not in (None, "json"):
            raise click.UsageError(f"--json and --format {given} exclude each other; give one")
        given = "json"
    path: Path | None = options["output"]
    if given is None and path is not None:
        given = BY_SUFFIX.get(path.suffix.lower())
        if given is None:
            raise UsageError(f"--output {path}: the name must end in .csv, .json or .md, or give "
                             "--format")  # fmt: skip
    return given or "table"


def measure(
    comparison: Comparison, entrants: Sequence[Entrant], options: Mapping[str, Any], form: str
) -> ExitCode:
    """Run all as the options say, and print, draw and write what came of it."""
    jobs = {each.contestant.label: _job(comparison, each, options) for each in entrants}
    stopped: dict[str, dict[str, Any]] = {
        each.contestant.label: {
            "status": Status.LIMIT.value,
            "limit": each.stopped.limit.value,
            "reason": str(each.stopped),
        }
        for each in entrants
        if each.stopped is not None and each.stopped.limit is not None
    }
    interrupted = _run_all(comparison, jobs, stopped, options, form)
    _show(comparison, options, form)
    return exit_code(comparison, interrupted)


def _job(comparison: Comparison, entrant: Entrant, options: Mapping[str, Any]) -> Job:
    return {
        "problem": described(options),
        "algorithm": entrant.contestant.algorithm,
        "heuristic": entrant.heuristic,
        **{name: comparison.settings[name] for name in ("engine", "threads", "limits")},
    }


def _run_all(
    comparison: Comparison,
    jobs: Mapping[str, Job],
    stopped: Mapping[str, dict[str, Any]],
    options: Mapping[str, Any],
    form: str,
) -> bool:
    """Run all, adding to the runs of the comparison as they end; whether Ctrl-C stopped it.

    Those that were `stopped` before have their fields there.
    """
    answer: set[str] = set()
    with ExitStack() as stack:
        stack.callback(_warn_again, answer)
        if form == "csv":
            path = options["output"]
            emit: Callable[[str], None] = partial(click.echo, nl=False)
            if path is not None:
                emit = stack.enter_context(lines_into(path))
            emit(csv_head())
        line = stack.enter_context(ProgressLine("compare", options["quiet"]))
        try:
            executor = stack.enter_context(executor_of(options, comparison.at_once, fresh=True))
            comparison.settings["jobs"] = executor.workers
            runner = Runner(executor, answer.add)
            others = {label: job for label, job in jobs.items() if label not in stopped}
            broken = {**stopped, **_make_ready(comparison, others, line, runner)}
            for run in _runs(comparison, jobs, broken, line, runner):
                comparison.runs.append(run)
                if form == "csv":
                    emit(csv_line(run, comparison))
        except KeyboardInterrupt:
            return True
    return False


def _warn_again(answer: set[str]) -> None:
    """Warn of what the processes were warned of, when the line of progress is gone."""
    for text in sorted(answer):
        warnings.warn(text, SearchkitWarning, stacklevel=2)


def _make_ready(
    comparison: Comparison, jobs: Mapping[str, Job], line: ProgressLine, runner: Runner
) -> dict[str, dict[str, Any]]:
    """Load each contestant once, so that machine code is made; the reasons of those that fail."""
    broken, ready = {}, []
    for contestant in comparison.contestants:
        job = jobs.get(contestant.label)
        if job is None:
            ready.append(contestant)
            continue
        line.show(f"loading {contestant.label}")
        job = _with_start(job, comparison.boards[0]) | {"only_ready": True}
        answer = runner.end(job, runner.begin(job))
        if answer["status"] == CRASHED:
            broken[contestant.label] = answer
        ready.append(attrs.evolve(contestant, ready_seconds=answer.get("setup_seconds")))
    comparison.contestants = tuple(ready)
    return broken


def _runs(
    comparison: Comparison,
    jobs: Mapping[str, Job],
    broken: Mapping[str, dict[str, Any]],
    line: ProgressLine,
    runner: Runner,
) -> Iterator[Run]:
    began, last = time.monotonic(), ""
    turns = list(product(range(1, comparison.repeats + 1), comparison.boards, jobs.items()))

    for done, (turn, answer) in enumerate(_answers(turns, broken, runner)):
        repeat, board, (label, _) = turn
        left = ""
        if done:
            seconds_left = (time.monotonic() - began) / done * (len(turns) - done)
            left = f", about {seconds_left:.0f} s more"
        line.show(f"{done:,} of {len(turns):,} runs{left}; now {label}, {board.name}{last}")
        run = Run(board=board.number, contestant=label, repeat=repeat, **answer())
        shortly = run.outcome
        if run.solved and run.seconds is not None:
            shortly = f"cost {run.cost} in {seconds(run.seconds)}"
        last = f"; last: {label} {shortly}"
        yield run


def _answers(
    turns: Sequence[Turn], broken: Mapping[str, dict[str, Any]], runner: Runner
) -> Iterator[tuple[Turn, Callable[[], dict[str, Any]]]]:
    """Each turn in order, with what waits for its answer; some are begun ahead."""
    begun: deque[Callable[[], dict[str, Any]]] = deque()
    for at, turn in enumerate(turns):
        for _, board, (label, job) in turns[at + len(begun) : at + AHEAD]:
            if label in broken:
                begun.append(partial(dict, broken[label]))
                continue
            now = _with_start(job, board) | {"only_ready": False}
            begun.append(partial(runner.end, now, runner.begin(now)))
        yield turn, begun.popleft()


def _with_start(job: dict[str, Any], board: Board) -> dict[str, Any]:
    return job if board.is_own else job | {"problem": job["problem"] | {"start": board.text}}


def _show(comparison: Comparison, options: Mapping[str, Any], form: str) -> None:
    texts = {"json": lambda: json_text(comparison), "markdown": lambda: markdown(comparison)}
    path = options["output"]
    if form in texts and path is not None:
        write(path, texts[form]())
    elif form in texts:
        click.echo(texts[form](), nl=False)
    if form == "table" or (path is not None and not options["quiet"]):
        table = summary_table(comparison)
        output.print_table(table.head, table.rows, right=table.numbers, spare=table.spare)
        if comparison.boards:
            click.echo(basis(comparison))
        for line in notes(comparison):
            click.echo(line)
    if options["plot"] is not None or options["html"] is not None:
        # matplotlib takes long to load
        from searchkit.plots.comparing import comparison_plot  # noqa: PLC0415
        from searchkit.plots.pages import comparison_page  # noqa: PLC0415

        if options["plot"] is not None:
            write_plot(options["plot"], comparison_plot(comparison))
        if options["html"] is not None:
            write(options["html"], comparison_page(comparison))


def exit_code(comparison: Comparison, interrupted: bool) -> ExitCode:
    """3 where runs contradict each other, 130 after Ctrl-C, 1 after a crash, else the best run's.

    A contradiction stays one, whatever was not run any more, and a crash is reported in any case.
    """
    answer = comparison.disagreements
    if answer:
        more = f"; {plural(len(answer) - 1, 'more board')} like this" if len(answer) > 1 else ""
        say("error", f"the engines disagree: {answer[0]}{more}; is every heuristic a lower bound?")
        return ExitCode.DISAGREEMENT
    crashed = [run for run in comparison.runs if run.status == CRASHED]
    if crashed:
        of_all = f"{len(crashed):,} of {plural(len(comparison.runs), 'run')} crashed"
        say("error", f"{of_all}; {crashed[0].contestant}: {crashed[0].reason}")
    if interrupted:
        return ExitCode.INTERRUPTED
    if crashed:
        return ExitCode.BUG
    if any(run.solved for run in comparison.runs):
        return ExitCode.OK
    if any(run.status == "unsolvable" for run in comparison.runs):
        return ExitCode.UNSOLVABLE
    limits = [run.limit for run in comparison.runs if run.limit is not None]
    return LIMITS[LimitKind(limits[0])] if limits else ExitCode.INTERRUPTED
