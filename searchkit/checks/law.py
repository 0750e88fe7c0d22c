"""A law: what a problem promises to whoever searches it, and how the promise is tried."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import wraps
from typing import Any, TypeVar

import attrs

from searchkit.checks.ground import Breach, Ground, Visit
from searchkit.errors import VerificationError
from searchkit.packed import PackedProblem, has_expand

T = TypeVar("T")


class Unchecked(str):
    """Why a trial has shown nothing, neither a breach nor that the law holds."""


Breaches = Generator[Breach, None, None]
"""The breaches of a law, the smallest first, found by looking at states alone."""
Findings = Generator[Breach, None, str | None]
"""Those of a law that returns what else was looked at, if anything.

That is `Unchecked` where there was nothing to try the law on.
"""
Need = type | Callable[[Ground], str | None]
"""A class of problems, a capability of them, or a function that says why a law does not apply."""


@attrs.frozen
class Law:
    """A promise with a name, and a trial of it on a `Ground`.

    `check` yields breaches, those at the states met first coming first. The law applies where all
    `needs` are met. It is not tried unless the laws that it `relies_on`, which are named, hold or
    do not apply.
    """

    name: str
    promise: str
    check: Callable[[Ground], Findings]
    needs: tuple[Need, ...] = ()
    relies_on: tuple[str, ...] = ()

    def why_not(self, ground: Ground) -> str | None:
        """Why the law does not apply to a problem; None if it does."""
        for need in self.needs:
            if not isinstance(need, type):
                reason = need(ground)
            elif isinstance(ground.problem, need):
                reason = None
            elif need is PackedProblem:
                reason = "the problem is not packed"
            else:
                reason = f"no method {' and '.join(m for m in vars(need) if m[0] != '_')}"
            if reason is not None:
                return reason
        return None


def law(
    promise: str, *needs: Need, relies_on: tuple[str, ...] = ()
) -> Callable[[Callable[[Ground], Findings]], Law]:
    """Make a trial a law, which is called like it: `machine_code` has the law `machine-code`."""

    def made(check: Callable[[Ground], Findings]) -> Law:
        return Law(check.__name__.replace("_", "-"), promise, check, needs, relies_on)

    return made


def objection(verify: Callable[..., object], *args: Any, **options: Any) -> str | None:
    """What a function that verifies something says against it."""
    try:
        verify(*args, **options)
    except VerificationError as error:
        return str(error)
    return None


def unless(reason: str, holds: Callable[[Any], object]) -> Need:
    """What a law needs to hold of a problem, and what is said where it does not."""
    return lambda ground: None if holds(ground.problem) else reason


by_operators = unless("the steps are listed by expand", lambda problem: not has_expand(problem))


def at_states(
    look: Callable[[Ground, Visit], Breach | None], method: str = "", expected: str = ""
) -> Callable[[Ground], Breaches]:
    """A trial that looks at one state after the other.

    States whose expansion failed are left out; those where it did in `method` break the law, as
    they are `expected` not to.
    """

    @wraps(look)
    def check(ground: Ground) -> Breaches:
        tried = [
            visit
            for visit in ground.visited
            if visit.failure is None or visit.failure.method == method
        ]
        for visit in ground.watched(tried):
            failure = visit.failure
            breach = ground.breach(failure, expected, method) if failure else look(ground, visit)
            if breach is not None:
                yield breach

    return check


def missing(items: Sequence[T], others: Sequence[T]) -> T | None:
    """The first of `items` that is not, or not as often, among `others`; None if all are.

    O(items + others) if they come in one order, else O(items x others).

    >>> missing([1, 2, 2], [2, 1])
    2
    """
    left = list(others)
    for item in items:
        if item not in left:
            return item
        left.remove(item)
    return None


def repeated(items: Sequence[T]) -> T | None:
    """The first of `items` that was there before; None if all differ.

    O(items) if all are hashable, else O(items²).

    >>> repeated([1, 2, 3, 2, 1])
    2
    """
    try:
        if len(set(items)) == len(items):
            return None
    except TypeError:
        pass  # compared one by one
    for place, item in enumerate(items):
        if item in items[:place]:
            return item
    return None
