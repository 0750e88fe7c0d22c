"""What `searchkit run` prints of the result of one search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import attrs
import click

from searchkit.cli.support import output
from searchkit.cli.support.choice import Chosen
from searchkit.cli.support.errors import say
from searchkit.cli.support.files import write, write_plot
from searchkit.cli.support.output import note_engine
from searchkit.limits import LimitKind
from searchkit.problem import Problem
from searchkit.result import SearchResult, Solution, Status
from searchkit.running.making import ctrl_c_waits, search_clock
from searchkit.solving.conclusion import Wanted
from searchkit.texts.amounts import moves_line, one_line, plural, seconds, wrapped_moves
from searchkit.texts.harmless import harmless

if TYPE_CHECKING:
    from searchkit.transforms import FirstStepFixed

LISTED_FOR_TOTAL = 100_000
"""How many solutions are listed to find the total where first steps are of unequal classes."""
MOST_COMPARED = 1000
"""In solutions of at most so many steps, the text of each is compared with those beside it."""
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
    until: float | None = None
    proof: str = ""
    """What the page says of a proof."""
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

    def print(self, wanted: Wanted) -> None:
        """Print what was wanted in the way the options ask for."""
        if self.options["json"]:
            self._print_json()  # first, so that Ctrl-C comes too late to lose it
        if not self.options["quiet"]:
            note_engine(self.result)
        self._point_out_ambiguous()
        if self.options["json"]:
            if self.result.unfinished is not None and not self.options["quiet"]:
                say("note", self.result.unfinished)
        elif wanted == "count":
            if self.result.status in (Status.SOLVED, Status.UNSOLVABLE):
                click.echo(self.result.count)
            self._print_summary(stderr=True)  # of what it is the number
            self._print_symmetry()
        elif wanted != "one":
            self._print_list()
        elif self.options["moves"]:
            solution = self.result.solution
            text = self.verdict() if solution is None else moves_line(self.action_texts(solution))
            click.echo(text, err=solution is None)
        elif self.options["play"]:
            self._print_play()
        else:
            self._print_one()

    def _point_out_ambiguous(self) -> None:
        """Say that the texts of the moves do not tell a solution, as the rules repeat one."""
        solution = self.result.solution
        if solution is None or len(solution.steps) > MOST_COMPARED:
            return
        from searchkit.verify import ambiguous_step  # noqa: PLC0415  (loads what proofs need)

        number = ambiguous_step(self.problem, solution)
        if number is not None:
            text = one_line(self.problem.format_action(solution.steps[number - 1].action))
            say(
                "warning",
                f"the moves are ambiguous: step {number} of the solution, {text}, has the text of "
                "another step from the same state; give each action of a state a text of its own",
            )

    def write(self) -> None:
        """Write the page that plays the solutions, and the plot, where they were asked for."""
        if self.options["html"] is not None:
            self._write_page()
        if self.options["plot"] is not None:
            from searchkit.plots.layers import iterations_plot  # noqa: PLC0415  (loads matplotlib)

            heuristic = self.result.heuristic
            named = "" if heuristic is None else f" with {heuristic}"
            name = type(self.result.algorithm).name
            title = f"{self.chosen.name}: iterations of {name}{named}"
            plot = iterations_plot(self.result.statistics.iterations, title)
            write_plot(self.options["plot"], plot)

    def _write_page(self) -> None:
        from searchkit.render import MOST_SOLUTIONS, Player  # noqa: PLC0415  (loads a template engine)

        path, result = self.options["html"], self.result
        if result.solutions is None:
            say("note", f"there is no solution to watch; {path} is not written")
            return
        many = result.count or 1
        more = (
            "" if many <= MOST_SOLUTIONS else f"; the first {MOST_SOLUTIONS} of {many:,} are here"
        )
        page = Player(
            self.problem,
            result.solutions,
            title=self.chosen.title(),
            summary=f"{self.verdict()}{more}",
            text=None if self.options["renderer"] is None else self.picture,
            proof=self.proof,
        )
        write(path, page.html())
        if not self.options["quiet"]:
            say("note", f"{path} plays {'the solution' if many == 1 else 'the solutions'}")

    def _print_json(self) -> None:
        """Print the document; one of a single solution also where Ctrl-C is pressed meanwhile."""
        if self.result.count is not None or self.result.solution is None:
            for line in self._json_lines():
                click.echo(line)
            return
        is_pressed = False
        try:
            lines = list(self._json_lines())
        except KeyboardInterrupt:
            is_pressed, lines = True, list(self._json_lines())
        with ctrl_c_waits():
            click.echo("\n".join(lines))
        if is_pressed:
            raise KeyboardInterrupt

    def _json_lines(self) -> Iterator[str]:
        from searchkit.documents import document as documents  # noqa: PLC0415  (seldom needed)

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
        document = documents.Document.of(self.result, **self.chosen.about(), symmetry=symmetry)
        return documents.document_lines(document, texts)

    def _print_list(self) -> None:
        """Print the solutions, a line each as they come, then the summary.

        With `--moves` stdout is for the solutions alone.
        """
        firsts: Counter[Any] = Counter()
        try:
            for solution in self.solutions():
                click.echo(moves_line(self.action_texts(solution)))
                if self.options["draw"]:
                    self._print_states(solution)
                    click.echo()
                if self.fixed is not None and solution.steps:
                    firsts[solution.steps[0].action] += 1
        except KeyboardInterrupt:
            self._stop(Status.INTERRUPTED, None)
        if not self.options["moves"]:
            self._print_end(after=self.result.solution is not None)
        elif self.result.status is not Status.SOLVED:
            click.echo(self.verdict(), err=True)
        self._print_symmetry(firsts, stderr=self.options["moves"])

    def _print_one(self) -> None:
        solution = self.result.solution
        if solution is None:
            for start in self.chosen.starts()[:1]:
                output.draw(self.picture(start))
        elif self.options["draw"]:
            self._print_states(solution)
        else:
            output.draw(self.picture(solution.start))
            click.echo()
            if solution.steps:
                texts = self.action_texts(solution)
                for line in wrapped_moves(texts, output.width(), output.cells_of):
                    click.echo(line)
                click.echo()
                output.draw(self.picture(solution.states[-1]))
        self._print_end()

    def _print_play(self) -> None:
        from searchkit.cli.support.terminal_player import Still, play  # noqa: PLC0415  (seldom needed)

        solution = self.result.solution
        if solution is None:
            self._print_one()
            return
        captions = ["", *self.action_texts(solution)]
        stills = list(map(Still, captions, map(self.picture, solution.states)))
        delay = self.options["delay"]
        try:
            play(stills, DELAY if delay is None else delay)
        except KeyboardInterrupt:
            self._stop(Status.INTERRUPTED, None)
        self._print_end()

    def _print_end(self, *, after: bool = True) -> None:
        """Print the summary, apart from what is printed before it, if anything is."""
        if after and not self.options["quiet"]:
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
            number = plural(result.count, "solution")
            if self.stopped:
                number = f"{self.listed:,} of {number} listed"
            text = f"{number}, {each}, {kind}"
            if result.near is not None:
                some = "" if result.near.is_any else f" within {result.near}"
                text = f"{number}{some}, the cheapest of {each}, {kind}"
        if result.status is not Status.SOLVED:
            text = f"{text}; {result.advice}"
        elif result.count is not None and not result.complete:
            text = f"{text}; there may be more"
        return text

    def _print_summary(self, *, stderr: bool) -> None:
        result, statistics = self.result, self.result.statistics
        if not self.options["quiet"] or result.solution is None:
            click.echo(self.verdict(), err=stderr)
        is_proved_at_once = result.status is Status.UNSOLVABLE and not statistics.generated
        if self.options["quiet"] or is_proved_at_once:
            return
        figures = {"algorithm": f"{type(result.algorithm).name} ({result.engine} engine)"}
        if result.heuristic is not None:
            figures["heuristic"] = result.heuristic
        figures |= statistics.shown()
        if self.options["verbose"]:
            figures |= self._about_engine()
        output.print_pairs(figures.items(), stderr=stderr)
        if self.options["verbose"] and result.improvements:
            output.print_improvements(self.problem, result.improvements, stderr=stderr)
        if self.options["verbose"] and statistics.iterations:
            head = ["bound", "expanded", "generated", "time"]
            rows = (
                (f"{row.bound:g}", f"{row.expanded:,}", f"{row.generated:,}", seconds(row.seconds))
                for row in statistics.iterations
            )
            output.print_table(head, rows, right=head, stderr=stderr)

    def _about_engine(self) -> dict[str, str]:
        result = self.result
        setup = result.statistics.setup_seconds
        reason = result.engine_reason
        if reason is None and self.options["engine"] != "auto":
            reason = "as --engine says"
        elif reason is None and result.engine == "compiled":
            reason = "machine code suits the problem"
        about = {"engine": result.engine if reason is None else f"{result.engine}: {reason}"}
        return about | ({"setup": seconds(setup)} if setup else {})

    def _print_symmetry(self, firsts: Counter[Any] | None = None, *, stderr: bool = True) -> None:
        """Say that first moves were left out, and how many solutions that leaves out."""
        if self.fixed is None or self.options["quiet"] or self.result.solution is None:
            return
        total = self._total(firsts)
        said = "" if total is None else f": {total[1]} = {total[0]:,} optimal solutions in all"
        does = "counts" if self.options["count"] else "lists"
        click.echo(
            f"first move fixed by symmetry{said}; --symmetry none {does} them all", err=stderr
        )

    def _total(self, firsts: Counter[Any] | None = None) -> tuple[int, str] | None:
        """How many solutions there are without symmetry, and the sum that says so.

        `firsts` counts the solutions by first action, if they were listed. None if not all
        solutions are known, or if too many would have to be listed.
        """
        result, fixed, count = self.result, self.fixed, self.result.count
        if fixed is None or not count or not result.complete:
            return None
        sizes = {len(actions) for actions in fixed.classes}
        by_size: Counter[int] = Counter()
        if len(sizes) == 1:
            by_size[sizes.pop()] = count
        elif firsts:
            for action, number in firsts.items():
                by_size[fixed.orbit_size(action)] += number
        elif count > LISTED_FOR_TOTAL:
            return None
        else:
            for solution in result.solutions or ():
                if self._is_late():
                    return None
                by_size[fixed.orbit_size(solution.steps[0].action)] += 1
        parts = sorted(by_size.items())
        return (
            sum(size * number for size, number in parts),
            " + ".join(f"{number:,} × {size}" for size, number in parts),
        )
