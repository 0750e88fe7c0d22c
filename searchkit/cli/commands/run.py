"""`searchkit run`: solve a puzzle."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import click

from searchkit.cli.commands.running.report import DELAY, Report
from searchkit.cli.support.choice import choose_problem
from searchkit.cli.support.command import new_command
from searchkit.cli.support.exit_codes import ExitCode, of_result
from searchkit.cli.support.files import check_outputs
from searchkit.cli.support.method import choose_method, options_for_boards
from searchkit.cli.support.options import (
    ENGINE,
    JSON,
    LIMITS_OF_SEARCH,
    MOST_JOBS,
    PROBLEM,
    RENDERER,
    WORKERS,
    Duration,
    Memory,
    Whole,
    at_most_one,
    choice,
    file,
    flag,
    limits_from,
    option,
    whole,
)  # fmt: skip
from searchkit.cli.support.progress import ProgressLine
from searchkit.cli.support.workers import check_cluster, shared_work
from searchkit.engine import Engine
from searchkit.errors import UnsuitableError
from searchkit.executors.executor import Executor
from searchkit.limits import Limits
from searchkit.result import SearchResult, Status
from searchkit.running.making import search_clock
from searchkit.running.task import keeping_lists
from searchkit.solve import solve
from searchkit.solving.conclusion import Wanted
from searchkit.solving.onward import Onward

GRACE = 1.0
"""Seconds allowed for listing the solutions of a search that was stopped."""
EXCLUSIVE = (
    ("all", "count", "limit", "best"),
    ("json", "moves", "draw"),
    *(("count", other) for other in ("moves", "draw", "html")),
    *(("play", other) for other in ("json", "moves", "draw", "count", "all", "limit", "best")),
)
SEVERAL = ("all", "count", "limit")
ABOUT_ONE_START = (
    "start", "random", "scramble", "all", "limit", "count", "draw", "html", "play", "plot", "proof",
    "best",
)  # fmt: skip
"""Options that do not go with `--boards`."""


@new_command(
    "run",
    *PROBLEM,
    option("--algo", "The algorithm.  [default: chosen by the puzzle]", metavar="NAME"),
    option("-o --option settings", "Set an option of the algorithm, like cycles=path; may be "
           "repeated.", metavar="NAME=VALUE", multiple=True),
    option("--heuristic", "The heuristic.  [default: the puzzle's own]", metavar="NAME"),
    RENDERER,
    flag("--all", "List every optimal solution."),
    flag("--count", "Print the number of optimal solutions."),
    whole("--limit", "List at most N optimal solutions.", least=1),
    whole("--best", "List the N cheapest solutions, by their cost: --limit N --within any.",
          least=1),
    choice("--symmetry", ["auto", "none"], "When listing or counting, keep one of the first "
           "moves that are symmetric to each other (auto), or all of them (none).", default="auto"),
    JSON,
    flag("--moves", "Print only the moves, one solution per line."),
    flag("--draw", "Draw every state on the way."),
    option("--boards", "Solve the states in FILE, one per line, written as for --start; - is the "
           "standard input.", metavar="FILE"),
    option("--jobs", "With --boards, solve N boards at once, each in a process of its own.  "
           "[default: one for each processor]", metavar="N", type=Whole(1, most=MOST_JOBS)),
    *WORKERS,
    file("--html", "Write a page that plays the solutions, for a browser."),
    flag("--play", "Play the solution in the terminal."),
    option("--delay", "With --play, the time from move to move; 0 waits for keys.  "
           f"[default: {DELAY * 1000:.0f}ms]", metavar="TIME", type=Duration()),
    flag("-v --verbose", "Say which engine ran and why, the iterations of a deepening search as "
         "they end, and the solutions of an anytime search."),
    file("--plot", "Draw the iterations of a deepening search into FILE, .svg or .png."),
    file("--proof", "Write a proof that nothing is cheaper than the solution, or than the bound "
         "that is known, for `searchkit verify` to check; - prints it."),
    option("--proof-heuristic", "The heuristic of the proof: with zero, only the rules need to be "
           "believed, but the list is the longest.  [default: that of the search]",
           metavar="NAME"),
    *ENGINE,
    *LIMITS_OF_SEARCH,
    option("--table-memory", "Once the search has lasted as long as building takes, build pattern "
           "databases of up to this size for it: 2GB. With --boards, before the first.",
           type=Memory()),
    option("--within", "Take a solution that is proved to cost at most 1.1 times as much as an "
           "optimal one (1.1), at most 2 more (+2), or any; with --all, --count and --limit, take "
           "all that do.", metavar="RATIO|+N|any"),
)  # fmt: skip
def command(**options: Any) -> ExitCode:
    """Solve PUZZLE: print one optimal solution, all of them, or their number.

    With `--moves` or `--count`, stdout holds only the solutions or their number; notes go to
    stderr.
    """
    _check(options)
    if options["best"] is not None:
        options |= {"limit": options["best"], "within": options["within"] or "any"}
    chosen = choose_problem(options)
    if options["boards"] is not None:
        from searchkit.cli.commands.running.boards import run_boards  # noqa: PLC0415  (seldom needed)

        return run_boards(chosen, options_for_boards(chosen, options))
    wanted = _wanted(options)
    is_near = wanted != "one" and options["within"] is not None
    proof = None
    if options["proof"] is not None:
        from searchkit.cli.commands.running.proof import ProofOfRun  # noqa: PLC0415  (seldom needed)

        proof = ProofOfRun.wanted(chosen, options)
    fixed, began = None, search_clock()
    quiet = options["quiet"]
    line = ProgressLine("searchkit", quiet, verbose=options["verbose"] and not quiet)
    onward = Onward(line)

    def search(
        algorithm: Any, limits: Limits, executor: Executor | None = None
    ) -> SearchResult[Any, Any]:
        nonlocal fixed, began
        began = search_clock()
        if options["plot"] is not None and not algorithm.deepens:
            raise UnsuitableError(
                f"{algorithm.name} has no iterations to --plot; use iddfs, idastar or widastar"
            )
        by_itself = getattr(algorithm, "symmetry", "none") == "auto"
        if proof is not None:
            proof.check(algorithm)
        elif wanted != "one" and not is_near and options["symmetry"] == "auto" and not by_itself:
            with chosen.guard():
                from searchkit.transforms import fix_first_step  # noqa: PLC0415  (seldom)

                fixed = fix_first_step(chosen.problem)
        line.title = type(algorithm).name
        with chosen.guard():
            return solve(
                chosen.problem if fixed is None else fixed,
                algorithm,
                want=wanted,
                limits=limits,
                progress=onward,
                engine=Engine(options["engine"], threads=options["threads"], workers=executor),
            )

    limits = limits_from(options)
    with line, keeping_lists(when=proof is not None) as kept:
        method = choose_method(chosen, options, limits, search, any_solution=wanted == "one")
        limits = method.limits
        with shared_work(options) as executor:
            result = method.answer(partial(search, executor=executor))
    until = None if limits.time is None else began + limits.time
    if until is not None and result.status in (Status.LIMIT, Status.INTERRUPTED):
        until = max(until, search_clock() + GRACE)
    report = Report(chosen=chosen, result=result, fixed=fixed, options=options, until=until)
    with chosen.guard():
        report.print(wanted)
    code = of_result(report.result)
    try:
        if proof is not None:
            written, report.proof = proof.write(result, limits, kept)
            code = max(code, written)
    finally:  # whatever becomes of the proof, what was found is there
        with chosen.guard():
            report.write()
    return code


def _wanted(options: Mapping[str, Any]) -> Wanted:
    """What `solve` is asked for."""
    if options["count"]:
        return "count"
    return "all" if options["all"] else options["limit"] or "one"


def _check(options: Mapping[str, Any]) -> None:
    """Raise `UsageError` for options that do not go together, and files that cannot be written."""
    for names in EXCLUSIVE:
        at_most_one(options, *names)
    if options["boards"] is not None:
        for other in ABOUT_ONE_START:
            at_most_one(options, "boards", other)
        check_cluster(options)
        if options["workers"] is not None:
            raise click.UsageError("--workers share one search; with --boards, use --jobs")
    elif options["jobs"] is not None:
        raise click.UsageError("--jobs is for --boards; give both")
    elif options["algo"] is None and (options["workers"] or options["cluster"]) is not None:
        raise click.UsageError(
            "--workers and --cluster share the iterations of a deepening search; give --algo "
            "idastar or iddfs, too"
        )
    if options["delay"] is not None and not options["play"]:
        raise click.UsageError("--delay is for --play; give both")
    if options["proof"] is None and options["proof_heuristic"] is not None:
        raise click.UsageError("--proof-heuristic is for --proof; give both")
    check_outputs(options, drawn=("plot",))
