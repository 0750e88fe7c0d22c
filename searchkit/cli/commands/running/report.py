"""What `searchkit run` prints of the result of one search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import attrs
import click

from searchkit.cli.commands.running.totals import without_symmetry
from searchkit.cli.support import output
from searchkit.cli.support.choice import Chosen
from searchkit.cli.support.terminal_player import Still, play
from searchkit.documents import document as documents
from searchkit.limits import LimitKind
from searchkit.problem import Problem
from searchkit.result import SearchResult, Solution, Status
from searchkit.running.making import search_clock
from searchkit.texts.amounts import one_line
from searchkit.texts.harmless import harmless
from searchkit.transforms import FirstStepFixed

DELAY = 0.7
"""Seconds from move to move with `--play`."""


@attrs.define(kw_only=True)
class Report:
    """Prints the result of one search in the ways the options ask for.

    Listing ends at the time `until`, and the result is then one of a search that was stopped.
    """

    chosen: Chosen
    result: SearchResult[Any, Any]
    fixed: FirstStepFixed | None
    options: dict[str, Any]
    quiet: bool
    until: float | None = None
    listed: int = attrs.field(default=0, init=False)
    stopped: bool = attrs.field(default=False, init=False)
    """Whether listing was stopped."""

    @property
    def problem(self) -> Problem[Any, Any]:
        """The problem as chosen; its states and actions are those of the solutions."""
        return self.chosen.problem

    def solutions(self) -> Iterator[Solution[Any, Any]]:
        """The solutions that were asked for, lazily; the first even if there is no time left."""
        self.listed = 0
        for solution in self.result.solutions or ():
            if self.listed and self._is_late():
                self._stop(Status.LIMIT, LimitKind.TIME)
                return
            yield solution
            self.listed += 1

    def _is_late(self) -> bool:
        return self.until is not None and search_clock() > self.until

    def _stop(self, status: Status, limit: LimitKind | None) -> None:
        self.stopped = True
        self.result = attrs.evolve(self.result, status=status, limit=limit, complete=False)

    def action_texts(self, solution: Solution[Any, Any]) -> list[str]:
        """The actions of `solution` in the puzzle's notation."""
        return [one_line(self.problem.format_action(action)) for action in solution.actions]

    def picture(self, state: Any) -> str:
        """The picture of `state`."""
        return self.chosen.picture(state, self.options["renderer"])

    def print_json(self) -> None:
        """Print the document, solution by solution."""
        listed = iter(()) if self.options["count"] else self.solutions()
        texts: Iterable[documents.SolutionTexts] = (
            documents.SolutionTexts.of(self.problem, solution) for solution in listed
        )
        if self.until is not None:
            texts = list(texts)  # whether all were listed in time is said before them
        symmetry = None
        if self.fixed is not None:
            total = self._total()
            symmetry = {"fixed": "first step", "total": None if total is None else total[0]}
        document = documents.Document.of(
            self.result,
            puzzle=self.chosen.name,
            parameters=self.chosen.parameters,
            start=self.chosen.start_text(),
            goal=self.chosen.goal_text(),
            symmetry=symmetry,
        )
        for line in documents.document_lines(document, texts):
            click.echo(line)

    def print_count(self) -> None:
        """Print the number, and on stderr what it is the number of."""
        if self.result.status in (Status.SOLVED, Status.UNSOLVABLE):
            click.echo(self.result.count)
        self._print_summary(stderr=True)
        self._print_symmetry()

    def print_list(self) -> None:
        """Print the solutions, a line each as they come, then the summary.

        With `--moves` stdout is for the solutions alone.
        """
        firsts: Counter[Any] = Counter()
        try:
            for solution in self.solutions():
                click.echo(output.moves_line(self.action_texts(solution)))
                if self.options["draw"]:
                    self._print_states(solution)
                    click.echo()
                if self.fixed is not None and solution.steps:
                    firsts[solution.steps[0].action] += 1
        except KeyboardInterrupt:
            self._stop(Status.INTERRUPTED, None)
        if not self.options["moves"]:
            if self.result.solution is not None and not self.quiet:
                click.echo()
            self._print_summary(stderr=False)
        elif self.result.solution is None or self.stopped:
            self._print_verdict(stderr=True)
        self._print_symmetry(firsts, stderr=self.options["moves"])

    def print_moves(self) -> None:
        """Print the moves of one solution, or on stderr why there is none."""
        if self.result.solution is not None:
            click.echo(output.moves_line(self.action_texts(self.result.solution)))
        else:
            self._print_verdict(stderr=True)

    def print_one(self) -> None:
        """Print one solution with its states, and the summary."""
        solution = self.result.solution
        if solution is None:
            starts = self.chosen.starts()
            for line in output.side_by_side(map(self.picture, starts[:1]), output.width()):
                output.draw(line)
        elif self.options["draw"]:
            self._print_states(solution)
        else:
            output.draw(self.picture(solution.start))
            click.echo()
            if solution.steps:
                for line in output.wrapped_moves(self.action_texts(solution), output.width()):
                    click.echo(line)
                click.echo()
                output.draw(self.picture(solution.states[-1]))
        if not self.quiet:
            click.echo()
        self._print_summary(stderr=False)

    def print_play(self) -> None:
        """Play one solution, then print the summary."""
        solution = self.result.solution
        if solution is None:
            self.print_one()
            return
        captions = ["", *self.action_texts(solution)]
        stills = list(map(Still, captions, map(self.picture, solution.states)))
        delay = self.options["delay"]
        try:
            play(stills, DELAY if delay is None else delay)
        except KeyboardInterrupt:
            self._stop(Status.INTERRUPTED, None)
        if not self.quiet:
            click.echo()
        self._print_summary(stderr=False)

    def _print_states(self, solution: Solution[Any, Any]) -> None:
        captions = ["start", *self.action_texts(solution)]
        pictures = (
            f"{harmless(caption)}\n{self.picture(state)}"
            for caption, state in zip(captions, solution.states, strict=True)
        )
        for line in output.side_by_side(pictures, output.width()):
            output.draw(line)

    def verdict(self) -> str:
        """What was found, on one line."""
        result = self.result
        if result.solution is None:
            return result.advice
        kind = result.quality
        text = f"{output.length(self.problem, result.solution)}, {kind}"
        if result.count is not None:
            each = output.cost(self.problem, result.solution.cost)
            number = output.plural(result.count, "solution")
            if self.stopped:
                number = f"{self.listed:,} of {number} listed"
            text = f"{number}, {each}, {kind}"
        if result.status is not Status.SOLVED:
            text = f"{text}; {result.advice}"
        elif result.count is not None and not result.complete:
            text = f"{text}; there may be more"
        return text

    def _print_verdict(self, *, stderr: bool) -> None:
        click.echo(self.verdict(), err=stderr)

    def _print_summary(self, *, stderr: bool) -> None:
        if self.quiet:
            if self.result.solution is None:
                self._print_verdict(stderr=stderr)
            return
        self._print_verdict(stderr=stderr)
        statistics = self.result.statistics
        if self.result.status is Status.UNSOLVABLE and not statistics.generated:
            return  # proved without search
        output.print_pairs(
            [
                ("algorithm", f"{type(self.result.algorithm).name} ({self.result.engine} engine)"),
                *(
                    [("heuristic", self.result.heuristic)]
                    if self.result.heuristic is not None
                    else []
                ),
                ("expanded", f"{statistics.expanded:,}"),
                ("generated", f"{statistics.generated:,}"),
                *([("reopened", f"{statistics.reopened:,}")] if statistics.reopened else []),
                ("stored", f"{statistics.stored:,} at most ({output.memory(statistics.bytes)})"),
                ("time", output.seconds(statistics.seconds)),
                *(self._about_engine() if self.options["verbose"] else []),
            ],
            stderr=stderr,
        )
        if self.options["verbose"] and self.result.improvements:
            output.print_improvements(self.problem, self.result.improvements, stderr=stderr)
        if self.options["verbose"] and statistics.iterations:
            head = ["bound", "expanded", "generated", "time"]
            output.print_table(
                head,
                (
                    (f"{row.bound:g}", f"{row.expanded:,}", f"{row.generated:,}",
                     output.seconds(row.seconds))
                    for row in statistics.iterations
                ),
                right=head,
                stderr=stderr,
            )  # fmt: skip

    def _about_engine(self) -> list[tuple[str, str]]:
        """Why this engine ran, and how long it took to get ready."""
        result = self.result
        setup = result.statistics.setup_seconds
        reason = result.engine_reason
        if reason is None and self.options["engine"] != "auto":
            reason = "as --engine says"
        elif reason is None and result.engine == "compiled":
            reason = "machine code suits the problem"
        pairs = [("engine", result.engine if reason is None else f"{result.engine}: {reason}")]
        return pairs + ([("setup", output.seconds(setup))] if setup else [])

    def _print_symmetry(self, firsts: Counter[Any] | None = None, *, stderr: bool = True) -> None:
        """Say that first moves were left out, and how many solutions that leaves out."""
        if self.fixed is None or self.quiet or self.result.solution is None:
            return
        total = self._total(firsts)
        said = "" if total is None else f": {total[1]} = {total[0]:,} optimal solutions in all"
        does = "counts" if self.options["count"] else "lists"
        click.echo(
            f"first move fixed by symmetry{said}; --symmetry none {does} them all", err=stderr
        )

    def _total(self, firsts: Counter[Any] | None = None) -> tuple[int, str] | None:
        """How many solutions there are without symmetry, and the sum that says so."""
        if self.fixed is None:
            return None
        return without_symmetry(self.fixed, self.result, firsts, self._is_late)
