"""What the trial of a law has shown."""

from __future__ import annotations

import enum
from collections.abc import Iterator

import attrs


class Status(enum.Enum):
    """How the trial of a law has ended."""

    HOLDS = "holds"
    FAILS = "fails"
    ABSENT = "does not apply"
    UNKNOWN = "not checked"


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
