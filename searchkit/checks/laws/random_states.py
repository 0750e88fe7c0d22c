"""`random_state` draws solvable states, by its generator alone."""

from __future__ import annotations

import random

from searchkit.capabilities import HasCertificate, HasRandomState
from searchkit.checks.distances import distances
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law
from searchkit.texts.amounts import plural

DRAWN = 100


def check(ground: Ground) -> Findings:
    """Draw states twice from one seed. O(1)."""
    one, two = random.Random(ground.seed), random.Random(ground.seed)
    solved = distances(ground)
    for place in range(DRAWN):
        ground.watch()
        state, again = ground.ask("random_state", one), ground.ask("random_state", two)
        draw = f"draw {place + 1} of seed {ground.seed}"
        text = ground.text(state)
        if ground.key(state) != ground.key(again):
            yield Breach(f"{draw} gives {text} again", ground.text(again), "random_state")
            return None
        certificate = None
        if isinstance(ground.problem, HasCertificate):
            certificate = ground.ask("certificate", state)
        known = ground.number.get(ground.key(state))
        is_lost = ground.is_whole and known is not None and known not in solved
        if certificate is not None or is_lost:
            why = "no goal can be reached" if certificate is None else certificate.text
            yield Breach(f"the state of {draw} can be solved", f"{text}: {why}", "random_state")
    return plural(DRAWN, "draw")


LAW = Law(__name__, __doc__, check, (HasRandomState,))
