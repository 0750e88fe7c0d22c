"""Random states come from the generator alone, and can be solved."""

from __future__ import annotations

import random

from searchkit.authors.user_code import call
from searchkit.capabilities import HasCertificate, HasRandomState
from searchkit.checks.distances import distances
from searchkit.checks.ground import Breach, Ground, plural
from searchkit.checks.law import Findings, Law

DRAWN = 100


def needs(ground: Ground) -> str | None:
    """A method `random_state`."""
    return None if isinstance(ground.problem, HasRandomState) else "no method random_state"


def check(ground: Ground) -> Findings:
    """Draw states twice from one seed. O(1)."""
    problem = ground.problem
    assert isinstance(problem, HasRandomState)
    one, two = random.Random(ground.seed), random.Random(ground.seed)
    solved = distances(ground)
    for place in range(DRAWN):
        ground.watch()
        state = call("random_state", problem.random_state, one)
        again = call("random_state", problem.random_state, two)
        text = ground.text(state)
        if ground.key(state) != ground.key(again):
            yield Breach(
                expected=f"draw {place + 1} of seed {ground.seed} gives {text} again",
                found=ground.text(again),
                blame=("random_state",),
            )
            return None
        certificate = None
        if isinstance(problem, HasCertificate):
            certificate = call("certificate", problem.certificate, state)
        known = ground.number.get(ground.key(state))
        is_lost = ground.is_whole and known is not None and known not in solved
        if certificate is not None or is_lost:
            why = "no goal can be reached" if certificate is None else certificate.text
            yield Breach(
                expected=f"the state of draw {place + 1} of seed {ground.seed} can be solved",
                found=f"{text}: {why}",
                blame=("random_state",),
            )
    return plural(DRAWN, "draw")


LAW = Law(
    "random-states", "random_state draws solvable states, by its generator alone", check, needs
)
