"""What is shown while a command works for more than a second."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from contextvars import ContextVar
from threading import Timer
from typing import TYPE_CHECKING, Any

import attrs
import click

from searchkit.cli.support.errors import say
from searchkit.limits import Progress
from searchkit.running.building import Building, BuildStoppedError, telling_of_building
from searchkit.texts.amounts import memory
from searchkit.texts.amounts import seconds as shown_seconds
from searchkit.texts.harmless import harmless

if TYPE_CHECKING:
    from rich.status import Status

PATIENCE = 1.0
"""Seconds before anything is shown."""
_TELLING = ContextVar("_TELLING", default=False)
"""Whether a line says which tables are built."""
MEGA = 1e6


@attrs.define
class ProgressLine:
    """One line on stderr that says how a search is doing; it is gone when the search ends.

    Nothing is shown in the first second, nor where stderr is not a terminal, nor when `quiet`. Of
    tables that are built meanwhile, lines stay that say which, also where it is not a terminal.
    """

    title: str
    quiet: bool = False
    verbose: bool = False
    """Whether iterations are shown as they end, on lines that stay, also where stderr is a file."""
    _ended: int = attrs.field(default=0, init=False)
    _began: float = attrs.field(factory=time.monotonic, init=False)
    _status: Status | None = attrs.field(default=None, init=False)
    _timer: Timer | None = attrs.field(default=None, init=False)
    _stack: ExitStack = attrs.field(factory=ExitStack, init=False)
    _told: str | None = attrs.field(default=None, init=False)
    """The table of which was said that it is built."""

    def __enter__(self) -> ProgressLine:
        if not self.quiet and not _TELLING.get():  # one line inside another says nothing twice
            self._stack.callback(_TELLING.reset, _TELLING.set(True))
            self._stack.enter_context(telling_of_building(self._tell_of_building))
        self.quiet = self.quiet or not sys.stderr.isatty()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()
        self._stop_timer()
        self.hide()

    def hide(self) -> None:
        """Take the line away, so that something else can be printed, until the next `show`."""
        if self._status is not None:
            self._status.stop()
            self._status = None

    def __call__(self, progress: Progress) -> None:
        """Show the counts of a search."""
        self._stop_timer()
        self._tell_iterations(progress)
        if progress.preparing:
            # Nothing is reported until machine code is made, so that a timer must show this.
            text = "making machine code for this kind of puzzle"
            self._say_after(PATIENCE, self.show, text)
            return
        if progress.layer is not None:
            self.show(_about_layer(progress))
            return
        bound = ""
        if 0 < progress.lower_bound < math.inf:
            bound = f", cost at least {progress.lower_bound:,.0f}"
        if progress.cost is not None:
            bound = f", found cost {progress.cost:,}{bound}"
        self.show(
            f"{progress.expanded:,} expanded, {progress.stored:,} stored{bound}, "
            f"{progress.seconds:.0f} s"
        )

    def _tell_iterations(self, progress: Progress) -> None:
        if not self.verbose:
            return
        for row in progress.iterations[self._ended :]:
            self.say(
                f"iteration {row.bound:g}: {row.expanded:,} expanded, {row.generated:,} generated, "
                f"{row.seconds:.3f} s"
            )
        self._ended = len(progress.iterations)

    def _tell_of_building(self, building: Building) -> None:
        """Say which table is built, and after that how long it took; show how far it is."""
        self._stop_timer()
        if building.is_given_up:
            self.hide()
        elif building.is_over:
            if self._told == building.what:
                self.hide()
                say("note", f"{building.what} was built in {shown_seconds(building.seconds)}")
            self._told = None
        elif building.seconds >= PATIENCE:
            self._say_what_is_built(building)
            self.show(f"building {building.what}: {building.about}")
        else:
            self._say_after(PATIENCE - building.seconds, self._say_what_is_built, building)

    def _say_what_is_built(self, building: Building) -> None:
        if self._told != building.what:
            self._told = building.what
            self.hide()
            size = f" ({memory(building.bytes)})" if building.bytes else ""
            say("note", f"building {building.what}{size}")

    def _say_after(self, seconds: float, say: Callable[..., None], what: Any) -> None:
        """Say something, unless something else is to be said first."""
        self._timer = Timer(seconds, say, [what])
        self._timer.daemon = True
        self._timer.start()

    def say(self, text: str) -> None:
        """Print a line that stays, above the line that does not."""
        if self._status is None:
            click.echo(f"{self.title}: {text}", err=True)
        else:
            self._status.console.print(harmless(f"{self.title}: {text}"))

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            if self._timer.is_alive():  # or else Ctrl-C has come while it was started
                self._timer.join()
            self._timer = None

    def show(self, text: str) -> None:
        """Show `text` after the title."""
        if self.quiet or time.monotonic() - self._began < PATIENCE:
            return
        from rich.markup import escape  # noqa: PLC0415
        from rich.status import Status  # noqa: PLC0415

        from searchkit.cli.support.output import console  # noqa: PLC0415

        line = escape(harmless(f"{self.title}: {text}"))
        if self._status is None:
            self._status = Status(line, console=console(stderr=True))
            self._status.start()
        else:
            self._status.update(line)


def _about_layer(progress: Progress) -> str:
    """How far an exploration is, and about how long the layer at hand takes from now on."""
    assert progress.layer is not None
    depth, states, done = progress.layer
    rate = progress.expanded / progress.seconds if progress.seconds > 0 else 0
    left = f", about {(states - done) / rate:.0f} s more for it" if rate else ""
    return (
        f"layer {depth}, {done:,} of {states:,} states expanded{left}; {progress.stored:,} states "
        f"stored, {progress.seconds:.0f} s"
    )


def say_stopped(stopped: BuildStoppedError) -> None:
    """Say whether what was done of a table is kept."""
    if stopped.is_kept:
        say("note", "stopped; what was done is kept, and the next build goes on")
    else:
        size = stopped.building.kept_bytes / MEGA
        say(
            "note",
            f"stopped; what was done since the build began is not kept: it takes too long to write "
            f"{size:,.0f} MB; give it more time",
        )
