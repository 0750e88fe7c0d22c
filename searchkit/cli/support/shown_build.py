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

STOPPED = "stopped; what was done is kept, and the next build goes on"


@contextmanager
def shown_build(
    name: str, options: Mapping[str, Any], began: float
) -> Iterator[tuple[Callable[[Any], None], Callable[[str], None]]]:
    """Show how far a table is; gives what is to be called after every slice, and for notes.

    The first raises `BuildStoppedError` from `--max-time` after `began` on, by `search_clock`.
    """
    most = options["max_time"]
    with ProgressLine(name, options["quiet"]) as line:

        def watch(build: Any) -> None:
            line.show(build.about())
            if most is not None and search_clock() - began >= most:
                building = Building(what=name, how="searchkit pdb build", about=build.about())
                raise BuildStoppedError(building, LimitKind.TIME)

        yield watch, lambda text: None if options["quiet"] else say("note", text)
