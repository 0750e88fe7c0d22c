"""A law: what a problem promises to whoever searches it, and how the promise is tried."""

from __future__ import annotations

import enum
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from searchkit.checks.ground import Ground, Visit


class Status(enum.Enum):
    """How the trial of a law has ended."""

    HOLDS = "holds"
    FAILS = "fails"
    ABSENT = "does not apply"
    UNKNOWN = "not checked"


@attrs.frozen(kw_only=True)
class Breach:
    """Where a law is broken: what was expected, what was found, and whose code is to blame.

    `at` is the state, reached by a shortest way known; `then` are texts of what is done there
    (an action, say). `blame` names methods and attributes of the problem, the likeliest first;
    `place` is a line that is known already.
    """

    expected: str
    found: str
    blame: tuple[str, ...] = ()
    at: Visit | None = None
    then: tuple[str, ...] = ()
    place: str | None = None


class Unchecked(str):
    """Why a trial has shown nothing, neither a breach nor that the law holds."""


Findings = Generator[Breach, None, str | None]
"""The breaches of a law, the smallest first; it returns what was looked at, if not states.

That is `Unchecked` where there was nothing to try the law on.
"""


@attrs.frozen
class Law:
    """A promise with a name, and a trial of it on a `Ground`.

    `needs` says why the law does not apply to a problem; None if it does. `check` yields
    breaches, those at the states met first coming first. It is not tried unless the laws that it
    `relies_on` hold, or do not apply.
    """

    name: str
    promise: str
    check: Callable[[Ground], Findings]
    needs: Callable[[Ground], str | None] = lambda ground: None
    relies_on: tuple[Law, ...] = ()


@attrs.frozen(kw_only=True)
class Counterexample:
    """The smallest breach that was found, in words.

    `start` is the text of the state that `actions`, texts too, begin at; they lead to `state`.
    `places` are the lines of the author's to look at, the likeliest first, as `file:line in name`.
    """

    start: str | None
    origin: str | None
    actions: tuple[str, ...]
    state: str | None
    expected: str
    found: str
    places: tuple[str, ...]

    @property
    def place(self) -> str | None:
        """The likeliest of the places; None if there is none."""
        return next(iter(self.places), None)

    def lines(self) -> Iterator[str]:
        """What it is, a line for each part."""
        if self.state is not None:
            yield f"at        {self.state}"
            if self.actions:
                yield f"reached   from the {self.origin} {self.start} by {', '.join(self.actions)}"
            else:
                yield f"which is  a {self.origin}"
        yield f"expected  {self.expected}"
        yield f"found     {self.found}"
        for place, word in zip(self.places, ("see", "or"), strict=False):
            yield f"{word:<8}  {place}"


@attrs.frozen(kw_only=True)
class Verdict:
    """What the trial of one law has shown.

    `scope` says on what: the states looked at, or why the law does not apply or was not checked.
    `breaches` counts the places where it is broken.
    """

    law: str
    promise: str
    status: Status
    scope: str
    seconds: float = 0.0
    breaches: int = 0
    counterexample: Counterexample | None = None

    def lines(self) -> Iterator[str]:
        """The verdict in words, a counterexample indented."""
        if self.status is not Status.FAILS:
            between = " on " if self.status is Status.HOLDS else ": "
            yield f"{self.law}: {self.status.value}{between}{self.scope}"
            return
        assert self.counterexample is not None
        yield f"{self.law}: FAILS: {self.promise}"
        yield from (f"  {line}" for line in self.counterexample.lines())
        if self.breaches > 1:
            yield f"  and {self.breaches - 1:,} more, on {self.scope}"

    def __str__(self) -> str:
        return "\n".join(self.lines())
