"""What an answer rests on, asked of the problem before the answer is given.

"Optimal", "unsolvable" and every bound are statements about the author's rules, and hold only if
these keep the protocol. That cannot be checked as a whole (`searchkit check` tries more of it),
but what is cheap is asked each time: see "What a proof rests on" in docs/reference/protocol.md.
"""

from searchkit.premises.asking import check_goals, goals_of, starts_of
from searchkit.premises.estimates import overestimate
from searchkit.premises.kinds import bounded, check_kinds
from searchkit.premises.reasons import Asked, Premises, explaining

__all__ = [
    "Asked",
    "Premises",
    "bounded",
    "check_goals",
    "check_kinds",
    "explaining",
    "goals_of",
    "overestimate",
    "starts_of",
]
