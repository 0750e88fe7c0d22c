"""A law: what a problem promises to whoever searches it, and how the promise is tried."""

from __future__ import annotations

from collections.abc import Callable, Generator

import attrs

from searchkit.checks.ground import Breach, Ground


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
