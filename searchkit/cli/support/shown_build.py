"""A table that `pdb build` builds: shown, and stopped when its time is up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from searchkit.cli.support.errors import say
from searchkit.cli.support.progress import ProgressLine
from searchkit.limits import LimitKind
from searchkit.running.building import Building, BuildStoppedError
from searchkit.running.making import search_clock

MEGA = 1e6


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


def raise_if_late(build: Any, what: str, seconds: float, left: float, *, others: int = 0) -> None:
    """Raise `BuildStoppedError` where `left` seconds are no more than it takes to keep a table.

    It has been built for some `seconds`; `others` like it are kept at the same time.
    """
    kept = build.kept_bytes * (1 + others)
    building = Building(what=what, about=build.about(), kept_bytes=kept, seconds=seconds)
    if left <= building.ahead_of(left):
        raise BuildStoppedError(building, LimitKind.TIME, left)


@contextmanager
def shown_build(
    name: str, options: Mapping[str, Any], began: float
) -> Iterator[tuple[Callable[[Any], None], Callable[[str], None]]]:
    """Show how far a table is; gives what is to be called after every slice, and for notes.

    The first raises `BuildStoppedError` so that the command ends at `--max-time` after `began`, by
    `search_clock`.
    """
    most, started = options["max_time"], search_clock()
    with ProgressLine(name, options["quiet"]) as line:

        def watch(build: Any) -> None:
            line.show(build.about())
            if most is not None:
                now = search_clock()
                raise_if_late(build, name, now - started, began + most - now)

        yield watch, lambda text: None if options["quiet"] else say("note", text)
