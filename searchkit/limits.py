"""When to give up, and what a running search tells about itself."""

from __future__ import annotations

import enum
import math
import re
from collections.abc import Callable
from numbers import Integral, Rational, Real
from typing import Any, Self

import attrs

from searchkit.errors import UsageError

NO_ANSWER = "has not answered for"
"""What is said of a rule that was ended at a limit."""


class LimitKind(enum.Enum):
    """The limit that stopped a search."""

    TIME = "time"
    MEMORY = "memory"
    EXPANSIONS = "expansions"
    COST = "cost"
    WIDTH = "width"
    """Of the beam, an option of beam search: nothing is left in it."""

    @property
    def label(self) -> str:
        """The word before "limit" in a message."""
        return self.value.removesuffix("s")


def _not_negative(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
    if value is None:
        return
    kind, what = (Real, "number") if attribute.name == "time" else (Integral, "whole number")
    is_number = value.__class__ is int or (isinstance(value, kind) and not isinstance(value, bool))
    if not (is_number and value >= 0):
        raise UsageError(
            f"limit {attribute.name} is {value!r:.40}; it must be a {what}, 0 or more, or None"
        )


@attrs.frozen
class Within:
    """How good a solution must be: to cost at most `ratio` times an optimal one, and `slack` more.

    Of any number at least 1, so that an optimal one is good enough.
    """

    ratio: Any = 1
    slack: float = 0
    """Infinite where any solution is good enough."""

    def __str__(self) -> str:
        if self.is_any:
            return ANY
        return f"+{self.slack}" if self.slack else f"{self.ratio}"

    @property
    def is_any(self) -> bool:
        """Whether any solution is good enough."""
        return self.slack == math.inf

    def most(self, cost: int) -> float:
        """What a solution may cost where an optimal one costs `cost`. Exact."""
        return math.inf if self.is_any else math.floor(self.ratio * cost) + self.slack

    def holds(self, cost: float, lower_bound: float) -> bool:
        """Whether a solution is so good, where none costs less than `lower_bound`. Exact."""
        if cost <= lower_bound or self.is_any:
            return True
        from fractions import Fraction  # noqa: PLC0415  (for what is not optimal)

        return bool(cost - self.slack <= self.ratio * Fraction(lower_bound))


EXACTLY = Within()
ANY = "any"


def _read_within(value: Any) -> Within | None:
    """What `Limits.within` is given as: a ratio, like 1.1 or "6/5", a slack like "+2", or "any"."""
    if value is None or isinstance(value, Within):
        return value
    text = str(value).strip()
    if isinstance(value, (int, float, str, Rational)) and not isinstance(value, bool):
        if text == ANY:
            return Within(slack=math.inf)
        if re.fullmatch(r"\+[0-9]{1,15}", text):
            return Within(slack=int(text))
        if re.fullmatch(r"[0-9]{1,15}(\.[0-9]{1,15})?|[0-9]{1,30}/0*[1-9][0-9]{,29}", text):
            from fractions import Fraction  # noqa: PLC0415  (seldom)

            if (ratio := Fraction(text)) >= 1:
                return Within(ratio)
    raise UsageError(
        f"within is {value!r:.40}; it must be a ratio from 1 upwards, like 1.1, how much more a "
        "solution may cost than an optimal one, like +2, or any"
    )


def _an_event(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
    if value is not None and not callable(getattr(value, "is_set", None)):
        raise UsageError(f"limit cancel is {value!r:.40}; it must be a threading.Event, or None")


@attrs.frozen(kw_only=True)
class Limits:
    """Bounds on a search; None means no bound.

    Attributes:
        time: Seconds.
        memory: Bytes of the engine's stored states (see `Statistics.bytes`).
        expansions: Expanded states.
        cost: Solution cost: no solution that costs more is looked for, no state further away is
            explored.
        tables: Bytes of pattern databases that a search by default, or one whose algorithm has no
            heuristic named, may build for itself once it has lasted as long as that takes.
        within: Ends a search whose solution is proved so good: a ratio to the cost of an optimal
            one, like 1.1 or "6/5", or how much more it may cost, like "+2"; "any" is good enough
            whatever it costs. Where several solutions are wanted, those as good are listed.
        cancel: A `threading.Event`, which another thread, or the progress listener, sets to end the
            search as Ctrl-C does: with what is known so far.

    Raises:
        UsageError: A bound is not a number from 0 upwards, or another limit not as it must be.
    """

    time: float | None = attrs.field(default=None, validator=_not_negative)
    memory: int | None = attrs.field(default=None, validator=_not_negative)
    expansions: int | None = attrs.field(default=None, validator=_not_negative)
    cost: int | None = attrs.field(default=None, validator=_not_negative)
    tables: int | None = attrs.field(default=None, validator=_not_negative)
    within: Any = attrs.field(default=None, converter=_read_within)
    cancel: Any = attrs.field(default=None, validator=_an_event)

    @property
    def is_cancelled(self) -> bool:
        """Whether somebody has set `cancel`."""
        return self.cancel is not None and bool(self.cancel.is_set())

    @classmethod
    def of(cls, limits: Limits, **others: Any) -> Self:
        """The same limits, but for some others."""
        same = {each.name: getattr(limits, each.name) for each in attrs.fields(Limits)}
        return cls(**same | others)

    def less(self, seconds: float, expansions: int = 0) -> Self:
        """What is left of the limits of time and of expansions once that much is used up."""
        left: dict[str, Any] = {}
        if self.time is not None:
            left["time"] = max(0.0, self.time - seconds)
        if self.expansions is not None:
            left["expansions"] = max(0, self.expansions - expansions)
        return attrs.evolve(self, **left) if left else self

    def to_dict(self) -> dict[str, Any]:
        """The limits as `Limits(**...)` takes them, of numbers and texts; `within` if it is set."""
        given = {name: getattr(self, name) for name in ("time", "memory", "expansions", "cost")}
        return given if self.within is None else given | {"within": str(self.within)}


@attrs.frozen(kw_only=True)
class TrialLimits(Limits):
    """What an engine may do before another takes over: it may also generate that many states.

    Where these are reached the limit is that of time, for that is what they stand for: counts,
    unlike clocks, are the same on every machine. Then `go_on`, given the limit and the seconds,
    is asked for limits with which the engine goes on after all, where no other can take over.
    """

    generated: int
    whole_time: float | None = None
    """The limit of time of what the trial is a part of."""
    go_on: Callable[[LimitKind, float], Limits | None] = lambda limit, seconds: None


@attrs.frozen(kw_only=True)
class PausingLimits(Limits):
    """Limits of which one more ends a search as that of time does."""

    is_due: Callable[[float, float | None], bool]
    """Whether it does, after so many seconds, and with a solution at so many times the bound."""


@attrs.frozen(kw_only=True)
class Iteration:
    """One round of a deepening engine: all paths of cost up to `bound` were tried."""

    bound: float
    expanded: int
    generated: int
    seconds: float


@attrs.frozen(kw_only=True)
class Progress:
    """A look at a running search: counts so far, seconds, and the bound proved so far.

    `layer` is, for an exploration, the depth of the layer at hand, its states, and how many of them
    are expanded. `cost` is that of the best solution that an anytime search has found so far.
    `preparing` is true before a compiled engine loads or makes its machine code. `iterations` are
    those of a deepening engine that have ended.
    """

    expanded: int
    generated: int
    stored: int
    frontier: int
    lower_bound: float
    seconds: float
    layer: tuple[int, int, int] | None = None
    cost: int | None = None
    preparing: bool = False
    iterations: tuple[Iteration, ...] = ()


ProgressListener = Callable[[Progress], None]
