"""The command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from bench.compiling import compiler
from bench.document import document
from bench.job import Job
from bench.jobs import all_jobs
from bench.machine import describe_machine
from bench.measuring import Measured, measure
from bench.samples import Unavailable
from bench.table import WIDTH, table
from bench.target import CPU, check_known


@click.command()
@click.argument("names", nargs=-1, metavar="[JOB]...")
@click.option("--rounds", default=3, type=click.IntRange(min=1), show_default=True)
@click.option("--json", "file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")
@click.option("--cpu", metavar="NAME", help="Compile for this processor: haswell, x86-64-v2, ...")
@click.option("--list", "only_list", is_flag=True, help="Name the jobs and end.")
def main(
    names: tuple[str, ...], rounds: int, file: Path | None, cpu: str | None, only_list: bool
) -> None:
    """Measure searchkit against its baselines, taking turns; print ratios.

    Without names, all jobs run but those that take minutes a round; Ctrl-C ends with the jobs
    done so far. The exit code is 1 if a contestant broke down or gave a wrong answer.
    """
    errors = Console(stderr=True)
    console = Console() if sys.stdout.isatty() else Console(width=WIDTH)
    if only_list:
        _list(console)
        return
    chosen = _chosen(names)
    before = CPU.set(cpu)
    click.get_current_context().call_on_close(lambda: CPU.reset(before))
    _check_cpu()
    measured: list[Measured] = []
    try:
        with errors.status("") as status:
            for job in chosen:
                measured.append(measure(job, rounds, status.update))  # noqa: PERF401
    except KeyboardInterrupt:
        errors.print("interrupted: these jobs were done")
    console.print(table(measured))
    machine = describe_machine()
    target = f"compiled for {cpu}; " if cpu else ""
    console.print(
        f"{machine['processor']}; {target}{machine['compiler']}; numba {machine['numba']}"
    )
    everybody = [(one.job.name, runs) for one in measured for runs in (one.ours, *one.theirs)]
    for name, runs in everybody:
        if reason := runs.unavailable or runs.failed:
            console.print(f"{name}, {runs.contestant.name}: {reason}", markup=False)
    if file is not None:
        file.write_text(json.dumps(document(measured, rounds), indent=2) + "\n")
    if any(runs.failed for _, runs in everybody):
        sys.exit(1)


def _check_cpu() -> None:
    try:
        check_known(compiler())
    except Unavailable as error:
        if CPU.get() is not None:
            raise click.BadParameter(str(error), param_hint="--cpu") from None


def _list(console: Console) -> None:
    grid = Table(box=None, show_header=False)
    for job in all_jobs():
        note = " (takes minutes a round: runs only if named)" if job.takes_minutes else ""
        grid.add_row(job.name, job.summary + note)
    console.print(grid)


def _chosen(names: tuple[str, ...]) -> list[Job]:
    jobs = {job.name: job for job in all_jobs()}
    if unknown := [name for name in names if name not in jobs]:
        raise click.UsageError(f"there is no job {unknown[0]!r}; the jobs are {', '.join(jobs)}")
    if names:
        return [jobs[name] for name in names]
    return [job for job in jobs.values() if not job.takes_minutes]
