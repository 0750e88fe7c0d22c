"""Tables that are built on the way to an answer: how far they are, and when to stop.

Whoever builds a table says so after every slice, and whoever keeps a limit, or shows a line,
listens in the same thread. So neither searches nor commands need to know what builds one, and the
code that builds it knows of no limits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

import attrs

from searchkit.errors import SearchkitError
from searchkit.limits import LimitKind, Limits
from searchkit.running.making import Spent, search_clock
from searchkit.texts.amounts import memory
from searchkit.texts.amounts import seconds as shown_seconds

KEPT_A_SECOND = 100e6
"""About how many bytes of a table are written in a second, with a checksum, to a disk in use."""
NO_TIME = 0.5
"""What is written in so many seconds is kept in any case."""


@attrs.frozen(eq=False, repr=False, kw_only=True)
class Building:
    """A table that is being built: what it is, how a command builds it, and how far it is.

    `how` is empty where no command does. `bytes` is the memory that building takes, `kept_bytes`
    what is written where it is stopped, to go on from there; `left` is about how many seconds the
    rest takes, None if that is not known.
    """

    what: str
    how: str = ""
    about: str = ""
    bytes: int = 0
    kept_bytes: int = 0
    seconds: float = 0.0
    left: float | None = None
    is_over: bool = False
    is_given_up: bool = False
    """Whether it is over because an exception came out of it, which no listener may replace."""

    def ahead_of(self, limit: float) -> float:
        """How long before its time is over a build is stopped, so that what was done can be kept.

        `limit` is how many seconds are left. Zero where keeping takes next to no time, or where it
        is not kept: half of the time at least is for the build.
        """
        takes = self.kept_bytes / KEPT_A_SECOND
        return takes if takes > NO_TIME and self.is_kept(limit) else 0.0

    def is_kept(self, limit: float) -> bool:
        """Whether what was done is kept where the build is stopped with `limit` seconds left."""
        takes = self.kept_bytes / KEPT_A_SECOND
        return takes <= NO_TIME or self.seconds + limit >= 2 * takes


class BuildStoppedError(SearchkitError):
    """A limit was reached while a table was built, or, where that is None, it was cancelled."""

    def __init__(self, building: Building, limit: LimitKind | None, left: float = 0.0) -> None:
        """`left` is how many seconds the build had left."""
        self.building, self.limit, self.is_kept = building, limit, building.is_kept(left)
        ended = "interrupted" if limit is None else f"gave up at the {limit.label} limit"
        super().__init__(f"{ended}: {self.why}")

    @property
    def why(self) -> str:
        """What has used the limit up, and how to build that beforehand."""
        building = self.building
        beforehand = f"; `{building.how}` builds it beforehand" if building.how else ""
        if self.limit is LimitKind.MEMORY:
            return f"building {building.what} takes {memory(building.bytes)}{beforehand}"
        spent = shown_seconds(building.seconds)
        about = f" ({building.about})" if building.about else ""
        return f"{spent} went into building {building.what}{about}{beforehand}"


Listener = Callable[[Building], None]


class Tell(Protocol):
    """Says how far a table is."""

    def __call__(
        self, about: str, *, size: int = 0, kept: int = 0, left: float | None = None
    ) -> None:
        """After every slice."""


_here = Spent()


@contextmanager
def building(what: str, how: str = "") -> Iterator[Tell]:
    """To be put around whatever builds `what`; gives what is to be called after every slice.

    `how` is the command that builds it, if there is one. May be nested.
    """
    began = search_clock()
    told, is_given_up = False, True

    def tell(about: str, *, size: int = 0, kept: int = 0, left: float | None = None) -> None:
        nonlocal told
        told = True
        _listen(about=about, bytes=size, kept_bytes=kept, left=left)

    def _listen(**more: object) -> None:
        if _here.listener is not None:
            seconds = search_clock() - began
            _here.listener(Building(what=what, how=how, seconds=seconds, **more))  # type: ignore[arg-type]

    _here.depth += 1
    if _here.depth == 1:
        _here.began = began
    try:
        yield tell
        is_given_up = False
    finally:
        _here.depth -= 1
        if _here.depth == 0:
            _here.seconds += search_clock() - began
        if told:
            _listen(is_over=True, is_given_up=is_given_up)


def telling_of_building(listener: Listener) -> AbstractContextManager[None]:
    """Call `listener`, after those around, whenever this thread has built a slice of a table."""
    return _here.telling(listener)


@contextmanager
def building_within(limits: Limits, *, hopeful: bool = True) -> Iterator[Callable[[], Limits]]:
    """Stop what is built where a limit is reached; gives a function: what is left of the limits.

    What is not `hopeful` ends as soon as the rest of a table takes longer than there is time.
    `BuildStoppedError` comes out of what builds the table.
    """
    before = _spent()

    def left() -> Limits:
        return limits.less(_spent() - before)

    def listen(building: Building) -> None:
        if building.is_over:
            return
        if limits.memory is not None and building.bytes > limits.memory:
            raise BuildStoppedError(building, LimitKind.MEMORY)
        if limits.is_cancelled:
            raise BuildStoppedError(building, None)
        time = math.inf if limits.time is None else limits.time - (_spent() - before)
        if time <= building.ahead_of(time):
            raise BuildStoppedError(building, LimitKind.TIME, time)
        if not hopeful and (building.left or 0.0) > time:
            raise BuildStoppedError(building, LimitKind.TIME)

    with telling_of_building(listen):
        yield left


def _spent() -> float:
    """Seconds that this thread has spent on tables."""
    return _here.seconds + (search_clock() - _here.began if _here.depth else 0.0)
