"""`successors` gives the same steps in the same order, always.

Engines ask again to rebuild solutions.
"""

from __future__ import annotations

from itertools import zip_longest

from searchkit.authors.user_code import is_by_identity
from searchkit.checks.ground import Breach, Ground, Visit
from searchkit.checks.law import Law, at_states
from searchkit.premises.asking import Met


def look(ground: Ground, visit: Visit) -> Breach | None:
    """Ask again, of the same state and of an equal one made again. O(steps)."""
    for state, which in (visit.state, "the same state"), (ground.fresh(visit), "an equal state"):
        again = ground.take(state)
        for number, (old, new) in enumerate(zip_longest(visit.steps, again), start=1):
            if old is None or new is None or not _same(old, new):
                return Breach(
                    f"from {which}, asked again, step {number} is {ground.step_text(old)}",
                    ground.step_text(new),
                    "successors apply operators action",
                )
    return None


def _same(old: Met, new: Met) -> bool:
    # States that Python tells apart by identity alone are a matter of their keys.
    is_same_state = old.key == new.key or is_by_identity(old.key)
    return bool(old.action == new.action and old.cost == new.cost and is_same_state)


LAW = Law(
    __name__, __doc__, at_states(look, "successors", "steps, each as Step(action, state, cost)")
)
