"""`searchkit play`: play a puzzle by hand, with hints from the solver."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import attrs
import click

from searchkit.capabilities import HasStart
from searchkit.cli.support.choice import Chosen, choose_problem
from searchkit.cli.support.command import new_command
from searchkit.cli.support.errors import say
from searchkit.cli.support.method import choose_algorithm
from searchkit.cli.support.options import PROBLEM, RENDERER, Duration, option
from searchkit.cli.support.output import draw
from searchkit.errors import UsageError
from searchkit.limits import Limits
from searchkit.problem import Step
from searchkit.result import SearchResult, Status
from searchkit.running.free_memory import default_memory
from searchkit.solve import solve
from searchkit.texts.amounts import plural

MOST_LISTED = 40
WORDS = """a move as it is listed, or its beginning if no other begins so; or several
undo      take the last move back
hint      the next move of a shortest solution
solve     all moves of a shortest solution
restart   begin again
quit      end (so does the end of the input)"""


@attrs.define(eq=False)
class Game:
    """The states from the start to where the player is, and the moves between them."""

    chosen: Chosen
    algorithm: Any
    limits: Limits
    states: list[Any]
    moves: list[Any] = attrs.field(factory=list)
    helped: bool = False
    ambiguous: set[str] = attrs.field(factory=set)
    """The texts that stood for two moves of one state, of which the first one is made."""

    @property
    def state(self) -> Any:
        """Where the player is."""
        return self.states[-1]

    def is_won(self) -> bool:
        """Whether this is a goal."""
        with self.chosen.guard():
            return self.chosen.problem.is_goal(self.state)

    def steps(self) -> dict[str, Step[Any, Any]]:
        """The steps that are possible, by the texts of their actions."""
        problem = self.chosen.problem
        found: dict[str, Step[Any, Any]] = {}
        with self.chosen.guard():
            for step in problem.successors(self.state):
                text = problem.format_action(step.action)
                if problem.key(found.setdefault(text, step).state) != problem.key(step.state):
                    self.ambiguous.add(text)
        return found

    def named(self, words: str) -> list[str]:
        """The actions that `words` may mean: that one, or those that begin so."""
        known = list(self.steps())
        lower = words.lower()
        same = [text for text in known if text.lower() == lower]
        return same or [text for text in known if text.lower().startswith(lower)]

    def go(self, text: str) -> None:
        """Make a move."""
        step = self.steps()[text]
        self.states.append(step.state)
        self.moves.append(step.action)

    def go_on(self, words: list[str]) -> bool:
        """Make several moves, if each word means one; else none."""
        for made, word in enumerate(words):
            named = self.named(word)
            if len(named) != 1:
                for _ in range(made):
                    self.undo()
                return False
            self.go(named[0])
        return True

    def undo(self) -> bool:
        """Take a move back, if there is one."""
        if not self.moves:
            return False
        self.moves.pop()
        self.states.pop()
        return True

    def restart(self) -> None:
        """Go back to the start."""
        del self.states[1:], self.moves[:]

    def solved(self) -> SearchResult[Any, Any] | None:
        """What the solver finds from here; None if it cannot begin here."""
        problem = self.chosen.problem
        if not isinstance(problem, HasStart):
            return None
        self.helped = True
        with self.chosen.guard():
            here = problem.with_start(self.state)
        result = solve(here, self.algorithm, limits=self.limits)
        if result.status is Status.INTERRUPTED:  # Ctrl-C ends the play, as it does at the prompt
            raise KeyboardInterrupt
        return result


@new_command(
    "play",
    *PROBLEM,
    RENDERER,
    option("--max-time", "Search for a hint no longer than this.  [default: 10s]", type=Duration(),
           default="10s"),
)  # fmt: skip
def command(**options: Any) -> None:
    """Play PUZZLE by hand: type moves, or undo, hint, solve, restart or quit."""
    if sys.stdin is None or sys.stdin.closed:
        raise UsageError("standard input is closed, but moves are read from it")
    chosen = choose_problem(options)
    limits = Limits(time=options["max_time"], memory=default_memory())
    algorithm = choose_algorithm(chosen, None, None)
    game = Game(chosen, algorithm, limits, chosen.starts()[:1])
    for line in _lines(game, options["renderer"]):
        _obey(game, line)
    if not game.is_won():
        click.echo(f"ended after {plural(len(game.moves), 'move')}")
        return
    with_help = ", with help" if game.helped else ""
    click.echo(f"solved in {plural(len(game.moves), 'move')}{with_help}")


def _lines(game: Game, renderer: str | None) -> Iterator[str]:
    """What the player says, until the puzzle is solved or the player ends."""
    shown = None
    while True:
        if game.state is not shown:
            draw(game.chosen.picture(game.state, renderer))
            shown = game.state
            if game.is_won():
                return
            click.echo(_possible(game))
        if sys.stdin.isatty():
            click.echo(f"{len(game.moves)}> ", nl=False)
        try:
            line = sys.stdin.readline()
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not a text"
            raise UsageError(f"moves cannot be read from standard input: {reason}") from error
        if not line or line.strip().lower() in ("quit", "q", "exit"):
            return
        if line.strip():
            yield line.strip()


def _possible(game: Game) -> str:
    known = len(game.ambiguous)
    texts = list(game.steps())
    if known == 0 < len(game.ambiguous):
        say(
            "warning",
            f"the moves are ambiguous: {min(game.ambiguous)} is the text of several, of which the "
            "first is made; give each action of a state a text of its own",
        )
    if not texts:
        return "no move is left; undo, restart or quit"
    more = f" ... ({len(texts) - MOST_LISTED} more)" if len(texts) > MOST_LISTED else ""
    return f"moves: {' '.join(texts[:MOST_LISTED])}{more}"


def _obey(game: Game, line: str) -> None:
    word = line.lower()
    named = game.named(line)
    if len(named) == 1:
        game.go(named[0])
    elif named:
        click.echo(f"{line!r} may be {' or '.join(named[:5])}")
    elif game.go_on(line.split()):
        return
    elif word in ("undo", "u"):
        if not game.undo():
            click.echo("there is no move to take back")
    elif word == "restart":
        game.restart()
    elif word in ("hint", "h", "solve"):
        click.echo(_advice(game, whole=word == "solve"))
    elif word in ("help", "?"):
        click.echo(WORDS)
    else:
        click.echo(f"{line!r} is not a move here; {_possible(game)}; or say help")


def _advice(game: Game, *, whole: bool) -> str:
    """The next move, or all, of a solution, or why there is none to tell."""
    result = game.solved()
    if result is None:
        return "this puzzle cannot be solved from another start than its own; no hints"
    if result.status is Status.UNSOLVABLE:
        way_out = "; undo" if game.moves else ", nor from anywhere that moves lead to"
        return f"there is no way to the goal from here{way_out}"
    if result.solution is None:
        return f"no solution found in time; it takes {result.lower_bound} at least"
    texts = [game.chosen.problem.format_action(action) for action in result.solution.actions]
    left = f"{plural(len(texts), 'move')} to go" + (", which is optimal" if result.optimal else "")
    return f"{' '.join(texts)} ({left})" if whole else f"{texts[0]} ({left})"
