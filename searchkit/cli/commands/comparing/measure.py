"""Runs every contestant on every board, each run in a process of its own, and shows what they took.

Turns are taken board by board, so that a machine that becomes slower does so for all of them.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import click

from searchkit.capabilities import own_heuristic
from searchkit.cli.commands.comparing import processes
from searchkit.cli.commands.comparing.boards import choose_boards
from searchkit.cli.support import output
from searchkit.cli.support.choice import Chosen
from searchkit.cli.support.errors import say
from searchkit.cli.support.exit_codes import LIMITS, ExitCode
from searchkit.cli.support.files import kind_of, lines_into, write
from searchkit.cli.support.options import limits_from
from searchkit.cli.support.progress import ProgressLine
from searchkit.comparison import Board, Comparison, Contestant, Run
from searchkit.comparison.records import CRASHED
from searchkit.comparison.tables import basis, notes, summary_table
from searchkit.comparison.texts import csv_head, csv_line, json_text, markdown_table
from searchkit.errors import SearchkitWarning, UsageError
from searchkit.limits import LimitKind, Limits
from searchkit.problem import Costs
from searchkit.texts.amounts import plural, seconds

FORMATS = ("table", "csv", "json", "markdown")
BY_SUFFIX = {".csv": "csv", ".json": "json", ".md": "markdown"}

Competitor = tuple[str, str | None, Any]
"""The name of an algorithm, that of its heuristic as it was given, and the algorithm."""


def is_measured(options: Mapping[str, Any]) -> bool:
    """Whether the options ask for more than one look at one start."""
    names = ("boards", "repeat", "format", "output", "plot", "report")
    return any(options[name] is not None for name in names) or (options["random"] or 0) > 1


def chosen_format(options: Mapping[str, Any]) -> str:
    """The format of the output: as it is said, or by the name of the file."""
    given: str | None = options["format"]
    if options["as_json"]:
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
    chosen: Chosen,
    competitors: Sequence[Competitor],
    unsuitable: dict[str, str],
    options: Mapping[str, Any],
    command: str,
    *,
    quiet: bool,
    default_seconds: float,
) -> ExitCode:
    """Compare as the options say, and print, draw and write what came of it."""
    form = chosen_format(options)
    boards = choose_boards(chosen, options, quiet=quiet)
    limits = limits_from(options, time=default_seconds)
    comparison, contestants = compared(
        chosen, competitors, unsuitable, options, command, limits, boards
    )
    jobs = {
        label: _job(chosen, competitor, options, limits)
        for label, competitor in contestants.items()
    }
    interrupted = _run_all(comparison, jobs, options, form, quiet)
    _show(comparison, options, form, quiet)
    return exit_code(comparison, interrupted)


def compared(
    chosen: Chosen,
    competitors: Sequence[Competitor],
    unsuitable: dict[str, str],
    options: Mapping[str, Any],
    command: str,
    limits: Limits,
    boards: tuple[Board, ...],
) -> tuple[Comparison, dict[str, Competitor]]:
    """A comparison without runs, and its contestants by their labels."""
    contestants = {made.label: (made, each) for made, each in _contestants(chosen, competitors)}
    comparison = Comparison(
        command=command,
        puzzle=chosen.name,
        parameters=chosen.parameters,
        goal=chosen.goal_text(),
        settings={
            "limits": attrs.asdict(limits),
            "engine": options["engine"],
            "threads": options["threads"],
            "seed": options["seed"],
        },
        boards=boards,
        contestants=tuple(made for made, _ in contestants.values()),
        unsuitable=unsuitable,
        repeats=options["repeat"] or 1,
        cost_name="moves" if chosen.problem.costs is Costs.UNIT else "cost",
    )
    return comparison, {label: competitor for label, (_, competitor) in contestants.items()}


def _contestants(
    chosen: Chosen, competitors: Sequence[Competitor]
) -> Iterator[tuple[Contestant, Competitor]]:
    """Each with a label of its own: the algorithm, and the name of the heuristic."""
    labels: set[str] = set()
    for name, given, algorithm in competitors:
        heuristic = None
        if algorithm.uses_heuristic:
            with chosen.guard():
                made = getattr(algorithm, "heuristic", None) or own_heuristic(chosen.problem)
                heuristic = made.name
            if f"{name} ({heuristic})" in labels:
                heuristic = given
        label = name if heuristic is None else f"{name} ({heuristic})"
        labels.add(label)
        contestant = Contestant(
            label=label, algorithm=name, heuristic=heuristic, optimal=algorithm.optimal
        )
        yield contestant, (name, given, algorithm)


def _job(
    chosen: Chosen, competitor: Competitor, options: Mapping[str, Any], limits: Limits
) -> dict[str, Any]:
    name, heuristic, _ = competitor
    return {
        "problem": {
            "puzzle": chosen.name,
            "param": list(options["param"]),
            "start": options["start"],
            "goal": options["goal"],
            "plugin": [str(file) for file in (*options["plugin"], *options["more_plugins"])],
        },
        "algorithm": name,
        "heuristic": heuristic,
        "engine": options["engine"],
        "threads": options["threads"],
        "limits": attrs.asdict(limits),
    }


def _run_all(
    comparison: Comparison,
    jobs: Mapping[str, dict[str, Any]],
    options: Mapping[str, Any],
    form: str,
    quiet: bool,
) -> bool:
    """Run all, adding to the runs of the comparison as they end; whether Ctrl-C stopped it."""
    told: set[str] = set()
    with ExitStack() as stack:
        stack.callback(_warn_again, told)
        if form == "csv":
            path = options["output"]
            emit = _print if path is None else stack.enter_context(lines_into(path))
            emit(csv_head())
        line = stack.enter_context(ProgressLine("compare", quiet))
        try:
            process = partial(processes.run, note=told.add)
            broken = _make_ready(comparison, jobs, line, process)
            for run in _runs(comparison, jobs, broken, line, process):
                comparison.runs.append(run)
                if form == "csv":
                    board = comparison.boards[run.board - 1]
                    made = _by_label(comparison)[run.contestant]
                    emit(csv_line(run, board, made))
        except KeyboardInterrupt:
            return True
    return False


def _warn_again(told: set[str]) -> None:
    """Warn of what the processes were warned of, when the line of progress is gone."""
    for text in sorted(told):
        warnings.warn(text, SearchkitWarning, stacklevel=2)


def _by_label(comparison: Comparison) -> dict[str, Contestant]:
    return {each.label: each for each in comparison.contestants}


def _make_ready(
    comparison: Comparison,
    jobs: Mapping[str, dict[str, Any]],
    line: ProgressLine,
    process: Callable[[dict[str, Any]], dict[str, Any]],
) -> dict[str, str]:
    """Load each contestant once, so that machine code is made; why those that fail do."""
    broken, ready = {}, []
    for contestant in comparison.contestants:
        line.show(f"loading {contestant.label}")
        job = jobs[contestant.label]
        told = process(_with_start(job, comparison.boards[0]) | {"only_ready": True})
        if told["status"] == CRASHED:
            broken[contestant.label] = str(told["reason"])
        ready.append(attrs.evolve(contestant, ready_seconds=told.get("setup_seconds")))
    comparison.contestants = tuple(ready)
    return broken


def _runs(
    comparison: Comparison,
    jobs: Mapping[str, dict[str, Any]],
    broken: Mapping[str, str],
    line: ProgressLine,
    process: Callable[[dict[str, Any]], dict[str, Any]],
) -> Iterator[Run]:
    began, done, last = time.monotonic(), 0, ""
    total = comparison.repeats * len(comparison.boards) * len(jobs)
    for repeat in range(1, comparison.repeats + 1):
        for board in comparison.boards:
            for label, job in jobs.items():
                left = ""
                if done:
                    left = (
                        f", about {(time.monotonic() - began) / done * (total - done):.0f} s more"
                    )
                line.show(f"{done:,} of {total:,} runs{left}; now {label}, {board.name}{last}")
                told: dict[str, Any] = {"status": CRASHED, "reason": broken.get(label)}
                if label not in broken:
                    told = process(_with_start(job, board) | {"only_ready": False})
                run = Run(board=board.number, contestant=label, repeat=repeat, **told)
                done, last = done + 1, f"; last: {_told_shortly(run)}"
                yield run


def _told_shortly(run: Run) -> str:
    if not run.solved or run.seconds is None:
        return f"{run.contestant} {run.outcome}"
    return f"{run.contestant} cost {run.cost} in {seconds(run.seconds)}"


def _with_start(job: dict[str, Any], board: Board) -> dict[str, Any]:
    return job if board.is_own else job | {"problem": job["problem"] | {"start": board.text}}


def _print(text: str) -> None:
    """Print a line of CSV, as soon as it is known."""
    click.echo(text, nl=False)


def _show(comparison: Comparison, options: Mapping[str, Any], form: str, quiet: bool) -> None:
    texts = {"json": lambda: json_text(comparison), "markdown": lambda: _markdown(comparison)}
    path = options["output"]
    if form in texts and path is not None:
        write(path, texts[form]())
    elif form in texts:
        click.echo(texts[form](), nl=False)
    if form == "table" or (path is not None and not quiet):
        table = summary_table(comparison)
        output.print_table(table.head, table.rows, right=table.numbers, spare=table.spare)
        if comparison.boards:
            click.echo(basis(comparison))
        for line in notes(comparison):
            click.echo(line)
    if options["plot"] is not None or options["report"] is not None:
        # matplotlib takes long to load
        from searchkit.plots.comparing import comparison_plot  # noqa: PLC0415
        from searchkit.plots.pages import comparison_page  # noqa: PLC0415

        if options["plot"] is not None:
            plot = comparison_plot(comparison)
            write(options["plot"], plot.to_bytes(kind_of(options["plot"])))
        if options["report"] is not None:
            write(options["report"], comparison_page(comparison))


def _markdown(comparison: Comparison) -> str:
    table = summary_table(comparison)
    lines = [basis(comparison), *notes(comparison)]
    return markdown_table(table.head, table.rows, table.numbers) + "".join(
        f"\n{line}\n" for line in lines
    )


def exit_code(comparison: Comparison, interrupted: bool) -> ExitCode:
    """3 where runs contradict each other, 130 after Ctrl-C, 1 after a crash, else the best run's.

    A contradiction stays one, whatever was not run any more, and a crash is told in any case.
    """
    told = comparison.disagreements
    if told:
        more = f"; {plural(len(told) - 1, 'more board')} like this" if len(told) > 1 else ""
        say("error", f"the engines disagree: {told[0]}{more}; is every heuristic a lower bound?")
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
